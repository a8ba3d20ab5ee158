// A fresh, migrated database for a test file, copied from a template that is made once per run. The server is the
// embedded one, shared by all files; with TEST_DATABASE_URL another server is used (its role must be a superuser).
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { EmbeddedPostgres } from '../../../src/storage/embedded/embedded.ts'
import { KeyRing } from '../../../src/storage/keys/key-ring.ts'
import { checkSecrets, withRing } from '../../../src/storage/log/secret-check.ts'
import { type DatabaseTarget, openApplication, openOwner, type Sql } from '../../../src/storage/postgres/database.ts'
import { migrate, readMigrations } from '../../../src/storage/upkeep/migrate.ts'

/** What the databases of the tests are set up with, unless a test says otherwise. */
export const testSecret = 'a-secret-of-the-tests-long-enough-to-be-one'

export function makeTestRing(): KeyRing {
  return KeyRing.of([testSecret])
}

export interface TestDatabase {
  readonly target: DatabaseTarget
  /** Sees every workspace; what migrations and the operator's commands use. */
  readonly owner: Sql
  /** The application's role: sees a workspace inside `withWorkspace`, nothing outside. */
  readonly sql: Sql
  close(): Promise<void>
  /** Closes the connections, and leaves the database for others to copy. */
  leave(): Promise<void>
}

interface Server {
  target(database: string): DatabaseTarget
  leave(): Promise<void>
}

/** For `beforeAll`; `close` belongs in `afterAll`. A copy of `from`, which nobody is connected to, or an empty one. */
export async function openTestDatabase(from?: string): Promise<TestDatabase> {
  const server = await joinServer()
  const admin = openOwner(server.target('postgres'), { connections: 1 })
  const name = `test_${randomBytes(6).toString('hex')}`
  const template = from ?? (await ensureTemplate(server, admin))
  await admin`create database ${admin(name)} template ${admin(template)}`
  // A connection of a test asks most things a few times only: a plan for each of the first five would cost more than they do.
  await admin`alter database ${admin(name)} set plan_cache_mode = force_generic_plan`
  const ring = makeTestRing()
  const target = withRing(server.target(name), ring)
  const owner = openOwner(target)
  const sql = openApplication(target)
  await checkSecrets(owner, ring)
  const end = async (last: () => Promise<unknown>) => {
    await Promise.all([owner.end({ timeout: 5 }), sql.end({ timeout: 5 })])
    await last()
    await admin.end()
    await server.leave()
  }
  return {
    target,
    owner,
    sql,
    close: () => end(() => admin`drop database ${admin(name)} with (force)`),
    leave: () => end(async () => {}),
  }
}

/** An empty database without a schema, for tests of migrations and restores. */
export async function openBareDatabase(): Promise<Pick<TestDatabase, 'target' | 'close'>> {
  const server = await joinServer()
  const admin = openOwner(server.target('postgres'), { connections: 1 })
  const name = `bare_${randomBytes(6).toString('hex')}`
  await admin`create database ${admin(name)} template template0`
  return {
    target: withRing(server.target(name), makeTestRing()),
    async close() {
      await admin`drop database ${admin(name)} with (force)`
      await admin.end()
      await server.leave()
    },
  }
}

export function databaseOf(target: DatabaseTarget): string {
  return 'url' in target ? new URL(target.url).pathname.slice(1) : target.database
}

/** What `DATABASE_URL` would be. */
export function urlOf(target: DatabaseTarget): string {
  if ('url' in target) return target.url
  const { host, port, user, password } = target.endpoint
  return `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${target.database}`
}

/** The same database for another user. */
export function asRole(target: DatabaseTarget, user: string, password: string): DatabaseTarget {
  if (!('url' in target)) return { ...target, endpoint: { ...target.endpoint, user, password } }
  const url = new URL(target.url)
  url.username = user
  url.password = password
  return { ...target, url: url.href }
}

/** An owner of this database as a careful administrator sets it up: not a superuser, but granted the application's role. */
export async function makePlainOwner(admin: Sql, target: DatabaseTarget): Promise<DatabaseTarget> {
  await admin.unsafe(`
    do $$ begin create role plain_owner login password 'plain'; exception when duplicate_object then null; end $$;
    do $$ begin create role assize_app nologin; exception when duplicate_object then null; end $$;
    grant assize_app to plain_owner;
    grant create on database ${JSON.stringify(databaseOf(target))} to plain_owner`)
  return asRole(target, 'plain_owner', 'plain')
}

async function joinServer(): Promise<Server> {
  const url = process.env.TEST_DATABASE_URL
  if (url !== undefined && url !== '') {
    const target = (database: string): DatabaseTarget => {
      const address = new URL(url)
      address.pathname = `/${database}`
      return { url: address.href }
    }
    return { target, leave: async () => {} }
  }
  const embedded = await EmbeddedPostgres.attach(inject('postgresFolder'))
  return { target: database => ({ endpoint: embedded.endpoint, database }), leave: () => embedded.release() }
}

/** Named after what is in it, so that a server that outlives the run never provides an old schema. */
async function ensureTemplate(server: Server, admin: Sql): Promise<string> {
  const migrations = await readMigrations()
  const state = migrations
    .map(({ checksum }) => checksum.slice(0, 8))
    .join('')
    .slice(-40)
  const name = `assize_${state}`
  await admin`select pg_advisory_lock(7203041264)`
  try {
    const [found] = await admin`select 1 from pg_database where datname = ${name} and datistemplate`
    if (found !== undefined) return name
    await admin`drop database if exists ${admin(name)}`
    await admin`create database ${admin(name)} template template0`
    const owner = openOwner(server.target(name), { connections: 1 })
    await migrate(owner, migrations)
    await owner.end()
    await admin`alter database ${admin(name)} is_template true`
    return name
  } finally {
    await admin`select pg_advisory_unlock(7203041264)`
  }
}
