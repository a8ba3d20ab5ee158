// Opens connections to PostgreSQL so that nothing is damaged on the way: digits, days and microseconds arrive as text,
// whole numbers only where they fit. Two roles: the owner migrates, backs up and runs the operator's commands; the
// application role owns nothing and sees one workspace at a time. It refuses a database that could lose commits and a
// role that row-level security does not apply to.

import type { QueryResultRow } from 'pg'
import { Refusal } from '../../core/refusal.ts'
import { type Instant, parseInstant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import type { Endpoint } from '../embedded/embedded.ts'
import { KeyRing, type SharedRing } from '../keys/key-ring.ts'
import { readAddress } from './address.ts'
import { arrayParsers } from './array-types.ts'
import type { ConnectionOptions, Parsers } from './connection.ts'
import { assertFree, guardOf } from './held-connections.ts'
import type { ConnectionPoolOptions } from './pool.ts'
import { Shares } from './shares.ts'
import { type Begin, openPool, type Pool, type Queryable, type Transaction } from './sql.ts'

/** A pool of connections, and what belongs to all of them. */
export type Sql = Pool & { readonly [ofPool]?: PoolFacts }
export type { Queryable, Transaction }

/** An address as the operator wrote it, or a database of the embedded server. */
export type DatabaseTarget = ({ readonly url: string } | { readonly endpoint: Endpoint; readonly database: string }) & {
  /** The secrets of the installation. Without them, the connections only read. */
  readonly ring?: SharedRing
  /**
   * A pooler, which gives every transaction any session it has. The application works through it; the owner and holders of a
   * session (for listening or locks) go past it, to the rest of the target.
   */
  readonly pooler?: { readonly url: string }
}

export const applicationRole = 'assize_app'
export const schemaName = 'assize'
export const databaseName = 'assize'

/** Settings that each of our sessions begins with. */
const everySession = { search_path: schemaName, TimeZone: 'UTC', DateStyle: 'ISO, YMD', jit: 'off' }

/** Settings that a session of the application begins with: it asks for them, or its login role has them, through a pooler. */
export const applicationSession: Readonly<Record<string, string>> = {
  role: applicationRole,
  lock_timeout: String(limits.lockTimeoutMs),
  statement_timeout: String(limits.statementTimeoutMs),
  ...everySession,
}

/** Every workspace at once: for the owner's connections alone, see the `operator` policies. */
const operatorScope = '*'
/** The scope of series that are stored once for all workspaces. */
export const publicScope = 'public'

const oid = {
  boolean: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  oid: 26,
  json: 114,
  timestamptz: 1184,
  jsonb: 3802,
} as const

/** Reads `2024-04-11 12:30:00.12+00`, which is how a session in UTC writes instants. */
function readTimestamp(text: string): Instant {
  const instant = text.endsWith('+00') ? parseInstant(`${text.slice(0, -3).replace(' ', 'T')}Z`) : null
  if (instant === null) throw new Error(`not an instant of the years 1 to 9999 in UTC: ${text}`)
  return instant
}

/** Counts and sequence numbers: far from the bound, and a wrong one is never passed on. */
function readWhole(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`a whole number past 2^53 came from the database: ${text}`)
  return value
}

// `numeric`, days, times and floats stay text. Our jsonb holds texts, booleans and small whole numbers only, so JSON.parse
// turns no published digits into floats; documents whose digits count are kept as text beside it.
const parsers: Parsers = new Map<number, (text: string) => unknown>([
  [oid.boolean, text => text === 't'],
  [oid.bytea, text => Buffer.from(text.slice(2), 'hex')],
  [oid.int2, Number],
  [oid.int4, Number],
  [oid.oid, Number],
  [oid.int8, readWhole],
  [oid.json, text => JSON.parse(text)],
  [oid.jsonb, text => JSON.parse(text)],
  [oid.timestamptz, readTimestamp],
  ...arrayParsers({ int8: readWhole, timestamptz: readTimestamp }),
])

interface PoolOptions {
  readonly connections?: number
  /** Name that pg_stat_activity shows. */
  readonly name?: string
  /** Most connections that one workspace may use at a time; without it, all of them. */
  readonly share?: number
  /** Whether its transactions ask other pools: they have sessions of their own, also where there is a pooler. */
  readonly asksOthers?: boolean
  /** This process's clock, in milliseconds since 1970. */
  readonly nowMs?: () => number
}

const ofPool = Symbol('what belongs to a pool')

interface PoolFacts {
  /** Mark that it shares with others like it; null where holding several of its connections does no harm. */
  readonly pool: object | null
  readonly ring: KeyRing | null
  readonly nowMs: () => number
  readonly shares: Shares | null
}

/** The needs of publishing besides a connection: the keys of the heads, and a second clock. */
export interface LogWriter {
  readonly ring: KeyRing
  readonly nowMs: () => number
}

export function logWriterOf(sql: Sql): LogWriter {
  return { ring: ringIn(sql), nowMs: sql[ofPool]!.nowMs }
}

