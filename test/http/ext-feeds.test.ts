// `GET /ext/v1/changes` and `/vintages`: nothing missed, nothing twice, nothing of others, and the long poll.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parsePeriod } from '../../src/core/time/period.ts'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import { limits } from '../../src/limits.ts'
import { changeKinds } from '../../src/read/change-kinds.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import { renameWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { HttpClient } from '../support/clients/http-client.ts'
import { type Api, follow, openApi, type Tenant } from '../support/houses/api.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'

type Changes = ExtWire<'ChangeList'>
type Vintages = ExtWire<'VintageList'>

let ground: TestDatabase
let api: Api
/** A filled workspace for tests that change nothing in it. */
let known: Tenant

const document = (slug: string, series: string, name = slug) => `slug: ${slug}
name: ${name}
status: ACTIVE
contract: { start: 2024-01-01, frequency: QUARTERLY }
inputs:
  steel: { series: ${series}, weight: 1, base: 2023-12, lag: 1 month }
clause: { fixed: 0 }
parties: { supplier: [sam@supplier.test] }
`

beforeAll(async () => {
  ground = await openTestDatabase()
  api = await openApi(ground)
  known = await filled()
})
afterAll(() => api.close())

const changes = (tenant: Tenant, query = '') => tenant.extJson<Changes>(`/changes${query}`)
const vintages = (tenant: Tenant, query = '') => tenant.extJson<Vintages>(`/vintages${query}`)

const publishPublic = (id: string, period: string, value: string) =>
  publishRows(api.sql, publicScope, id, [{ period: parsePeriod(period)!.ordinal, value }])

/** Everything after a cursor, page by page. */
async function walk<T>(
  first: string,
  read: (query: string) => Promise<{ data: T[]; pagination: { hasMore: boolean; nextCursor: string } }>,
) {
  const all: T[] = []
  let query = first
  for (;;) {
    const { data, pagination } = await read(query)
    all.push(...data)
    query = `?limit=1&cursor=${pagination.nextCursor}`
    if (!pagination.hasMore) return { all, cursor: pagination.nextCursor }
  }
}

async function filled(): Promise<Tenant> {
  const tenant = await api.tenant()
  await tenant.importValues('BLS/A', { '2023-12': '100', '2024-03': '102' })
  await tenant.apply(document('a-axles', 'BLS/A'))
  await tenant.apply(document('b-brackets', 'BLS/A'))
  await tenant.sign('a-axles', '2024-Q2', 'buyer')
  await tenant.sign('a-axles', '2024-Q2', 'supplier')
  await tenant.importValues('BLS/A', { '2024-06': '103' })
  return tenant
}

