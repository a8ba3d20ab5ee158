// One run a series at a time, across processes: session locks on a connection of their own, which end with it however
// the process ends. It is opened with the first lock, and opened again after it failed or stopped answering; its locks
// are gone then, and what a run publishes is compared again under the publication's own lock.
import postgres from 'postgres'
import { limits } from '../../limits.ts'
import { arrayTypes } from '../postgres/array-types.ts'
import { applicationRole, type DatabaseTarget } from '../postgres/database.ts'

type Connection = ReturnType<typeof open>

export class SeriesLocks {
  readonly #target: DatabaseTarget
  #connection: Connection | null = null

  constructor(target: DatabaseTarget) {
    this.#target = target
  }

  /** Locks those of the references that no other process has locked. Does not wait. */
  async take(references: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#ask<{ reference: string; taken: boolean }[]>(
      connection => connection`
        select reference, pg_try_advisory_lock(hashtextextended('assize series ' || reference, 0)) as taken
        from unnest(${references as string[]}::text[]) as t (reference)`,
    )
    return new Set(rows.filter(({ taken }) => taken).map(({ reference }) => reference))
  }

  /** Locks of a connection that is gone are released already. */
  async release(references: Iterable<string>): Promise<void> {
    if (this.#connection === null) return
    const released = this.#ask(
      connection => connection`
        select pg_advisory_unlock(hashtextextended('assize series ' || reference, 0))
        from unnest(${[...references]}::text[]) as t (reference)`,
    )
    await released.catch(() => {})
  }

  /** Ends the connection, and the locks with it. */
  async close(): Promise<void> {
    const connection = this.#connection
    this.#connection = null
    await connection?.end({ timeout: 5 })
  }

  async #ask<T>(request: (connection: Connection) => PromiseLike<unknown>): Promise<T> {
    this.#connection ??= open(this.#target)
    const connection = this.#connection
    try {
      return (await within(Promise.resolve(request(connection)))) as T
    } catch (error) {
      if (this.#connection === connection) this.#connection = null
      connection.end({ timeout: 0 }).catch(() => {})
      throw error
    }
  }
}

/** A connection that dies during a query may leave it unanswered forever; these queries take no time. */
function within<T>(asked: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the database does not answer')), limits.connectTimeoutMs)
  return Promise.race([asked, promise]).finally(() => clearTimeout(timer))
}

/** A single connection that is never exchanged for a younger one: that would drop the locks in silence. */
function open(target: DatabaseTarget) {
  const options = {
    max: 1,
    max_lifetime: null,
    types: arrayTypes(),
    fetch_types: false,
    connect_timeout: limits.connectTimeoutMs / 1000,
    onnotice: () => {},
    connection: { application_name: 'assize locks', role: applicationRole, lock_timeout: limits.lockTimeoutMs },
  }
  if ('url' in target) return postgres(target.url, options)
  return postgres({ ...options, ...target.endpoint, database: target.database, ssl: false })
}
