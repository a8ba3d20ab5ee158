// Nobody who holds a connection of a pool may ask the same pool for another: a few who do so at once wait for each other
// until all of them are refused. Asking is an error at once, also while connections are free, so that a test finds it
// with a single request. Queries of the transaction itself are not affected.
import { AsyncLocalStorage } from 'node:async_hooks'
import type postgres from 'postgres'

/** A transaction that the code running now belongs to, and the one around it. */
interface Holding {
  readonly pool: object
  readonly outer: Holding | undefined
  /** What was begun in a transaction may go on after it. */
  isOpen: boolean
}

const holdings = new AsyncLocalStorage<Holding>()

/** Called before waiting for a connection of a pool. */
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

type AnySql = postgres.Sql<Record<string, never>>
type Begin = (...words: readonly unknown[]) => Promise<unknown>
/** A query asks for its connection when it is first awaited; one that is part of another query never is. */
type LazyQuery = Promise<unknown> & { handle?: () => unknown; readonly executed?: boolean }

/** The same pool, which refuses whoever already holds one of its connections. `pool` is what it is recognised by. */
export function guarded(sql: AnySql, pool: object): AnySql {
  const begin = async (...words: readonly unknown[]) => {
    assertFree(pool)
    const work = words.at(-1) as (tx: unknown) => Promise<unknown>
    return (sql.begin as unknown as Begin)(...words.slice(0, -1), (tx: unknown) => holding(pool, async () => work(tx)))
  }
  const checked = (query: LazyQuery) => {
    const { handle } = query
    if (handle === undefined) return query
    query.handle = () => {
      if (query.executed !== true) assertFree(pool)
      return handle.call(query)
    }
    return query
  }
  const unsafe = (...words: readonly unknown[]) =>
    checked((sql.unsafe as unknown as (...all: readonly unknown[]) => LazyQuery)(...words))
  return new Proxy(sql, {
    apply: (target, _self, words) => checked(Reflect.apply(target, undefined, words) as unknown as LazyQuery),
    get: (target, name) => (name === 'begin' ? begin : name === 'unsafe' ? unsafe : Reflect.get(target, name)),
  })
}
