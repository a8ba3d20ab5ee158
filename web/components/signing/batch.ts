// Several agreements and corrections signed by one touch of a passkey: it signs the list of their entries, and each entry hides
// what it is about from everybody who is no party to it.
import { batchEntry, hashOfBatch } from '../../../src/core/receipt/party-signature.ts'

export interface Batch {
  /** Hash for the passkey, for the dialog. */
  readonly hash: string
  /** Ascending. */
  readonly entries: readonly string[]
  /** Salt that hides an entry, by the hash that is signed of it: of a list of periods `signedHashOf`, or of a correction. */
  readonly saltOf: (signedHash: string) => string
}

/** Makes the batch of a dialog, once: the salts are drawn here, and the request sent later has to have the same. */
export function makeBatch(signedHashes: readonly string[]): Batch {
  const salts = new Map(signedHashes.map(hash => [hash, drawSalt()]))
  const entries = [...salts].map(([hash, salt]) => batchEntry(hash, salt)).sort()
  return { hash: hashOfBatch(entries), entries, saltOf: hash => salts.get(hash)! }
}

function drawSalt(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}
