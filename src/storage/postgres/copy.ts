// Rows to and from the database as COPY text, no faster than either side can handle. Both are queries of the driver that
// answer what the protocol asks during a COPY; a connection does one thing at a time meanwhile.
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { limits } from '../../limits.ts'

/** The part of the driver's connection that a COPY uses. */
interface Wire {
  readonly stream: Duplex
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/** Result of a query of the driver, given once. */
class Outcome {
  readonly #done = Promise.withResolvers<void>()
  error: unknown = null
  isDone = false
  onEnd: () => void = () => {}

  constructor() {
    this.promise.catch(() => {})
  }

  get promise(): Promise<void> {
    return this.#done.promise
  }

  settle(error: unknown): void {
    this.isDone = true
    this.error = error
    if (error === null) this.#done.resolve()
    else this.#done.reject(error)
    this.onEnd()
  }
}

class CopyInQuery extends pg.Query {
  readonly opened = Promise.withResolvers<Wire>()

  handleCopyInResponse(wire: Wire): void {
    this.opened.resolve(wire)
  }
}

/** Sends a query of this kind over a connection; `settle` hears of its end. */
export type SendQuery = (query: pg.Query, settle: (error: unknown) => void) => void

export class CopyIn {
  readonly #wire: Wire
  readonly #outcome: Outcome
  #isOpen = true

  private constructor(wire: Wire, outcome: Outcome) {
    this.#wire = wire
    this.#outcome = outcome
  }

  /** Opens `text`, a `copy … from stdin`. */
  static async open(text: string, send: SendQuery): Promise<CopyIn> {
    const query = new CopyInQuery({ text })
    const outcome = new Outcome()
    send(query, error => {
      outcome.settle(error)
      query.opened.reject(error ?? new Error(`not a copy from stdin: ${text}`))
    })
    return new CopyIn(await query.opened.promise, outcome)
  }

  /** Writes whole lines, or parts of them. Waits while the database is behind. */
  async write(piece: string | Buffer): Promise<void> {
    this.#check()
    this.#wire.sendCopyFromChunk(typeof piece === 'string' ? Buffer.from(piece) : piece)
    const { stream } = this.#wire
    if (!stream.writableNeedDrain) return
    const { promise, resolve } = Promise.withResolvers<void>()
    stream.once('drain', resolve)
    this.#outcome.onEnd = resolve
    await promise
    stream.off('drain', resolve)
    this.#check()
  }

  #check(): void {
    if (this.#outcome.isDone) throw this.#outcome.error ?? new Error('this copy is over')
  }

  /** Returns when the rows are in the table; a second time it does nothing. */
  async finish(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#wire.endCopyFrom()
    await this.#outcome.promise
  }

  /** Gives up, so that the transaction can be rolled back: until then the connection takes no other statement. */
  async abandon(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#wire.sendCopyFail('abandoned')
    await this.#outcome.promise.catch(() => {})
  }
}

class CopyOutQuery extends pg.Query {
  /** Pieces of many rows each: the database sends each row by itself. */
  readonly pieces: Buffer[] = []
  #held: Buffer[] = []
  #length = 0
  #wire: Wire | null = null
  isRead = true
  onPiece: () => void = () => {}

  handleCopyData({ chunk }: { readonly chunk: Buffer }, wire: Wire): void {
    if (!this.isRead) return
    this.#wire = wire
    // The driver uses the memory of a row again.
    this.#held.push(Buffer.from(chunk))
    this.#length += chunk.length
    if (this.#length >= limits.copyChunkBytes) this.flush()
  }

  flush(): void {
    if (this.#length === 0) return
    this.pieces.push(Buffer.concat(this.#held, this.#length))
    this.#held = []
    this.#length = 0
    this.#wire?.stream.pause()
    this.onPiece()
  }

  resume(): void {
    this.#wire?.stream.resume()
  }
}

/**
 * Rows of `text`, a `copy … to stdout`, in pieces of many rows; if they are not read to the end, they are received all the same.
 */
export async function* copyOut(text: string, send: SendQuery): AsyncGenerator<Buffer> {
  const query = new CopyOutQuery({ text })
  const outcome = new Outcome()
  send(query, error => {
    if (error === null) query.flush()
    query.resume()
    outcome.settle(error)
  })
  try {
    for (;;) {
      const piece = query.pieces.shift()
      if (piece !== undefined) yield piece
      else if (outcome.isDone) break
      else
        await new Promise<void>(resolve => {
          query.onPiece = outcome.onEnd = resolve
          query.resume()
        })
    }
  } finally {
    query.isRead = false
    query.resume()
    await outcome.promise
  }
}
