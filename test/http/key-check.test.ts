// The key check over a real PostgreSQL: from issuing a key to its end, as two processes would see it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseInstant } from '../../src/core/time/instant.ts'
import { KeyCheck } from '../../src/http/frame/key-check.ts'
import { limits } from '../../src/limits.ts'
import { KeyedDigests, KeyRing } from '../../src/storage/keys/key-ring.ts'
import { openApplication, openListener } from '../../src/storage/postgres/database.ts'
import {
  ApiKeyUses,
  apiKeyChannel,
  createApiKey,
  findApiKeys,
  listApiKeys,
  retireApiKey,
  revokeApiKey,
} from '../../src/storage/workspaces/api-keys.ts'
import { makeKey } from '../../src/storage/workspaces/key-format.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'

const digests = new KeyedDigests(KeyRing.of(['a secret of the test that is long enough']), 'api-key digests')
let database: TestDatabase
let workspaceId: string
let one: KeyCheck
let two: KeyCheck
/** Monotonic; the tests move it. */
let nowMs = 0

function openKeyCheck(sql = database.sql): KeyCheck {
  return new KeyCheck({
    digests: key => digests.all(key),
    isCurrent: digest => digests.isCurrent(digest),
    find: asked => findApiKeys(sql, asked),
    uses: new ApiKeyUses(sql),
    wallMs: Date.now,
    report: () => {},
  })
}

async function check(keys: KeyCheck, key: string): Promise<string> {
  const answer = await keys.check(['Authorization', `Bearer ${key}`], '192.0.2.1', nowMs)
  return answer.kind === 'known' ? answer.access.id : answer.kind
}

async function issue(expiresInMs: number | null = null) {
  const end = expiresInMs === null ? null : parseInstant(new Date(Date.now() + expiresInMs).toISOString())
  return createApiKey(database.sql, digests, { workspaceId, name: 'test', expiresAt: end })
}

beforeAll(async () => {
  database = await openTestDatabase()
  workspaceId = (await createWorkspace(database.owner, { slug: 'keys', rateLimit: 7 })).id
})
beforeEach(() => {
  nowMs += 1_000_000
  one = openKeyCheck()
  two = openKeyCheck()
})
afterAll(() => database.close())

test('knows the workspace and the limit of a key that was issued, and refuses one that was not', async () => {
  const { key, id } = await issue()
  const answer = await one.check(['Authorization', `Bearer ${key}`], '192.0.2.1', nowMs)
  expect(answer).toMatchObject({ kind: 'known', access: { id, workspaceId, workspaceSlug: 'keys', rateLimit: 7 } })
  expect(await check(one, makeKey())).toBe('refused')
})

test('refuses a revoked key in every process in less than five seconds, and with a notice at once', async () => {
  const { key, id } = await issue()
  const { promise, resolve } = Promise.withResolvers<void>()
  const onNotice = (_channel: string, keyId: string) => {
    one.forget(keyId)
    resolve()
  }
  const listener = await openListener(database.target, [apiKeyChannel], { onNotice, onClose: () => {} })
  expect(await check(one, key)).toBe(id)
  expect(await check(two, key)).toBe(id)
  await revokeApiKey(database.sql, workspaceId, id)
  await promise
  await listener.end()
  expect(await check(one, key)).toBe('refused')
  expect(await check(two, key)).toBe(id)
  nowMs += limits.keyCachedMs
  expect(await check(two, key)).toBe('refused')
})

test('refuses a key that has expired, also one that was retired with a grace period', async () => {
  const expired = await issue(-1_000)
  expect(await check(one, expired.key)).toBe('refused')
  const { key, id } = await issue()
  await retireApiKey(database.sql, workspaceId, id, parseInstant(new Date(Date.now() + 60_000).toISOString())!)
  expect(await check(one, key)).toBe(id)
  await retireApiKey(database.sql, workspaceId, id, parseInstant(new Date(Date.now() - 1).toISOString())!)
  nowMs += limits.keyCachedMs
  expect(await check(one, key)).toBe('refused')
})

test('records when a key was last used', async () => {
  const { key, id } = await issue()
  const before = new Date().toISOString()
  await check(one, key)
  await one.close()
  const found = (await listApiKeys(database.sql, workspaceId)).find(listed => listed.id === id)
  expect(found!.lastUsedAt! >= before.slice(0, 19)).toBe(true)
})

test('is unavailable where no database answers', async () => {
  const nowhere = openApplication({ url: 'postgres://nobody@127.0.0.1:1/nothing' })
  const keys = openKeyCheck(nowhere)
  const { key } = await issue()
  await expect(check(keys, key)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(await check(keys, 'asz_live_mistyped')).toBe('refused')
  await keys.close()
  await nowhere.end({ timeout: 0 })
})

test('knows every key of a hundred that are first used at the same moment', async () => {
  const issued = await Promise.all(Array.from({ length: 100 }, () => issue()))
  const answers = await Promise.all(issued.map(({ key }) => check(one, key)))
  expect(answers).toEqual(issued.map(({ id }) => id))
})
