// A cursor of the database: the rows of one query, piece by piece, in a transaction that asks other things between the
// pieces. The driver's own cursors keep their connection to themselves until they are done.
import type postgres from 'postgres'
import type { Transaction } from './database.ts'

export class RowCursor<Row extends object> {
  readonly #tx: Transaction
  readonly #name: string
  readonly #most: number

  private constructor(tx: Transaction, name: string, most: number) {
    this.#tx = tx
    this.#name = name
    this.#most = most
  }

  /** `name` is its own in the transaction; `most` rows come at a time. */
  static async open<Row extends object>(
    tx: Transaction,
    name: string,
    query: postgres.PendingQuery<Row[]>,
    most: number,
  ): Promise<RowCursor<Row>> {
    await tx`declare ${tx(name)} no scroll cursor for ${query}`
    return new RowCursor<Row>(tx, name, most)
  }

  /** None at the end. */
  async next(): Promise<readonly Row[]> {
    return this.#tx<Row[]>`fetch ${this.#tx.unsafe(String(this.#most))} from ${this.#tx(this.#name)}`
  }

  async close(): Promise<void> {
    await this.#tx`close ${this.#tx(this.#name)}`
  }
}
