import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import { findUnsealed, readAgreement } from '../../src/storage/agreements/agreements.ts'
import { RowSeals } from '../../src/storage/log/row-seals.ts'
import { chainKeyOf, checkSecret, deriveKey } from '../../src/storage/log/secret.ts'
import {
  createMember,
  listMemberStates,
  listMemberships,
  redeemSetUpLink,
  setFirstPassword,
} from '../../src/storage/people/people.ts'
import {
  checkApplicationRole,
  type DatabaseTarget,
  openApplication,
  openOwner,
  type Sql,
  type Transaction,
  withWorkspace,
} from '../../src/storage/postgres/database.ts'
import { makeIdentifier } from '../../src/storage/postgres/identifier.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { type Migration, migrate, readMigrations } from '../../src/storage/upkeep/migrate.ts'
import { createApiKey, findApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { createWorkspace, listWorkspaces } from '../../src/storage/workspaces/workspaces.ts'
import { readGolden } from '../golden/files.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import {
  asRole,
  databaseOf,
  makePlainOwner,
  openBareDatabase,
  openTestDatabase,
  testSecret,
} from '../support/run/postgres.ts'
import { startFile } from '../support/run/start-files.ts'

const digestKey = deriveKey('a server secret of more than 32 bytes', 'api-key digests')

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

  test('keep all memberships: people with a password have joined, people with a link join with it', async () => {
    await withBare(async (owner, target) => {
      const migrations = await readMigrations()
      await migrate(owner, migrations, 6)
      const sql = openApplication(target)
      const [later, now] = ['2100-01-01T00:00:00.000000Z', '2099-12-31T00:00:00.000000Z']
      const [first, second] = ['older', 'newer'].map(slug => ({ id: makeIdentifier('wsp'), slug }))
      for (const { id, slug } of [first!, second!])
        await owner`insert into workspace (id, slug, name) values (${id}, ${slug}, ${slug})`
      const ann = await admitAsBefore(sql, first!.id, 'ann@test.test', 'Ann')
      const bob = await admitAsBefore(sql, first!.id, 'bob@test.test', 'Bob')
      await withWorkspace(sql, first!.id, tx => tx`select set_first_password(${ann}, 'a hash')`)
      const bobsToken = 'a token of bob'
      const hash = createHash('sha256').update(bobsToken).digest()
      await withWorkspace(sql, first!.id, tx => tx`select issue_set_up_link(${bob}, ${hash}, ${later}::timestamptz)`)
      await migrate(owner, migrations, 11)
      expect(await admitAsBefore(sql, second!.id, 'ann@test.test', 'Another')).toBe(ann)
      await migrate(owner, migrations)
      expect(await listMemberships(sql, ann)).toHaveLength(1)
      expect(await listMemberships(sql, bob)).toHaveLength(0)
      const joined = await redeemSetUpLink(sql, bobsToken, 'chosen by bob', now)
      expect(joined).toMatchObject({ personId: bob, workspaceId: first!.id })
      // Ann was invited by a second workspace: there she is an account that waits for its link, under the name it had.
      const [waiting] = await listMemberStates(sql, second!.id)
      expect(waiting).toMatchObject({ email: 'ann@test.test', name: 'Ann', hasJoined: false })
      expect(waiting!.id).not.toBe(ann)
      await sql.end()
    })
  })

  test('seal what was signed before, as it is, and nothing that comes without the secret later', async () => {
    await withBare(async owner => {
      const migrations = await readMigrations()
      await migrate(owner, migrations, 9)
      const [workspace, agreement] = [makeIdentifier('wsp'), makeIdentifier('pam')]
      const [hash, receipt] = (() => {
        const text = readGolden().get('older-clause-chained')!
        return [(JSON.parse(text) as Receipt).hash, text] as const
      })()
      const insert = async (tx: Transaction, seq: number, period: string, text: string) => {
        const at = `2024-01-0${seq}T00:00:00Z`
        await tx`insert into publication (scope, seq, recorded_at, kind, subject, content_hash)
          values (${workspace}, ${seq}, ${at}, 'receipt', ${agreement}, ${Buffer.alloc(32)})`
        await tx`insert into signed_receipt (workspace_id, pam_id, period, receipt_hash, adjustment_date, receipt, carried,
            seq, recorded_at)
          values (${workspace}, ${agreement}, ${period}, ${hash}, '2024-10-01', ${text}, '{}', ${seq}, ${at})`
        await tx`insert into sign_off (workspace_id, pam_id, period, receipt_hash, party, adjustment_date, signed_by,
            signed_at, seq)
          values (${workspace}, ${agreement}, ${period}, ${hash}, 'buyer', '2024-10-01', 'ann@buyer.test', ${at}, ${seq})`
      }
      await owner.begin(async tx => {
        await tx`select set_config('assize.workspace', '*', true)`
        await tx`insert into workspace (id, slug, name) values (${workspace}, 'older', 'older')`
        await tx`insert into pam (workspace_id, id, slug, created_at) values (${workspace}, ${agreement}, 'golden', now())`
        await insert(tx, 1, '2024-Q4', receipt)
        await insert(tx, 2, '2024-Q3', receipt.replace('"factor"', '"actor"'))
      })
      await expect(migrate(owner, migrations, migrations.length, null)).rejects.toThrow('with its secret only')
      const chainKey = chainKeyOf('a server secret of more than 32 bytes')
      await migrate(owner, migrations, migrations.length, chainKey)
      await owner.begin(async tx => {
        await tx`select set_config('assize.workspace', '*', true)`
        await insert(tx, 3, '2024-Q2', receipt)
      })
      const kept = await withWorkspace(owner, workspace, tx => readAgreement(tx, workspace, agreement))
      // The one whose text does not give its hash was changed before; the last was only inserted.
      expect(findUnsealed(kept!, new RowSeals(chainKey)).map(({ what }) => what)).toEqual([
        'the stored receipt of 2024-Q3',
        'the stored receipt of 2024-Q2',
        "the buyer's stored signature of 2024-Q2",
      ])
      expect(findUnsealed(kept!, new RowSeals(chainKeyOf('another')))).toHaveLength(6)
    })
  })

  test('end accounts that have no place any more, with all that opens them, and keep the others', async () => {
    await withBare(async owner => {
      const migrations = await readMigrations()
      const accounts = migrations.findIndex(({ name }) => name.endsWith('-accounts'))
      await migrate(owner, migrations, accounts)
      const workspace = makeIdentifier('wsp')
      await owner`insert into workspace (id, slug, name) values (${workspace}, 'house', 'house')`
      const [left, stays, operates] = [makeIdentifier('usr'), makeIdentifier('usr'), makeIdentifier('usr')]
      await owner.begin(async tx => {
        await tx`select set_config('assize.workspace', '*', true)`
        for (const id of [left, stays, operates]) {
          await tx`insert into person (id, email, name, password_hash) values (${id}, 'Ann@test.test', '', '$a$b')`
          await tx`insert into session (id, token_hash, person_id, expires_at, latest_end, from_address)
            values (${makeIdentifier('ses')}, ${randomBytes(32)}, ${id}, now(), now(), '192.0.2.7')`
        }
        await tx`insert into member (workspace_id, person_id, role, name) values (${workspace}, ${stays}, 'viewer', '')`
        await tx`insert into operator (person_id, added_by) values (${operates}, 'a test')`
      })
      await migrate(owner, migrations, migrations.length, chainKeyOf('a server secret of more than 32 bytes'))
      const ids = async (table: string, column: string) =>
        (await owner`select ${owner(column)} as id from ${owner(table)} order by 1`).map(row => row.id)
      expect(await ids('person', 'id')).toEqual([stays, operates].sort())
      expect(await ids('session', 'person_id')).toEqual([stays, operates].sort())
      expect(await ids('known_network', 'person_id')).toEqual([stays, operates].sort())
    })
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
      await checkSecret(owner, testSecret)
      const sql = openApplication(plain)
      await checkApplicationRole(sql)
      const { id } = await createWorkspace(owner, { slug: 'plain' })
      expect((await listWorkspaces(owner)).map(({ slug }) => slug)).toEqual(['plain'])
      expect(await sql`select slug from workspace`).toEqual([])
      const series = await makeSeries(sql, id, 'plain')
      expect(await publishRows(sql, id, series, [{ period: 1, value: '1.10' }])).toMatchObject({ added: 1 })
      expect((await verifyAllChains(owner)).map(({ problem }) => problem)).toEqual([null, null, null])
      const { key } = await createApiKey(sql, digestKey, { workspaceId: id, name: 'plain', expiresAt: null })
      expect(await findApiKey(sql, digestKey, key)).toMatchObject({ workspaceId: id })
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

/** By the function of the schema before 0012: a person known from another workspace is the same there. */
function admitAsBefore(sql: Sql, workspaceId: string, email: string, name: string): Promise<string> {
  return withWorkspace(sql, workspaceId, async tx => {
    const [row] = await tx<{ id: string }[]>`
      select admit_person(${makeIdentifier('usr')}, ${email}, ${name}, 'viewer') as id`
    return row!.id
  })
}
