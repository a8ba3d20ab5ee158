// Keys, people, the workspace, what was done in it, and the verification of its history, as the pages ask for them.
import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { changingAccess } from '../../src/storage/log/access-log.ts'
import { removeMember } from '../../src/storage/people/member-changes.ts'
import { setWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import type {
  ActivityPage,
  ChainReport,
  Invited,
  IssuedKey,
  KeyRow,
  PersonRow,
  WorkspacePage,
} from '../../src/views/shapes/settings.ts'
import { eventually } from '../support/houses/api.ts'
import { type Browser, emails, join, makeSeats, openConsole, signIn } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'

let owner: Browser
const console = ownHouse(openConsole)
beforeAll(() => {
  owner = console.as.owner
})

const activityOf = async (browser: Browser) => (await browser.json<ActivityPage>('/activity')).rows
const newest = async (browser: Browser) => {
  const [row] = await activityOf(browser)
  return row === undefined ? null : { who: row.who, what: row.what, subject: row.subject, from: row.fromAddress }
}
const callWith = async (key: string) =>
  (await console.api.ask('/v1/series', { headers: { authorization: `Bearer ${key}` } })).status
const refusedSoon = (key: string) =>
  eventually(
    () => callWith(key),
    status => status === 401,
  )

describe('keys', () => {
  const create = async (name: string, expiresAt: string | null = null) => {
    const { status, json, text } = await console.as.editor.post('/keys', { name, expiresAt })
    if (status !== 201) throw new Error(`${status} ${text}`)
    return json as IssuedKey
  }
  const rowOf = async (id: string) => (await owner.json<readonly KeyRow[]>('/keys')).find(row => row.id === id)!

  test('are shown once, call the API, are rotated with an overlap in which both work, and revoked', async () => {
    const first = await create(' erp ')
    expect(first).toMatchObject({ name: 'erp', expiresAt: null, key: expect.stringMatching(/^asz_live_/) })
    expect(await newest(owner)).toEqual({
      who: emails.editor,
      what: 'key created',
      subject: `erp (${first.id})`,
      from: '127.0.0.1',
    })
    const row = await rowOf(first.id)
    expect(row).toMatchObject({ name: 'erp', lastFour: first.key.slice(-4), state: 'live', lastUsedAt: null })
    expect(JSON.stringify(row)).not.toContain(first.key)
    expect(await callWith(first.key)).toBe(200)

    const rotated = await owner.post(`/keys/${first.id}/rotate`, { overlapHours: 24 })
    expect(rotated.status).toBe(201)
    const second = rotated.json as IssuedKey
    expect(second).toMatchObject({ name: 'erp', expiresAt: null })
    expect(second.key).not.toBe(first.key)
    expect([await callWith(first.key), await callWith(second.key)]).toEqual([200, 200])
    const ends = Date.parse((await rowOf(first.id)).expiresAt!) - Date.now()
    expect(Math.round(ends / 3_600_000)).toBe(24)
    expect(await newest(owner)).toMatchObject({
      who: emails.owner,
      what: expect.stringMatching(/^key rotated; .*24 h/),
    })

    expect((await owner.delete(`/keys/${first.id}`)).status).toBe(204)
    expect(await refusedSoon(first.key)).toBe(401)
    expect(await callWith(second.key)).toBe(200)
    expect((await rowOf(first.id)).state).toBe('revoked')
    expect(await newest(owner)).toMatchObject({ what: 'key revoked', subject: `erp (${first.id})` })
    const rows = (await activityOf(owner)).length
    expect((await owner.delete(`/keys/${first.id}`)).status).toBe(204)
    expect((await activityOf(owner)).length).toBe(rows)
  })

  test('rotated without an overlap end at once, and a rotated one lives as long as the one before', async () => {
    const first = await create('nightly', '2100-01-01T00:00:00Z')
    const { json } = await owner.post(`/keys/${first.id}/rotate`, { overlapHours: 0 })
    const second = json as IssuedKey
    const gap = Date.parse(second.expiresAt!) - Date.parse('2100-01-01T00:00:00Z')
    expect(gap).toBeGreaterThan(0)
    expect(gap).toBeLessThan(60_000)
    expect(await refusedSoon(first.key)).toBe(401)
    expect((await rowOf(first.id)).state).toBe('expired')
    const again = await owner.post(`/keys/${first.id}/rotate`, { overlapHours: 1 })
    expect(again).toMatchObject({ status: 409, json: { error: expect.stringContaining('is expired and cannot be') } })
  })

  test('have a state by the database’s clock', async () => {
    const { id } = await create('short', '2100-01-01T00:00:00Z')
    expect((await rowOf(id)).state).toBe('live')
    await changingAccess(
      console.api.owner,
      tx => tx`update api_key set expires_at = clock_timestamp() where id = ${id}`,
    )
    expect((await rowOf(id)).state).toBe('expired')
  })

  test('are refused with a name or an end that cannot be, and every problem is named', async () => {
    const attempt = async (body: unknown) => {
      const { status, json } = await owner.post('/keys', body)
      return { status, ...(json as object) }
    }
    expect(await attempt({ name: 'x', expiresAt: 'tomorrow' })).toEqual({
      status: 422,
      error: 'expiresAt must be an instant such as 2027-01-31T12:00:00Z, got "tomorrow"',
    })
    expect(await attempt({ name: 'x', expiresAt: '2020-01-01T00:00:00Z' })).toMatchObject({ status: 422 })
    expect(await attempt({ name: '   ', expiresAt: null })).toMatchObject({ status: 422 })
    expect(await attempt({ name: 4, until: 'x' })).toEqual({
      status: 422,
      error: '3 things in the request are wrong',
      problems: [
        { path: 'expiresAt', message: 'is missing', line: null },
        { path: 'until', message: 'is not known here', line: null },
        { path: 'name', message: 'must be a text', line: null },
      ],
    })
    const { json } = await owner.post('/keys/key_none/rotate', { overlapHours: 100_000 })
    expect(json).toMatchObject({ problems: [{ path: 'overlapHours' }] })
    expect((await owner.post('/keys/key_none/rotate', { overlapHours: 1 })).status).toBe(404)
    expect((await owner.delete('/keys/key_none')).status).toBe(404)
  })

  test('of another workspace do not exist', async () => {
    const other = await makeSeats(console.api)
    const { id, key } = await create('ours')
    expect((await other.as.owner.delete(`/keys/${id}`)).status).toBe(404)
    expect((await other.as.owner.post(`/keys/${id}/rotate`, { overlapHours: 0 })).status).toBe(404)
    expect((await other.as.owner.json<readonly KeyRow[]>('/keys')).map(row => row.id)).not.toContain(id)
    expect(await callWith(key)).toBe(200)
  })

  test('are in no log and no activity', async () => {
    const { key, id } = await create('secret')
    const { json } = await owner.post(`/keys/${id}/rotate`, { overlapHours: 1 })
    const texts = [...console.api.log, JSON.stringify(await console.api.owner`select * from activity`)].join('\n')
    for (const each of [key, (json as IssuedKey).key]) expect(texts).not.toContain(each.slice(9, 41))
  })
})

describe('people', () => {
  const people = (browser: Browser) => browser.json<readonly PersonRow[]>('/people')
  const find = async (browser: Browser, email: string) => (await people(browser)).find(row => row.email === email)!

  test('are listed with their role, whether they have joined and when they were last here', async () => {
    const rows = await people(owner)
    expect(rows.map(({ email, role }) => [email, role])).toContainEqual([emails.supplier, 'supplier'])
    expect(rows.filter(({ isMe }) => isMe).map(({ email }) => email)).toEqual([emails.owner])
    expect(await find(owner, emails.owner)).toMatchObject({ hasJoined: true, lastSeenAt: expect.any(String) })
    expect(await find(owner, emails.viewer)).toMatchObject({ hasJoined: true, lastSeenAt: null })
    await console.as.viewer.get('/workspace')
    expect((await find(owner, emails.viewer)).lastSeenAt).not.toBeNull()
    expect(JSON.stringify(rows)).not.toContain('argon2')
  })

  test('are invited once, given a new link until they have joined, and their role is changed', async () => {
    const invite = (body: object) => owner.post('/people', body)
    const { status, json } = await invite({ email: ' Lee@Test.test', name: 'Lee Ray', role: 'viewer' })
    const { person, link, expiresAt } = json as Invited
    expect([status, person]).toEqual([
      201,
      { ...person, email: 'lee@test.test', name: 'Lee Ray', role: 'viewer', hasJoined: false, isMe: false },
    ])
    expect(Math.round((Date.parse(expiresAt!) - Date.now()) / 3_600_000)).toBe(limits.setUpLinkHours)
    expect(await newest(owner)).toEqual({
      who: emails.owner,
      what: 'invited as viewer',
      subject: 'lee@test.test',
      from: '127.0.0.1',
    })
    expect(await invite({ email: 'lee@test.test', name: '', role: 'buyer' })).toMatchObject({
      status: 409,
      json: { error: 'lee@test.test is a member of this workspace already' },
    })
    const renewed = (await owner.post(`/people/${person.id}/link`)).json as Invited
    expect(renewed.link).not.toBe(link)
    const look = (each: string | null) => owner.send('POST', '/set-up/look', { token: each!.split('#')[1] })
    expect([(await look(link)).status, (await look(renewed.link)).status]).toEqual([404, 200])
    const changed = await owner.patch(`/people/${person.id}`, { role: 'editor' })
    expect([changed.status, changed.json]).toMatchObject([200, { role: 'editor' }])
    expect(await newest(owner)).toMatchObject({ what: 'role changed from viewer to editor', subject: 'lee@test.test' })
    const token = renewed.link!.split('#')[1]
    await console.browser().send('POST', '/set-up', { token, password: 'chosen by lee' })
    expect(await newest(owner)).toMatchObject({ who: 'lee@test.test', what: 'joined the workspace' })
    expect(await owner.post(`/people/${person.id}/link`)).toMatchObject({
      status: 409,
      json: { error: 'lee@test.test has joined already and needs no link' },
    })
  })

  test('whose role is changed, or who are removed, are affected with their next request', async () => {
    const email = 'moving@test.test'
    const id = await join(console.api, console.tenant.id, email, 'editor')
    const browser = await signIn(console.api, email, console.slug)
    expect((await browser.get('/keys')).status).toBe(200)
    await owner.patch(`/people/${id}`, { role: 'viewer' })
    expect((await browser.get('/keys')).status).toBe(403)
    expect((await owner.delete(`/people/${id}`)).status).toBe(204)
    // It was their only place: the account has ended with it.
    expect((await browser.get('/workspace')).status).toBe(401)
    expect((await browser.ask('/session')).status).toBe(401)
    expect(await newest(owner)).toMatchObject({ what: 'taken out of the workspace', subject: email })
    expect((await owner.delete(`/people/${id}`)).status).toBe(404)
    expect((await owner.patch(`/people/${id}`, { role: 'viewer' })).status).toBe(404)
  })

  test('are refused with an address or a role that cannot be', async () => {
    expect(await owner.post('/people', { email: 'nobody', name: '', role: 'viewer' })).toMatchObject({ status: 422 })
    expect(await owner.post('/people', { email: 'a@b.test', name: '', role: 'king' })).toMatchObject({
      status: 422,
      json: { error: 'role must be owner or editor or buyer or supplier or viewer' },
    })
  })

  test('keep their last owner, who cannot step down or leave; one who was only invited does not count', async () => {
    const seats = await makeSeats(console.api)
    const me = await find(seats.as.owner, emails.owner)
    await seats.as.owner.post('/people', { email: 'pending@test.test', name: '', role: 'owner' })
    const stepDown = () => seats.as.owner.patch(`/people/${me.id}`, { role: 'viewer' })
    const sentence = `${emails.owner} is the last owner of this workspace and stays one; make somebody else an owner first`
    expect(await stepDown()).toMatchObject({ status: 409, json: { error: sentence } })
    expect(await seats.as.owner.delete(`/people/${me.id}`)).toMatchObject({ status: 409, json: { error: sentence } })
    expect((await seats.as.owner.patch(`/people/${me.id}`, { role: 'owner' })).status).toBe(200)
    const editor = await find(seats.as.owner, emails.editor)
    await seats.as.owner.patch(`/people/${editor.id}`, { role: 'owner' })
    expect((await stepDown()).status).toBe(200)
    expect((await find(seats.as.editor, emails.owner)).role).toBe('viewer')
  })

  test('keep one owner also when two leave at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const tenant = await console.api.tenant()
      const ids = await Promise.all(
        ['one', 'two'].map(name => join(console.api, tenant.id, `${name}-${round}@race.test`, 'owner')),
      )
      const by = { who: 'a test', fromAddress: null }
      const left = await Promise.allSettled(ids.map(id => removeMember(console.api.sql, tenant.id, id, by)))
      expect(left.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    }
  })
})

