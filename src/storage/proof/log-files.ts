// The files of the public log as C2SP `tlog-tiles` serves them: the newest checkpoint, tiles and bundles of entries. They say
// nothing about whose heads they are.
import { hashBytes } from '../../core/proof/merkle-hash.ts'
import type { ReadTiles } from '../../core/proof/merkle-proof.ts'
import { fullTile, type Tile, type TileLevel, tileWidth, writeBundle } from '../../core/proof/tile.ts'
import type { Queryable } from '../postgres/database.ts'
import { tilesOf } from '../trees/stored-tiles.ts'
import { loadCosigned, loadNewestCheckpoint } from './checkpoints.ts'
import { loadLastLeaves, logScope, originOf } from './log-state.ts'

interface LogEnd {
  readonly origin: string
  readonly size: number
  /** That its key is made from. */
  readonly secretId: string
}

/** End of the log by its own row; null before the log begins. */
export async function loadStanding(sql: Queryable): Promise<LogEnd | null> {
  const [row] = await sql<{ name: string; fork: number; size: number; secretId: string }[]>`
    select name, fork, size, secret_id as "secretId" from log_state`
  return row === undefined ? null : { origin: originOf(row), size: row.size, secretId: row.secretId }
}

export interface LogHealth {
  readonly size: number
  /** Null where nothing was signed yet. */
  readonly checkpointSeconds: number | null
  readonly isStopped: boolean
}

/** Null where there is no log yet. */
export async function loadLogHealth(sql: Queryable): Promise<LogHealth | null> {
  const [row] = await sql<LogHealth[]>`
    select s.size, s.stopped is not null as "isStopped",
      (select floor(extract(epoch from clock_timestamp() - max(c.made_at)))::bigint from log_checkpoint c) as "checkpointSeconds"
    from log_state s`
  return row ?? null
}

/** With the cosignatures there are; null where nothing was signed yet. */
export async function loadCheckpointFile(sql: Queryable): Promise<string | null> {
  const standing = await loadStanding(sql)
  const newest = standing === null ? null : await loadNewestCheckpoint(sql, standing.origin)
  return newest === null ? null : loadCosigned(sql, newest)
}

/** Null where the tree is not as wide as the tile. */
export async function loadTileFile(sql: Queryable, tile: Tile<TileLevel>): Promise<Uint8Array | null> {
  const { level, index, width } = tile
  const size = (await loadStanding(sql))?.size ?? 0
  if (width > tileWidth(size, level, index)) return null
  if (level === 'entries') return loadEntries(sql, index * fullTile, width)
  const readTiles = tilesOf(sql, logScope, size, count => loadLastLeaves(sql, size, count))
  const [bytes] = await readTiles([{ level, index, width }])
  return bytes!.subarray(0, width * hashBytes)
}

interface Growth {
  readonly origin: string
  readonly checkpoint: string | null
  readonly size: number
  readonly readTiles: ReadTiles
  /** Why the log was started again, where it was since the origin that was asked for. */
  readonly forked: string | null
}

/** Parts of a proof that the log grew, up to its newest checkpoint; null before the log begins. */
export async function loadLogGrowth(sql: Queryable, knownOrigin: string | null): Promise<Growth | null> {
  const standing = await loadStanding(sql)
  if (standing === null) return null
  const { origin } = standing
  const newest = await loadNewestCheckpoint(sql, origin)
  const size = newest?.size ?? 0
  const isForked = knownOrigin !== null && knownOrigin !== origin
  return {
    origin,
    checkpoint: newest === null ? null : await loadCosigned(sql, newest),
    size,
    readTiles: tilesOf(sql, logScope, size, count => loadLastLeaves(sql, size, count)),
    forked: isForked ? await loadForkReason(sql) : null,
  }
}

/** Reason in the leaf of the last fork. */
async function loadForkReason(sql: Queryable): Promise<string> {
  const [leaf] = await sql<{ entry: string }[]>`
    select entry from log_leaf where starts_with(entry, 'assize-fork/1') order by number desc limit 1`
  return leaf?.entry.split('\n')[3] ?? 'the operator gave no reason'
}

async function loadEntries(sql: Queryable, first: number, count: number): Promise<Uint8Array> {
  const rows = await sql<{ entry: string }[]>`
    select entry from log_leaf where number >= ${first} and number < ${first + count} order by number`
  return writeBundle(rows.map(({ entry }) => Buffer.from(entry)))
}
