import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { KeyedDigests, KeyRing } from '../../src/storage/keys/key-ring.ts'
import { checkSecrets } from '../../src/storage/log/secret-check.ts'
import { createMember, listMemberships, setFirstPassword } from '../../src/storage/people/people.ts'
import {
  checkApplicationRole,
  type DatabaseTarget,
  openApplication,
  openOwner,
  type Sql,
} from '../../src/storage/postgres/database.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { type Migration, migrate, readMigrations } from '../../src/storage/upkeep/migrate.ts'
import { createApiKey, findApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { createWorkspace, listWorkspaces } from '../../src/storage/workspaces/workspaces.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import {
  asRole,
  databaseOf,
  makePlainOwner,
  makeTestRing,
  openBareDatabase,
  openTestDatabase,
} from '../support/run/postgres.ts'
import { startFile } from '../support/run/start-files.ts'

const digests = new KeyedDigests(KeyRing.of(['a server secret of more than 32 bytes']), 'api-key digests')

async function withBare<T>(work: (owner: Sql, target: DatabaseTarget) => Promise<T>): Promise<T> {
  const bare = await openBareDatabase()
  const owner = openOwner(bare.target)
  try {
    return await work(owner, bare.target)
  } finally {
    await owner.end()
    await bare.close()
  }
}

/** With everything applied. */
async function withMigrated(work: (owner: Sql) => Promise<void>): Promise<void> {
  const migrated = await openTestDatabase()
  try {
    await work(migrated.owner)
  } finally {
    await migrated.close()
  }
}

describe('migrations', () => {
  test('from four processes at once are applied once each, and all of them succeed', async () => {
    await withBare(async (owner, target) => {
      const script = startFile('migrator')
      const { ring: _, ...place } = target
      const runs = await Promise.all(
        Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, [script, JSON.stringify(place)])),
      )
      const applied = runs.flatMap(({ stdout }) => JSON.parse(stdout) as string[])
      const names = (await readMigrations()).map(({ name }) => name)
      expect(applied.sort()).toEqual(names)
      expect((await owner`select name from migration order by number`).map(({ name }) => name)).toEqual(names)
    })
  })

  test('are numbered without gaps', async () => {
    const migrations = await readMigrations()
    expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, i) => i + 1))
  })

  test('that were changed after they were applied are refused', async () => {
    await withMigrated(async owner => {
      const migrations = await readMigrations()
      const changed = migrations.map((one, i): Migration => (i === 1 ? { ...one, checksum: 'another' } : one))
      await expect(migrate(owner, changed)).rejects.toThrow(/migration 0002-.* was changed after it was applied/)
    })
  })

  test('that this program does not know mean a newer database, and are refused', async () => {
    await withMigrated(async owner => {
      const migrations = await readMigrations()
      await expect(migrate(owner, migrations.slice(0, -1))).rejects.toThrow('the database is newer than this program')
    })
  })

  test('stop at the given one, and continue from there', async () => {
    await withBare(async owner => {
      const migrations = await readMigrations()
      expect(await migrate(owner, migrations, 2)).toHaveLength(2)
      expect(await migrate(owner, migrations)).toHaveLength(migrations.length - 2)
      expect(await migrate(owner, migrations)).toEqual([])
    })
  })

  test('that fail leave nothing behind, and say which one it was', async () => {
    await withMigrated(async owner => {
      const migrations = await readMigrations()
      const bad = {
        number: migrations.length + 1,
        name: '0999-bad',
        checksum: 'x',
        text: 'create table half (); select nonsense',
      }
      await expect(migrate(owner, [...migrations, bad])).rejects.toThrow('migration 0999-bad failed')
      expect(await owner`select to_regclass('assize.half') as half`).toEqual([{ half: null }])
      expect(await migrate(owner, migrations)).toEqual([])
    })
  })

  test('by an owner who is not a superuser give the same protection', async () => {
    await withBare(async (admin, target) => {
      const plain = await makePlainOwner(admin, target)
      const owner = openOwner(plain, { connections: 1 })
      await migrate(owner, await readMigrations())
      await checkSecrets(owner, makeTestRing())
      const sql = openApplication(plain)
      await checkApplicationRole(sql)
      const { id } = await createWorkspace(owner, { slug: 'plain' })
      expect((await listWorkspaces(owner)).map(({ slug }) => slug)).toEqual(['plain'])
      expect(await sql`select slug from workspace`).toEqual([])
      const series = await makeSeries(sql, id, 'plain')
      expect(await publishRows(sql, id, series, [{ period: 1, value: '1.10' }])).toMatchObject({ added: 1 })
      expect((await verifyAllChains(owner)).map(({ problem }) => problem)).toEqual([null, null, null])
      const { key } = await createApiKey(sql, digests, { workspaceId: id, name: 'plain', expiresAt: null })
      expect(await findApiKey(sql, digests, key)).toMatchObject({ workspaceId: id })
      const ann = await createMember(sql, id, { email: 'ann@plain.test', role: 'owner' })
      await setFirstPassword(sql, id, ann.id, 'correct horse battery')
      expect(await listMemberships(sql, ann.id)).toMatchObject([{ workspaceId: id, role: 'owner' }])
      // A superuser would see everything; this owner sees nothing unless it says so.
      await owner`set assize.workspace = ''`
      expect(await owner`select slug from workspace`).toEqual([])
      await Promise.all([owner.end(), sql.end()])
    })
  })

  test('by somebody who may not make the role say what an administrator has to run', async () => {
    await withBare(async (admin, target) => {
      await admin.unsafe(`
        do $$ begin create role weak_owner login password 'weak';
        exception when duplicate_object then null; end $$;
        grant create on database ${JSON.stringify(databaseOf(target))} to weak_owner`)
      const owner = openOwner(asRole(target, 'weak_owner', 'weak'))
      await expect(migrate(owner, await readMigrations())).rejects.toThrow('grant assize_app to "weak_owner"')
      await owner.end()
    })
  })
})
