// Guard against waiting in a circle: nobody who holds a connection of a pool may ask the same pool for another, because a few who
// do so at once wait for each other until all of them are refused. The pools of the application count as one: behind them may be
// a pooler with fewer connections than all of them together. To ask is an error at once, also while connections are free, so that
// a test finds it with a single request. Queries of the transaction itself are not affected.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Guard } from './sql.ts'

/** A transaction that the code running now belongs to, and the one around it. */
interface Holding {
  readonly pool: object
  readonly outer: Holding | undefined
  /** False once the transaction is over: work that began in it may go on. */
  isOpen: boolean
}

const holdings = new AsyncLocalStorage<Holding>()

/** Checks, before waiting for a connection of a pool, that none is held. */
export function assertFree(pool: object): void {
  for (let each = holdings.getStore(); each !== undefined; each = each.outer)
    if (each.isOpen && each.pool === pool)
      throw new Error('inside a transaction another connection of the same pool was asked for')
}

async function holding<T>(pool: object, work: () => Promise<T>): Promise<T> {
  const own: Holding = { pool, outer: holdings.getStore(), isOpen: true }
  try {
    return await holdings.run(own, work)
  } finally {
    own.isOpen = false
  }
}

/** Guard that refuses holders of a connection. `pool` is the mark of their pool. */
export function guardOf(pool: object): Guard {
  return { check: () => assertFree(pool), around: work => holding(pool, work) }
}
