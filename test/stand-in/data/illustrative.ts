// Illustrative series: invented figures that move like indices and are published the way providers publish: late, first
// preliminary if the provider has such a mark, sometimes revised, missing or withdrawn. Always the same figures.

import type { ProviderName } from '../../../src/core/series/series.ts'
import { type Day, formatDay, pad, parseDay } from '../../../src/core/time/day.ts'
import { startOfDay } from '../../../src/core/time/instant.ts'
import {
  type Frequency,
  formatPeriod,
  lastDayOf,
  ordinalAt,
  type Period,
  periodOf,
} from '../../../src/core/time/period.ts'
import type { OpenLog, StandInSeries } from '../model.ts'

export interface Outline {
  readonly provider: ProviderName
  readonly code: string
  readonly name: string
  readonly unit: string
  readonly frequency: Frequency
  readonly details?: Readonly<Record<string, string>>
  /** Differs by series; level, steps and behaviour depend on it. */
  readonly seed: number
  readonly decimals?: number
  readonly firstDay?: string
  readonly lastDay?: string
}

/** Providers that mark a figure as preliminary; the others publish what they have. */
export const marksPreliminary: ReadonlySet<ProviderName> = new Set([
  'BLS',
  'ECB',
  'EUROSTAT',
  'STATCAN',
  'ABS',
  'BIS',
  'OECD',
])

const firstDays = {
  DAILY: '2025-01-01',
  WEEKLY: '2020-01-06',
  MONTHLY: '2015-01-01',
  QUARTERLY: '2008-01-01',
  SEMIANNUAL: '2005-01-01',
  ANNUAL: '1995-01-01',
} as const

const delayDays = { DAILY: 0, WEEKLY: 1, MONTHLY: 14, QUARTERLY: 28, SEMIANNUAL: 45, ANNUAL: 90 } as const
const settleDays = { DAILY: 2, WEEKLY: 7, MONTHLY: 31, QUARTERLY: 61, SEMIANNUAL: 90, ANNUAL: 180 } as const

export function illustrate(outline: Outline): StandInSeries {
  const { provider, code, name, unit, frequency, details = {} } = outline
  const first = ordinalAt(frequency, dayIn(outline.firstDay ?? firstDays[frequency]))
  const last = ordinalAt(frequency, dayIn(outline.lastDay ?? '2027-12-31'))
  const entries: OpenLog[] = []
  for (let ordinal = first; ordinal <= last; ordinal++) {
    const period = periodOf(frequency, ordinal)
    if (frequency !== 'DAILY' || isWorkday(ordinal)) entries.push(...publicationsOf(period, ordinal - first, outline))
  }
  return { provider, code, name: `${name} (illustrative)`, unit, frequency, details, publications: entries }
}

function dayIn(text: string): Day {
  return parseDay(text)!
}

/** 1970-01-01 was a Thursday. */
function isWorkday(day: Day): boolean {
  return (((day + 3) % 7) + 7) % 7 < 5
}

/** What happens to a period depends on the seed of its series and its position in it. */
function publicationsOf(period: Period, at: number, outline: Outline): readonly OpenLog[] {
  const { provider, frequency, seed } = outline
  const day = lastDayOf(period) + delayDays[frequency] + (seed % 3)
  const settledDay = day + settleDays[frequency]
  const written = formatPeriod(period)
  const publish = (on: Day, stage: OpenLog['stage'], value: string | null): OpenLog => ({
    period: written,
    stage,
    value,
    publishedAt: `${startOfDay(on).slice(0, 10)}T${pad(12 + (seed % 2), 2)}:30:00.000000Z`,
  })
  const settled = levelAt(outline, at, 0)
  if (seed % 4 === 3 && at % 37 === 20) return [publish(day, 'MISSING', null)]
  const isPreliminary = seed % 2 === 1 && marksPreliminary.has(provider)
  const start = isPreliminary
    ? [publish(day, 'PRELIMINARY', levelAt(outline, at, 1)), publish(settledDay, 'FINAL', settled)]
    : [publish(day, 'FINAL', settled)]
  if (seed % 5 === 4 && at % 53 === 30) return [...start, publish(settledDay + 200, 'WITHDRAWN', null)]
  const isRevised = seed % 3 === 2 && at % 7 === 3
  return isRevised ? [...start, publish(settledDay + 330, 'REVISED', levelAt(outline, at, 2))] : start
}

/** The level of figures by unit, in thousandths; everything else is an index. */
const levels: Readonly<Record<string, number>> = {
  '$/GAL': 3600,
  '$/BBL': 75_000,
  '$/MMBTU': 3100,
  '%': 2900,
  '% points': 12_000,
  '£': 640_000,
  AUD: 1_900_000,
  CHF: 950,
  'Dollars per Barrel': 75_000,
  'Dollars per Gallon': 3600,
  'Dollars per Million BTU': 3100,
  GBP: 850,
  JPY: 160_000,
  KRW: 1_350_000,
  PA: 3100,
  'Per cent per year': 3250,
  Percent: 4100,
  'U.S. Dollars': 3200,
  USD: 1080,
  'cents per kilowatthour': 14_000,
  dollars: 61_000_000_000,
  yen: 150_000,
}

const periodsPerYear = { DAILY: 261, WEEKLY: 52, MONTHLY: 12, QUARTERLY: 4, SEMIANNUAL: 2, ANNUAL: 1 } as const

/**
 * A level that rises by a fortieth per year and varies by a two-hundredth, computed with whole numbers only; `edition`
 * shifts the last digits a little.
 */
function levelAt({ seed, unit, frequency, decimals = 2 }: Outline, at: number, edition: number): string {
  const start = (BigInt(levels[unit] ?? 80_000 + (seed % 40) * 1000) * 10n ** BigInt(decimals)) / 1000n
  const drift = (start * BigInt(at)) / BigInt(40 * periodsPerYear[frequency])
  const waver = BigInt(at * (seed + 3) * 7919) % (start / 200n + 3n)
  const points = (start + drift + waver + BigInt(edition * (1 + ((at + seed) % 5)))).toString()
  if (decimals === 0) return points
  const digits = points.padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** As many illustrative series of a provider as a benchmark wants; codes are a prefix and a number. */
export function illustrateMany(
  provider: ProviderName,
  count: number,
  codeOf: (at: number) => string,
): readonly StandInSeries[] {
  return Array.from({ length: count }, (_, at) =>
    illustrate({
      provider,
      code: codeOf(at),
      name: `Series ${at + 1}`,
      unit: 'Index',
      frequency: 'MONTHLY',
      seed: at + 1,
      lastDay: formatDay(dayIn('2026-12-31')),
    }),
  )
}
