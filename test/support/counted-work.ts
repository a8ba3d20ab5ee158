// Work that is counted: its amount is the same on every machine, unlike the time it takes.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { Worker } from 'node:worker_threads'
import { WorkBudget } from '../../src/core/numbers/work-budget.ts'

export interface Counted<T> {
  readonly count: number
  readonly value: T
}

/**
 * The most units of work that this thread does between two turns of its loop, the server's and the test's own together. What
 * threads of the server do does not count.
 */
export async function mostWorkInOneTurn<T>(work: () => Promise<T>): Promise<Counted<T>> {
  const turns = new Turns()
  const { spend } = WorkBudget.prototype
  const value = await replacing(
    WorkBudget.prototype,
    'spend',
    function (this: WorkBudget, units: number) {
      turns.see(units)
      spend.call(this, units)
    },
    work,
  )
  return { count: turns.most, value }
}

/** The most characters that this thread writes as JSON or as bytes between two turns of its loop. */
export async function mostTextInOneTurn<T>(work: () => Promise<T>): Promise<Counted<T>> {
  const turns = new Turns()
  const { stringify } = JSON
  const own = Buffer.from
  const counted = (text: unknown) => typeof text === 'string' && turns.see(text.length)
  const watched = ((...given: Parameters<typeof stringify>) => {
    const text = stringify(...given)
    counted(text)
    return text
  }) as typeof stringify
  const from = ((...given: Parameters<typeof own>) => {
    counted(given[0])
    return own(...given)
  }) as typeof own
  const value = await replacing(JSON, 'stringify', watched, () => replacing(Buffer, 'from', from, work))
  return { count: turns.most, value }
}

/** Counts by turns of this thread's loop. */
class Turns {
  #inThisTurn = 0
  most = 0

  see(units: number): void {
    if (this.#inThisTurn === 0)
      setImmediate(() => {
        this.#inThisTurn = 0
      })
    this.#inThisTurn += units
    this.most = Math.max(this.most, this.#inThisTurn)
  }
}

/** How many jobs are given to threads. */
export async function jobsOf<T>(work: () => Promise<T>): Promise<Counted<T>> {
  let count = 0
  const { postMessage } = Worker.prototype
  const value = await replacing(
    Worker.prototype,
    'postMessage',
    function (this: Worker, message: { readonly kind?: string }, transfer) {
      if (message.kind === 'job') count++
      postMessage.call(this, message, transfer)
    } as typeof postMessage,
    work,
  )
  return { count, value }
}

/** How much work the passwords are that are hashed meanwhile, each as its parameters say. */
export async function hashingOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const seen: string[] = []
  const { argon2 } = crypto
  const watched: typeof argon2 = (algorithm, parameters, callback) => {
    const { memory, passes, parallelism } = parameters
    seen.push(`${memory} KiB, ${passes} passes, ${parallelism} lanes`)
    argon2(algorithm, parameters, callback)
  }
  await replacing(crypto, 'argon2', watched, async () => {
    syncBuiltinESMExports()
    await work()
  }).finally(syncBuiltinESMExports)
  return seen
}

/** How many turns of this thread's loop pass until something has ended. */
export async function turnsOf<T>(work: () => Promise<T>): Promise<Counted<T>> {
  let [count, isOver] = [0, false]
  const turn = () => {
    if (isOver) return
    count++
    setImmediate(turn)
  }
  setImmediate(turn)
  try {
    return { value: await work(), count }
  } finally {
    isOver = true
  }
}

async function replacing<T extends object, K extends keyof T, R>(
  whose: T,
  name: K,
  by: T[K],
  work: () => Promise<R>,
): Promise<R> {
  const own = whose[name]
  whose[name] = by
  try {
    return await work()
  } finally {
    whose[name] = own
  }
}
