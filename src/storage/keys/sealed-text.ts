// Short texts encrypted under a key made from the server secret, each bound to its purpose: a text that is moved
// elsewhere or changed cannot be decrypted.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { KeyRing, Purpose } from './key-ring.ts'

const nonceBytes = 12
const tagBytes = 16

export class SealedText {
  readonly #ring: KeyRing
  readonly #purpose: Purpose

  constructor(ring: KeyRing, purpose: Purpose) {
    this.#ring = ring
    this.#purpose = purpose
  }

  seal(boundTo: string, text: string | Buffer): Buffer {
    const { id, key } = this.#ring.making(this.#purpose)
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo))
    const hidden = Buffer.concat([cipher.update(text), cipher.final()])
    return Buffer.concat([id, nonce, cipher.getAuthTag(), hidden])
  }

  /** Null for what was not sealed for this. */
  open(boundTo: string, sealed: Buffer): string | null {
    return this.openBytes(boundTo, sealed)?.toString() ?? null
  }

  /** The text sealed again under the current secret; null if it was sealed for another purpose. */
  again(boundTo: string, sealed: Buffer): Buffer | null {
    const bytes = this.openBytes(boundTo, sealed)
    return bytes === null ? null : this.seal(boundTo, bytes)
  }

  openBytes(boundTo: string, sealed: Buffer): Buffer | null {
    const { key, rest } = this.#ring.named(this.#purpose, sealed) ?? {}
    if (key === undefined || rest === undefined || rest.length < nonceBytes + tagBytes) return null
    const decipher = createDecipheriv('aes-256-gcm', key, rest.subarray(0, nonceBytes))
    decipher.setAAD(Buffer.from(boundTo)).setAuthTag(rest.subarray(nonceBytes, nonceBytes + tagBytes))
    try {
      return Buffer.concat([decipher.update(rest.subarray(nonceBytes + tagBytes)), decipher.final()])
    } catch {
      return null
    }
  }
}
