// One run a series at a time, across processes: locks of one connection, which end with it however the process ends. The
// connection is taken when the first lock is, and taken anew where the database went away in between.
import type { ReservedSql } from 'postgres'
import type { Sql } from './database.ts'

type Connection = ReservedSql<Record<string, never>>

export class SeriesLocks {
  readonly #sql: Sql
  #connection: Promise<Connection> | null = null

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Those of the references that nobody else holds: they are ours now. Does not wait. */
  async take(references: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#run(
      connection => connection<{ reference: string; taken: boolean }[]>`
        select reference, pg_try_advisory_lock(hashtextextended('assize series ' || reference, 0)) as taken
        from unnest(${references as string[]}::text[]) as t (reference)`,
    )
    return new Set(rows.filter(({ taken }) => taken).map(({ reference }) => reference))
  }

  async release(references: Iterable<string>): Promise<void> {
    await this.#run(
      connection => connection`
        select pg_advisory_unlock(hashtextextended('assize series ' || reference, 0))
        from unnest(${[...references]}::text[]) as t (reference)`,
    )
  }

  /** Gives the connection back, without any lock on it. */
  async close(): Promise<void> {
    if (this.#connection === null) return
    const connection = await this.#connection.catch(() => null)
    this.#connection = null
    if (connection === null) return
    await connection`select pg_advisory_unlock_all()`.catch(() => {})
    connection.release()
  }

  async #run<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#open()
    try {
      return await work(connection)
    } catch (error) {
      if (!isLost(error)) throw error
      // Its locks went with it. Whoever asked gets them from a new connection, if nobody else was faster.
      await this.#drop(connection)
      return work(await this.#open())
    }
  }

  /** Several may find the same connection lost; one of them gives it back. */
  async #drop(lost: Connection): Promise<void> {
    const current = await this.#connection?.catch(() => null)
    if (current !== lost) return
    this.#connection = null
    lost.release()
  }

  #open(): Promise<Connection> {
    this.#connection ??= this.#sql.reserve().catch(error => {
      this.#connection = null
      throw error
    })
    return this.#connection
  }
}

function isLost(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return code.startsWith('CONNECTION_') || code.startsWith('57P') || code === 'ECONNRESET' || code === 'EPIPE'
}