describe('quotas', () => {
  test('refuse in a sentence, with 409, what would exceed them; the page shows what is used', async () => {
    const seats = await makeSeats(console.api)
    await setWorkspace(console.api.owner, seats.tenant.id, { keys: 1, people: 5, agreements: 0 })
    const key = await seats.as.owner.post('/keys', { name: 'erp', expiresAt: null })
    expect([key.status, key.json]).toEqual([409, { error: expect.stringContaining('at most 1 live keys') }])
    const invited = await seats.as.owner.post('/people', { email: 'new@buyer.test', name: '', role: 'buyer' })
    expect([invited.status, invited.json]).toEqual([409, { error: expect.stringContaining('at most 5 people') }])
    await seats.tenant.import('series,period,value\nCUSTOM/index,2020-01,100\n')
    const text = `slug: one
contract: { start: 2020-01-01, frequency: QUARTERLY }
inputs: { index: { series: CUSTOM/index, weight: 1, base: 2020-01 } }
clause: { fixed: 0 }`
    const saved = await seats.as.editor.post('/agreements', { text, basedOn: 0 })
    expect([saved.status, saved.json]).toEqual([
      409,
      {
        error: `this workspace may have at most 0 agreements and would have 1; an operator of this installation can raise the limit on the Installation page, or with assize workspace set ${seats.slug} --max-formulas N`,
      },
    ])
    const { quotas } = await seats.as.viewer.json<WorkspacePage>('/workspace')
    expect(quotas.map(({ kind, used, most }) => [kind, used, most])).toEqual([
      ['agreements', 0, 0],
      ['series', 1, limits.quotas.series],
      ['keys', 1, 1],
      ['vintages', 1, limits.quotas.vintages],
      ['people', 5, 5],
      ['uploads', null, limits.quotas.uploads],
      ['prices', 0, limits.quotas.prices],
      ['lines', 0, limits.quotas.lines],
    ])
  })
})

