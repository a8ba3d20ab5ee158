// One run a series at a time, across processes: session locks on a connection of their own, which end with it however the
// process ends. It is opened with the first lock. Where the database went away in between, the driver opens another; the
// locks are gone then, and what a run publishes is compared again under the publication's own lock.
import postgres from 'postgres'
import { limits } from '../limits.ts'
import { applicationRole, type DatabaseTarget } from './database.ts'

type Connection = postgres.Sql

export class SeriesLocks {
  readonly #target: DatabaseTarget
  #connection: Connection | null = null

  constructor(target: DatabaseTarget) {
    this.#target = target
  }

  /** Those of the references that nobody else holds: they are ours now. Does not wait. */
  async take(references: readonly string[]): Promise<ReadonlySet<string>> {
    this.#connection ??= open(this.#target)
    const rows = await this.#connection<{ reference: string; taken: boolean }[]>`
      select reference, pg_try_advisory_lock(hashtextextended('assize series ' || reference, 0)) as taken
      from unnest(${references as string[]}::text[]) as t (reference)`
    return new Set(rows.filter(({ taken }) => taken).map(({ reference }) => reference))
  }

  async release(references: Iterable<string>): Promise<void> {
    await this.#connection?.unsafe(
      `select pg_advisory_unlock(hashtextextended('assize series ' || reference, 0))
       from unnest($1::text[]) as t (reference)`,
      [[...references]],
    )
  }

  /** Ends the connection, and the locks with it. */
  async close(): Promise<void> {
    const connection = this.#connection
    this.#connection = null
    await connection?.end({ timeout: 5 })
  }
}

/** A single connection that is never exchanged for a younger one: that would drop the locks in silence. */
function open(target: DatabaseTarget): Connection {
  const options = {
    max: 1,
    max_lifetime: null,
    connect_timeout: limits.connectTimeoutMs / 1000,
    onnotice: () => {},
    connection: { application_name: 'assize locks', role: applicationRole, lock_timeout: limits.lockTimeoutMs },
  }
  if ('url' in target) return postgres(target.url, options)
  return postgres({ ...options, ...target.endpoint, database: target.database, ssl: false })
}
