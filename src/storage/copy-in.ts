// Sends rows to a table as COPY text, no faster than the database takes them. The driver loses an error that comes after
// the last row; here every one is thrown.
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Transaction } from './database.ts'

/** A `copy … from stdin` that was not yet sent. */
type CopyQuery = ReturnType<Transaction>

export class CopyIn {
  readonly #stream: Writable
  readonly #failed: Promise<never>

  private constructor(stream: Writable, failed: Promise<never>) {
    this.#stream = stream
    this.#failed = failed
  }

  static async open(query: CopyQuery): Promise<CopyIn> {
    const stream = await query.writable()
    // The query was answered with the stream, so its rejection goes nowhere unless somebody takes it over.
    const failed = new Promise<never>((_, reject) => {
      ;(query as unknown as { reject: (error: unknown) => void }).reject = reject
      stream.once('error', reject)
    })
    failed.catch(() => {})
    return new CopyIn(stream, failed)
  }

  /** Whole lines, or parts of them. Waits while the database is behind. */
  async write(piece: string | Buffer): Promise<void> {
    if (!this.#stream.write(piece)) await Promise.race([once(this.#stream, 'drain'), this.#failed])
  }

  async finish(): Promise<void> {
    const finished = once(this.#stream, 'finish')
    finished.catch(() => {})
    this.#stream.end()
    await Promise.race([finished, this.#failed])
  }
}
