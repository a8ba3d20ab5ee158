// Keys and limits over real HTTP and a real database: their form, their life, guesses, and how many requests one may make
// (C33 to C36; T2 to T4).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseInstant } from '../../src/core/time/instant.ts'
import { limits } from '../../src/limits.ts'
import { listApiKeys, retireApiKey, revokeApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { makeKey } from '../../src/storage/workspaces/key-format.ts'
import { setWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { problemsOf } from '../support/clients/wire-shapes.ts'
import { type Api, eventually, openApi, type Tenant } from '../support/houses/api.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'

let database: TestDatabase
let api: Api
/** A second server on the same database, like another process. */
let second: Api
let tenant: Tenant
let firstUse: string
beforeAll(async () => {
  database = await openTestDatabase()
  api = await openApi(database)
  second = await openApi({ ...database, close: async () => {} })
  tenant = await api.tenant()
  firstUse = new Date().toISOString()
  await tenant.get('/series')
})
afterAll(async () => {
  await second.close()
  await api.close()
})

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })
const statusOf = async (key: string, server = api) => (await server.ask('/v1/series', bearer(key))).status
const inMs = (ms: number) => parseInstant(new Date(Date.now() + ms).toISOString())!

describe('keys', () => {
  test('C33: are asz_live_, 32 random base62 characters and 6 of a checksum', async () => {
    expect(tenant.key).toMatch(/^asz_live_[0-9A-Za-z]{38}$/)
    const keys = await Promise.all(Array.from({ length: 20 }, () => api.issueKey(tenant.id)))
    expect(new Set(keys.map(({ key }) => key.slice(9, 41))).size).toBe(20)
  })

  test('C33: a key that is changed anywhere is refused', async () => {
    const from = '127.0.0.33'
    for (const i of [0, 4, 9, 20, 40, 41, 46]) {
      const other = tenant.key[i] === 'x' ? 'y' : 'x'
      const changed = tenant.key.slice(0, i) + other + tenant.key.slice(i + 1)
      expect((await api.ask('/v1/series', { ...bearer(changed), from })).status, changed).toBe(401)
    }
    for (const changed of [
      tenant.key.slice(0, -1),
      `${tenant.key}x`,
      tenant.key.toLowerCase(),
      tenant.key.replace('live', 'test'),
    ])
      expect((await api.ask('/v1/series', { ...bearer(changed), from })).status, changed).toBe(401)
  })

  test('C34, T2: of a key the database has a digest and the last four characters, and nothing else', async () => {
    const rows = await api.owner<Record<string, unknown>[]>`select * from api_key where id = ${tenant.keyId}`
    expect(rows).toHaveLength(1)
    expect(rows[0]!.last_four).toBe(tenant.key.slice(-4))
    expect((rows[0]!.digest as Buffer).length).toBe(36)
    const text = JSON.stringify(rows, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    )
    expect(text).not.toContain(tenant.key.slice(9, 25))
    expect(text).not.toContain(tenant.key.slice(25, 41))
  })

  test('C35: several are valid at once; each until its own end', async () => {
    const [lasting, short] = [await api.issueKey(tenant.id), await api.issueKey(tenant.id, 1_500)]
    const past = await api.issueKey(tenant.id, -1_000)
    expect(await Promise.all([tenant.key, lasting.key, short.key, past.key].map(key => statusOf(key)))).toEqual([
      200, 200, 200, 401,
    ])
    await eventually(
      () => statusOf(short.key),
      status => status === 401,
    )
    expect(await Promise.all([tenant.key, lasting.key, short.key].map(key => statusOf(key)))).toEqual([200, 200, 401])
  })

  test('C35, T4: a revoked key is soon refused everywhere, permanently', async () => {
    const { key, id } = await api.issueKey(tenant.id)
    expect([await statusOf(key), await statusOf(key, second)]).toEqual([200, 200])
    await revokeApiKey(api.sql, tenant.id, id)
    const both = await eventually(
      async () => [await statusOf(key), await statusOf(key, second)],
      statuses => statuses.every(status => status === 401),
    )
    expect(both).toEqual([401, 401])
    for (let again = 0; again < 3; again++)
      expect([await statusOf(key), await statusOf(key, second)]).toEqual([401, 401])
  })

  test('C35: a key that is retired with a grace period works until then, next to the new one', async () => {
    const old = await api.issueKey(tenant.id)
    const { key } = await api.issueKey(tenant.id)
    expect(await statusOf(old.key)).toBe(200)
    await retireApiKey(api.sql, tenant.id, old.id, inMs(1_200))
    expect([await statusOf(old.key), await statusOf(key)]).toEqual([200, 200])
    expect(
      await eventually(
        () => statusOf(old.key),
        status => status === 401,
      ),
    ).toBe(401)
    expect(await statusOf(key)).toBe(200)
  })

  test('T3: the answer is the same for missing, wrong, expired and revoked', async () => {
    const expired = await api.issueKey(tenant.id, -1_000)
    const revoked = await api.issueKey(tenant.id)
    await revokeApiKey(api.sql, tenant.id, revoked.id)
    const answers = []
    for (const headers of [{}, ...[makeKey(), expired.key, revoked.key, 'x'].map(key => bearer(key).headers)])
      answers.push(await api.ask('/v1/series', { headers }))
    for (const { status, text, headers } of answers) {
      expect([status, text]).toEqual([401, answers[0]!.text])
      expect(Object.keys(headers)).toEqual(Object.keys(answers[0]!.headers))
    }
    expect(problemsOf('error', answers[0]!.text)).toEqual([])
  })

  test('T3: a wrong key is always the same 401, whatever failed before, and a valid key is never affected', async () => {
    const from = '127.0.0.44'
    const guess = (key: string) => api.ask('/v1/series', { ...bearer(key), from })
    const refusals = []
    for (let i = 0; i < limits.failedAttemptsPerMinute + 20; i++)
      refusals.push(await guess(i % 2 ? makeKey() : 'asz_live_x'))
    for (const { status, text, headers } of refusals) {
      expect([status, text, headers['www-authenticate']]).toEqual([401, refusals[0]!.text, 'Bearer'])
      expect(Object.keys(headers)).toEqual(Object.keys(refusals[0]!.headers))
    }
    const fresh = (await api.issueKey(tenant.id)).key
    for (const key of [tenant.key, fresh]) expect((await guess(key)).status).toBe(200)
  })

  test('C35: when a key was last used is kept', async () => {
    const used = async () => (await listApiKeys(api.sql, tenant.id)).find(({ id }) => id === tenant.keyId)!.lastUsedAt
    expect((await eventually(used, at => at !== null, 12_000))! >= firstUse).toBe(true)
    const fresh = await api.issueKey(tenant.id)
    expect((await listApiKeys(api.sql, tenant.id)).find(({ id }) => id === fresh.id)).toMatchObject({
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
    })
  })
})

