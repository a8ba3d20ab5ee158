// Locks that let one run at a time have a series, across processes: session locks on a connection of their own, which end with it
// however the process ends. The connection is there while locks are held, and opened again after it failed or stopped answering;
// its locks are gone then, and the figures of a run are compared again under the log's own lock.
import { limits } from '../../limits.ts'
import { applicationRole, connectionTo, type DatabaseTarget } from '../postgres/database.ts'
import { openPool, type Pool, type Statement } from '../postgres/sql.ts'

export class SeriesLocks {
  readonly #target: DatabaseTarget
  #connection: Pool | null = null
  /** Number of runs that hold locks, or are about to. */
  #users = 0

  constructor(target: DatabaseTarget) {
    this.#target = target
  }

  /** Locks the references that no other process has locked. Does not wait. */
  async take(references: readonly string[]): Promise<ReadonlySet<string>> {
    this.#users++
    try {
      const rows = await this.#ask(
        connection => connection<{ reference: string; taken: boolean }[]>`
          select reference, pg_try_advisory_lock(hashtextextended('assize series ' || reference, 0)) as taken
          from unnest(${references as string[]}::text[]) as t (reference)`,
      )
      const taken = new Set(rows.filter(each => each.taken).map(({ reference }) => reference))
      if (taken.size === 0) await this.#leave()
      return taken
    } catch (error) {
      await this.#leave()
      throw error
    }
  }

  /** Releases the locks of `take`. Those of a connection that is gone are released already. */
  async release(taken: ReadonlySet<string>): Promise<void> {
    if (taken.size === 0) return
    if (this.#connection !== null) {
      const released = this.#ask(
        connection => connection`
          select pg_advisory_unlock(hashtextextended('assize series ' || reference, 0))
          from unnest(${[...taken]}::text[]) as t (reference)`,
      )
      await released.catch(() => {})
    }
    await this.#leave()
  }

  /** Leaves: behind a pooler few connections are left for sessions, so this one is not kept without a lock. */
  async #leave(): Promise<void> {
    if (--this.#users === 0) await this.close()
  }

  /** Ends the connection, and the locks with it. */
  async close(): Promise<void> {
    const connection = this.#connection
    this.#connection = null
    await connection?.end({ timeout: 5 })
  }

  async #ask<T extends readonly unknown[]>(request: (connection: Pool) => Statement<T>): Promise<T> {
    this.#connection ??= open(this.#target)
    const connection = this.#connection
    try {
      return await within(request(connection))
    } catch (error) {
      if (this.#connection === connection) this.#connection = null
      connection.end({ timeout: 0 }).catch(() => {})
      throw error
    }
  }
}

/** A server that stopped answering keeps its connections open; these queries take no time. */
function within<T>(asked: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the database does not answer')), limits.connectTimeoutMs)
  return Promise.race([asked, promise]).finally(() => clearTimeout(timer))
}

/** A single connection that is never exchanged for a younger one: that would drop the locks in silence. */
function open(target: DatabaseTarget): Pool {
  const settings = { application_name: 'assize locks', role: applicationRole, lock_timeout: limits.lockTimeoutMs }
  return openPool({ ...connectionTo(target, settings), most: 1, isRenewed: false })
}
