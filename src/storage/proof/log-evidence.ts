// Evidence of the public log for a check elsewhere: slips of entries, the newest checkpoint, earlier ones that others
// have, each with the proof that it grows into the newest, and the announcements of the keys that signed them.
import { proveConsistency } from '../../core/proof/merkle-proof.ts'
import { readSlip } from '../../core/proof/slip.ts'
import { type Queryable, type Sql, withWorkspace } from '../postgres/database.ts'
import { tilesOf } from '../trees/stored-tiles.ts'
import { loadAnnouncements, type ProvenAnnouncement } from './announcements.ts'
import {
  loadCosigned,
  loadNewestCheckpoint,
  loadStamps,
  type StoredCheckpoint,
  type StoredStamp,
} from './checkpoints.ts'
import type { LogKeys } from './log-keys.ts'
import { loadLastLeaves, loadLogState, logScope, originOf } from './log-state.ts'
import { makeSlips, type WantedSlip } from './slips.ts'

interface EarlierCheckpoint {
  readonly checkpoint: string
  readonly proof: readonly Uint8Array[]
}

interface LogEvidence {
  readonly origin: string
  readonly keys: readonly string[]
  readonly checkpoint: string
  readonly earlier: readonly EarlierCheckpoint[]
  readonly stamps: readonly StoredStamp[]
  readonly announcements: readonly ProvenAnnouncement[]
  /** Slips in the order of the request. */
  readonly slips: readonly string[]
}

/** More are not handed on: the newest count. */
const mostEarlier = 100

/** Null where nothing was signed in the log yet. */
export async function loadLogEvidence(
  sql: Sql,
  keys: LogKeys,
  scope: string,
  wanted: readonly WantedSlip[],
): Promise<LogEvidence | null> {
  const slips = await makeSlips(sql, keys, scope, wanted)
  return withWorkspace(
    sql,
    scope,
    async tx => {
      const state = await loadLogState(tx, keys.ring)
      if (state === null) return null
      const origin = originOf(state)
      const newest = await loadNewestCheckpoint(tx, origin)
      if (newest === null) return null
      const found = await loadEarlier(tx, newest, slips.map(readSlip))
      const tiles = tilesOf(tx, logScope, newest.size, count => loadLastLeaves(tx, newest.size, count))
      const earlier: EarlierCheckpoint[] = []
      for (const each of found)
        earlier.push({
          checkpoint: await loadCosigned(tx, each),
          proof: await proveConsistency(each.size, newest.size, tiles),
        })
      const sizes = new Set([...found, newest].map(({ size }) => size))
      const stamps = (await loadStamps(tx, origin, 0, newest.size)).filter(({ size }) => sizes.has(size))
      return {
        origin,
        keys: [keys.vkeyOf(origin, state.secretId)],
        checkpoint: await loadCosigned(tx, newest),
        earlier,
        stamps,
        announcements: await loadAnnouncements(tx, newest.size, tiles),
        slips,
      }
    },
    'snapshot',
  )
}

interface LoggedAt {
  /** Place of the head's leaf in the log. */
  readonly index: number
  readonly checkpoint: { readonly text: string }
}

/**
 * The first checkpoint over each entry, which was answered with the signature; the ones in the slips; and those that witnesses or
 * time stamps vouch for. Ascending.
 */
async function loadEarlier(
  tx: Queryable,
  { origin, size: last }: StoredCheckpoint,
  slips: readonly LoggedAt[],
): Promise<readonly StoredCheckpoint[]> {
  const leaves = [...new Set(slips.map(({ index }) => index))]
  const own = [...new Set(slips.map(({ checkpoint }) => Number(checkpoint.text.split('\n')[1])))]
  const first = Math.min(...leaves, last)
  const rows = await tx<StoredCheckpoint[]>`
    with picked as (
      select (select min(c.size) from log_checkpoint c where c.origin = ${origin} and c.size > l.leaf) as size
        from unnest(${leaves}::bigint[]) as l (leaf)
      union select unnest(${own}::bigint[])
      union (select size from log_cosignature where origin = ${origin} and size > ${first} order by size limit ${mostEarlier / 4})
      union (select size from log_cosignature where origin = ${origin} and size > ${first} order by size desc limit ${mostEarlier / 4})
      union (select size from log_stamp where origin = ${origin} and size > ${first} order by size limit ${mostEarlier / 4}))
    select c.origin, c.size, c.root, c.note, c.made_at as "madeAt" from log_checkpoint c join picked p on p.size = c.size
    where c.origin = ${origin} and c.size < ${last} order by c.size desc limit ${mostEarlier}`
  return rows.toReversed()
}
