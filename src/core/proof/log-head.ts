// A head of a scope's tree as a leaf of the public log: two words that nobody links to each other, to the scope or to its size
// without the scope's log secret. A holder of the secret finds every head of the scope and opens it.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64urlOf } from '../text/base64url.ts'
import type { Hash } from './merkle-hash.ts'

const headForm = 'assize-head/1'

/** The k-th head of a scope, from 1 on. */
export interface LogHead {
  readonly k: number
  readonly size: number
  readonly root: Hash
}

function whole(number: number): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number))
  return bytes
}

function word(secret: Uint8Array, label: string, ...parts: readonly Uint8Array[]): string {
  const message = [...new TextEncoder().encode(label), ...parts.flatMap(part => [...part])]
  return base64urlOf(hmac(sha256, secret, Uint8Array.from(message)))
}

/** The word by which a member finds the k-th head of its scope. */
export function headId(secret: Uint8Array, k: number): string {
  return word(secret, 'id', whole(k))
}

/** The text of the leaf. Numbers are eight bytes, the highest first. */
export function formatHead(secret: Uint8Array, { k, size, root }: LogHead): string {
  const commitment = word(secret, 'head', whole(k), whole(size), root)
  return `${headForm}\n${headId(secret, k)}\n${commitment}\n`
}

/** The id in a leaf; null for a leaf of another form, such as that of a fork. */
export function idOfHead(leaf: string): string | null {
  return /^assize-head\/1\n([\w-]{43})\n[\w-]{43}\n$/.exec(leaf)?.[1] ?? null
}