describe('how many requests', () => {
  const policy = (headers: Record<string, unknown>) =>
    /^"[^"]+";q=(\d+);w=60$/.exec(`${headers['ratelimit-policy']}`)?.[1]
  const left = (headers: Record<string, unknown>) => /^"[^"]+";r=(\d+);t=(\d+)$/.exec(`${headers.ratelimit}`)

  test('C36: sixty a minute unless the plan sets another limit; the next is 429 with enough to wait', async () => {
    const who = await api.tenant({ rateLimit: 60 })
    for (let i = 1; i <= 60; i++) {
      const { status, headers } = await who.get('/series')
      expect([status, policy(headers), left(headers)?.[1]], `request ${i}`).toEqual([200, '60', `${60 - i}`])
      expect(Number(left(headers)![2])).toBeGreaterThanOrEqual(1)
    }
    for (let i = 0; i < 5; i++) {
      const { status, text, headers } = await who.get('/series')
      expect(status).toBe(429)
      expect(problemsOf('error', text)).toEqual([])
      expect(headers['retry-after']).toMatch(/^[1-9]\d?$/)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
      expect([policy(headers), left(headers)?.[1]]).toEqual(['60', '0'])
    }
  })

  test('C36: never more than the limit of 300 that come at once, over both prefixes', async () => {
    const who = await api.tenant({ rateLimit: 60 })
    const statusAt = async (i: number) =>
      (await api.ask(`${i % 2 ? '/v1' : '/api/v1'}/series`, { headers: who.authorization })).status
    // Both lists are kept from here on: a busy database has no part in the answers.
    expect([await statusAt(0), await statusAt(1)]).toEqual([200, 200])
    const statuses = await Promise.all(Array.from({ length: 300 }, (_, i) => statusAt(i)))
    expect(
      Object.fromEntries(
        Map.groupBy(statuses, String)
          .entries()
          .map(([status, all]) => [status, all.length]),
      ),
    ).toEqual({ 200: 58, 429: 242 })
  })

  test('C36: every answer to a valid key counts and says what is left: errors, HEAD and 304 too; health does not', async () => {
    const who = await api.tenant({ rateLimit: 12 })
    const { headers } = await who.get('/pams')
    expect([policy(headers), left(headers)?.[1]]).toEqual(['12', '11'])
    const asked = [
      ['/series?limit=0', {}, 400],
      ['/none', {}, 404],
      ['/series/none/values', {}, 404],
      ['/series', { method: 'POST' }, 405],
      ['/series', { method: 'HEAD' }, 200],
      ['/pams', { headers: { 'if-none-match': headers.etag } }, 304],
      ['/series', { headers: { 'content-length': '2' }, body: '{}' }, 400],
    ] as const
    for (const [i, [path, asking, status]] of asked.entries()) {
      const reply = await who.get(path, asking)
      expect([reply.status, policy(reply.headers), left(reply.headers)?.[1]], path).toEqual([status, '12', `${10 - i}`])
    }
    const health = await who.get('/health')
    expect([health.status, health.headers.ratelimit]).toEqual([200, undefined])
    expect(left((await who.get('/pams')).headers)?.[1]).toBe('3')
  })

  test('C36: each key has its own window', async () => {
    const who = await api.tenant({ rateLimit: 2 })
    const other = await api.issueKey(who.id)
    expect([await statusOf(who.key), await statusOf(who.key), await statusOf(who.key)]).toEqual([200, 200, 429])
    expect([await statusOf(other.key), await statusOf(other.key), await statusOf(other.key)]).toEqual([200, 200, 429])
  })

  test('200 keys of a workspace have ten times the limit of one together, and see it', async () => {
    const who = await api.tenant({ rateLimit: 3 })
    const keys = await Promise.all(Array.from({ length: 199 }, () => api.issueKey(who.id)))
    const asked = await Promise.all(
      keys.map(({ key }) => api.ask('/v1/series', { headers: { authorization: `Bearer ${key}` } })),
    )
    const refused = asked.filter(({ status }) => status === 429)
    expect([asked.filter(({ status }) => status === 200).length, refused.length]).toEqual([30, 169])
    for (const { text, headers } of refused) {
      expect(problemsOf('error', text)).toEqual([])
      expect(text).toContain('the limit of 30 requests a minute for all keys of this workspace is reached')
      expect([headers['ratelimit-policy'], left(headers)?.[1]]).toEqual(['"workspace";q=30;w=60', '0'])
      expect(headers.ratelimit).toBe(`"workspace";r=0;t=${headers['retry-after']}`)
    }
  })

  test('the operator sets the limit for all keys of a workspace together', async () => {
    const who = await api.tenant({ rateLimit: 3 })
    await setWorkspace(api.owner, who.id, { workspaceRateLimit: 2 })
    expect([await statusOf(who.key), await statusOf(who.key), await statusOf(who.key)]).toEqual([200, 200, 429])
    const neighbour = await api.tenant({ rateLimit: 3 })
    expect(await statusOf(neighbour.key)).toBe(200)
  })

  test('C36: a caller that has to wait is accepted after Retry-After', async () => {
    const who = await api.tenant({ rateLimit: 1 })
    expect(await statusOf(who.key)).toBe(200)
    const { headers } = await who.get('/series')
    // In memory a restart forgets; waiting a whole minute is for the long form (F9).
    expect(Number(headers['retry-after'])).toBeGreaterThan(55)
    await api.restart()
    expect(await statusOf(who.key)).toBe(200)
  })
})
