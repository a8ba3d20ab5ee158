// Cursors of lists: signed, bound to the workspace and the filters they were made for, and their place sealed: its numbers count
// everything that was recorded, also what a key may not read. One that was changed, or belongs to somebody or something
// else, is refused.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { refused, SealedCursors } from './sealed-cursor.ts'

export interface CursorPlace {
  /** The id of the last item that was returned. */
  readonly after: string
  /** The newest entries when the walk began: of the workspace itself, and of the public series. */
  readonly pin: Pin
}

/**
 * In each scope entries become visible in the order of their numbers, so two numbers describe a moment exactly.
 */
export interface Pin {
  readonly own: number
  readonly public: number
}

const macLength = 16
/** What the signed part begins with. */
const format = '1 '

export class Cursors {
  readonly #key: Buffer
  readonly #sealed: SealedCursors

  constructor(key: Buffer) {
    this.#key = key
    this.#sealed = new SealedCursors(createHmac('sha256', key).update('places').digest())
  }

  write(workspaceId: string, filters: string, { after, pin }: CursorPlace): string {
    return this.sign(workspaceId, filters, `${pin.own} ${pin.public} ${after}`)
  }

  read(workspaceId: string, filters: string, text: string): CursorPlace {
    const match = /^(\d{1,15}) (\d{1,15}) ([a-z0-9_]+)$/.exec(this.open(workspaceId, filters, text))
    if (!match) throw refused()
    const [own, shared] = [match[1]!, match[2]!].map(digits => Number.parseInt(digits, 10)) as [number, number]
    return { pin: { own, public: shared }, after: match[3]! }
  }

  /** Any position, as text. */
  sign(workspaceId: string, filters: string, place: string): string {
    const payload = Buffer.from(`${format}${this.#sealed.write(workspaceId, filters, place)}`)
    return Buffer.concat([this.#mac(workspaceId, filters, payload), payload]).toString('base64url')
  }

  /** The position that was signed for the same workspace and filters. */
  open(workspaceId: string, filters: string, text: string): string {
    const bytes = /^[A-Za-z0-9_-]{20,800}$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0)
    const payload = bytes.subarray(macLength)
    const isOurs =
      payload.length > 0 && timingSafeEqual(bytes.subarray(0, macLength), this.#mac(workspaceId, filters, payload))
    const written = payload.toString()
    if (!isOurs || bytes.toString('base64url') !== text || !written.startsWith(format)) throw refused()
    return this.#sealed.read(workspaceId, filters, written.slice(format.length))
  }

  #mac(workspaceId: string, filters: string, payload: Buffer): Buffer {
    return createHmac('sha256', this.#key)
      .update(`${workspaceId}\n${filters}\n`)
      .update(payload)
      .digest()
      .subarray(0, macLength)
  }
}
