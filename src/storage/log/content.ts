// The hashes that the log is made of, of contents and of texts.
import { createHash } from 'node:crypto'
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'

export function hashContent(content: Json): Buffer {
  return createHash('sha256').update(canonicalJson(content)).digest()
}

/** A text of any length is represented by its hash. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
