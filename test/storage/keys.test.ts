import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KeyedDigests, KeyRing } from '../../src/storage/keys/key-ring.ts'
import { openListener } from '../../src/storage/postgres/database.ts'
import {
  ApiKeyUses,
  createApiKey,
  findApiKey,
  findWorkspaceOfKey,
  isLive,
  listApiKeys,
  retireApiKey,
  revokeApiKey,
} from '../../src/storage/workspaces/api-keys.ts'
import { isWellFormedKey, makeKey, parseExpiry } from '../../src/storage/workspaces/key-format.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'

const digests = new KeyedDigests(KeyRing.of(['a server secret of more than 32 bytes']), 'api-key digests')
const now = '2024-06-01T12:00:00.000000Z'

describe('the form of a key', () => {
  test('is asz_live_, 32 random characters and a checksum of six', () => {
    const keys = Array.from({ length: 200 }, () => makeKey())
    for (const key of keys) {
      expect(key).toMatch(/^asz_live_[0-9A-Za-z]{38}$/)
      expect(isWellFormedKey(key)).toBe(true)
    }
    expect(new Set(keys).size).toBe(200)
  })

  test('is the same for the same random numbers: the checksum is a CRC32 in base 62', () => {
    expect(makeKey(() => 0)).toBe(`asz_live_${'0'.repeat(32)}2uo0eC`)
  })

  test('is broken by any single wrong character', () => {
    const key = makeKey()
    for (let i = 0; i < key.length; i++) {
      const wrong = key.slice(0, i) + (key[i] === 'x' ? 'y' : 'x') + key.slice(i + 1)
      expect(isWellFormedKey(wrong), wrong).toBe(false)
    }
    for (const text of ['', key.slice(1), `${key} `, `${key}0`, key.toUpperCase()])
      expect(isWellFormedKey(text)).toBe(false)
  })

  test('is checked without leaving the key in what RegExp remembers', () => {
    const key = makeKey()
    expect(/before/.test('before')).toBe(true)
    expect(isWellFormedKey(key)).toBe(true)
    const { $_: input, lastMatch } = RegExp as unknown as { $_: string; lastMatch: string }
    expect([input, lastMatch]).toEqual(['before', 'before'])
  })
})

describe('the life of a key', () => {
  test('is written as seconds, minutes, hours, days or a future instant', () => {
    expect(parseExpiry('30s', now)).toBe('2024-06-01T12:00:30.000000Z')
    expect(parseExpiry('15m', now)).toBe('2024-06-01T12:15:00.000000Z')
    expect(parseExpiry('12h', now)).toBe('2024-06-02T00:00:00.000000Z')
    expect(parseExpiry('90d', now)).toBe('2024-08-30T12:00:00.000000Z')
    expect(parseExpiry('2024-07-01T00:00:00+02:00', now)).toBe('2024-06-30T22:00:00.000000Z')
  })

  test('is refused in any other form, and when it would be over already', () => {
    for (const text of ['', '0d', '-1d', '90', '90 d', '1w', '1.5h', '2024-05-31T00:00:00Z', '2024-07-01', 'never'])
      expect(parseExpiry(text, now), text).toBeNull()
  })

  test('ends when it expires or is revoked, to the microsecond', () => {
    expect(isLive({ expiresAt: null, revokedAt: null }, now)).toBe(true)
    expect(isLive({ expiresAt: now, revokedAt: null }, now)).toBe(false)
    expect(isLive({ expiresAt: '2024-06-01T12:00:00.000001Z', revokedAt: null }, now)).toBe(true)
    expect(isLive({ expiresAt: null, revokedAt: now }, now)).toBe(false)
  })
})

