// A Merkle tree as RFC 6962 defines it, written a second time and without regard to speed: hashes by `node:crypto`, proofs by
// the recursive definitions of sections 2.1.1 and 2.1.2, their check by the loops of RFC 9162. It shares no code with
// `src/core/proof`, which tests hold to it.
import { createHash } from 'node:crypto'

const digest = (...parts: Uint8Array[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export const plainLeaf = (entry: Uint8Array): Buffer => digest(Buffer.of(0), entry)
const plainNode = (left: Uint8Array, right: Uint8Array) => digest(Buffer.of(1), left, right)

function powerBelow(n: number): number {
  return 2 ** Math.ceil(Math.log2(n) - 1)
}

/** A tree over leaf hashes. Subtrees are remembered, so that all proofs of a tree take no longer than a test may. */
export class PlainTree {
  readonly #leaves: readonly Uint8Array[]
  readonly #known = new Map<string, Buffer>()

  constructor(leaves: readonly Uint8Array[]) {
    this.#leaves = leaves
  }

  root(from = 0, to = this.#leaves.length): Buffer {
    if (from === to) return digest()
    if (to - from === 1) return Buffer.from(this.#leaves[from]!)
    const key = `${from}-${to}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const split = from + powerBelow(to - from)
    const root = plainNode(this.root(from, split), this.root(split, to))
    this.#known.set(key, root)
    return root
  }

  /** PATH(m, D[from:to]), `index` counted from the beginning of the tree. */
  inclusion(index: number, to: number, from = 0): Buffer[] {
    if (to - from <= 1) return []
    const split = from + powerBelow(to - from)
    return index < split
      ? [...this.inclusion(index, split, from), this.root(split, to)]
      : [...this.inclusion(index, to, split), this.root(from, split)]
  }

  /** PROOF(m, D[0:to]). */
  consistency(earlier: number, to: number): Buffer[] {
    return this.#subproof(earlier, 0, to, true)
  }

  #subproof(earlier: number, from: number, to: number, isKnown: boolean): Buffer[] {
    if (earlier === to) return isKnown ? [] : [this.root(from, to)]
    const split = from + powerBelow(to - from)
    return earlier <= split
      ? [...this.#subproof(earlier, from, split, isKnown), this.root(split, to)]
      : [...this.#subproof(earlier, split, to, false), this.root(from, split)]
  }
}

/** RFC 9162, section 2.1.3.2, with whole numbers of any size. */
export function plainlyIncluded(
  leaf: Uint8Array,
  [index, size]: readonly [number, number],
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (index >= size) return false
  let [fn, sn] = [BigInt(index), BigInt(size - 1)]
  let hash = Buffer.from(leaf)
  for (const part of proof) {
    if (sn === 0n) return false
    if (fn % 2n === 1n || fn === sn) {
      hash = plainNode(part, hash)
      while (fn % 2n === 0n && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n]
    } else hash = plainNode(hash, part)
    ;[fn, sn] = [fn >> 1n, sn >> 1n]
  }
  return sn === 0n && hash.equals(root)
}

/** RFC 9162, section 2.1.4.2. */
export function plainlyConsistent(
  [earlier, earlierRoot]: readonly [number, Uint8Array],
  [later, laterRoot]: readonly [number, Uint8Array],
  proof: readonly Uint8Array[],
): boolean {
  if (earlier === later) return proof.length === 0 && Buffer.from(earlierRoot).equals(laterRoot)
  if (proof.length === 0) return false
  const isPower = Number.isInteger(Math.log2(earlier))
  const [first, ...rest] = isPower ? [earlierRoot, ...proof] : proof
  let [fn, sn] = [BigInt(earlier - 1), BigInt(later - 1)]
  while (fn % 2n === 1n) [fn, sn] = [fn >> 1n, sn >> 1n]
  let [fr, sr] = [Buffer.from(first!), Buffer.from(first!)]
  for (const part of rest) {
    if (sn === 0n) return false
    if (fn % 2n === 1n || fn === sn) {
      fr = plainNode(part, fr)
      sr = plainNode(part, sr)
      while (fn % 2n === 0n && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n]
    } else sr = plainNode(sr, part)
    ;[fn, sn] = [fn >> 1n, sn >> 1n]
  }
  return sn === 0n && fr.equals(earlierRoot) && sr.equals(laterRoot)
}
