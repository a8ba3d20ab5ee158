// Summary of the public log for people: the newest checkpoint, the last cosignature of each witness, the last time stamp.
import type { Instant } from '../../core/time/instant.ts'
import type { Sql } from '../postgres/database.ts'
import { loadCosigned, loadNewestCheckpoint } from './checkpoints.ts'
import type { LogKeys } from './log-keys.ts'
import { loadLogState, originOf } from './log-state.ts'

interface LogSummary {
  readonly origin: string
  readonly keys: readonly string[]
  /** Why nothing is signed; null while it is. */
  readonly stopped: string | null
  /** With the signatures there are; null where nothing was signed yet. */
  readonly checkpoint: { readonly note: string; readonly size: number; readonly madeAt: Instant } | null
  /** Witnesses by name, each with the newest checkpoint that it has signed. */
  readonly witnesses: readonly { readonly witness: string; readonly size: number; readonly receivedAt: Instant }[]
  /** The newest first. */
  readonly stamps: readonly { readonly authority: string; readonly size: number; readonly stampedAt: Instant }[]
}

const mostStamps = 10

/** Null where there is no log yet. */
export async function loadLogStanding(sql: Sql, keys: LogKeys): Promise<LogSummary | null> {
  const state = await loadLogState(sql, keys.ring)
  if (state === null) return null
  const origin = originOf(state)
  const newest = await loadNewestCheckpoint(sql, origin)
  const witnesses = await sql<LogSummary['witnesses'][number][]>`
    select distinct on (witness) witness, size, received_at as "receivedAt" from log_cosignature
    where origin = ${origin} order by witness, size desc`
  const stamps = await sql<LogSummary['stamps'][number][]>`
    select authority, size, stamped_at as "stampedAt" from log_stamp where origin = ${origin}
    order by size desc, authority limit ${mostStamps}`
  const checkpoint =
    newest === null ? null : { note: await loadCosigned(sql, newest), size: newest.size, madeAt: newest.madeAt }
  return {
    origin,
    keys: [keys.vkeyOf(origin, state.secretId)],
    stopped: state.stopped,
    checkpoint,
    witnesses: [...witnesses],
    stamps: [...stamps],
  }
}
