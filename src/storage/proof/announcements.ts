// The announcements of other keys among the leaves of the public log, each with its way to the newest checkpoint.
import { formatAnnouncementProof } from '../../core/proof/key-announcement.ts'
import { proveInclusion, type ReadTiles } from '../../core/proof/merkle-proof.ts'
import { readNote } from '../../core/proof/signed-note.ts'
import { type Queryable, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { tilesOf } from '../trees/stored-tiles.ts'
import { loadCosigned, loadNewestCheckpoint } from './checkpoints.ts'
import { loadStanding } from './log-files.ts'
import { loadLastLeaves, logScope } from './log-state.ts'

export interface ProvenAnnouncement {
  readonly leaf: string
  readonly index: number
  readonly proof: readonly Uint8Array[]
}

/** Announcements in the tree of that size, ascending. */
export async function loadAnnouncements(
  tx: Queryable,
  size: number,
  readTiles: ReadTiles,
): Promise<readonly ProvenAnnouncement[]> {
  const leaves = await tx<{ leaf: string; index: number }[]>`
    select entry as leaf, number as index from log_leaf where starts_with(entry, 'assize-key/1') and number < ${size}
    order by number`
  const found: ProvenAnnouncement[] = []
  for (const { leaf, index } of leaves) found.push({ leaf, index, proof: await proveInclusion(index, size, readTiles) })
  return found
}

/** Announcements as files behind slips: with them a reader follows from a known key to the next ones. */
export function makeAnnouncementProofs(sql: Sql, scope: string): Promise<readonly string[]> {
  return withWorkspace(sql, scope, makeIn, 'snapshot')
}

async function makeIn(tx: Transaction): Promise<readonly string[]> {
  const standing = await loadStanding(tx)
  const newest = standing === null ? null : await loadNewestCheckpoint(tx, standing.origin)
  if (newest === null) return []
  const { size } = newest
  const tiles = tilesOf(tx, logScope, size, count => loadLastLeaves(tx, size, count))
  const announced = await loadAnnouncements(tx, size, tiles)
  if (announced.length === 0) return []
  const checkpoint = readNote(await loadCosigned(tx, newest))
  return announced.map(each => formatAnnouncementProof({ ...each, checkpoint }))
}
