// Many small rows as one text: taking thousands of them apart one by one costs more than the queries themselves. The text is
// JSON and holds texts and whole numbers below 2^53, and no figures.
import type { Transaction } from './database.ts'
import type { Statement } from './sql.ts'

/** A part of a statement, or one that was not yet sent. */
export type Fragment = Statement

/** Reads the cells of a statement that makes one JSON array of arrays and calls it `cells`. */
export async function readCells<T>(query: Fragment): Promise<readonly T[]> {
  const [row] = await query
  return JSON.parse((row!.cells as string | null) ?? '[]') as readonly T[]
}

/** A page is a small part of its table: looking through all of it for each page would take longer with every row. */
export async function readingByKeys<T>(tx: Transaction, read: () => Promise<T>): Promise<T> {
  const entered = tx`select set_config('enable_seqscan', 'off', true)`.execute()
  const [result] = await Promise.all([read(), entered])
  await tx`select set_config('enable_seqscan', 'on', true)`
  return result
}

/** Words that many rows share, cached once. */
export class SharedWords {
  readonly #words = new Map<string, string>()

  one<T extends string>(word: T): T {
    const known = this.#words.get(word)
    if (known !== undefined) return known as T
    this.#words.set(word, word)
    return word
  }
}
