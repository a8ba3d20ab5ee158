// The two lists over real HTTP: their fields, pages and filters, and cursors that nobody can forge (C5, C18 to C20).
import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { appending } from '../../src/storage/log/append.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import { changeMetadata } from '../../src/storage/series/own-series.ts'
import { walkUnderWrites } from '../faults/cursor-walks.ts'
import { documentProviders, problemsOf } from '../support/clients/wire-shapes.ts'
import { eventually, follow, type Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { steelDocument, steelTable } from '../support/houses/sample.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import { someOf } from '../support/run/long-form.ts'
import { scenario } from '../support/run/long-test.ts'

interface Series {
  readonly id: string
  readonly seriesCode: string
  readonly name: string
  readonly provider: string
  readonly dataType: string
  readonly unit: string
  readonly frequency: string
  readonly createdAt: string
}
interface Page<T = Series> {
  readonly data: readonly T[]
  readonly pagination: { readonly limit: number; readonly hasMore: boolean; readonly nextCursor: string | null }
}

let other: Tenant
const { api, tenant } = house()
beforeAll(async () => {
  other = await api.tenant()
  const rows = Array.from({ length: 205 }, (_, i) => {
    const provider = i % 20 === 19 ? 'BLS' : 'CUSTOM'
    return `${provider}/list-${String(i).padStart(3, '0')},2024-01,${i + 1}.50,2024-02-01\n`
  })
  await tenant.import(`series,period,value,published\n${rows.join('')}`)
  await other.importValues('CUSTOM/steel', { '2023-12': '100' })
})

async function walk<T extends { id: string }>(who: Tenant, list: string, query: string): Promise<T[]> {
  const items: T[] = []
  let cursor: string | null = null
  do {
    const page: Page<T> = await who.json(`${list}?${query}${cursor === null ? '' : `&cursor=${cursor}`}`)
    items.push(...page.data)
    cursor = page.pagination.nextCursor
  } while (cursor !== null)
  return items
}

describe('the list of series', () => {
  test('gives 50 by default, states the limit, and says whether there is more', async () => {
    const page = await tenant.json<Page>('/series')
    expect(page.data).toHaveLength(50)
    expect(page.pagination).toEqual({ limit: 50, hasMore: true, nextCursor: page.pagination.nextCursor })
    expect(page.pagination.nextCursor).toMatch(/^[A-Za-z0-9_-]{20,}$/)
    expect((await tenant.json<Page>('/series?limit=200')).data).toHaveLength(200)
    const whole = await other.json<Page>('/series')
    expect(whole.pagination).toEqual({ limit: 50, hasMore: false, nextCursor: null })
  })

  test('is empty, not missing, in a workspace without series and formulas', async () => {
    const empty = await api.tenant()
    for (const list of ['/series', '/pams'])
      expect((await empty.get(list)).text).toBe(
        '{"data":[],"pagination":{"limit":50,"hasMore":false,"nextCursor":null}}',
      )
    expect((await empty.json<Page>('/series?provider=BLS&limit=1')).data).toEqual([])
  })

  test('pages through every series exactly once with any limit, also one that changes on the way', async () => {
    for (const limit of [1, 7, 41, 50, 199, 200]) {
      const items = await walk<Series>(tenant, '/series', `limit=${limit}`)
      expect(items).toHaveLength(205)
      expect(new Set(items.map(({ id }) => id)).size).toBe(205)
    }
    const first = await tenant.json<Page>('/series?limit=3')
    const rest = await tenant.json<Page>(`/series?limit=200&cursor=${first.pagination.nextCursor}`)
    expect([...first.data, ...rest.data].map(({ seriesCode }) => seriesCode)).toEqual(
      (await walk<Series>(tenant, '/series', 'limit=29')).slice(0, 203).map(({ seriesCode }) => seriesCode),
    )
  })

  test('has exactly one page when the limit equals the number of items', async () => {
    const page = await tenant.json<Page>('/series?provider=BLS&limit=10')
    expect(page.data).toHaveLength(10)
    expect(page.pagination).toEqual({ limit: 10, hasMore: false, nextCursor: null })
  })

  test('C19: filters by provider, the fifteen of the document and CUSTOM', async () => {
    for (const provider of [...documentProviders, 'CUSTOM']) {
      const { status, text } = await tenant.get(`/series?provider=${provider}&limit=200`)
      expect(status, provider).toBe(200)
      expect(problemsOf('seriesList', text), provider).toEqual([])
      const { data } = JSON.parse(text) as Page
      expect(new Set(data.map(series => series.provider)).size, provider).toBe(
        ['BLS', 'CUSTOM'].includes(provider) ? 1 : 0,
      )
    }
    expect(await walk<Series>(tenant, '/series', 'provider=BLS&limit=3')).toHaveLength(10)
  })

  test('C18: an undescribed series is named by its code, an INDEX without a unit, with the frequency of its periods', async () => {
    const who = await api.tenant()
    const notations = {
      DAILY: '2024-03-15',
      WEEKLY: '2024-W05',
      MONTHLY: '2024-03',
      QUARTERLY: '2024-Q1',
      SEMIANNUAL: '2024-H1',
      ANNUAL: '2024',
    }
    for (const [frequency, period] of Object.entries(notations))
      await who.importValues(`CUSTOM/${frequency}`, { [period]: '1.10' })
    const { data } = await who.json<Page>('/series')
    expect(
      data.map(({ seriesCode, name, dataType, unit, frequency }) => [seriesCode, name, dataType, unit, frequency]),
    ).toEqual(Object.keys(notations).map(frequency => [frequency, frequency, 'INDEX', '', frequency]))
  })

  test('C18: shows the name, unit and data type that were imported, each of the five data types', async () => {
    const who = await api.tenant()
    const types = ['INDEX', 'PRICE', 'RATE', 'FX', 'WAGE']
    const rows = types.map(type => `ECB/${type}.x,2024-01,1.10,"Näme ""${type}""",2015 = 100,${type}\n`)
    await who.import(`series,period,value,name,unit,dataType\n${rows.join('')}`)
    const { data } = await who.json<Page>('/series')
    const byCode = data.toSorted((a, b) => (a.seriesCode < b.seriesCode ? -1 : 1))
    expect(byCode.map(({ id: _id, createdAt: _at, ...rest }) => rest)).toEqual(
      types.toSorted().map(type => ({
        seriesCode: `${type}.x`,
        name: `Näme "${type}"`,
        provider: 'ECB',
        dataType: type,
        unit: '2015 = 100',
        frequency: 'MONTHLY',
      })),
    )
  })

  test('C20: what a workspace imports is its own, whatever its code', async () => {
    const one = await api.tenant()
    const two = await api.tenant()
    await one.importValues('BLS/CUUR0000SA0', { '2024-01': '308.417' })
    await two.importValues('BLS/CUUR0000SA0', { '2024-01': '1.5' })
    const [first] = (await one.json<Page>('/series')).data
    const [second] = (await two.json<Page>('/series')).data
    expect(first!.id).not.toBe(second!.id)
    expect((await one.get(`/series/${first!.id}/values`)).text).toContain('"308.417"')
    expect((await two.get(`/series/${second!.id}/values`)).text).toContain('"1.5"')
    expect((await two.get(`/series/${first!.id}/values`)).status).toBe(404)
  })

  test('C20: a public series is shown to the workspaces that follow it, under one id, and to no other', async () => {
    const [follower, second, stranger] = [await api.tenant(), await api.tenant(), await api.tenant()]
    const id = await makeSeries(api.sql, publicScope, 'PUBLIC.INDEX')
    await publishRows(api.sql, publicScope, id, [{ period: 24_290, value: '101.70' }])
    expect((await follower.get(`/series/${id}/values`)).status).toBe(404)
    for (const who of [follower, second]) await follow(api.sql, who.id, id)
    for (const who of [follower, second]) {
      const page = await eventually(
        () => who.json<Page>('/series'),
        ({ data }) => data.length > 0,
      )
      expect(page.data.map(series => series.id)).toEqual([id])
      expect((await who.get(`/series/${id}/values`)).text).toContain('"101.70"')
    }
    expect((await stranger.json<Page>('/series')).data).toEqual([])
    expect((await stranger.get(`/series/${id}/values`)).status).toBe(404)
    await expect(follower.importValues('CUSTOM/PUBLIC.INDEX', { '2024-01': '1' })).rejects.toThrow(/follows/)
    // Visibility itself is not cut: what was published before it was followed is seen under an earlier cut, too.
    const { data } = await second.json<{ data: { recordedAt: string }[] }>(`/series/${id}/vintages`)
    const cut = await second.get(`/series/${id}/values?knownAt=${data[0]!.recordedAt}`)
    expect(cut.text).toContain('"101.70"')
  })
})

describe('the list of PAMs', () => {
  test('gives every field of the summary, by id, page by page', async () => {
    await other.import(steelTable.replaceAll('CUSTOM/steel,2023-12', 'CUSTOM/steel,2023-11'))
    for (let i = 0; i < 7; i++)
      await other.apply(steelDocument({ slug: `steel-${i}`, status: i % 2 ? 'ACTIVE' : 'DRAFT' }))
    const items = await walk<{
      id: string
      name: string
      description: string
      status: string
      createdAt: string
      updatedAt: string
    }>(other, '/pams', 'limit=2')
    expect(items).toHaveLength(7)
    expect(items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toSorted())
    for (const [i, { name, description, status, createdAt, updatedAt }] of items.entries())
      expect([name, description, status, createdAt]).toEqual([
        'Steel brackets',
        'Quarterly adjustment of the bracket price',
        i % 2 ? 'ACTIVE' : 'DRAFT',
        updatedAt,
      ])
    expect((await other.json<Page>('/pams?limit=7')).pagination).toEqual({ limit: 7, hasMore: false, nextCursor: null })
  })
})

describe('cursors', () => {
  const cursorOf = async (who: Tenant, path: string) => (await who.json<Page>(path)).pagination.nextCursor!
  const statusOf = async (who: Tenant, path: string, cursor: string) =>
    (await who.get(`${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`)).status

  test('C5: one that was changed in any single character, cut or lengthened is a 400', async () => {
    const cursor = await cursorOf(tenant, '/series?limit=2')
    expect(await statusOf(tenant, '/series', cursor)).toBe(200)
    const changed = new Set<string>()
    const letters = [...'ABCabc019-_']
    for (let i = 0; i < cursor.length; i++) {
      for (const letter of [
        ...someOf('every-route', 'letters in the place of each of a cursor', letters, { oneIn: 4, from: i }),
        String.fromCharCode(cursor.charCodeAt(i) ^ 1),
      ])
        if (letter !== cursor[i]) changed.add(cursor.slice(0, i) + letter + cursor.slice(i + 1))
      changed.add(cursor.slice(0, i))
      changed.add(cursor.slice(0, i) + cursor.slice(i + 1))
    }
    for (const end of ['=', '==', 'A', '.', '%00', ' ', cursor, '&x']) changed.add(cursor + end)
    changed.add(cursor.toUpperCase()).add(cursor.toLowerCase()).add(` ${cursor}`)
    changed.add(Buffer.from(cursor, 'base64url').toString('base64')).delete(cursor)
    for (const each of changed) expect(await statusOf(tenant, '/series', each), each).toBe(400)
  })

  test('C5: one of another workspace, another list or another filter is a 400', async () => {
    const cursor = await cursorOf(tenant, '/series?limit=2')
    const filtered = await cursorOf(tenant, '/series?limit=2&provider=BLS')
    expect(await statusOf(other, '/series', cursor)).toBe(400)
    expect(await statusOf(tenant, '/pams', cursor)).toBe(400)
    expect(await statusOf(tenant, '/series?provider=BLS', cursor)).toBe(400)
    expect(await statusOf(tenant, '/series?provider=CUSTOM', filtered)).toBe(400)
    expect(await statusOf(tenant, '/series', filtered)).toBe(400)
    expect(await statusOf(tenant, '/series?provider=BLS', filtered)).toBe(200)
    expect(await statusOf(other, '/series', await cursorOf(other, '/pams?limit=1'))).toBe(400)
  })

  test('C5: one of an older format is a 400, even under our own signature', async () => {
    const cursor = Buffer.from(await cursorOf(tenant, '/series?limit=2'), 'base64url')
    const sign = (payload: Buffer) => {
      const { id, key } = api.ring.making('cursors')
      const mac = createHmac('sha256', key).update(`${tenant.id}\nseries \n`).update(payload).digest().subarray(0, 16)
      return Buffer.concat([id, mac, payload]).toString('base64url')
    }
    const payload = cursor.subarray(20).toString()
    expect(await statusOf(tenant, '/series', sign(Buffer.from(payload)))).toBe(200)
    for (const old of [
      payload.replace(/^1/, '0'),
      payload.replace(/^1/, '2'),
      payload.slice(2),
      `${payload} x`,
      '1',
      '',
    ])
      expect(await statusOf(tenant, '/series', sign(Buffer.from(old))), old).toBe(400)
  })

  test('C5: one is valid under the other prefix, after a restart and repeatedly, with the same bytes', async () => {
    const cursor = await cursorOf(tenant, '/series?limit=2')
    const ask = () => api.ask(`/api/v1/series?limit=2&cursor=${cursor}`, { headers: tenant.authorization })
    const { text } = await ask()
    expect((await tenant.get(`/series?limit=2&cursor=${cursor}`)).text).toBe(text)
    await api.restart()
    expect((await ask()).text).toBe(text)
  })

  test('C5: paging shows what existed when it began, with the names of that time', async () => {
    const who = await api.tenant()
    for (const name of ['a', 'b', 'c'])
      await who.import(`series,period,value,name\nCUSTOM/${name},2024,1,first ${name}\n`)
    const first = await who.json<Page>('/series?limit=1')
    await who.import('series,period,value,name\nCUSTOM/b,2024,2,second b\nCUSTOM/d,2024,1,first d\n')
    await eventually(
      () => who.json<Page>('/series'),
      ({ data }) => data.length === 4 && data[1]!.name === 'second b',
    )
    const rest = await who.json<Page>(`/series?limit=10&cursor=${first.pagination.nextCursor}`)
    expect(rest.data.map(({ name }) => name)).toEqual(['first b', 'first c'])
    expect((await who.json<Page>('/series')).data.map(({ name }) => name)).toEqual([
      'first a',
      'second b',
      'first c',
      'first d',
    ])
  })

  test('T7: paging keeps the names that followed series had, however much else the workspace has published', async () => {
    const who = await api.tenant()
    for (let i = 0; i < 5; i++) await who.importValues('CUSTOM/own', { '2024-01': `${i}` }, `2024-02-0${i + 1}`)
    const series = await Promise.all(['x', 'y', 'z'].map(code => makeSeries(api.sql, publicScope, `${code} ${who.id}`)))
    for (const id of series) await follow(api.sql, who.id, id)
    const names = (text: string) => (JSON.parse(text) as { data: { name: string }[] }).data.map(({ name }) => name)
    const all = async () => names((await who.get('/series')).text)
    const before = await eventually(all, found => found.length === 4)
    const cursor = await cursorOf(who, '/series?limit=1')
    await appending(api.sql, publicScope, (tx, log) =>
      changeMetadata(
        tx,
        log,
        series.map(id => ({
          id,
          provider: 'CUSTOM',
          code: id,
          name: 'renamed',
          unit: '',
          description: '',
          dataType: 'INDEX',
          frequency: 'MONTHLY',
        })),
      ),
    )
    await eventually(all, found => found.filter(name => name === 'renamed').length === 3)
    expect(names((await who.get(`/series?limit=200&cursor=${cursor}`)).text)).toEqual(before.slice(1))
  })

  test('C5, T7: paging through PAMs shows each as it was when it began, the time of its last change too', async () => {
    const who = await api.tenant()
    await who.import(steelTable)
    for (const slug of ['a', 'b']) await who.apply(steelDocument({ slug }))
    const first = await who.json<Page>('/pams?limit=1')
    const before = (await who.json<Page>('/pams')).data[1]!
    await who.apply(steelDocument({ slug: 'b', status: 'SUSPENDED' }))
    await who.apply(steelDocument({ slug: 'c' }))
    const rest = await who.json<Page>(`/pams?cursor=${first.pagination.nextCursor}`)
    expect(rest.data).toEqual([before])
  })

  scenario(
    'walks',
    'F3: in paging under writes every item that existed throughout comes exactly once',
    { short: 40, long: 1_000, seed: 20_260_101 },
    async run => {
      const items = await walkUnderWrites(api, run)
      expect(items).toBeGreaterThan(100)
      return { summary: `${items} items passed`, failures: [] }
    },
  )
})
