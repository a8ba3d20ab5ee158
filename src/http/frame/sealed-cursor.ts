// Cursors: bound to a workspace and a request, and encrypted, because the numbers of a sequence would reveal how busy others are,
// and the number of records that a key may not read. They are filled up, so that their length reveals no number either. A place
// always has the same cursor, so that an answer keeps its tag.
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { Refusal } from '../../core/refusal.ts'
import type { KeyRing } from '../../storage/keys/key-ring.ts'

const nonceLength = 12
const tagLength = 16
/** A place is filled up with zero bytes to a multiple of these bytes; the longest usual ones fit into two. */
const pieceLength = 64

interface KeyPair {
  readonly nonce: Buffer
  readonly cipher: Buffer
}

export class SealedCursors {
  readonly #ring: KeyRing
  readonly #purpose: 'cursors' | 'feed cursors'
  readonly #pairs = new WeakMap<Buffer, KeyPair>()

  constructor(ring: KeyRing, purpose: 'cursors' | 'feed cursors') {
    this.#ring = ring
    this.#purpose = purpose
  }

  #pairOf(key: Buffer): KeyPair {
    const known = this.#pairs.get(key)
    if (known !== undefined) return known
    const made = (word: string) => createHmac('sha256', key).update(`places ${word}`).digest()
    const pair = { nonce: made('nonce'), cipher: made('cipher') }
    this.#pairs.set(key, pair)
    return pair
  }

  write(workspaceId: string, filters: string, place: string): string {
    const bound = boundTo(workspaceId, filters)
    const filled = filledUp(place)
    // The nonce covers exactly the encrypted text: two texts must never share one.
    const { id, key } = this.#ring.making(this.#purpose)
    const pair = this.#pairOf(key)
    const nonce = createHmac('sha256', pair.nonce).update(bound).update(filled).digest().subarray(0, nonceLength)
    const cipher = createCipheriv('aes-256-gcm', pair.cipher, nonce).setAAD(bound)
    const hidden = Buffer.concat([cipher.update(filled), cipher.final()])
    return Buffer.concat([id, nonce, cipher.getAuthTag(), hidden]).toString('base64url')
  }

  /** Position that was sealed for this workspace and these filters. */
  read(workspaceId: string, filters: string, text: string): string {
    const bytes = /^[A-Za-z0-9_-]{40,600}$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0)
    const { key, rest } = this.#ring.named(this.#purpose, bytes) ?? {}
    if (key === undefined || rest === undefined) throw refused()
    if (rest.length <= nonceLength + tagLength || bytes.toString('base64url') !== text) throw refused()
    const decipher = createDecipheriv('aes-256-gcm', this.#pairOf(key).cipher, rest.subarray(0, nonceLength))
    decipher.setAAD(boundTo(workspaceId, filters)).setAuthTag(rest.subarray(nonceLength, nonceLength + tagLength))
    try {
      const hidden = rest.subarray(nonceLength + tagLength)
      const filled = Buffer.concat([decipher.update(hidden), decipher.final()])
      return filled.subarray(0, filled.indexOf(0)).toString()
    } catch {
      throw refused()
    }
  }

  /** A name for something inside a workspace that does not reveal its number and never changes. */
  nameOf(workspaceId: string, place: string): string {
    const key = Buffer.from(this.#ring.lasting.names, 'base64url')
    const digest = createHmac('sha256', key).update(`name\n${workspaceId}\n${place}`).digest()
    let number = BigInt(`0x${digest.toString('hex')}`)
    let name = ''
    for (let i = 0; i < 26; i++) {
      name += letters[Number(number & 31n)]
      number >>= 5n
    }
    return name
  }
}

const letters = '0123456789abcdefghjkmnpqrstvwxyz'

function filledUp(place: string): Buffer {
  const bytes = Buffer.from(place)
  const length = Math.ceil(bytes.length / pieceLength) * pieceLength
  return Buffer.concat([bytes, Buffer.alloc(length - bytes.length)])
}

function boundTo(workspaceId: string, filters: string): Buffer {
  return Buffer.from(`${workspaceId}\n${filters}\n`)
}

export function refused(): Refusal {
  return new Refusal('invalid', 'cursor must be the nextCursor of an earlier answer to the same request, unchanged')
}
