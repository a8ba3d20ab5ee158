// A cursor of the database: the rows of one query, one after the other, with a piece in memory at a time. The transaction may ask
// other things meanwhile.
import type { Transaction } from './database.ts'
import type { Statement } from './sql.ts'

export class RowCursor<Row extends object> {
  readonly #tx: Transaction
  readonly #name: string
  readonly #most: number
  #piece: readonly Row[] = []
  #place = 0
  #isAtEnd = false

  private constructor(tx: Transaction, name: string, most: number) {
    this.#tx = tx
    this.#name = name
    this.#most = most
  }

  /** `name` is its own in the transaction; `most` rows are held at a time. */
  static async open<Row extends object>(
    tx: Transaction,
    name: string,
    query: Statement<Row[]>,
    most: number,
  ): Promise<RowCursor<Row>> {
    await tx`declare ${tx(name)} no scroll cursor for ${query}`
    return new RowCursor<Row>(tx, name, most)
  }

  /** All rows, a piece at a time. */
  static async *piecesOf<Row extends object>(
    ...opening: Parameters<typeof RowCursor.open<Row>>
  ): AsyncGenerator<readonly Row[]> {
    const cursor = await RowCursor.open(...opening)
    for (let rows = await cursor.nextPiece(); rows.length > 0; rows = cursor.#isAtEnd ? [] : await cursor.nextPiece())
      yield rows
    await cursor.close()
  }

  /** The next row; null at the end. */
  async peek(): Promise<Row | null> {
    if (this.#place >= this.#piece.length && !this.#isAtEnd) await this.nextPiece()
    return this.#piece[this.#place] ?? null
  }

  /** The next row, after which the cursor moves on; null at the end. */
  async take(): Promise<Row | null> {
    const row = await this.peek()
    this.#place++
    return row
  }

  /** The next piece, empty at the end. The rest of the present one is passed over. */
  async nextPiece(): Promise<readonly Row[]> {
    this.#piece = await this.#tx<Row[]>`fetch ${this.#tx.unsafe(String(this.#most))} from ${this.#tx(this.#name)}`
    this.#place = 0
    this.#isAtEnd = this.#piece.length < this.#most
    return this.#piece
  }

  get held(): number {
    return this.#piece.length
  }

  async close(): Promise<void> {
    await this.#tx`close ${this.#tx(this.#name)}`
  }
}