describe('GET /changes', () => {
  test('lists what happened from the beginning, in order, with what it affects', async () => {
    const tenant = known
    const id = await tenant.seriesId('BLS/A')
    const { data, pagination } = await changes(tenant, '?from=start')
    const listed = data.map(({ kind, subject, periods, pams: agreements }) => [
      kind,
      subject === id ? 'A' : subject.slice(0, 3),
      periods,
      agreements,
    ])
    expect(listed).toEqual([
      ['metadata', 'A', null, ['a-axles', 'b-brackets']],
      ['observations', 'A', ['2023-12', '2024-03'], ['a-axles', 'b-brackets']],
      ['formula', 'pam', null, ['a-axles']],
      ['status', 'pam', null, ['a-axles']],
      ['formula', 'pam', null, ['b-brackets']],
      ['status', 'pam', null, ['b-brackets']],
      ['signoff', 'pam', ['2024-Q2'], ['a-axles']],
      ['agreed', 'pam', ['2024-Q2'], ['a-axles']],
      ['observations', 'A', ['2024-06'], ['a-axles', 'b-brackets']],
    ])
    expect(pagination).toMatchObject({ limit: 500, hasMore: false })
    expect(new Set(data.map(each => each.id)).size).toBe(data.length)
    expect(data.map(({ at }) => at)).toEqual(data.map(({ at }) => at).toSorted())
  })

  test('gives the same page by page, and continues from its cursor after a restart', async () => {
    const tenant = await filled()
    const whole = (await changes(tenant, '?from=start')).data
    const { all, cursor } = await walk('?from=start&limit=1', query => changes(tenant, query))
    expect(all).toEqual(whole)
    expect((await changes(tenant, `?cursor=${cursor}`)).data).toEqual([])
    await api.restart()
    await tenant.importValues('BLS/A', { '2024-09': '104' })
    expect((await changes(tenant, `?cursor=${cursor}`)).data).toMatchObject([
      { kind: 'observations', periods: ['2024-09'] },
    ])
  })

  test('begins now without a cursor, and keeps its cursor and its tag while nothing comes', async () => {
    const tenant = known
    const { data, pagination } = await changes(tenant)
    expect(data).toEqual([])
    const path = `/changes?cursor=${pagination.nextCursor}`
    const first = await tenant.ext(path)
    // What others do shows nowhere.
    await publishPublic(await makeSeries(api.sql, publicScope, 'UNSEEN'), '2024-01', '1')
    const second = await tenant.ext(path)
    expect([second.text, second.headers.etag]).toEqual([first.text, first.headers.etag])
    expect((JSON.parse(second.text) as Changes).pagination.nextCursor).toBe(pagination.nextCursor)
  })

  test('is bound to workspace and kinds, and refuses what is unknown', async () => {
    const [tenant, other] = [known, await api.tenant()]
    const { nextCursor } = (await changes(tenant, '?kinds=formula,status&from=start')).pagination
    expect((await changes(tenant, `?kinds=status,formula&cursor=${nextCursor}`)).data).toEqual([])
    for (const query of [
      `cursor=${nextCursor}`,
      `kinds=formula&cursor=${nextCursor}`,
      'cursor=x',
      'kinds=all',
      'wait=26',
      'wait=-1',
      'from=end',
      'limit=501',
      `from=start&kinds=formula,status&cursor=${nextCursor}`,
    ])
      expect([query, (await tenant.ext(`/changes?${query}`)).status]).toEqual([query, 400])
    expect((await other.ext(`/changes?kinds=formula,status&cursor=${nextCursor}`)).status).toBe(400)
    expect((await tenant.ext(`/vintages?cursor=${nextCursor}`)).status).toBe(400)
    const forged = `${nextCursor.slice(0, -2)}${nextCursor.endsWith('AA') ? 'BB' : 'AA'}`
    expect((await tenant.ext(`/changes?kinds=formula,status&cursor=${forged}`)).status).toBe(400)
  })

  test('shows only the requested kinds', async () => {
    const tenant = known
    const kinds = async (asked: string) =>
      (await changes(tenant, `?from=start&kinds=${asked}`)).data.map(({ kind }) => kind)
    expect(await kinds('agreed')).toEqual(['agreed'])
    expect(await kinds('signoff,formula')).toEqual(['formula', 'formula', 'signoff'])
    expect(await kinds('invoice,note')).toEqual([])
    expect(await kinds(changeKinds.join(','))).toHaveLength(9)
  })

  test('shows a public series from the moment it is followed, and nothing of others', async () => {
    const [tenant, other] = [await api.tenant(), known]
    const id = await makeSeries(api.sql, publicScope, 'SEEN')
    const unseen = await makeSeries(api.sql, publicScope, 'OTHER')
    await publishPublic(id, '2024-01', '1')
    const start = (await changes(tenant)).pagination.nextCursor
    await publishPublic(id, '2024-02', '2')
    await follow(api.sql, tenant.id, id)
    await publishPublic(id, '2024-03', '3')
    await publishPublic(unseen, '2024-03', '3')
    const { data } = await changes(tenant, `?cursor=${start}`)
    expect(data.map(({ kind, subject, periods }) => [kind, subject, periods])).toEqual([
      ['follow', id, null],
      ['observations', id, ['2024-03']],
    ])
    expect((await changes(tenant, '?from=start')).data).toEqual(data)
    expect((await vintages(tenant, '?from=start')).data.map(({ period }) => period)).toEqual(['2024-03'])
    expect((await changes(other, '?from=start')).data.some(({ subject }) => subject === id)).toBe(false)
  })

  test('answers 409 to a cursor of another history', async () => {
    const tenant = await filled()
    const { nextCursor } = (await changes(tenant)).pagination
    const ask = async () => (await tenant.ext(`/changes?cursor=${nextCursor}`)).status
    const rewrite = (statement: string) =>
      api.owner.begin(async tx => {
        await tx`set local session_replication_role = replica`
        await tx.unsafe(statement.replaceAll('$w', `'${tenant.id}'`))
      })
    // As if a backup were restored and something else recorded since: another tree, of the same size and of a larger one.
    const edge = `(select tree_edge from scope_clock where scope = $w)`
    await rewrite(`update scope_clock set tree_edge = sha256(${edge}) || substring(${edge} from 33) where scope = $w`)
    const other = await tenant.ext(`/changes?cursor=${nextCursor}`)
    await rewrite(`
      update publication set content_hash = sha256(content_hash) where scope = $w and seq = 1;
      insert into publication (scope, seq, recorded_at, kind, subject, content_hash)
      select scope, seq + 1, recorded_at, 'follow', subject, content_hash from publication where scope = $w order by seq desc limit 1;
      update scope_clock set seq = seq + 1, covered_seq = seq + 1, tree_size = tree_size + 1 where scope = $w`)
    const grown = await ask()
    await rewrite(`
      delete from publication where scope = $w and seq > 1;
      update scope_clock set seq = 1, covered_seq = 1, tree_size = 1, tree_edge = substring(tree_edge for 32) where scope = $w`)
    expect([other.status, grown, await ask()]).toEqual([409, 409, 409])
    expect(JSON.parse(other.text)).toEqual({ error: expect.stringContaining('walk everything again') })
  })

  test('is CSV with lists joined by spaces', async () => {
    const { text } = await known.ext('/changes?from=start&format=csv&kinds=observations')
    const [head, first] = text.split('\r\n')
    expect(head).toBe('id,at,kind,subject,periods,pams')
    expect(first).toMatch(/^chg_\w{26},[^,]+Z,observations,ser_\w+,2023-12 2024-03,a-axles b-brackets$/)
  })
})

