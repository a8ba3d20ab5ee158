// Cursors of feeds: signed and bound as those of lists are, and encrypted as well, because the numbers of the public
// sequence would reveal how busy others are. The same place always has the same cursor, so that an answer keeps its
// tag.
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { refused } from './cursor.ts'

const nonceLength = 12
const tagLength = 16

export class SealedCursors {
  readonly #nonceKey: Buffer
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#nonceKey = createHmac('sha256', key).update('nonce').digest()
    this.#key = createHmac('sha256', key).update('cipher').digest()
  }

  write(workspaceId: string, filters: string, place: string): string {
    const bound = boundTo(workspaceId, filters)
    const nonce = createHmac('sha256', this.#nonceKey).update(bound).update(place).digest().subarray(0, nonceLength)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(bound)
    const hidden = Buffer.concat([cipher.update(place, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url')
  }

  /** The position that was sealed for the same workspace and filters. */
  read(workspaceId: string, filters: string, text: string): string {
    const bytes = /^[A-Za-z0-9_-]{40,400}$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0)
    if (bytes.length <= nonceLength + tagLength || bytes.toString('base64url') !== text) throw refused()
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, nonceLength))
    decipher.setAAD(boundTo(workspaceId, filters)).setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
    try {
      const hidden = bytes.subarray(nonceLength + tagLength)
      return Buffer.concat([decipher.update(hidden), decipher.final()]).toString()
    } catch {
      throw refused()
    }
  }

  /** A name for something inside a workspace that does not reveal its number. */
  nameOf(workspaceId: string, place: string): string {
    const digest = createHmac('sha256', this.#nonceKey).update(`name\n${workspaceId}\n${place}`).digest()
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

function boundTo(workspaceId: string, filters: string): Buffer {
  return Buffer.from(`${workspaceId}\n${filters}\n`)
}
