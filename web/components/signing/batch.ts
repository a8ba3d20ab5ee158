// Several agreements and corrections signed by one touch of a passkey: it signs the list of their entries, and each entry hides
// what it is about from everybody who is no party to it.
import { batchEntry, hashOfBatch } from '../../../src/core/receipt/party-signature.ts'

export interface Batch {
  /** What the passkey is given: for the dialog. */
  readonly hash: string
  /** Ascending. */
  readonly entries: readonly string[]
  /** What hides one of them, by the hash that is signed of it: of a list of periods `signedHashOf`, or of a correction. */
  readonly saltOf: (signedHash: string) => string
}

/** Made once for a dialog: the salts are drawn here, and what is sent later has to have the same. */
export function makeBatch(signedHashes: readonly string[]): Batch {
  const salts = new Map(signedHashes.map(hash => [hash, drawSalt()]))
  const entries = [...salts].map(([hash, salt]) => batchEntry(hash, salt)).sort()
  return { hash: hashOfBatch(entries), entries, saltOf: hash => salts.get(hash)! }
}

function drawSalt(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}
