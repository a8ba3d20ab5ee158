// A period: the day, ISO week, month, quarter, half-year or year that a value describes. It is a frequency and an ordinal, so
// that shifting is adding and order is comparing.
import { civilOf, type Day, dayOf, daysInMonth, formatDay, pad, parseDay } from './day.ts'

export const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUAL', 'ANNUAL'] as const
export type Frequency = (typeof frequencies)[number]

export interface Period {
  readonly frequency: Frequency
  /** Days or weeks since 1970, or months, quarters, half-years, years since year 0. */
  readonly ordinal: number
}

const monthsPerPeriod = { MONTHLY: 1, QUARTERLY: 3, SEMIANNUAL: 6, ANNUAL: 12 } as const

/** The months in one period; `null` for days and weeks. */
export function monthsIn(frequency: Frequency): number | null {
  return frequency === 'DAILY' || frequency === 'WEEKLY' ? null : monthsPerPeriod[frequency]
}

/** Coarser frequencies have higher ranks. */
export function rankOf(frequency: Frequency): number {
  return frequencies.indexOf(frequency)
}

export function periodOf(frequency: Frequency, ordinal: number): Period {
  return { frequency, ordinal }
}

/** The running number of the period that holds a day. */
export function ordinalAt(frequency: Frequency, day: Day): number {
  if (frequency === 'DAILY') return day
  // Weeks are counted by their Mondays; 1969-12-29 is the Monday of week 0.
  if (frequency === 'WEEKLY') return Math.floor((day + 3) / 7)
  const { year, month } = civilOf(day)
  return Math.floor((year * 12 + month - 1) / monthsPerPeriod[frequency])
}

export function periodAt(frequency: Frequency, day: Day): Period {
  return { frequency, ordinal: ordinalAt(frequency, day) }
}

export function firstDayOf({ frequency, ordinal }: Period): Day {
  if (frequency === 'DAILY') return ordinal
  if (frequency === 'WEEKLY') return ordinal * 7 - 3
  const months = ordinal * monthsPerPeriod[frequency]
  const year = Math.floor(months / 12)
  return dayOf(year, months - year * 12 + 1, 1)
}

export function lastDayOf(period: Period): Day {
  return firstDayOf(shift(period, 1)) - 1
}

export function shift(period: Period, by: number): Period {
  return { frequency: period.frequency, ordinal: period.ordinal + by }
}

/** The periods in a year, where that is a whole number. */
export function periodsPerYear(frequency: Frequency): number | null {
  const months = monthsIn(frequency)
  return months === null ? null : 12 / months
}

/** The period one year earlier: the same month, quarter or half-year; the same day, clipped; 52 weeks. */
export function yearBefore(period: Period): Period {
  const perYear = periodsPerYear(period.frequency)
  if (perYear !== null) return shift(period, -perYear)
  if (period.frequency === 'WEEKLY') return shift(period, -52)
  const { year, month, day } = civilOf(period.ordinal)
  return periodOf('DAILY', dayOf(year - 1, month, Math.min(day, daysInMonth(year - 1, month))))
}

/** The running numbers of the periods of `frequency` that begin inside the span of days. */
export function ordinalsWithin(frequency: Frequency, from: Day, to: Day): { first: number; last: number } {
  const holding = ordinalAt(frequency, from)
  const first = firstDayOf({ frequency, ordinal: holding }) < from ? holding + 1 : holding
  return { first, last: ordinalAt(frequency, to) }
}

const yearPattern = /^(\d{4})$/
const partPattern = /^(\d{4})-(Q[1-4]|H[12]|W\d{2}|\d{2})$/

/** Reads `2024-03`, `2024-Q1`, `2024-H1`, `2024`, `2024-03-15` and `2024-W05`; `null` for anything else. */
export function parsePeriod(text: string): Period | null {
  const year = yearPattern.exec(text)
  if (year) return text === '0000' ? null : { frequency: 'ANNUAL', ordinal: Number.parseInt(text, 10) }
  const match = partPattern.exec(text)
  if (!match) {
    const day = parseDay(text)
    return day === null ? null : { frequency: 'DAILY', ordinal: day }
  }
  return readPart(Number.parseInt(match[1]!, 10), match[2]!)
}

function readPart(year: number, part: string): Period | null {
  if (year < 1) return null
  const number = Number.parseInt(part.replace(/^[QHW]/, ''), 10)
  if (part[0] === 'Q') return { frequency: 'QUARTERLY', ordinal: year * 4 + number - 1 }
  if (part[0] === 'H') return { frequency: 'SEMIANNUAL', ordinal: year * 2 + number - 1 }
  if (part[0] === 'W') return weekOf(year, number)
  return number >= 1 && number <= 12 ? { frequency: 'MONTHLY', ordinal: year * 12 + number - 1 } : null
}

/** ISO week 1 is the week that holds 4 January. */
function firstWeekOrdinal(year: number): number {
  return ordinalAt('WEEKLY', dayOf(year, 1, 4))
}

function weekOf(year: number, week: number): Period | null {
  const ordinal = firstWeekOrdinal(year) + week - 1
  return week >= 1 && ordinal < firstWeekOrdinal(year + 1) ? { frequency: 'WEEKLY', ordinal } : null
}

export function formatPeriod(period: Period): string {
  const { frequency, ordinal } = period
  if (frequency === 'DAILY') return formatDay(ordinal)
  if (frequency === 'WEEKLY') {
    // The year of an ISO week is the year of its Thursday.
    const { year } = civilOf(firstDayOf(period) + 3)
    return `${pad(year, 4)}-W${pad(ordinal - firstWeekOrdinal(year) + 1, 2)}`
  }
  const { year, month } = civilOf(firstDayOf(period))
  if (frequency === 'MONTHLY') return `${pad(year, 4)}-${pad(month, 2)}`
  if (frequency === 'QUARTERLY') return `${pad(year, 4)}-Q${(month - 1) / 3 + 1}`
  if (frequency === 'SEMIANNUAL') return `${pad(year, 4)}-H${(month - 1) / 6 + 1}`
  return pad(year, 4)
}

/** `a month`, `a quarter`: for sentences. */
export const periodNouns: Readonly<Record<Frequency, string>> = {
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  QUARTERLY: 'quarter',
  SEMIANNUAL: 'half-year',
  ANNUAL: 'year',
}

/** The index of the first number that is not below the wanted one. */
export function firstAtLeast(ordinals: ArrayLike<number>, wanted: number): number {
  let low = 0
  let high = ordinals.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ordinals[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}
