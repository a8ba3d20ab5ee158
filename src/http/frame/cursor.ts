// Cursors of lists: signed, bound to the workspace and the filters they were made for, and their place sealed: its numbers count
// every record, also those that a key may not read. A changed cursor, or one of somebody or something else, is refused.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { KeyRing } from '../../storage/keys/key-ring.ts'
import { refused, SealedCursors } from './sealed-cursor.ts'

export interface CursorPlace {
  /** Id of the last returned item. */
  readonly after: string
  /** Newest entries when the walk began: of the workspace itself, and of the public series. */
  readonly pin: Pin
}

/** A moment as two numbers: in each scope entries become visible in the order of their numbers. */
export interface Pin {
  readonly own: number
  readonly public: number
}

const macLength = 16
/** First text of the signed part. */
const format = '1 '

export class Cursors {
  readonly #ring: KeyRing
  readonly #sealed: SealedCursors

  constructor(ring: KeyRing) {
    this.#ring = ring
    this.#sealed = new SealedCursors(ring, 'cursors')
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
    const { id, key } = this.#ring.making('cursors')
    return Buffer.concat([id, macOf(key, workspaceId, filters, payload), payload]).toString('base64url')
  }

  /** Position that was signed for this workspace and these filters. */
  open(workspaceId: string, filters: string, text: string): string {
    const bytes = /^[A-Za-z0-9_-]{20,800}$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0)
    const { key, rest } = this.#ring.named('cursors', bytes) ?? {}
    if (key === undefined || rest === undefined || rest.length <= macLength) throw refused()
    const payload = rest.subarray(macLength)
    const isOurs = timingSafeEqual(rest.subarray(0, macLength), macOf(key, workspaceId, filters, payload))
    const written = payload.toString()
    if (!isOurs || bytes.toString('base64url') !== text || !written.startsWith(format)) throw refused()
    return this.#sealed.read(workspaceId, filters, written.slice(format.length))
  }
}

function macOf(key: Buffer, workspaceId: string, filters: string, payload: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(`${workspaceId}\n${filters}\n`)
    .update(payload)
    .digest()
    .subarray(0, macLength)
}
