// The series behind the value of a period, and its relation to the periods in which it is read.
import type { BoundInput } from '../formula/bind.ts'
import type { SeriesHistory } from '../series/series.ts'
import { firstAtLeast, firstDayOf, lastDayOf, monthsIn } from '../time/period.ts'
import { standingDay } from './reading-window.ts'

/** The number of read periods that make one period of the series. */
export function readPerPeriod({ series, frequency }: BoundInput): number {
  return series.frequency === frequency ? 1 : monthsIn(series.frequency)! / monthsIn(frequency)!
}

export interface PeriodSource {
  readonly series: SeriesHistory
  readonly link: BoundInput['links'][number]['link'] | null
}

/** The series that a period comes from, and the factor for its values. */
export function sourceOf({ series, links, weekday }: BoundInput, ordinal: number): PeriodSource {
  if (links.length === 0) return { series, link: null }
  const day = standingDay({ frequency: series.frequency, weekday }, ordinal)
  let found: BoundInput['links'][number] | null = null
  for (const candidate of links) {
    const { from, until } = candidate.link
    if (until !== null && day > lastDayOf(until)) continue
    if (from !== null && day < firstDayOf(from)) continue
    if (found === null || isNarrower(candidate.link, found.link)) found = candidate
  }
  return found === null ? { series, link: null } : found
}

function isNarrower(a: BoundInput['links'][number]['link'], b: BoundInput['links'][number]['link']): boolean {
  if (a.until !== null && b.until !== null) return lastDayOf(a.until) < lastDayOf(b.until)
  if (a.from !== null && b.from !== null) return firstDayOf(a.from) > firstDayOf(b.from)
  return false
}

/** The reading of the newest earlier period that gives one. */
export function newestBefore<T>(
  history: SeriesHistory,
  ordinal: number,
  read: (candidate: number) => T | null,
): T | null {
  for (let i = firstAtLeast(history.ordinals, ordinal) - 1; i >= 0; i--) {
    const found = read(history.ordinals[i]!)
    if (found !== null) return found
  }
  return null
}