describe('the workspace', () => {
  test('is shown to everybody in it, and renamed by its owner; its slug stays', async () => {
    const seats = await makeSeats(console.api)
    const before = await seats.as.viewer.json<WorkspacePage>('/workspace')
    expect(before.me).toEqual({ role: 'viewer', party: null })
    const seen = await seats.as.supplier.json<WorkspacePage>('/workspace')
    expect(seen).toEqual({ ...before, quotas: [], me: { role: 'supplier', party: null } })
    expect(before).toMatchObject({ slug: seats.slug, rateLimit: 1_000_000, workspaceRateLimit: 10_000_000 })
    expect(before.quotas).toContainEqual({ kind: 'people', most: limits.quotas.people, isDefault: true, used: 5 })
    const { status, json } = await seats.as.owner.patch('/workspace', { name: ' Acme & Söhne ' })
    expect([status, json]).toEqual([200, { ...before, name: 'Acme & Söhne', me: { role: 'owner', party: null } }])
    expect(await newest(seats.as.owner)).toEqual({
      who: emails.owner,
      what: `workspace renamed from ${before.name}`,
      subject: 'Acme & Söhne',
      from: '127.0.0.1',
    })
    await seats.as.owner.patch('/workspace', { name: 'Acme & Söhne' })
    expect(await activityOf(seats.as.owner)).toHaveLength(1)
    expect((await seats.as.owner.patch('/workspace', { name: '  ' })).status).toBe(422)
    expect((await owner.json<WorkspacePage>('/workspace')).name).not.toBe('Acme & Söhne')
  })
})

