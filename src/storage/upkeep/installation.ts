// Everything a process needs to work on an installation: the database (embedded, or the operator's own), its schema, its
// roles and its secret, opened and checked in order. Nothing is served from a database that failed a check.
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { noteAct } from '../audit/audit-acts.ts'
import { EmbeddedPostgres, type Endpoint } from '../embedded/embedded.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { keepSecrets } from '../keys/secret-file.ts'
import { KeyHolder } from '../log/key-holder.ts'
import { checkSecrets, refuseOtherSecrets, withRing } from '../log/secret-check.ts'
import { ConnectionError } from '../postgres/connection-error.ts'
import {
  checkApplicationRole,
  checkServer,
  type DatabaseTarget,
  databaseName,
  openApplication,
  openOwner,
  type Sql,
} from '../postgres/database.ts'
import { migrate, readMigrations } from './migrate.ts'
import { bindPoolerRole, checkPooler, refuseDropping, refuseRefusing } from './pooler-role.ts'

export interface InstallationOptions {
  readonly dataFolder: string
  readonly databaseUrl: string | null
  /** The database itself where `databaseUrl` leads to a pooler. */
  readonly databaseDirectUrl?: string | null
  /** Secrets; `null`: those in the data folder. */
  readonly secrets: readonly string[] | null
  readonly connections?: number
}

export class Installation {
  readonly target: DatabaseTarget
  /** The application's pool: one workspace at a time, see `withWorkspace`. */
  readonly sql: Sql
  readonly ring: KeyRing
  /** Embedded database; `null` with the operator's own. */
  readonly embedded: EmbeddedPostgres | null
  /** Migrations that were applied on the way. */
  readonly migrated: readonly string[]
  readonly #holder: KeyHolder
  #owner: Sql | null

  private constructor(base: DatabaseBase, pools: Pools, keys: InstallationKeys, migrated: readonly string[]) {
    this.target = base.target
    this.embedded = base.embedded
    this.sql = pools.sql
    this.#owner = pools.owner
    this.ring = keys.ring
    this.#holder = keys.holder
    this.migrated = migrated
  }

  static async open(options: InstallationOptions): Promise<Installation> {
    const base = await findBase(options)
    const pools: { sql: Sql | null; owner: Sql | null } = { sql: null, owner: null }
    try {
      const ring = KeyRing.of(options.secrets ?? (await keepSecrets(options.dataFolder)))
      const target = withRing(base.target, ring)
      pools.owner = openOwner(target)
      const migrated = await bringUpToDate(pools.owner, base, ring)
      if (target.pooler !== undefined) await bindPoolerRole(pools.owner, target.pooler)
      const { connections } = options
      // A command works for one workspace and continues as the owner; a server works for many at a time, and never does.
      const sql = openApplication(target, connections === undefined ? { share: limits.poolShare } : { connections })
      pools.sql = sql
      if (target.pooler !== undefined) await checkPooler(pools.owner, sql)
      if (connections === undefined) {
        await pools.owner.end()
        pools.owner = null
      }
      await checkApplicationRole(sql, target.pooler !== undefined)
      const holder = new KeyHolder(sql, ring, options.secrets === null ? options.dataFolder : null)
      await holder.start()
      return new Installation({ ...base, target }, { sql, owner: pools.owner }, { ring, holder }, migrated)
    } catch (error) {
      await Promise.all([pools.sql?.end(), pools.owner?.end()])
      await base.embedded?.release()
      throw error
    }
  }

  /**
   * The operator's pool: every workspace. A server does not need it; there it is opened on first use. Functions that take an
   * `owner` need it.
   */
  get owner(): Sql {
    this.#owner ??= openOwner(this.target)
    return this.#owner
  }

  async close(): Promise<void> {
    await this.#holder.stop()
    await Promise.all([this.sql.end({ timeout: 5 }), this.#owner?.end({ timeout: 5 })])
    await this.embedded?.release()
  }
}

interface DatabaseBase {
  readonly target: DatabaseTarget
  readonly embedded: EmbeddedPostgres | null
}

interface InstallationKeys {
  readonly ring: KeyRing
  readonly holder: KeyHolder
}

interface Pools {
  readonly sql: Sql
  readonly owner: Sql | null
}

type BaseOptions = Pick<InstallationOptions, 'dataFolder' | 'databaseUrl' | 'databaseDirectUrl'>

/** A running server; our database in it may be missing. */
async function findBase({ dataFolder, databaseUrl, databaseDirectUrl = null }: BaseOptions): Promise<DatabaseBase> {
  if (databaseUrl !== null) {
    const named = { url: databaseUrl }
    const target = databaseDirectUrl === null ? named : { url: databaseDirectUrl, pooler: named }
    return { target, embedded: null }
  }
  const embedded = await EmbeddedPostgres.attach(dataFolder)
  return { target: { endpoint: embedded.endpoint, database: databaseName }, embedded }
}

/** Opens a running, reachable database, whatever is in it, for a restore. */
export async function openBase(options: BaseOptions): Promise<DatabaseBase> {
  const base = await findBase(options)
  try {
    if (base.embedded !== null) await ensureDatabase(base.embedded.endpoint, databaseName)
    return base
  } catch (error) {
    await base.embedded?.release()
    throw error
  }
}

async function ensureDatabase(endpoint: Endpoint, name: string): Promise<void> {
  const sql = openOwner({ endpoint, database: 'postgres' }, { connections: 1 })
  try {
    const [found] = await sql`select 1 from pg_database where datname = ${name}`
    // Another process may have been faster.
    if (found === undefined)
      await sql`create database ${sql(name)}`.catch(error => {
        if (!['42P04', '23505'].includes(error.code)) throw error
      })
  } finally {
    await sql.end()
  }
}

/** Checks that the database is there, that we can use it, and that nothing is in between. */
export async function checkDirect(owner: Sql, { embedded, target }: DatabaseBase): Promise<void> {
  await refuseDropping(owner, target).catch(async error => {
    if (embedded === null || error.code !== missingDatabase) explainConnection(error, target)
    // The database is made the first time: that of an installation that exists is not looked for before it is used.
    await ensureDatabase(embedded.endpoint, databaseName)
  })
  await checkServer(owner)
}

async function bringUpToDate(owner: Sql, base: DatabaseBase, ring: KeyRing): Promise<readonly string[]> {
  await checkDirect(owner, base)
  await refuseOtherSecrets(owner, ring)
  const migrations = await readMigrations()
  const applied = await migrate(owner, migrations)
  await checkSecrets(owner, ring)
  // A new schema is no act: there was nothing before.
  if (applied.length > 0 && applied.length < migrations.length)
    await noteAct(owner, {
      act: 'installation.migrate',
      who: 'operator',
      fromAddress: null,
      said: 'the schema was brought up to date',
      subject: applied.at(-1)!,
    })
  return applied
}

const missingDatabase = '3D000'

const refusedStates = new Set(['28P01', '28000', missingDatabase])

function explainConnection(error: { code?: string; message: string }, target: DatabaseTarget): never {
  refuseRefusing(error, target)
  if (error instanceof ConnectionError || refusedStates.has(error.code ?? ''))
    throw new Refusal('unavailable', `the database cannot be reached: ${error.message}`)
  throw error
}