/** Others that come after a request are answered: the server has read it by then. */
async function askOthers(tenant: Tenant): Promise<void> {
  for (let i = 0; i < 3; i++) await tenant.ext('/series')
}

/** A request, and whether it is still held once others that came after it are answered. */
async function askBesideOthers(tenant: Tenant, path: string) {
  let isAnswered = false
  const reply = tenant.ext(path).finally(() => {
    isAnswered = true
  })
  await askOthers(tenant)
  return { isHeld: !isAnswered, reply }
}

describe('a long poll', () => {
  test('answers when something is published, at once where it is there, and when its time is over', async () => {
    const tenant = await filled()
    const { nextCursor } = (await changes(tenant)).pagination
    const held = tenant.ext(`/changes?wait=20&cursor=${nextCursor}`)
    await askOthers(tenant)
    await tenant.importUnheard('series,period,value,published\nBLS/A,2024-09,104,2024-10-01\n')
    // When its time is over it answers that there is nothing.
    const reply = await held
    expect((JSON.parse(reply.text) as Changes).data).toMatchObject([{ kind: 'observations', periods: ['2024-09'] }])
    const again = await tenant.ext(`/changes?wait=20&cursor=${nextCursor}`)
    expect((JSON.parse(again.text) as Changes).data).toHaveLength(1)
    const { pagination } = JSON.parse(again.text) as Changes
    const patient = await askBesideOthers(tenant, `/changes?wait=1&cursor=${pagination.nextCursor}`)
    expect([patient.isHeld, (JSON.parse((await patient.reply).text) as Changes).data]).toEqual([true, []])
  })

  test('is not ended by what the request leaves out', async () => {
    const tenant = await filled()
    const { nextCursor } = (await changes(tenant, '?kinds=formula')).pagination
    const held = tenant.ext(`/changes?kinds=formula&wait=20&cursor=${nextCursor}`)
    await askOthers(tenant)
    // The server has heard of it before the next.
    await tenant.import('series,period,value,published\nBLS/A,2024-09,104,2024-10-01\n')
    await tenant.applyUnheard(document('c-cables', 'BLS/A'))
    expect((JSON.parse((await held).text) as Changes).data).toMatchObject([{ kind: 'formula', pams: ['c-cables'] }])
  })

  test('holds two answers of a key at most, and forgets callers who left', async () => {
    const tenant = await filled()
    const { nextCursor } = (await changes(tenant)).pagination
    const path = `/changes?wait=15&cursor=${nextCursor}`
    const held = [tenant.ext(path), tenant.ext(path)]
    await askOthers(tenant)
    // It is answered while they are held: they end with what is published next.
    const third = await tenant.ext(path)
    expect(third.status).toBe(200)
    await tenant.importUnheard('series,period,value,published\nBLS/A,2024-09,104,2024-10-01\n')
    for (const { text } of await Promise.all(held)) expect((JSON.parse(text) as Changes).data).toHaveLength(1)
    const next = (JSON.parse((await tenant.ext(`/changes?cursor=${nextCursor}`)).text) as Changes).pagination.nextCursor
    const gone = Array.from({ length: 2 }, () =>
      api.client
        .raw(
          `GET /ext/v1/changes?wait=25&cursor=${next} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${tenant.key}\r\n\r\n`,
          { waitMs: 300 },
        )
        .catch(() => null),
    )
    await Promise.all(gone)
    // As soon as the server has noticed that they left.
    const isHeldAgain = async () => {
      const { isHeld, reply } = await askBesideOthers(tenant, `/changes?wait=1&cursor=${next}`)
      await reply
      return isHeld
    }
    await expect.poll(isHeldAgain).toBe(true)
  })

  test('is answered when all those of a workspace are woken at once, and plain requests are meanwhile', async () => {
    const tenant = await filled()
    const issued = await Promise.all([1, 2, 3].map(() => api.issueKey(tenant.id)))
    const { nextCursor } = (await changes(tenant)).pagination
    const held = issued.flatMap(({ key }) =>
      Array.from({ length: limits.ext.pollsPerKey }, () =>
        api.client.ask(`/ext/v1/changes?wait=25&cursor=${nextCursor}`, { headers: { authorization: `Bearer ${key}` } }),
      ),
    )
    await askOthers(tenant)
    // A new name: no list that is in memory can be used again.
    await renameWorkspace(api.sql, tenant.id, 'Renamed', { who: 'operator', fromAddress: null })
    const plain = Array.from({ length: 6 }, () => tenant.ext('/series'))
    const replies = await Promise.all([...held, ...plain])
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    for (const { text } of replies.slice(0, held.length))
      expect((JSON.parse(text) as Changes).data).toMatchObject([{ kind: 'metadata' }])
  })

  test('ends at once when the server stops', async () => {
    const tenant = await filled()
    const { nextCursor } = (await changes(tenant)).pagination
    // A separate client: the tenant's is closed with the server.
    const client = new HttpClient(api.client.port)
    const held = client.ask(`/ext/v1/changes?wait=25&cursor=${nextCursor}`, { headers: tenant.authorization })
    await askOthers(tenant)
    await api.restart()
    const { status, text } = await held
    client.close()
    expect(status).toBe(200)
    expect((JSON.parse(text) as Changes).pagination.nextCursor).toBe(nextCursor)
  })
})

