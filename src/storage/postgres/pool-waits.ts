// Waits of transactions for a connection of their pool: a pool that is too small shows here before anybody notices.
import type { Sql } from './database.ts'

export class PoolWaits {
  waiting = 0
  begun = 0
  waitedMs = 0

  /** The pool, with the waits of its transactions measured. */
  measured(sql: Sql): Sql {
    const begin = (...words: readonly unknown[]) => {
      const work = words.at(-1) as (tx: unknown) => unknown
      const startedMs = performance.now()
      let isWaiting = true
      this.waiting++
      const leave = () => {
        if (isWaiting) this.waiting--
        isWaiting = false
      }
      const counted = (tx: unknown) => {
        leave()
        this.begun++
        this.waitedMs += performance.now() - startedMs
        return work(tx)
      }
      return (sql.begin as (...all: unknown[]) => Promise<unknown>)(...words.slice(0, -1), counted).finally(leave)
    }
    return new Proxy(sql, { get: (pool, name) => (name === 'begin' ? begin : Reflect.get(pool, name)) })
  }
}
