// A tree as it is stored: full tiles, each written once, and its edge, the partial tile of each level. Growing it reports the
// tiles that became full.
import type { Frontier } from './frontier.ts'
import { completeRoot, foldRoots, type Hash, hashBytes, joinHashes } from './merkle-hash.ts'
import { fullTile } from './tile.ts'

export interface TileEdge {
  readonly size: number
  /** The hashes of the partial tile of each level, from level 0 up, one after the other; empty where a level has none. */
  readonly tiles: readonly Uint8Array[]
}

export const emptyEdge: TileEdge = { size: 0, tiles: [] }

interface FilledTile {
  readonly level: number
  readonly index: number
  /** 256 hashes, one after the other. */
  readonly bytes: Uint8Array
}

export function growEdge(edge: TileEdge, leaves: readonly Hash[]): { edge: TileEdge; filled: FilledTile[] } {
  const tiles = [...edge.tiles]
  const filled: FilledTile[] = []
  let added: Hash[] = [...leaves]
  for (let level = 0; added.length > 0; level++) {
    const kept = tiles[level] ?? new Uint8Array(0)
    const row = new Uint8Array(kept.length + added.length * hashBytes)
    row.set(kept)
    row.set(joinHashes(added), kept.length)
    const first = Math.floor(edge.size / fullTile ** (level + 1))
    const tileBytes = fullTile * hashBytes
    const full = Math.floor(row.length / tileBytes)
    const ended = Array.from({ length: full }, (_, at) => row.slice(at * tileBytes, (at + 1) * tileBytes))
    filled.push(...ended.map((bytes, at) => ({ level, index: first + at, bytes })))
    tiles[level] = row.slice(full * tileBytes)
    added = ended.map(completeRoot)
  }
  return { edge: { size: edge.size + leaves.length, tiles }, filled }
}

/** The complete subtrees of the tree: those of its highest level first. */
export function frontierOf({ size, tiles }: TileEdge): Frontier {
  const roots: Hash[] = []
  for (const tile of tiles.toReversed()) {
    let at = 0
    for (let width = fullTile / 2; width >= 1; width /= 2) {
      if (tile.length - at < width * hashBytes) continue
      roots.push(completeRoot(tile.subarray(at, at + width * hashBytes)))
      at += width * hashBytes
    }
  }
  return { size, roots }
}

export function rootOfEdge(edge: TileEdge): Hash {
  return foldRoots(frontierOf(edge).roots)
}
