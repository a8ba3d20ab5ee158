// One run a series at a time, across processes: locks of one connection, which end with it however the process ends.
import type { ReservedSql } from 'postgres'
import type { Sql } from './database.ts'

export class SeriesLocks {
  readonly #connection: ReservedSql<Record<string, never>>

  private constructor(connection: ReservedSql<Record<string, never>>) {
    this.#connection = connection
  }

  static async open(sql: Sql): Promise<SeriesLocks> {
    return new SeriesLocks(await sql.reserve())
  }

  /** Those of the references that nobody else holds: they are ours now. Does not wait. */
  async take(references: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#connection<{ reference: string; taken: boolean }[]>`
      select reference, pg_try_advisory_lock(hashtextextended('assize series ' || reference, 0)) as taken
      from unnest(${references as string[]}::text[]) as t (reference)`
    return new Set(rows.filter(({ taken }) => taken).map(({ reference }) => reference))
  }

  async release(references: Iterable<string>): Promise<void> {
    await this.#connection`
      select pg_advisory_unlock(hashtextextended('assize series ' || reference, 0))
      from unnest(${[...references]}::text[]) as t (reference)`
  }

  /** Gives the connection back, without any lock on it. */
  async close(): Promise<void> {
    await this.#connection`select pg_advisory_unlock_all()`.catch(() => {})
    this.#connection.release()
  }
}
