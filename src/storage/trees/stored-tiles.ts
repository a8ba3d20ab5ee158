// Tiles of a stored tree for proofs: whole ones from their rows, the last one of each level from the level below.
import type { ReadTiles } from '../../core/proof/merkle-proof.ts'
import { fullTile, type Tile } from '../../core/proof/tile.ts'
import type { Queryable } from '../postgres/database.ts'
import { loadRoots } from './tree-growth.ts'

/** The hashes of the last so many leaves, one after the other. */
type ReadLastLeaves = (count: number) => Promise<Buffer>

/** Reads tiles of a tree of that size, as the transaction sees it. */
export function tilesOf(tx: Queryable, scope: string, size: number, readLast: ReadLastLeaves): ReadTiles {
  const readEdge = ({ level, index }: Tile) => {
    if (level === 0) return readLast(size % fullTile)
    const to = Math.floor(size / fullTile ** level)
    return loadRoots(tx, scope, level - 1, { from: index * fullTile, to })
  }
  // All reads are sent at once, without waiting for an answer.
  return async tiles => {
    const wholeOnes = loadWhole(
      tx,
      scope,
      tiles.filter(tile => isWhole(tile, size)),
    )
    const read = async (tile: Tile) => (await wholeOnes).get(`${tile.level}/${tile.index}`) ?? Buffer.alloc(0)
    return Promise.all(tiles.map(tile => (isWhole(tile, size) ? read(tile) : readEdge(tile))))
  }
}

function isWhole({ level, index }: Tile, size: number): boolean {
  return (index + 1) * fullTile ** (level + 1) <= size
}

async function loadWhole(tx: Queryable, scope: string, tiles: readonly Tile[]): Promise<ReadonlyMap<string, Buffer>> {
  if (tiles.length === 0) return new Map()
  const rows = await tx<{ level: number; number: number; hashes: Buffer }[]>`
    select t.level, t.number, t.hashes
    from unnest(${tiles.map(({ level }) => level)}::smallint[], ${tiles.map(({ index }) => index)}::bigint[]) as w (level, number)
    join log_tile t on t.scope = ${scope} and t.level = w.level and t.number = w.number`
  return new Map(rows.map(({ level, number, hashes }) => [`${level}/${number}`, hashes]))
}
