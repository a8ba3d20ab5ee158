// The stand-in's data: series with all their publications, and what they show at a given moment. It knows no provider's
// notation and has no clock: what is served depends only on the instant it is given.

import type { ProviderName } from '../../src/core/series/series.ts'
import { type Instant, parseDayOrInstant } from '../../src/core/time/instant.ts'
import { type Frequency, type Period, parsePeriod } from '../../src/core/time/period.ts'

/** The stage of a publication. A withdrawn period is no longer served. */
export const stages = ['PRELIMINARY', 'FINAL', 'REVISED', 'FORECAST', 'MISSING', 'WITHDRAWN'] as const
export type Stage = (typeof stages)[number]

export interface OpenLog {
  /** In our notation: `2024-03`. */
  readonly period: string
  readonly stage: Stage
  /** The published digits; `null` for MISSING and WITHDRAWN. */
  readonly value: string | null
  readonly publishedAt: Instant
}

export interface StandInSeries {
  readonly provider: ProviderName
  readonly code: string
  readonly name: string
  readonly unit: string
  readonly frequency: Frequency
  readonly publications: readonly OpenLog[]
  /** Fields that only some providers send: `base`, `multiplier`, `topic`, `coordinate`, `iso2` and the like. */
  readonly details: Readonly<Record<string, string>>
}

/** A period as served at a moment. */
export interface Row {
  readonly period: Period
  /** Written in the body instead of the provider's notation of the period. */
  readonly writtenPeriod?: string
  readonly stage: Stage
  readonly value: string | null
  readonly publishedAt: Instant
}

export interface ServedSeries extends Omit<StandInSeries, 'publications'> {
  /** The newest publication of each period, oldest period first. */
  readonly rows: readonly Row[]
  /** All publications so far, for the one provider that serves them: by period, then by publication. */
  readonly vintages: readonly Row[]
}

/** The instant of a text such as `2024-04-10` or `2024-04-10T12:30:00Z`. */
export function instant(text: string): Instant {
  const parsed = parseDayOrInstant(text)
  if (parsed === null) throw new Error(`"${text}" is neither a day nor an instant`)
  return parsed
}

export function publish(
  period: string,
  value: string | null,
  publishedAt: string,
  stage: Stage = value === null ? 'MISSING' : 'FINAL',
): OpenLog {
  if (parsePeriod(period) === null) throw new Error(`"${period}" is not a period`)
  return { period, stage, value, publishedAt: instant(publishedAt) }
}

export function serve(series: StandInSeries, now: Instant): ServedSeries {
  const { publications: entries, ...head } = series
  const vintages = entries
    .filter(each => each.publishedAt <= now)
    .map(({ period, ...rest }): Row => ({ ...rest, period: parsePeriod(period)! }))
    .sort((a, b) => a.period.ordinal - b.period.ordinal || compareInstants(a.publishedAt, b.publishedAt))
  const rows = vintages.filter((row, at) => row.period.ordinal !== vintages[at + 1]?.period.ordinal)
  return { ...head, vintages, rows: rows.filter(row => row.stage !== 'WITHDRAWN') }
}

function compareInstants(a: Instant, b: Instant): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** The newest publication of a series; `null` if nothing has been published yet. */
export function lastPublication(series: ServedSeries): Instant | null {
  return series.vintages.reduce<Instant | null>(
    (last, { publishedAt }) => (last === null || publishedAt > last ? publishedAt : last),
    null,
  )
}

/** Codes are compared ignoring case, as the providers do. The series of a provider are created when it is first asked. */
export class SeriesShelf {
  readonly #source: (provider: ProviderName) => Iterable<StandInSeries>
  readonly #shelves = new Map<ProviderName, Map<string, StandInSeries>>()
  readonly #cuts = new WeakMap<StandInSeries, Cut>()

  constructor(source: (provider: ProviderName) => Iterable<StandInSeries>) {
    this.#source = source
  }

  put(series: StandInSeries): void {
    this.#shelf(series.provider).set(series.code.toLowerCase(), series)
  }

  add(provider: ProviderName, code: string, entries: readonly OpenLog[]): void {
    const held = this.#shelf(provider).get(code.toLowerCase())
    if (held === undefined) throw new Error(`the stand-in has no ${provider}/${code}`)
    this.put({ ...held, publications: [...held.publications, ...entries] })
  }

  /** What a provider serves at a moment; computed once between two publications. */
  serve(provider: ProviderName, now: Instant): readonly ServedSeries[] {
    return this.of(provider).map(series => {
      const held = this.#cuts.get(series)
      if (held !== undefined && held.from <= now && (held.until === null || now < held.until)) return held.served
      const fresh = cut(series, now)
      this.#cuts.set(series, fresh)
      return fresh.served
    })
  }

  of(provider: ProviderName): readonly StandInSeries[] {
    return [...this.#shelf(provider).values()]
  }

  #shelf(provider: ProviderName): Map<string, StandInSeries> {
    const held = this.#shelves.get(provider)
    if (held !== undefined) return held
    const made = new Map([...this.#source(provider)].map(series => [series.code.toLowerCase(), series]))
    this.#shelves.set(provider, made)
    return made
  }
}

/** What a series serves from one publication to the next. */
interface Cut {
  readonly served: ServedSeries
  readonly from: Instant
  /** `null` if nothing follows. */
  readonly until: Instant | null
}

function cut(series: StandInSeries, now: Instant): Cut {
  let from = ''
  let until: Instant | null = null
  for (const { publishedAt } of series.publications) {
    if (publishedAt <= now) from = publishedAt > from ? publishedAt : from
    else if (until === null || publishedAt < until) until = publishedAt
  }
  return { served: serve(series, now), from, until }
}
