// SHA-256 of a text, by one code on a server, on the command line and in a browser page: `crypto.subtle` is asynchronous and
// only available to pages served over TLS, and a receipt has to be checked everywhere (decision 0242).
import { sha256 as digest } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

/** The digest as 64 hexadecimal digits; of a salt in hexadecimal digits and the text, where there is one. */
export function sha256(text: string, salt = ''): string {
  return bytesToHex(digest.create().update(hexToBytes(salt)).update(new TextEncoder().encode(text)).digest())
}
