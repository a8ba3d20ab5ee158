// The files of the public log as C2SP `tlog-tiles` serves them: the newest checkpoint, tiles and bundles of entries. They say
// nothing about whose heads they are.
import { hashBytes } from '../../core/proof/merkle-hash.ts'
import { fullTile, type Tile, type TileLevel, tileWidth, writeBundle } from '../../core/proof/tile.ts'
import type { Queryable } from '../postgres/database.ts'
import { tilesOf } from '../trees/stored-tiles.ts'
import { readCosigned, readNewestCheckpoint } from './checkpoints.ts'
import { logScope, originOf, readLastLeaves } from './log-state.ts'

interface Standing {
  readonly origin: string
  readonly size: number
}

/** As it says of itself; null where there is no log yet. */
async function readStanding(sql: Queryable): Promise<Standing | null> {
  const [row] = await sql<{ name: string; fork: number; size: number }[]>`select name, fork, size from log_state`
  return row === undefined ? null : { origin: originOf(row), size: row.size }
}

/** With the cosignatures there are; null where nothing was signed yet. */
export async function readCheckpointFile(sql: Queryable): Promise<string | null> {
  const standing = await readStanding(sql)
  const newest = standing === null ? null : await readNewestCheckpoint(sql, standing.origin)
  return newest === null ? null : readCosigned(sql, newest)
}

/** Null where the tree is not as wide as the tile. */
export async function readTileFile(sql: Queryable, tile: Tile<TileLevel>): Promise<Uint8Array | null> {
  const { level, index, width } = tile
  const size = (await readStanding(sql))?.size ?? 0
  if (width > tileWidth(size, level, index)) return null
  if (level === 'entries') return readEntries(sql, index * fullTile, width)
  const readTiles = tilesOf(sql, logScope, size, count => readLastLeaves(sql, size, count))
  const [bytes] = await readTiles([{ level, index, width }])
  return bytes!.subarray(0, width * hashBytes)
}

async function readEntries(sql: Queryable, first: number, count: number): Promise<Uint8Array> {
  const rows = await sql<{ entry: string }[]>`
    select entry from log_leaf where number >= ${first} and number < ${first + count} order by number`
  return writeBundle(rows.map(({ entry }) => Buffer.from(entry)))
}
