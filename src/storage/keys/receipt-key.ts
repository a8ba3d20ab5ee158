// The key pair that receipts are sealed with, made from a secret.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { KeyRing } from './key-ring.ts'

// The fixed beginnings of a 32-byte Ed25519 key in PKCS #8 and in SubjectPublicKeyInfo.
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex')

export function receiptSignerOf(ring: KeyRing, id: string): KeyObject {
  const key = Buffer.concat([privatePrefix, ring.key('receipt seal', id)])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

/** Base64url, 32 bytes. */
export function receiptKeyOf(ring: KeyRing, id: string): string {
  const der = createPublicKey(receiptSignerOf(ring, id)).export({ format: 'der', type: 'spki' })
  return der.subarray(publicPrefix.length).toString('base64url')
}

/** Name of the public log unless the operator chose one: `assize/` and the first 16 hexadecimal digits of the first key. */
export function logNameOf(publicKey: string): string {
  return `assize/${Buffer.from(publicKey, 'base64url').toString('hex').slice(0, 16)}`
}
