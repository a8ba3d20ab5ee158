// The seal on a receipt: an Ed25519 signature over its hash. The key is derived from the server's secret, so it is the
// same after a restart or a restore, and nothing more has to be kept.
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { Signature } from '../core/receipt.ts'

// The fixed beginnings of a 32-byte Ed25519 key in PKCS #8 and in SubjectPublicKeyInfo.
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex')

export class Seal {
  readonly #privateKey: KeyObject
  /** Base64url, 32 bytes. */
  readonly publicKey: string

  /** 32 bytes made from the secret for this purpose alone. */
  constructor(seed: Buffer) {
    this.#privateKey = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' })
    const der = createPublicKey(this.#privateKey).export({ format: 'der', type: 'spki' })
    this.publicKey = der.subarray(publicPrefix.length).toString('base64url')
  }

  sign(hash: string): Signature {
    const value = sign(null, Buffer.from(hash), this.#privateKey).toString('base64url')
    return { algorithm: 'Ed25519', publicKey: this.publicKey, value }
  }
}

/** Whether the signature is one of this hash under the public key it names. */
export function isSealed(hash: string, signature: Signature): boolean {
  const raw = Buffer.from(signature.publicKey, 'base64url')
  if (signature.algorithm !== 'Ed25519' || raw.length !== 32) return false
  const key = createPublicKey({ key: Buffer.concat([publicPrefix, raw]), format: 'der', type: 'spki' })
  return verify(null, Buffer.from(hash), key, Buffer.from(signature.value, 'base64url'))
}
