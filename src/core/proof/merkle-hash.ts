// The hashes of RFC 6962: a leaf and a node begin with different bytes, so that neither can be shown as the other. Like all of
// this room it runs on a server, on the command line and in a browser page.
import { sha256 } from '@noble/hashes/sha2.js'

/** 32 bytes. */
export type Hash = Uint8Array

export const hashBytes = 32

export const emptyRoot: Hash = sha256(new Uint8Array(0))

export function leafHash(entry: Uint8Array): Hash {
  const bytes = new Uint8Array(1 + entry.length)
  bytes.set(entry, 1)
  return sha256(bytes)
}

export function nodeHash(left: Hash, right: Hash): Hash {
  const bytes = new Uint8Array(1 + 2 * hashBytes)
  bytes[0] = 1
  bytes.set(left, 1)
  bytes.set(right, 1 + hashBytes)
  return sha256(bytes)
}

export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

/** The hash of a tree from the roots of the complete subtrees that it consists of, the largest first. */
export function foldRoots(roots: readonly Hash[]): Hash {
  if (roots.length === 0) return emptyRoot
  return roots.reduceRight((right, left) => nodeHash(left, right))
}

/** The hash of a complete subtree from its `2 ** n` hashes, one after the other in `bytes`. */
export function completeRoot(bytes: Uint8Array): Hash {
  let row: Hash[] = hashesIn(bytes)
  while (row.length > 1)
    row = Array.from({ length: row.length / 2 }, (_, at) => nodeHash(row[2 * at]!, row[2 * at + 1]!))
  return row[0]!
}

export function hashesIn(bytes: Uint8Array): Hash[] {
  return Array.from({ length: Math.floor(bytes.length / hashBytes) }, (_, at) =>
    bytes.subarray(at * hashBytes, (at + 1) * hashBytes),
  )
}

export function joinHashes(hashes: readonly Hash[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hashes.length * hashBytes)
  for (const [at, hash] of hashes.entries()) bytes.set(hash, at * hashBytes)
  return bytes
}
