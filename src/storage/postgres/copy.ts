// Rows to and from the database as COPY text, no faster than either side can handle. Gaps of the driver are closed
// here: an error after the last row was lost, a COPY left open blocked its connection, and one paused by the last rows
// slept on.
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { limits } from '../../limits.ts'

/** A `copy … from stdin`, or `… to stdout`, that was not yet sent. */
interface CopyQuery {
  writable(): Promise<Writable>
  readable(): Promise<Readable>
}

export class CopyIn {
  readonly #stream: Writable
  readonly #failed: Promise<never>
  #open = true

  private constructor(stream: Writable, failed: Promise<never>) {
    this.#stream = stream
    this.#failed = failed
  }

  static async open(query: CopyQuery): Promise<CopyIn> {
    const stream = await query.writable()
    // The query was answered with the stream, so its rejection is lost unless it is passed on.
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

  /** Returns when the rows are in the table; a second time it does nothing. */
  async finish(): Promise<void> {
    if (!this.#open) return
    this.#open = false
    const finished = once(this.#stream, 'finish')
    finished.catch(() => {})
    this.#stream.end()
    await Promise.race([finished, this.#failed])
  }

  /** Gives up, so that the transaction can be rolled back: until then the connection takes no other statement. */
  async abandon(): Promise<void> {
    if (!this.#open) return
    this.#open = false
    this.#stream.destroy(new Error('abandoned'))
    await this.#failed.catch(() => {})
  }
}

/** In pieces of many rows: the driver gives each row by itself. */
export async function* copyOut(query: CopyQuery): AsyncGenerator<Buffer> {
  const rows = await query.readable()
  let held: Buffer[] = []
  let length = 0
  for await (const row of rows as AsyncIterable<Buffer>) {
    held.push(row)
    length += row.length
    if (length < limits.copyChunkBytes) continue
    yield Buffer.concat(held)
    held = []
    length = 0
  }
  // Reading on is what wakes the connection; without it the next query would wait forever.
  rows._read(0)
  if (length > 0) yield Buffer.concat(held)
}
