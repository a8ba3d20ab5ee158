// SHA-256 of a text, by the same code on a server, on the command line and in a browser page: `crypto.subtle` is
// asynchronous and only available to pages served over TLS, and a receipt has to be checked everywhere (decision 0242).
import { sha256 as digest } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** The digest as 64 hexadecimal digits. */
export function sha256(text: string): string {
  return bytesToHex(digest(new TextEncoder().encode(text)))
}
