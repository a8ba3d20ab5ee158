// Hashes of contents and texts for the log.
import { createHash, randomBytes } from 'node:crypto'
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'

/** Bytes before the content, so that nobody finds out by trying what it was once it is erased (decision 0700). */
export type Salt = Buffer | null

export function makeSalt(): Buffer {
  return randomBytes(16)
}

/** Entries of kinds that name nobody have no salt. */
export function hashContent(content: Json, salt: Salt): Buffer {
  const hash = createHash('sha256')
  if (salt !== null) hash.update(salt)
  return hash.update(canonicalJson(content)).digest()
}

/** A text of any length is represented by its hash. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