/** Key ring of a pool, or of a transaction that was begun in it. */
export function ringIn(sql: Queryable): KeyRing {
  const ring = (sql as Sql)[ofPool]?.ring ?? transactions.get(sql)?.ring ?? null
  if (ring === null) throw new Error('these connections were opened without the secrets of the installation')
  return ring
}

/**
 * The role of the address itself: migrations, backups, commands of the operator. No statement timeout. One command uses it at a
 * time, so nobody waits here for a connection that somebody else holds.
 */
export function openOwner(target: DatabaseTarget, options: PoolOptions = {}): Sql {
  const connection = connectionTo(target, {
    application_name: options.name ?? 'assize owner',
    'assize.workspace': operatorScope,
    lock_timeout: limits.migrationLockTimeoutMs,
    statement_timeout: '0',
    ...everySession,
  })
  return open(target, connection, { connections: 2, ...options })
}

/** Every session begins as the application role and falls back to it when it is reset. */
export function openApplication(target: DatabaseTarget, options: PoolOptions = {}): Sql {
  const name = options.name ?? 'assize'
  if (options.asksOthers) return open(target, ownSession(target, name), options, { guard: {} })
  return open(target, applicationConnection(target, name), options, { guard: ofTheApplication })
}

/** Mark of all pools of the application: through a pooler they share its few sessions. */
const ofTheApplication = {}

/** Connection through the pooler, if there is one: it would refuse settings, and its login role has them. */
export function applicationConnection(target: DatabaseTarget, name: string): ConnectionOptions {
  if (target.pooler === undefined) return ownSession(target, name)
  return { ...connectionTo(target.pooler, {}), isPooled: true }
}

function ownSession(target: DatabaseTarget, name: string): ConnectionOptions {
  return connectionTo(target, { application_name: name, ...applicationSession })
}

interface ListenerEvents {
  readonly onNotice: (channel: string, payload: string) => void
  /** The connection is gone; nothing more arrives on it. */
  readonly onClose: () => void
}

/** Opens one connection of the application that listens until it closes. To listen again is a new call. */
export async function openListener(
  target: DatabaseTarget,
  channels: readonly string[],
  events: ListenerEvents,
): Promise<Sql> {
  const connection = connectionTo(target, {
    application_name: 'assize listener',
    role: applicationRole,
    ...everySession,
  })
  const sql = open(target, connection, { connections: 1 }, { ...events, isRenewed: false })
  for (const channel of channels) await sql`listen ${sql(channel)}`
  return sql
}

function open(
  target: DatabaseTarget,
  connection: ConnectionOptions,
  { connections = limits.poolConnections, share, nowMs = Date.now }: PoolOptions,
  { guard: pool = null, ...more }: Partial<ConnectionPoolOptions> & { readonly guard?: object | null } = {},
): Sql {
  const ring = target.ring === undefined ? null : new KeyRing(target.ring)
  const options = { ...connection, parsers, most: connections, isRenewed: true, ...more }
  const sql = openPool(options, pool === null ? null : guardOf(pool))
  sql.begin = beginIn(sql.begin, ring)
  const all = Math.max(share ?? 1, connections - limits.unsharedConnections)
  const shares = share === undefined ? null : new Shares({ each: share, all })
  return Object.assign(sql, { [ofPool]: { pool, ring, nowMs, shares } })
}

interface TransactionFacts {
  readonly ring: KeyRing | null
  /** Work by name, so that it is done once. */
  readonly lastThings: Map<string, () => Promise<void>>
}

const transactions = new WeakMap<object, TransactionFacts>()

/** Does the work of `beforeCommit` before the transaction ends. */
function beginIn(begin: Begin, ring: KeyRing | null): Begin {
  type Work = (tx: Transaction) => unknown
  return (async (first: string | Work, second?: Work) => {
    const [mode, work] = typeof first === 'string' ? [first, second!] : ['', first]
    return begin(mode, async tx => {
      const lastThings = new Map<string, () => Promise<void>>()
      transactions.set(tx, { ring, lastThings })
      const value = await work(tx)
      for (const lastThing of lastThings.values()) await lastThing()
      return value
    })
  }) as Begin
}

/** Sets the last thing that a transaction does, once for each name, however often it is asked for. */
export function beforeCommit(tx: Transaction, name: string, work: () => Promise<void>): void {
  const facts = transactions.get(tx)
  if (facts === undefined) throw new Error('this is no transaction of a pool of ours')
  facts.lastThings.set(name, work)
}

/** Works in the transaction that is given, or in one of its own. */
export async function inTransaction<T>(sql: Queryable, work: (tx: Transaction) => Promise<T>): Promise<T> {
  if (transactions.has(sql)) return work(sql as Transaction)
  const { value } = await (sql as Sql).begin(async tx => ({ value: await work(tx) }))
  return value
}

