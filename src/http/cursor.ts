// Cursors of lists: opaque, signed, bound to the workspace and the filters they were made for. One that was changed, or
// belongs to somebody or something else, is refused.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../core/refusal.ts'

export interface CursorPlace {
  /** The id of the last item that was given. */
  readonly after: string
  /** The newest publications when the walk began: of the workspace itself, and of the public series. */
  readonly pin: Pin
}

/**
 * In each scope publications become visible in the order of their numbers, so two numbers describe a moment exactly.
 */
export interface Pin {
  readonly own: number
  readonly public: number
}

const macLength = 16

export class Cursors {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  write(workspaceId: string, filters: string, { after, pin }: CursorPlace): string {
    const payload = Buffer.from(`1 ${pin.own} ${pin.public} ${after}`)
    return Buffer.concat([this.#mac(workspaceId, filters, payload), payload]).toString('base64url')
  }

  read(workspaceId: string, filters: string, text: string): CursorPlace {
    const bytes = /^[A-Za-z0-9_-]{20,200}$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0)
    const payload = bytes.subarray(macLength)
    const isOurs =
      payload.length > 0 && timingSafeEqual(bytes.subarray(0, macLength), this.#mac(workspaceId, filters, payload))
    const match =
      isOurs && bytes.toString('base64url') === text
        ? /^1 (\d{1,15}) (\d{1,15}) ([a-z0-9_]+)$/.exec(payload.toString())
        : null
    if (!match)
      throw new Refusal('invalid', 'cursor must be the nextCursor of an earlier answer to the same question, unchanged')
    const [own, shared] = [match[1]!, match[2]!].map(digits => Number.parseInt(digits, 10)) as [number, number]
    return { pin: { own, public: shared }, after: match[3]! }
  }

  #mac(workspaceId: string, filters: string, payload: Buffer): Buffer {
    return createHmac('sha256', this.#key)
      .update(`${workspaceId}\n${filters}\n`)
      .update(payload)
      .digest()
      .subarray(0, macLength)
  }
}
