// The rule of learned dates: the usual number of days from the end of a period to its figure. Whole days only; a share of
// publications is decided on whole numbers.
import { type Day, weekdayOf } from '../time/day.ts'
import { type Frequency, lastDayOf, monthsIn, periodsPerYear } from '../time/period.ts'
import type { FirstPrint } from './publications.ts'

/** The day on which a figure is expected, and the last usual day. */
export interface UsualDays {
  readonly expected: Day
  readonly latest: Day
  /** The number of publications behind them. */
  readonly known: number
}

const newestPeriods = 36
const leastKnown = 8
const leastOfTheSameMonth = 3
/** A month has days of its own if its middle delay differs from that of all by more than this. */
const sameWithinDays = 3

/** Usual days; null where fewer than eight publications are known. `published` is ascending by period. */
export function learnedDays(frequency: Frequency, ordinal: number, published: readonly FirstPrint[]): UsualDays | null {
  const end = (of: number) => lastDayOf({ frequency, ordinal: of })
  const recent = published.slice(-newestPeriods)
  if (recent.length < leastKnown) return null
  const delayOf = (publication: FirstPrint) => publication.day - end(publication.ordinal)
  if (monthsIn(frequency) === null) {
    const byWeekday = daysByWeekday(recent, end, ordinal)
    if (byWeekday !== null) return byWeekday
    const delays = recent.map(delayOf)
    const [expected, latest] = [middleOf(delays), ninetiethOf(delays)].map(delay => toWorkday(end(ordinal) + delay))
    return { expected: expected!, latest: latest!, known: recent.length }
  }
  const same = ofTheSameMonth(frequency, ordinal, recent)?.map(delayOf) ?? null
  const sample = sampleFor(recent.map(delayOf), same)
  const isUsed = usedWeekdays(recent)
  const expected = nearest(end(ordinal) + middleOf(sample), isUsed)
  const latest = next(end(ordinal) + latestOf(sample, same), isUsed)
  return { expected, latest: Math.max(expected, latest), known: sample.length }
}

/**
 * The delay from the first publication of a period to its final figure, in days; the day of the final one where the first is
 * known.
 */
export function learnedFinal(
  frequency: Frequency,
  ordinal: number,
  first: { readonly expected: Day; readonly latest: Day },
  published: readonly FirstPrint[],
): UsualDays | null {
  const recent = published.filter(({ finalDay }) => finalDay !== null).slice(-newestPeriods)
  if (recent.length < leastKnown) return null
  const delayOf = ({ day, finalDay }: FirstPrint) => finalDay! - day
  const same = ofTheSameMonth(frequency, ordinal, recent)?.map(delayOf) ?? null
  const sample = sampleFor(recent.map(delayOf), same)
  const [middle, ninetieth] = [middleOf(sample), latestOf(sample, same)]
  // A figure that is final when it comes needs no other day.
  if (ninetieth === 0) return { ...first, known: sample.length }
  return {
    expected: toWorkday(first.expected + middle),
    latest: toWorkday(first.latest + ninetieth),
    known: sample.length,
  }
}

/** Delays of that month or quarter in other years, where three are known. */
function ofTheSameMonth(
  frequency: Frequency,
  ordinal: number,
  recent: readonly FirstPrint[],
): readonly FirstPrint[] | null {
  const perYear = periodsPerYear(frequency)
  if (perYear === null) return null
  const same = recent.filter(publication => (publication.ordinal - ordinal) % perYear === 0)
  return same.length < leastOfTheSameMonth ? null : same
}

/** The delays of the month or quarter where it has days of its own; else all delays. */
function sampleFor(delays: readonly number[], same: readonly number[] | null): readonly number[] {
  if (same === null) return delays
  return Math.abs(middleOf(same) - middleOf(delays)) > sameWithinDays ? same : delays
}

/**
 * The delay that nine of ten keep; where other months come much later, a week after the latest of that month is late enough.
 */
function latestOf(sample: readonly number[], same: readonly number[] | null): number {
  const latest = ninetiethOf(sample)
  return same === null ? latest : Math.min(latest, Math.max(...same) + 7)
}

/** Offices publish on days of the week of their own: working days with at least one in ten publications. */
function usedWeekdays(recent: readonly FirstPrint[]): (day: Day) => boolean {
  const counts = countsByWeekday(recent)
  const isUsed = counts.map((count, weekday) => weekday < 5 && count * 10 >= recent.length)
  // Working days are all in use where all figures came at weekends, as figures that are looked for then do.
  const isAny = !isUsed.includes(true)
  return day => (isAny ? weekdayOf(day) < 5 : isUsed[weekdayOf(day)]!)
}

function countsByWeekday(recent: readonly FirstPrint[]): readonly number[] {
  const counts = new Array<number>(7).fill(0)
  for (const { day } of recent) counts[weekdayOf(day)]! += 1
  return counts
}

/** The nearest day in use; of two, the later one. */
function nearest(day: Day, isUsed: (day: Day) => boolean): Day {
  return [0, 1, -1, 2, -2, 3, -3].map(offset => day + offset).find(isUsed)!
}

function next(day: Day, isUsed: (day: Day) => boolean): Day {
  return [0, 1, 2, 3, 4, 5, 6].map(offset => day + offset).find(isUsed)!
}

/**
 * Usual days where at least 80 % fall on one day of the week: the first such day not before the delay of nine in ten. Null
 * where they fall on several.
 */
function daysByWeekday(
  recent: readonly FirstPrint[],
  end: (ordinal: number) => Day,
  ordinal: number,
): UsualDays | null {
  const counts = countsByWeekday(recent)
  const most = Math.max(...counts)
  if (most * 5 < recent.length * 4) return null
  const weekday = counts.indexOf(most)
  const delayOf = (publication: FirstPrint) => publication.day - end(publication.ordinal)
  const onIt = recent.filter(({ day }) => weekdayOf(day) === weekday)
  const earliest = end(ordinal) + tenthOf(onIt.map(delayOf))
  const expected = earliest + ((weekday - weekdayOf(earliest) + 7) % 7)
  const latest = end(ordinal) + ninetiethOf(recent.map(delayOf))
  return { expected, latest: Math.max(expected, latest), known: recent.length }
}

/** Saturday and Sunday become Monday. */
function toWorkday(day: Day): Day {
  const weekday = weekdayOf(day)
  return weekday < 5 ? day : day + 7 - weekday
}

/** The middle delay; the lower of two where the count is even. */
function middleOf(delays: readonly number[]): number {
  return ranked(delays, Math.ceil(delays.length / 2))
}

function ninetiethOf(delays: readonly number[]): number {
  return ranked(delays, Math.ceil((delays.length * 9) / 10))
}

function tenthOf(delays: readonly number[]): number {
  return ranked(delays, Math.ceil(delays.length / 10))
}

/** The smallest is the first. */
function ranked(delays: readonly number[], rank: number): number {
  return delays.toSorted((a, b) => a - b)[rank - 1]!
}
