// The oracle's calendar: days as whole numbers by way of Date.UTC, and a period as its first and last day. Written from
// docs/FORMULA.md; it shares no code with src/core.

export const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUAL', 'ANNUAL'] as const
export type Frequency = (typeof frequencies)[number]

const dayMs = 86_400_000

/** Days since 1970-01-01; the month may lie outside 1 to 12. */
export function dayNumber(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / dayMs
}

interface DayParts {
  readonly year: number
  readonly month: number
  readonly day: number
}

const known = new Map<number, DayParts>()

/** Cached, because the same few days come again and again. */
export function parts(day: number): DayParts {
  let found = known.get(day)
  if (found === undefined) {
    const date = new Date(day * dayMs)
    found = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
    if (known.size > 50_000) known.clear()
    known.set(day, found)
  }
  return found
}

export function parseDate(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / dayMs
}

export function writeDate(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

export function monthLength(year: number, month: number): number {
  return dayNumber(year, month + 1, 1) - dayNumber(year, month, 1)
}

/** So many months on (or back), on the wanted day of the month, clipped to its length. */
export function moveMonths(from: number, months: number, wantedDay = parts(from).day): number {
  const { year, month } = parts(from)
  const first = dayNumber(year, month + months, 1)
  const there = parts(first)
  return first + Math.min(wantedDay, monthLength(there.year, there.month)) - 1
}

/** The largest number of whole months from one day that does not pass the other. */
export function wholeMonths(from: number, to: number): number {
  let months = 0
  while (moveMonths(from, months + 1) <= to) months++
  return months
}

const monthsOf = { MONTHLY: 1, QUARTERLY: 3, SEMIANNUAL: 6, ANNUAL: 12 } as const

/** The first day of the period that contains a day. */
export function startOf(frequency: Frequency, day: number): number {
  if (frequency === 'DAILY') return day
  if (frequency === 'WEEKLY') return day - ((new Date(day * dayMs).getUTCDay() + 6) % 7)
  const { year, month } = parts(day)
  const length = monthsOf[frequency]
  return dayNumber(year, month - ((month - 1) % length), 1)
}

/** The first day of the period this many further on. */
export function move(frequency: Frequency, start: number, by: number): number {
  if (frequency === 'DAILY') return start + by
  if (frequency === 'WEEKLY') return start + 7 * by
  return moveMonths(start, monthsOf[frequency] * by)
}

export function endOf(frequency: Frequency, start: number): number {
  return move(frequency, start, 1) - 1
}

export function isCoarser(a: Frequency, b: Frequency): boolean {
  return frequencies.indexOf(a) > frequencies.indexOf(b)
}

/** First days of all periods that begin between two days, both counted. */
export function beginningWithin(frequency: Frequency, from: number, to: number): number[] {
  const list: number[] = []
  let start = startOf(frequency, from)
  if (start < from) start = move(frequency, start, 1)
  for (; start <= to; start = move(frequency, start, 1)) list.push(start)
  return list
}

export interface Label {
  readonly frequency: Frequency
  readonly first: number
  readonly last: number
}

export function parseLabel(text: string): Label {
  const label = (frequency: Frequency, first: number) => ({ frequency, first, last: endOf(frequency, first) })
  const year = Number(text.slice(0, 4))
  if (text.length === 4) return label('ANNUAL', dayNumber(year, 1, 1))
  if (text.length === 10) return label('DAILY', parseDate(text))
  const part = text.slice(5)
  const number = Number(part.replace(/\D/g, ''))
  if (part[0] === 'Q') return label('QUARTERLY', dayNumber(year, number * 3 - 2, 1))
  if (part[0] === 'H') return label('SEMIANNUAL', dayNumber(year, number * 6 - 5, 1))
  if (part[0] === 'W') return label('WEEKLY', startOf('WEEKLY', dayNumber(year, 1, 4)) + 7 * (number - 1))
  return label('MONTHLY', dayNumber(year, number, 1))
}

export function writeLabel(frequency: Frequency, start: number): string {
  const { year, month } = parts(start)
  if (frequency === 'DAILY') return writeDate(start)
  if (frequency === 'WEEKLY') {
    const weekYear = parts(start + 3).year
    const week = (start - startOf('WEEKLY', dayNumber(weekYear, 1, 4))) / 7 + 1
    return `${weekYear}-W${String(week).padStart(2, '0')}`
  }
  if (frequency === 'QUARTERLY') return `${year}-Q${Math.ceil(month / 3)}`
  if (frequency === 'SEMIANNUAL') return `${year}-H${Math.ceil(month / 6)}`
  return frequency === 'ANNUAL' ? `${year}` : `${year}-${String(month).padStart(2, '0')}`
}

export type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year'

export interface Span {
  readonly count: number
  readonly unit: Unit
}

const unitMonths = { month: 1, quarter: 3, year: 12 } as const

/** `2 quarters`, `1 month`, `-1 month`, `0`. */
export function parseSpan(text: string | undefined): Span {
  if (text === undefined || text === '0') return { count: 0, unit: 'day' }
  const [count, unit] = text.split(' ') as [string, string]
  return { count: Number(count), unit: unit.replace(/s$/, '') as Unit }
}

export function goBack(day: number, { count, unit }: Span): number {
  if (unit === 'day') return day - count
  if (unit === 'week') return day - 7 * count
  return moveMonths(day, -count * unitMonths[unit])
}

const unitFrequency = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', quarter: 'QUARTERLY', year: 'ANNUAL' } as const

/** A stretch of days of which a window wants something. */
export interface Stretch {
  readonly first: number
  readonly last: number
}

/** What a window is made of: named periods, or what there is in stretches of days, or the newest observations. */
export type Window =
  | { readonly kind: 'periods'; readonly starts: readonly number[] }
  | { readonly kind: 'stretches'; readonly stretches: readonly Stretch[]; readonly least: number }
  | { readonly kind: 'newest'; readonly count: number; readonly least: number; readonly upTo: number }

export type WindowText =
  | string
  | { readonly last: number; readonly least?: number }
  | { readonly from: number; readonly to: number; readonly least?: number }
  | undefined

/** The averaging window that ends with the period that begins at `start`, where `day` is the lagged day. */
export function windowOf(frequency: Frequency, text: WindowText, start: number, day: number): Window {
  if (text === undefined) return { kind: 'periods', starts: [start] }
  if (typeof text !== 'string') {
    if ('last' in text) return { kind: 'newest', count: text.last, least: text.least ?? 1, upTo: start }
    const { year, month } = parts(day)
    const onDay = (months: number, wanted: number) => moveMonths(dayNumber(year, month, 1), months, wanted)
    const stretch = { first: onDay(text.from <= text.to ? 0 : -1, text.from), last: onDay(0, text.to) }
    return { kind: 'stretches', stretches: [stretch], least: text.least ?? 1 }
  }
  const { count, unit } = parseSpan(text)
  if (isCoarser(unitFrequency[unit], frequency)) {
    const unitStart = startOf(unitFrequency[unit], day)
    const units = Array.from({ length: count }, (_, i) => move(unitFrequency[unit], unitStart, i + 1 - count))
    const stretches = units.map(first => ({ first, last: endOf(unitFrequency[unit], first) }))
    if (takesWhatThereIs(frequency)) return { kind: 'stretches', stretches, least: 1 }
    return { kind: 'periods', starts: beginningWithin(frequency, stretches[0]!.first, stretches.at(-1)!.last) }
  }
  const periods = periodsIn(count, unit, frequency)
  return { kind: 'periods', starts: Array.from({ length: periods }, (_, i) => move(frequency, start, i + 1 - periods)) }
}

export function takesWhatThereIs(frequency: Frequency): boolean {
  return frequency === 'DAILY' || frequency === 'WEEKLY'
}

function periodsIn(count: number, unit: Unit, frequency: Frequency): number {
  if (unitFrequency[unit] === frequency) return count
  if (frequency === 'WEEKLY') return count / 7
  return (count * unitMonths[unit as keyof typeof unitMonths]) / monthsOf[frequency as keyof typeof monthsOf]
}
