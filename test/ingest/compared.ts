// Short notations for what is stored, what was parsed and the result, for tests of the comparison.

import type { VersionTag, Vintage } from '../../src/core/series/series.ts'
import { parseDayOrInstant } from '../../src/core/time/instant.ts'
import { formatPeriod, parsePeriod } from '../../src/core/time/period.ts'
import { type AskedRange, compareSeries, type SeriesComparison, type StoredSeries } from '../../src/ingest/compare.ts'
import type { ParsedObservation, ParsedSeries } from '../../src/providers/provider.ts'

export const now = '2024-06-15T12:00:00.000000Z'
export const recordedAt = '2024-05-01T08:00:00.000000Z'

export type Kept = readonly [value: string | null, tag: VersionTag | null, published?: string]

export function storedOf(periods: Readonly<Record<string, readonly Kept[]>>, unit = ''): StoredSeries {
  const vintages = new Map<number, readonly Vintage[]>()
  for (const [period, rows] of Object.entries(periods)) {
    vintages.set(
      parsePeriod(period)!.ordinal,
      rows.map(([value, tag, published]) => ({
        value,
        tag,
        flag: null,
        publishedAt: published === undefined ? recordedAt : parseDayOrInstant(published)!,
        recordedAt,
      })),
    )
  }
  return { unit, frequency: 'MONTHLY', vintages }
}

export type Read = readonly [period: string, value: string, version?: VersionTag, published?: string | null]

export function parsedOf(
  rows: readonly Read[],
  missing: readonly string[] = [],
  unit: string | null = null,
): ParsedSeries {
  const observations = rows.map(([period, value, version = 'FINAL', published = null]): ParsedObservation => {
    return { period, value, version, flag: null, published }
  })
  const marks = missing.map(period => ({ period, flag: null, reason: 'marker "-"' }))
  return { code: 'X', name: null, unit, frequency: 'MONTHLY', observations, missing: marks }
}

export const whole: AskedRange = { from: null, isDelta: false, isComplete: true, now }

/** `2024-03 101 REVISED @2024-05-02` */
export function written({ rows }: SeriesComparison): readonly string[] {
  return rows.map(({ period, value, tag, publishedAt }) =>
    [
      formatPeriod({ frequency: 'MONTHLY', ordinal: period }),
      value ?? 'withdrawn',
      ...(tag === null ? [] : [tag]),
      ...(publishedAt === null ? [] : [`@${publishedAt.slice(0, 10)}`]),
    ].join(' '),
  )
}

export function judge(parsed: ParsedSeries, stored: StoredSeries, asked: Partial<AskedRange> = {}): readonly string[] {
  return written(compareSeries(parsed, stored, { ...whole, ...asked }))
}
