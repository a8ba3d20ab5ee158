// A few periods of a reading that waits in the quarantine, beside what is held: what a person looks at before deciding.
import type { Frequency } from '../core/period.ts'
import { parsePeriod, periodOf, writePeriod } from '../core/period.ts'
import { limits } from '../limits.ts'
import type { Sql } from '../storage/database.ts'
import { listPublicSeries, readHeld } from '../storage/public-series.ts'
import { type QuarantineEntry, readHeldReading } from '../storage/quarantine.ts'
import { compareReading, type Held } from './compare.ts'
import { type HeldReading, readHeldReadingJson } from './settle.ts'

export interface SampledPeriod {
  readonly period: string
  /** `null`: nothing is held of it, or it was withdrawn. */
  readonly held: string | null
  /** `null`: it is gone. */
  readonly came: string | null
}

/** By period. Empty where the entry was decided meanwhile. */
export async function sampleQuarantined(
  sql: Sql,
  { id, seriesId }: QuarantineEntry,
): Promise<readonly SampledPeriod[]> {
  const json = await readHeldReading(sql, id)
  const [series] = await listPublicSeries(sql, { ids: [seriesId] })
  if (json === null || series === undefined) return []
  const { unit, frequency } = series
  return sample(readHeldReadingJson(json), { unit, frequency, vintages: await readHeld(sql, seriesId) })
}

/** What would be rewritten or dropped, the newest of it; where nothing would, as with a new unit, the newest periods. */
function sample({ reading, asked }: HeldReading, held: Held): readonly SampledPeriod[] {
  const came = new Map(reading.observations.map(({ period, value }) => [parsePeriod(period)!.ordinal, value]))
  const { rewritten, dropped } = compareReading(reading, held, asked)
  const first = [...came.keys()].reduce((least, period) => Math.min(least, period), Number.POSITIVE_INFINITY)
  const gone = dropped === 0 ? [] : [...held.vintages.keys()].filter(period => period < first)
  const touched = [...gone, ...rewritten.map(({ period }) => period)]
  const periods = touched.length > 0 ? touched : [...came.keys()]
  return periods
    .sort((a, b) => a - b)
    .slice(-limits.quarantineSample)
    .map(period => ({
      period: nameOf(held.frequency, period),
      held: held.vintages.get(period)?.at(-1)?.value ?? null,
      came: came.get(period) ?? null,
    }))
}

function nameOf(frequency: Frequency, ordinal: number): string {
  return writePeriod(periodOf(frequency, ordinal))
}
