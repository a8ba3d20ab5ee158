// Short texts encrypted under a key made from the server secret, each bound to its purpose: a text that is moved
// elsewhere or changed cannot be decrypted.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16

export class SealedText {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  seal(boundTo: string, text: string): Buffer {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(boundTo))
    const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), hidden])
  }

  /** Null for what was not sealed for this. */
  open(boundTo: string, sealed: Buffer): string | null {
    if (sealed.length < nonceBytes + tagBytes) return null
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, nonceBytes))
    decipher.setAAD(Buffer.from(boundTo)).setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
    try {
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]).toString()
    } catch {
      return null
    }
  }
}
