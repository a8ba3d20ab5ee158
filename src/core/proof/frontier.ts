// A tree as the few hashes that are needed to append to it and to know its root: its complete subtrees, at most one for each
// binary digit of its size. Nothing can be proven from it: proofs need tiles.
import { foldRoots, type Hash, nodeHash } from './merkle-hash.ts'

export interface Frontier {
  readonly size: number
  /** Roots of complete subtrees, one for each binary 1 of `size`, the largest first. */
  readonly roots: readonly Hash[]
}

export const emptyFrontier: Frontier = { size: 0, roots: [] }

export function appendLeaf({ size, roots }: Frontier, leaf: Hash): Frontier {
  const kept = [...roots]
  let added = leaf
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) added = nodeHash(kept.pop()!, added)
  kept.push(added)
  return { size: size + 1, roots: kept }
}

export function rootOf({ roots }: Frontier): Hash {
  return foldRoots(roots)
}
