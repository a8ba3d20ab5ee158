import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KeyedDigests, KeyRing } from '../../src/storage/keys/key-ring.ts'
import { changingAccess } from '../../src/storage/log/access-log.ts'
import { appending } from '../../src/storage/log/append.ts'
import { checkSecrets } from '../../src/storage/log/secret-check.ts'
import { verifyPassword } from '../../src/storage/people/password.ts'
import { createMember, findSignIns, setFirstPassword } from '../../src/storage/people/people.ts'
import { findSession, listSessions, openSession } from '../../src/storage/people/sessions.ts'
import { openApplication, openOwner, publicScope, withWorkspace } from '../../src/storage/postgres/database.ts'
import { createBackup, hashTables } from '../../src/storage/upkeep/backup.ts'
import { checkBackup, withChecksum } from '../../src/storage/upkeep/backup-format.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { Installation } from '../../src/storage/upkeep/installation.ts'
import { checkFile, restoreBackup, restoreInstallation } from '../../src/storage/upkeep/restore.ts'
import { createApiKey, findApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import {
  makePlainOwner,
  openBareDatabase,
  openTestDatabase,
  type TestDatabase,
  testSecret,
} from '../support/run/postgres.ts'
import { openInstallation } from '../support/run/prepared-folder.ts'

const secret = testSecret
const ring = KeyRing.of([secret])
const digests = new KeyedDigests(ring, 'api-key digests')

let folder: string
let db: TestDatabase
let key: string
let workspaceId: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-backup-'))
  db = await openTestDatabase()
  await checkSecrets(db.owner, ring)
  const workspace = await createWorkspace(db.owner, { slug: 'backed-up' })
  workspaceId = workspace.id
  // As it may have been given before names were one line.
  const older = 'Ünïcødé \t \\ "name"'
  await changingAccess(db.owner, tx => tx`update workspace set name = ${older} where id = ${workspaceId}`)
  key = (await createApiKey(db.sql, digests, { workspaceId, name: 'erp', expiresAt: null })).key
  const ann = await createMember(db.sql, workspaceId, { email: 'ann@buyer.test', role: 'buyer' })
  await setFirstPassword(db.sql, workspaceId, ann.id, 'correct horse battery')
  for (const scope of [workspaceId, publicScope])
    for (let n = 0; n < 3; n++) {
      const id = await makeSeries(db.sql, scope, `series ${n}`)
      const rows = Array.from({ length: 700 }, (_, i) => ({
        period: i,
        value: `${i}.${n}0`,
        flag: i % 7 ? null : '|\\N|',
      }))
      await publishRows(db.sql, scope, id, rows)
    }
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})

let made = 0
const newFile = () => join(folder, `backup-${made++}`)

/** `sha256 `, 64 digits and a line break. */
const checksumLength = 72

describe('a backup', () => {
  test('restored into an empty database has every table equal, chains that verify, keys that still work, and no session', async () => {
    const { id: personId, passwordHash } = (await findSignIns(db.sql, 'ann@buyer.test'))[0]!
    const given = { personId, passwordHash, fromAddress: null, userAgent: null }
    const token = (await openSession(db.sql, given))!
    expect(await findSession(db.sql, token, 'backed-up')).toMatchObject({ place: { role: 'buyer' } })
    const file = newFile()
    const report = await createBackup(db.owner, file, null)
    const before = await hashTables(db.owner)
    expect(report.tables).toEqual(before)
    expect(before.find(({ table }) => table === 'vintage')!.rows).toBe(4200)
    const bare = await openBareDatabase()
    const owner = openOwner(bare.target)
    const restored = await restoreBackup(owner, file, KeyRing.of([secret]))
    expect(restored.tables).toEqual(before)
    expect(restored.tables.map(({ table }) => table)).not.toContain('session')
    expect(await hashTables(owner)).toEqual(before)
    for (const { problem } of await verifyAllChains(owner)) expect(problem).toBeNull()
    const sql = openApplication(bare.target)
    expect(await findApiKey(sql, digests, key)).toMatchObject({ workspaceId, name: 'erp' })
    const [person] = await findSignIns(sql, 'ann@buyer.test')
    expect(await verifyPassword(person!.passwordHash, 'correct horse battery')).toBe(true)
    // What was ended since the backup stays ended.
    expect(await findSession(sql, token, null)).toBeNull()
    expect(await listSessions(sql, personId)).toEqual([])
    expect(await openSession(sql, given)).not.toBeNull()
    // What applied before applies again.
    expect(await sql`select 1 from vintage`).toHaveLength(0)
    await expect(owner`delete from vintage`).rejects.toThrow('append-only')
    const last = await owner<{ at: string }[]>`select max(recorded_at) as at from publication`
    const next = await appending(sql, workspaceId, async (_, log) => log.recordedAt)
    expect(next > last[0]!.at).toBe(true)
    await Promise.all([owner.end(), sql.end()])
    await bare.close()
  })

  test('runs while others write, and contains one moment of them', async () => {
    const id = await makeSeries(db.sql, workspaceId, 'busy')
    let writing = true
    const writer = (async () => {
      for (let i = 0; writing; i++) await publishRows(db.sql, workspaceId, id, [{ period: i, value: `${i}` }])
    })()
    const file = newFile()
    await createBackup(db.owner, file, null)
    writing = false
    await writer
    const bare = await openBareDatabase()
    const owner = openOwner(bare.target)
    await restoreBackup(owner, file, KeyRing.of([secret]))
    for (const { problem } of await verifyAllChains(owner)) expect(problem).toBeNull()
    await owner.end()
    await bare.close()
  })

  test('is readable only by its owner, and never overwrites a file', async () => {
    const file = newFile()
    await createBackup(db.owner, file, ['a secret that travels', 'and another'])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await checkBackup(file)).secrets).toEqual(['a secret that travels', 'and another'])
    await expect(createBackup(db.owner, file, null)).rejects.toThrow('never overwrites')
  })

  test('does not contain keys or passwords in clear text', async () => {
    const file = newFile()
    await createBackup(db.owner, file, null)
    const text = gunzipSync((await readFile(file)).subarray(0, -checksumLength)).toString('latin1')
    expect(text).toContain('ann@buyer.test')
    for (const clear of [key, key.slice(9, 41), 'correct horse battery']) expect(text).not.toContain(clear)
  })
})