describe('activity', () => {
  test('comes newest first, fifty at a time, each once', async () => {
    const seats = await makeSeats(console.api)
    for (let n = 0; n < limits.activityPage + 7; n++) await seats.as.owner.patch('/workspace', { name: `name ${n}` })
    const first = await seats.as.viewer.json<ActivityPage>('/activity')
    expect(first.rows).toHaveLength(limits.activityPage)
    expect(first.rows[0]).toMatchObject({ subject: `name ${limits.activityPage + 6}` })
    const second = await seats.as.viewer.json<ActivityPage>(`/activity?before=${first.next}`)
    expect(second).toMatchObject({ rows: { length: 7 }, next: null })
    const subjects = [...first.rows, ...second.rows].map(({ subject }) => subject)
    expect(subjects).toEqual(Array.from({ length: limits.activityPage + 7 }, (_, n) => `name ${n}`).reverse())
    expect((await seats.as.viewer.get('/activity?before=nonsense')).status).toBe(422)
  })
})

describe('the verification of history', () => {
  test('verifies the chains of the workspace and of the public series, and names what was changed', async () => {
    const seats = await makeSeats(console.api)
    await seats.tenant.importValues('CUSTOM/steel', { '2024-01': '100', '2024-02': '101' })
    const verify = async () => (await seats.as.viewer.post('/chain/verify')).json as ChainReport
    const whole = await verify()
    expect(whole.chains.map(({ scope, isWhole, problem }) => [scope, isWhole, problem])).toEqual([
      ['workspace', true, null],
      ['public', true, null],
    ])
    // The series, its values, and the file they came from.
    expect(whole.chains[0]).toMatchObject({ publications: 3, root: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const sql = console.api.owner
    await sql.begin(async tx => {
      await tx`alter table vintage disable trigger user`
      await tx`update vintage set value = '999' where owner = ${seats.tenant.id} and value = '101'`
      await tx`alter table vintage enable trigger user`
    })
    const [changed] = (await verify()).chains
    expect(changed).toMatchObject({
      isWhole: false,
      problem: expect.stringMatching(/^publication \d+: the rows of this publication \(observations of ser_\S+\) were/),
    })
  })
})