/** Options of a connection to the database itself, with its settings; settings in the address take precedence. */
export function connectionTo(target: DatabaseTarget, settings: ConnectionOptions['settings']): ConnectionOptions {
  const { connectTimeoutMs } = limits
  if ('url' in target) {
    const address = readAddress(target.url)
    return { ...address, settings: { ...settings, ...address.settings }, connectTimeoutMs }
  }
  const { endpoint, database } = target
  return { ...endpoint, database, ssl: false, isPlainAllowed: false, settings, connectTimeoutMs }
}

const snapshots = new WeakSet<Transaction>()

/** Whether it sees everything as of one moment, so that a read need not be repeated. */
export function isSnapshot(tx: Transaction): boolean {
  return snapshots.has(tx)
}

/**
 * Runs a transaction that sees one workspace (or `public`). The setting ends with the transaction, so a connection that goes back
 * to the pool carries no workspace's. A function that takes `tx` and a workspace is called inside such a transaction.
 */
export async function withWorkspace<T>(
  sql: Sql,
  workspace: string,
  work: (tx: Transaction) => Promise<T>,
  isolation: 'statement' | 'snapshot' = 'statement',
): Promise<T> {
  const mode = isolation === 'snapshot' ? 'isolation level repeatable read read only' : ''
  const run = async () => {
    const result = await sql.begin(mode, async tx => {
      if (isolation === 'snapshot') snapshots.add(tx)
      // The setting is sent together with the first statement of `work`: it comes before it, and if it fails, everything after it
      // does.
      const entered = tx`select set_config('assize.workspace', ${workspace}, true)`.execute()
      const [value] = await Promise.all([work(tx), entered])
      return { value }
    })
    return result.value
  }
  const { pool = null, shares = null } = sql[ofPool] ?? {}
  if (pool !== null) assertFree(pool)
  return shares === null ? run() : shares.run(workspace, run)
}

/** Runs one statement in a transaction of its own, which sees one workspace (or `public`). */
export function inWorkspace(sql: Sql, workspace: string) {
  return <T extends readonly unknown[] = QueryResultRow[]>(
    strings: TemplateStringsArray,
    ...values: readonly unknown[]
  ) => withWorkspace(sql, workspace, tx => tx<T>(strings, ...values))
}

/**
 * Reads public rows as public ones inside a transaction of a workspace, and then goes back. Under the policy for followers every
 * statement would first gather all followed series. `read` names the rows it may see; nothing else is asked of the transaction
 * meanwhile.
 */
export async function readingPublic<T>(tx: Transaction, workspace: string, read: () => Promise<T>): Promise<T> {
  // The setting is sent now, so that it comes before any question of `read`.
  const entered = tx`select set_config('assize.workspace', ${publicScope}, true)`.execute()
  const [result] = await Promise.all([read(), entered])
  await tx`select set_config('assize.workspace', ${workspace}, true)`
  return result
}

interface Durability {
  readonly name: string
  readonly setting: string
}

/** Checks durability: answered commits must survive a power cut; a server that trades that for speed is refused. */
async function checkDurability(sql: Queryable): Promise<void> {
  const found = await sql<Durability[]>`
    select name, setting from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
    order by name`
  if (found.length > 0)
    throw new Refusal(
      'unavailable',
      `the database could lose what it has confirmed: ${found.map(({ name }) => `${name} is off`).join(', ')}; switch it on`,
    )
}

const oldestVersion = 15

export async function checkServer(sql: Queryable): Promise<void> {
  const [found] = await sql<{ version: number; label: string; encoding: string }[]>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as label,
      current_setting('server_encoding') as encoding`
  if (found!.version < oldestVersion * 10_000)
    throw new Refusal('unavailable', `PostgreSQL must be version ${oldestVersion} or newer, got ${found!.label}`)
  if (found!.encoding !== 'UTF8')
    throw new Refusal('unavailable', `the database's encoding must be UTF8, got ${found!.encoding}`)
  await checkDurability(sql)
}

interface RoleFacts {
  readonly role: string
  readonly superuser: boolean
  readonly bypasses: boolean
  readonly owned: number
}

/**
 * The safety net under every query: without it one forgotten condition would show one tenant another's figures. Through a pooler
 * the role of the address must be as harmless, because sessions may fall back to it.
 */
export async function checkApplicationRole(sql: Queryable, isPooled = false): Promise<void> {
  const all = await sql<RoleFacts[]>`
    select r.rolname as role, r.rolsuper as superuser, r.rolbypassrls as bypasses,
      (select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = ${schemaName} and c.relkind in ('r', 'p') and pg_has_role(r.oid, c.relowner, 'usage')) as owned
    from pg_roles r where r.rolname = current_user or (${isPooled} and r.rolname = session_user)`
  for (const { role, superuser, bypasses, owned } of all) {
    const why = superuser
      ? 'is a superuser'
      : bypasses
        ? 'may bypass row-level security'
        : owned > 0
          ? `owns ${owned} of the tables`
          : null
    if (why !== null)
      throw new Refusal(
        'unavailable',
        `row-level security must apply to the application's database role, but ${role} ${why}`,
      )
  }
}
