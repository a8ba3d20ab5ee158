import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { checkApplicationRole, type DatabaseTarget, openApplication, openOwner, type Sql } from '../../src/storage/database.ts'
import { type Migration, migrate, readMigrations } from '../../src/storage/migrate.ts'
import { openBareDatabase } from '../support/postgres.ts'

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

describe('migrations', () => {
  test('from four processes at once are applied once each, and all of them are content', async () => {
    await withBare(async (owner, target) => {
      const script = new URL('../support/migrator.ts', import.meta.url).pathname
      const runs = await Promise.all(
        Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, [script, JSON.stringify(target)])),
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
    await withBare(async owner => {
      const migrations = await readMigrations()
      await migrate(owner, migrations)
      const changed = migrations.map((one, i): Migration => (i === 1 ? { ...one, checksum: 'another' } : one))
      await expect(migrate(owner, changed)).rejects.toThrow(/migration 0002-.* was changed after it was applied/)
    })
  })

  test('that this program does not know mean a newer database, and are refused', async () => {
    await withBare(async owner => {
      const migrations = await readMigrations()
      await migrate(owner, migrations)
      await expect(migrate(owner, migrations.slice(0, -1))).rejects.toThrow('the database is newer than this program')
    })
  })

  test('stop where they are told to, and go on from there', async () => {
    await withBare(async owner => {
      const migrations = await readMigrations()
      expect(await migrate(owner, migrations, 2)).toHaveLength(2)
      expect(await migrate(owner, migrations)).toHaveLength(migrations.length - 2)
      expect(await migrate(owner, migrations)).toEqual([])
    })
  })

  test('that fail leave nothing behind, and say which one it was', async () => {
    await withBare(async owner => {
      const migrations = await readMigrations()
      const bad = { number: migrations.length + 1, name: '0999-bad', checksum: 'x', text: 'create table half (); select nonsense' }
      await expect(migrate(owner, [...migrations, bad])).rejects.toThrow('migration 0999-bad failed')
      expect(await owner`select to_regclass('assize.half') as half`).toEqual([{ half: null }])
      expect(await migrate(owner, migrations)).toEqual([])
    })
  })

  test('by an owner who is no superuser give the same hold', async () => {
    await withBare(async (admin, target) => {
      await admin.unsafe(`
        do $$ begin create role plain_owner login password 'plain';
        exception when duplicate_object then null; end $$;
        do $$ begin create role assize_app nologin; exception when duplicate_object then null; end $$;
        grant assize_app to plain_owner;
        grant create on database ${JSON.stringify(databaseOf(target))} to plain_owner`)
      const plain = as(target, 'plain_owner', 'plain')
      const owner = openOwner(plain)
      await migrate(owner, await readMigrations())
      const sql = openApplication(plain)
      await checkApplicationRole(sql)
      await owner`insert into workspace (id, slug, name) values ('wsp_00000000000000000000000001', 'plain', 'Plain')`
      expect(await owner`select slug from workspace`).toEqual([{ slug: 'plain' }])
      expect(await sql`select slug from workspace`).toEqual([])
      await Promise.all([owner.end(), sql.end()])
    })
  })

  test('by somebody who may not make the role say what an administrator has to run', async () => {
    await withBare(async (admin, target) => {
      await admin.unsafe(`
        do $$ begin create role weak_owner login password 'weak';
        exception when duplicate_object then null; end $$;
        grant create on database ${JSON.stringify(databaseOf(target))} to weak_owner`)
      const owner = openOwner(as(target, 'weak_owner', 'weak'))
      await expect(migrate(owner, await readMigrations())).rejects.toThrow('grant assize_app to "weak_owner"')
      await owner.end()
    })
  })
})

function databaseOf(target: DatabaseTarget): string {
  return 'url' in target ? new URL(target.url).pathname.slice(1) : target.database
}

function as(target: DatabaseTarget, user: string, password: string): DatabaseTarget {
  if (!('url' in target)) return { ...target, endpoint: { ...target.endpoint, user, password } }
  const url = new URL(target.url)
  url.username = user
  url.password = password
  return { url: url.href }
}