describe('keys in the database', () => {
  let db: TestDatabase
  let workspace: Workspace
  let other: Workspace
  beforeAll(async () => {
    db = await openTestDatabase()
    workspace = await makeWorkspace(db)
    other = await makeWorkspace(db)
  })
  afterAll(() => db.close())

  const create = (name: string, expiresAt: string | null = null) =>
    createApiKey(db.sql, digests, { workspaceId: workspace.id, name, expiresAt })

  test('a key is found by what was shown once, and names its workspace', async () => {
    const issued = await create('erp', '2999-01-01T00:00:00.000000Z')
    expect(await findApiKey(db.sql, digests, issued.key)).toEqual({
      workspaceId: workspace.id,
      workspaceSlug: workspace.slug,
      rateLimit: 60,
      workspaceRateLimit: 600,
      id: issued.id,
      name: 'erp',
      scope: 'read',
      expiresAt: '2999-01-01T00:00:00.000000Z',
      revokedAt: null,
    })
    expect(await findApiKey(db.sql, digests, makeKey())).toBeNull()
    expect(
      await findApiKey(
        db.sql,
        new KeyedDigests(KeyRing.of([randomBytes(32).toString('hex')]), 'api-key digests'),
        issued.key,
      ),
    ).toBeNull()
  })

  test('a bad checksum never reaches the database', async () => {
    const key = makeKey().replace(/.$/, '!')
    const closed = (() => {
      throw new Error('asked the database')
    }) as unknown as TestDatabase['sql']
    expect(await findApiKey(closed, digests, key)).toBeNull()
  })

  test('only a digest and the last four characters are stored', async () => {
    const { key, id } = await create('stored')
    const [row] = await db.owner`select k.*, k::text as everything from api_key k where id = ${id}`
    expect(row!.digest).toEqual(digests.make(key))
    expect(row!.last_four).toBe(key.slice(-4))
    expect(row!.everything).not.toContain(key.slice(9, 41))
  })

  test('revoking counts once, notifies listeners, and leaves the other keys alone', async () => {
    const heard: string[] = []
    const onNotice = (_channel: string, id: string) => void heard.push(id)
    const listening = await openListener(db.target, ['assize_keys'], { onNotice, onClose: () => {} })
    const [old, next] = [await create('old'), await create('next')]
    await revokeApiKey(db.sql, workspace.id, old.id)
    const first = await findApiKey(db.sql, digests, old.key)
    await revokeApiKey(db.sql, workspace.id, old.id)
    expect((await findApiKey(db.sql, digests, old.key))!.revokedAt).toBe(first!.revokedAt)
    expect(isLive(first!, first!.revokedAt!)).toBe(false)
    expect((await findApiKey(db.sql, digests, next.key))!.revokedAt).toBeNull()
    await new Promise(resolve => setTimeout(resolve, 50))
    await listening.end()
    expect(heard).toEqual([old.id, old.id])
  })

  test('a workspace neither sees nor revokes another’s keys', async () => {
    const { id } = await create('mine')
    await expect(revokeApiKey(db.sql, other.id, id)).rejects.toMatchObject({ kind: 'not-found' })
    expect(await listApiKeys(db.sql, other.id)).toEqual([])
    expect(await findWorkspaceOfKey(db.owner, id)).toBe(workspace.id)
    await expect(findWorkspaceOfKey(db.owner, 'key_none')).rejects.toMatchObject({ kind: 'not-found' })
  })

  test('retiring gives a grace period, and never a longer life', async () => {
    const { id, key } = await create('retired', '2030-01-01T00:00:00.000000Z')
    await retireApiKey(db.sql, workspace.id, id, '2029-01-01T00:00:00.000000Z')
    await retireApiKey(db.sql, workspace.id, id, '2031-01-01T00:00:00.000000Z')
    expect((await findApiKey(db.sql, digests, key))!.expiresAt).toBe('2029-01-01T00:00:00.000000Z')
  })

  test('last use is written in batches and only moves forward', async () => {
    const { id } = await create('used')
    const uses = new ApiKeyUses(db.sql)
    const lastUse = async () => (await listApiKeys(db.sql, workspace.id)).find(key => key.id === id)!.lastUsedAt
    uses.note({ id, workspaceId: workspace.id }, '2024-06-01T12:00:00.000000Z')
    uses.note({ id, workspaceId: workspace.id }, '2024-06-01T12:00:01.000000Z')
    expect(await lastUse()).toBeNull()
    await uses.flush()
    expect(await lastUse()).toBe('2024-06-01T12:00:01.000000Z')
    uses.note({ id, workspaceId: workspace.id }, '2024-05-01T00:00:00.000000Z')
    await uses.flush()
    expect(await lastUse()).toBe('2024-06-01T12:00:01.000000Z')
  })
})
