// Sample of a quarantined answer: a few periods next to the stored values, for the operator who decides.
import type { Rewritten } from '../core/index-changes/suspects.ts'
import type { Frequency } from '../core/time/period.ts'
import { formatPeriod, parsePeriod, periodOf } from '../core/time/period.ts'
import { limits } from '../limits.ts'
import type { Sql } from '../storage/postgres/database.ts'
import { listPublicSeries, loadStoredVintages } from '../storage/series/public-series.ts'
import { listQuarantine, loadQuarantinedAnswer, type QuarantineEntry } from '../storage/series/quarantine.ts'
import { compareSeries, type StoredSeries } from './compare.ts'
import { type QuarantinedAnswer, readQuarantinedJson } from './publish.ts'

interface SampledPeriod {
  readonly period: string
  /** `null`: not stored, or withdrawn. */
  readonly stored: string | null
  /** `null`: no longer sent. */
  readonly came: string | null
}

/** The sample in order of periods. Empty if the entry has been decided in the meantime. */
export async function sampleQuarantined(
  sql: Sql,
  { id, seriesId }: QuarantineEntry,
): Promise<readonly SampledPeriod[]> {
  const json = await loadQuarantinedAnswer(sql, id)
  const [series] = await listPublicSeries(sql, { ids: [seriesId] })
  if (json === null || series === undefined) return []
  const { unit, frequency } = series
  return sample(readQuarantinedJson(json), { unit, frequency, vintages: await loadStoredVintages(sql, seriesId) })
}

/**
 * Periods of the sample: the newest ones that would be rewritten or dropped; if there are none, as with a new unit, the newest
 * periods.
 */
function sample({ parsed, asked }: QuarantinedAnswer, stored: StoredSeries): readonly SampledPeriod[] {
  const came = new Map(parsed.observations.map(({ period, value }) => [parsePeriod(period)!.ordinal, value]))
  const { rewritten, dropped } = compareSeries(parsed, stored, asked)
  const first = [...came.keys()].reduce((least, period) => Math.min(least, period), Number.POSITIVE_INFINITY)
  const gone = dropped === 0 ? [] : [...stored.vintages.keys()].filter(period => period < first)
  const touched = [...gone, ...rewritten.map(({ period }) => period)]
  const periods = touched.length > 0 ? touched : [...came.keys()]
  return periods
    .sort((a, b) => a - b)
    .slice(-limits.quarantineSample)
    .map(period => ({
      period: nameOf(stored.frequency, period),
      stored: stored.vintages.get(period)?.at(-1)?.value ?? null,
      came: came.get(period) ?? null,
    }))
}

function nameOf(frequency: Frequency, ordinal: number): string {
  return formatPeriod(periodOf(frequency, ordinal))
}

/** Changes that waiting answers would make to stored values, by series id: every period that both have. */
export async function rewrittenByWaiting(
  sql: Sql,
  seriesIds: readonly string[],
): Promise<Map<string, readonly Rewritten[]>> {
  const found = new Map<string, readonly Rewritten[]>()
  for (const { id, seriesId } of await listQuarantine(sql, 'waiting', seriesIds)) {
    const json = await loadQuarantinedAnswer(sql, id)
    if (json === null) continue
    const stored = await loadStoredVintages(sql, seriesId)
    const rewritten = readQuarantinedJson(json).parsed.observations.flatMap(({ period, value }) => {
      const before = stored.get(parsePeriod(period)!.ordinal)?.at(-1)?.value ?? null
      return before === null ? [] : [{ period, before, after: value }]
    })
    found.set(seriesId, rewritten)
  }
  return found
}