describe('a restore', () => {
  test('by an owner who is not a superuser gives the same tables, and they can be backed up again', async () => {
    const [first, second] = [newFile(), newFile()]
    await createBackup(db.owner, first, null)
    const bare = await openBareDatabase()
    const admin = openOwner(bare.target, { connections: 1 })
    const owner = openOwner(await makePlainOwner(admin, bare.target))
    await restoreBackup(owner, first, KeyRing.of([secret]))
    const { tables } = await createBackup(owner, second, null)
    expect(tables).toEqual(await hashTables(db.owner))
    await Promise.all([owner.end(), admin.end()])
    await bare.close()
  })

  test('refuses a database with something in it, and leaves it alone', async () => {
    const file = newFile()
    await createBackup(db.owner, file, null)
    const before = await hashTables(db.owner)
    await expect(restoreBackup(db.owner, file, KeyRing.of([secret]))).rejects.toThrow('this one has rows in')
    expect(await hashTables(db.owner)).toEqual(before)
  })

  test('refuses another secret, a damaged file, a cut-off file, and a file that is not a backup; nothing of it stays', async () => {
    const file = newFile()
    await createBackup(db.owner, file, null)
    const whole = await readFile(file)
    const bare = await openBareDatabase()
    const owner = openOwner(bare.target)
    const attempt = (given: string = file, withSecret: string = secret) =>
      restoreBackup(owner, given, KeyRing.of([withSecret]))
    await expect(attempt(file, 'another secret of more than 32 bytes')).rejects.toThrow('ASSIZE_SECRET is not the one')
    const cut = newFile()
    await writeFile(cut, whole)
    await truncate(cut, whole.length - 20)
    await expect(attempt(cut)).rejects.toThrow('cannot be restored')
    const flipped = newFile()
    await writeFile(flipped, Buffer.from(whole.map((byte, i) => (i === whole.length >> 1 ? byte ^ 1 : byte))))
    await expect(attempt(flipped)).rejects.toThrow('it is damaged')
    const other = newFile()
    await appendFile(other, 'not a backup')
    await expect(attempt(other)).rejects.toThrow('cannot be restored')
    await expect(attempt(join(folder, 'nowhere'))).rejects.toThrow('there is no file')
    expect(await owner`select count(*) from workspace`.catch(() => [{ count: 0 }])).toEqual([{ count: 0 }])
    await attempt()
    expect(await hashTables(owner)).toEqual(await hashTables(db.owner))
    await owner.end()
    await bare.close()
  })
})

describe('a backup with the right hash of its file', () => {
  async function* packed(frames: Buffer): AsyncGenerator<Buffer> {
    yield gzipSync(frames)
  }

  test('is refused as a whole if a row is another than its table says', async () => {
    const [good, bad] = [newFile(), newFile()]
    await createBackup(db.owner, good, null)
    const frames = gunzipSync((await readFile(good)).subarray(0, -checksumLength))
    const at = frames.indexOf('ann@buyer.test')
    const changed = Buffer.from(frames.map((byte, i) => (i === at ? byte ^ 2 : byte)))
    await writeFile(bad, await Array.fromAsync(withChecksum(packed(changed))))
    const bare = await openBareDatabase()
    const owner = openOwner(bare.target)
    await expect(restoreBackup(owner, bad, KeyRing.of([secret]))).rejects.toThrow('that differ from the')
    await restoreBackup(owner, good, KeyRing.of([secret]))
    expect(await hashTables(owner)).toEqual(await hashTables(db.owner))
    await owner.end()
    await bare.close()
  })
})

describe('an embedded installation', () => {
  test('moves to another folder with its secret, and its keys still work', async () => {
    const first = await openInstallation(join(folder, 'from'))
    const workspace = await createWorkspace(first.owner, { slug: 'moved' })
    const issued = await createApiKey(first.sql, new KeyedDigests(first.ring, 'api-key digests'), {
      workspaceId: workspace.id,
      name: 'kept',
      expiresAt: null,
    })
    const id = await makeSeries(first.sql, workspace.id, 'moved')
    await publishRows(first.sql, workspace.id, id, [{ period: 1, value: '1.10' }])
    const file = newFile()
    await createBackup(first.owner, file, first.ring.secrets)
    const before = await hashTables(first.owner)
    await first.close()
    const to = { dataFolder: join(folder, 'to'), databaseUrl: null, secrets: null }
    const report = await restoreInstallation(to, await checkFile(file))
    expect(report.tables).toEqual(before)
    await expect(restoreInstallation(to, await checkFile(file))).rejects.toThrow('this one has rows in')
    const second = await Installation.open(to)
    expect(second.ring.secrets).toEqual(first.ring.secrets)
    const found = await findApiKey(second.sql, new KeyedDigests(second.ring, 'api-key digests'), issued.key)
    expect(found).toMatchObject({ id: issued.id })
    const values = await withWorkspace(second.sql, workspace.id, tx => tx`select value from vintage`)
    expect(values).toEqual([{ value: '1.10' }])
    await second.close()
  })
})
