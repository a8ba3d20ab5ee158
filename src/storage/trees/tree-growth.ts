// A stored tree of the log: whole tiles, each written once, and the end of the tree. Growing it reads no more than the tiles that
// become whole need.
import { type Frontier, rootOf } from '../../core/proof/frontier.ts'
import { completeRoot, type Hash, hashBytes, hashesIn, joinHashes, nodeHash } from '../../core/proof/merkle-hash.ts'
import { fullTile } from '../../core/proof/tile.ts'
import type { Queryable, Transaction } from '../postgres/database.ts'

/** Stored end of a tree: its size, and the roots of its complete subtrees one after the other. */
export interface TreeEnd {
  readonly size: number
  readonly edge: Buffer
}

export const emptyTree: TreeEnd = { size: 0, edge: Buffer.alloc(0) }

function frontierFrom({ size, edge }: TreeEnd): Frontier {
  return { size, roots: hashesIn(edge) }
}

export function endOf({ size, roots }: Frontier): TreeEnd {
  return { size, edge: Buffer.from(joinHashes(roots)) }
}

export function rootOfTree(end: TreeEnd): Buffer {
  return Buffer.from(rootOf(frontierFrom(end)))
}

/** The hashes of the last leaves of a tree, one after the other, as many as are asked for. */
type ReadLast = (count: number) => Promise<Buffer>

interface NewTile {
  readonly level: number
  readonly number: number
  readonly hashes: Buffer
  readonly root: Hash
}

/** Adds leaves to a tree: their hashes one after the other. Its tiles are stored in this transaction, its end is not. */
export async function growTree(
  tx: Transaction,
  scope: string,
  end: TreeEnd,
  leaves: Buffer,
  readLast: ReadLast,
): Promise<TreeEnd> {
  const count = leaves.length / hashBytes
  const first = end.size % fullTile
  if (first + count < fullTile) return endOf(appendLeaves(frontierFrom(end), leaves))
  const row = first === 0 ? leaves : Buffer.concat([await readLast(first), leaves])
  // The part of the tree that consists of whole tiles.
  const whole: TreeEnd = {
    size: end.size - first,
    edge: end.edge.subarray(0, end.edge.length - digits(first) * hashBytes),
  }
  const { tiles, rest } = cutTiles(0, whole.size / fullTile, row)
  let frontier = frontierFrom(whole)
  for (const { root } of tiles) frontier = appendSubtree(frontier, root, fullTile)
  await storeTiles(tx, scope, tiles)
  await storeAbove(tx, scope, whole.size / fullTile, tiles)
  return endOf(appendLeaves(frontier, rest))
}

/** Stores the tiles of the levels above that became whole with these. */
async function storeAbove(tx: Transaction, scope: string, before: number, added: readonly NewTile[]): Promise<void> {
  const first = before % fullTile
  if (first + added.length < fullTile) return
  const { level } = added[0]!
  const kept = await loadRoots(tx, scope, level, { from: before - first, to: before })
  const row = Buffer.concat([kept, ...added.map(({ root }) => root)])
  const { tiles } = cutTiles(level + 1, (before - first) / fullTile, row)
  await storeTiles(tx, scope, tiles)
  await storeAbove(tx, scope, (before - first) / fullTile, tiles)
}

/** Roots of stored tiles, one after the other: hashes of the level above. */
export async function loadRoots(
  tx: Queryable,
  scope: string,
  level: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Buffer> {
  const rows = await tx<{ root: Buffer }[]>`
    select root from log_tile where scope = ${scope} and level = ${level} and number >= ${from} and number < ${to}
    order by number`
  return Buffer.concat(rows.map(({ root }) => root))
}

const tileBytes = fullTile * hashBytes

function cutTiles(level: number, first: number, row: Buffer): { tiles: NewTile[]; rest: Buffer } {
  const count = Math.floor(row.length / tileBytes)
  const tiles = Array.from({ length: count }, (_, at) => {
    const hashes = row.subarray(at * tileBytes, (at + 1) * tileBytes)
    return { level, number: first + at, hashes, root: completeRoot(hashes) }
  })
  return { tiles, rest: row.subarray(count * tileBytes) }
}

function appendLeaves(frontier: Frontier, leaves: Buffer): Frontier {
  return hashesIn(leaves).reduce((grown, leaf) => appendSubtree(grown, leaf, 1), frontier)
}

/** Adds a complete subtree of so many leaves, a power of 2 that divides the size. */
export function appendSubtree({ size, roots }: Frontier, root: Hash, leaves: number): Frontier {
  const kept = [...roots]
  let added = root
  for (let rest = size / leaves; rest % 2 === 1; rest = (rest - 1) / 2) added = nodeHash(kept.pop()!, added)
  kept.push(added)
  return { size: size + leaves, roots: kept }
}

/** Number of complete subtrees that a tree of that size consists of. */
function digits(size: number): number {
  return [...size.toString(2)].filter(digit => digit === '1').length
}

/** Most tiles that one statement carries. */
const tilesTogether = 64

async function storeTiles(tx: Transaction, scope: string, tiles: readonly NewTile[]): Promise<void> {
  for (let at = 0; at < tiles.length; at += tilesTogether) {
    const some = tiles.slice(at, at + tilesTogether)
    const bytes = (list: readonly Uint8Array[]) =>
      tx`array(select decode(h, 'hex') from unnest(${list.map(each => Buffer.from(each).toString('hex'))}::text[])
        with ordinality as t (h, n) order by n)`
    await tx`
      select append_tiles(${scope}, ${some.map(({ level }) => level)}::smallint[], ${some.map(({ number }) => number)}::bigint[],
        ${bytes(some.map(({ hashes }) => hashes))}, ${bytes(some.map(({ root }) => root))})`
  }
}
