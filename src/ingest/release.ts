// Decides on quarantined answers: a released one is compared with the values stored by now and published; a rejected one is not,
// nor is the same change when it is sent again.

import { Refusal } from '../core/refusal.ts'
import type { ProviderName } from '../core/series/series.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Sql } from '../storage/postgres/database.ts'
import { saveShape } from '../storage/series/drift.ts'
import { finishRun, startRun } from '../storage/series/ingest-runs.ts'
import { listPublicSeries, loadStoredVintages } from '../storage/series/public-series.ts'
import { decide, listQuarantine, loadQuarantinedAnswer, type QuarantineEntry } from '../storage/series/quarantine.ts'
import type { SeriesLocks } from '../storage/series/series-locks.ts'
import { saveState } from '../storage/series/series-state.ts'
import { compareSeries } from './compare.ts'
import { type Outcome, publish, readQuarantinedJson } from './publish.ts'

export interface Deciding {
  readonly sql: Sql
  readonly locks: SeriesLocks
  readonly clock: () => Instant
  /** The person who decides; shown to everybody who follows the series. */
  readonly by: string
}

export async function rejectQuarantined(id: string, deciding: Omit<Deciding, 'locks'>): Promise<QuarantineEntry> {
  const entry = await findWaiting(id, deciding)
  if (!(await decide(deciding.sql, entry.id, { decision: 'rejected', at: deciding.clock(), by: deciding.by })))
    throw decidedMeanwhile(id)
  await noteDecision(entry, `rejected: ${entry.reason}`, deciding)
  return entry
}

export async function releaseQuarantined(
  id: string,
  deciding: Deciding,
): Promise<{ readonly entry: QuarantineEntry; readonly outcome: Outcome }> {
  const { sql, clock, locks } = deciding
  const entry = await findWaiting(id, deciding)
  const reference = `${entry.provider}/${entry.code.toLowerCase()}`
  const taken = await locks.take([reference])
  if (!taken.has(reference))
    throw new Refusal('conflict', `${entry.provider}/${entry.code} is being read right now; try again in a moment`)
  try {
    const json = await loadQuarantinedAnswer(sql, entry.id)
    const [stored] = await listPublicSeries(sql, { ids: [entry.seriesId] })
    if (json === null || stored === undefined) throw decidedMeanwhile(id)
    const { parsed, asked, shape } = readQuarantinedJson(json)
    const startedAt = clock()
    const { unit, frequency } = stored
    const vintages = await loadStoredVintages(sql, stored.id)
    const comparison = compareSeries(parsed, { unit, frequency, vintages }, { ...asked, now: startedAt })
    const provider = entry.provider as ProviderName
    const run = await startRun(sql, { provider, cause: 'release', startedAt, series: 1 })
    const { outcome } = await publish(provider, stored, parsed, comparison, [], deciding)
    const { added, revised, withdrawn } = outcome.kind === 'changed' ? outcome : { added: 0, revised: 0, withdrawn: 0 }
    await finishRun(sql, run, clock(), { asked: 0, added, revised, withdrawn, quarantined: 0, problems: [] })
    await saveShape(sql, entry.provider, { kind: 'series', about: entry.code, shape }, startedAt)
    // The answer is published first: after a crash in between, the next refresh finds nothing left to stop and closes the entry.
    await decide(sql, entry.id, { decision: 'released', at: clock(), by: deciding.by })
    await noteDecision(entry, null, deciding)
    return { entry, outcome }
  } finally {
    await locks.release(taken)
  }
}

async function findWaiting(id: string, { sql }: Pick<Deciding, 'sql'>): Promise<QuarantineEntry> {
  const entries = await listQuarantine(sql, 'waiting')
  const found = entries.find(entry => entry.id === id)
  if (found !== undefined) return found
  throw new Refusal(
    'not-found',
    `nothing with the id "${id}" waits in the quarantine; assize series quarantine list shows what does`,
  )
}

export function decidedMeanwhile(id: string): Refusal {
  return new Refusal('conflict', `"${id}" was decided in the meantime`)
}

async function noteDecision(
  { seriesId }: QuarantineEntry,
  trouble: string | null,
  { sql, clock }: Omit<Deciding, 'locks'>,
): Promise<void> {
  const [stored] = await listPublicSeries(sql, { ids: [seriesId] })
  const state = stored?.state
  if (state === undefined || state === null) return
  const { troubleSince: _since, ...rest } = state
  const changed = trouble === null ? clock() : null
  await saveState(sql, { ...rest, seriesId, trouble, lastChangedAt: changed })
}
