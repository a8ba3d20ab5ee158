// The login role that a pooler's sessions belong to. A pooler takes no settings when a connection begins, and gives a transaction
// any session it has; so the settings of the application's sessions are bound to their role, in this database. They are bound
// past the pooler where our role may do that, and checked through the pooler before anything is served.
import { Refusal } from '../../core/refusal.ts'
import {
  applicationRole,
  applicationSession,
  connectionTo,
  type DatabaseTarget,
  type Queryable,
  type Sql,
  type Transaction,
} from '../postgres/database.ts'
import { databaseTroubleOf } from '../postgres/database-errors.ts'
import { lockSchema } from './migrate.ts'

/** Answer of poolers to a session that begins with settings: PgBouncer names the first that it does not know. */
const refusesStart = /^unsupported startup parameter/

export function refuseRefusing({ code, message }: { code?: string; message: string }, target: DatabaseTarget): void {
  if (code === '08P01' && refusesStart.test(message)) throw poolerFound(target, message)
}

/**
 * Refuses a pooler that drops settings it does not know: every session of the owner begins with a scope. The question comes
 * first, and without a name: statements that are prepared by name fail there, one after the other.
 */
export async function refuseDropping(owner: Sql, target: DatabaseTarget): Promise<void> {
  const question = "select current_setting('assize.workspace', true) as scope"
  const [found] = await owner.unsafe<{ scope: string | null }[]>(question)
  if (!found!.scope) throw poolerFound(target, 'the settings that a session begins with are dropped')
}

function poolerFound({ pooler }: DatabaseTarget, why: string): Refusal {
  const sentence =
    pooler === undefined
      ? `DATABASE_URL leads to a pooler (${why}): set DATABASE_DIRECT_URL to an address of PostgreSQL itself as well`
      : `DATABASE_DIRECT_URL leads to a pooler (${why}): it must be an address of PostgreSQL itself`
  return new Refusal('unavailable', sentence)
}

interface LoginFacts {
  readonly isOwner: boolean
  /** `search_path=assize`, and so on. */
  readonly bound: readonly string[]
  readonly database: string
}

const noRight = '42501'

/** Binds the settings to the role; where an administrator must do it, `checkPooler` says how. */
export async function bindPoolerRole(owner: Sql, pooler: DatabaseTarget): Promise<void> {
  const { user } = connectionTo(pooler, {})
  if (user === undefined) return
  await owner.begin(async tx => {
    await lockSchema(tx)
    const facts = await loadLogin(tx, user)
    if (facts === null) return
    if (facts.isOwner)
      throw new Refusal(
        'unavailable',
        `behind a pooler the application needs a login role of its own, but DATABASE_URL and DATABASE_DIRECT_URL both name ${user}; let an administrator run: create role assize_pooled login password '…' in role ${applicationRole}`,
      )
    const missing = Object.entries(applicationSession).filter(each => !facts.bound.includes(each.join('=')))
    if (missing.length === 0) return
    await tx
      .savepoint(inner => inner.unsafe(bindings(user, facts.database, missing).join('; ')))
      .catch(error => {
        if (error.code !== noRight) throw error
      })
  })
}

async function loadLogin(tx: Transaction, user: string): Promise<LoginFacts | null> {
  const [found] = await tx<{ is_owner: boolean; bound: string[] | null; database: string }[]>`
    select r.rolname = current_user as is_owner, s.setconfig as bound, d.datname as database
    from pg_roles r cross join pg_database d
    left join pg_db_role_setting s on s.setrole = r.oid and s.setdatabase = d.oid
    where r.rolname = ${user} and d.datname = current_database()`
  return found === undefined ? null : { isOwner: found.is_owner, bound: found.bound ?? [], database: found.database }
}

function bindings(role: string, database: string, settings: Iterable<readonly [string, string]>): string[] {
  const [login, place] = [role, database].map(name => `"${name.replaceAll('"', '""')}"`)
  return Array.from(settings, ([name, value]) => `alter role ${login} in database ${place} set ${name} = '${value}'`)
}

interface PooledDatabase {
  readonly system: string
  readonly database: number
}

interface SessionFacts extends PooledDatabase {
  readonly login: string
  readonly name: string
  readonly isMember: boolean
}

/** Checks sessions through the pooler: of the same database, with the settings and rights of the application. */
export async function checkPooler(owner: Sql, sql: Sql): Promise<void> {
  const direct = await placeOf(owner)
  const [session, settings] = await sql.begin(loadSession).catch(explainPooler)
  if (session.system !== direct.system || session.database !== direct.database)
    throw new Refusal('unavailable', 'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases')
  const wrong = Object.entries(applicationSession).filter(
    ([name, value]) => name !== 'role' && settings.get(name) !== value,
  )
  if (wrong.length === 0 && session.isMember) return
  const why = session.isMember
    ? `has ${wrong.map(([name]) => `${name} "${settings.get(name)}"`).join(', ')}`
    : `is no member of ${applicationRole}`
  const grant = session.isMember ? [] : [`grant ${applicationRole} to "${session.login}"`]
  const statements = [...grant, ...bindings(session.login, session.name, Object.entries(applicationSession))]
  throw new Refusal(
    'unavailable',
    `the role ${session.login} of the pooler's sessions ${why}; let an administrator run: ${statements.join('; ')}; then let the pooler open its connections again (RECONNECT)`,
  )
}

function explainPooler(error: Error): never {
  if (databaseTroubleOf(error) !== 'away') throw error
  throw new Refusal(
    'unavailable',
    `the database cannot be reached through the pooler of DATABASE_URL: ${error.message}`,
  )
}

async function placeOf(sql: Queryable): Promise<PooledDatabase> {
  const [place] = await sql<PooledDatabase[]>`
    select (select system_identifier::text from pg_control_system()) as system, oid as database
    from pg_database where datname = current_database()`
  return place!
}

async function loadSession(tx: Transaction): Promise<readonly [SessionFacts, ReadonlyMap<string, string>]> {
  const place = await placeOf(tx)
  const [who] = await tx<{ login: string; name: string; is_member: boolean }[]>`
    select session_user as login, current_database() as name,
      coalesce((select pg_has_role(session_user, r.oid, 'usage') from pg_roles r where r.rolname = ${applicationRole}), false) as is_member`
  const settings = await tx<{ name: string; setting: string }[]>`
    select name, setting from pg_settings where name = any(${Object.keys(applicationSession)}::text[])`
  const { login, name, is_member: isMember } = who!
  return [{ ...place, login, name, isMember }, new Map(settings.map(each => [each.name, each.setting]))]
}