describe('GET /vintages', () => {
  test('gives every vintage once, in recorded order, page by page', async () => {
    const tenant = await filled()
    await tenant.import(
      'series,period,value,version,published,flag\nBLS/A,2024-03,102.5,REVISED,2024-07-01,r\nBLS/B,2024-01,1,FINAL,2024-02-01,\n',
    )
    await tenant.withdraw('BLS/A', ['2024-06'], '2024-08-01T00:00:00Z')
    const whole = (await vintages(tenant, '?from=start')).data
    expect(whole.map(({ series, period, value, versionTag }) => `${series} ${period} ${value} ${versionTag}`)).toEqual([
      'BLS/A 2023-12 100 FINAL',
      'BLS/A 2024-03 102 FINAL',
      'BLS/A 2024-06 103 FINAL',
      'BLS/A 2024-03 102.5 REVISED',
      'BLS/B 2024-01 1 FINAL',
      'BLS/A 2024-06 null null',
    ])
    expect(whole[3]!.flag).toBe('r')
    const { all, cursor } = await walk('?from=start&limit=1', query => vintages(tenant, query))
    expect(all).toEqual(whole)
    const { data, pagination } = await vintages(tenant, `?cursor=${cursor}`)
    expect([data, pagination.hasMore, pagination.nextCursor]).toEqual([[], false, cursor])
    expect((await tenant.ext('/vintages?knownAt=2024-01-01')).status).toBe(400)
    const { text } = await tenant.ext('/vintages?from=start&limit=1&format=csv')
    expect(text.split('\r\n')[0]).toBe('series_id,series,period,value,version_tag,flag,published_at,recorded_at')
  })

  test('walks more publications than are read together', async () => {
    const tenant = await api.tenant()
    // Six publications in each import, by the ids of the series.
    const series = await Promise.all(
      Array.from({ length: 6 }, (_, i) => makeSeries(api.sql, tenant.id, `M${i}`, 'BLS')),
    )
    const codes = [...series.keys()].sort((a, b) => (series[a]! < series[b]! ? -1 : 1))
    for (let i = 0; i < 120; i += 6) {
      const rows = codes.map((code, n) => `BLS/M${code},${2000 + i / 6}-01,${i + n + 1},2020-01-01\n`)
      await tenant.importUnheard(`series,period,value,published\n${rows.join('')}`)
    }
    const { all } = await walk('?from=start&limit=50', query =>
      vintages(tenant, query.replace('limit=1&', 'limit=50&')),
    )
    expect(all.map(({ value }) => value)).toEqual(Array.from({ length: 120 }, (_, i) => `${i + 1}`))
  })
})
