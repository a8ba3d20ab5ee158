// The window of a reading: its observations, whether they are complete, and how they become one figure. It knows no policies:
// the series decides about missing values.

import type { BoundWindow } from '../formula/bind.ts'
import type { Using } from '../formula/formula.ts'
import {
  add,
  divide,
  greatest,
  hundred,
  least,
  multiply,
  ofInteger,
  one,
  type Ratio,
  subtract,
  sum,
} from '../numbers/ratio.ts'
import { type WorkBudget, workOf } from '../numbers/work-budget.ts'
import type { ValuedVintage } from '../series/vintage.ts'
import { addMonths, civilOf, type Day, dayOf, daysInMonth, firstYear, formatDay } from '../time/day.ts'
import {
  type Frequency,
  firstDayOf,
  formatPeriod,
  lastDayOf,
  ordinalAt,
  ordinalsWithin,
  type Period,
  periodNouns,
  shift,
} from '../time/period.ts'
import type { FigureGap } from './gap.ts'

/** An observation that went into a reading. */
export interface UsedObservation {
  readonly series: string
  readonly period: Period
  readonly vintage: ValuedVintage
}

export interface TakenReading {
  readonly value: Ratio
  readonly used: readonly UsedObservation[]
  /** Whether a missing value was estimated or substituted: then the data version is PRELIMINARY. */
  readonly substituted: boolean
}

/** A series as a window needs it: its periods, their values, and what counts if a value is missing. */
export interface Windowed {
  /** The frequency in which it is read. */
  readonly frequency: Frequency
  /** The day that stands for a week; 0 for Monday. */
  readonly weekday: number
  readonly using: Using
  readonly work: WorkBudget
  /** The running numbers for which a value is stored, ascending. */
  readonly held: (first: number, last: number) => readonly number[]
  readonly isKnown: (ordinal: number) => boolean
  /** The observation of a period, or its substitute. */
  readonly read: (ordinal: number) => TakenReading
  /** The reading that replaces a window which ends with a period and lacks a value. */
  readonly instead: (last: number, lack: Lack) => TakenReading
}

/** The gap in a window; the series adds its name. */
export interface Lack {
  readonly kind: FigureGap['kind']
  readonly period: string
  /** Words such as `has no value for 2024-05`. */
  readonly words: string
}

/** The end of a window. */
interface WindowEnd {
  /** The period that holds the day, or that was picked. */
  readonly ordinal: number
  readonly day: Day
  /** Whether the period was picked as the newest published: then nothing after it was there yet. */
  readonly isPicked: boolean
  /** The day of the cut or of the clock; null where there is neither. */
  readonly today: Day | null
}

export function readWindow(series: Windowed, window: BoundWindow, end: WindowEnd): TakenReading {
  if (window.kind === 'periods') return readPeriods(series, end.ordinal - window.count + 1, end.ordinal)
  if (window.kind === 'last') return readNewest(series, window.count, window.least, end.ordinal)
  const units = window.kind === 'days' ? [monthDays(window, end.day)] : calendarUnits(window, end.day)
  return readUnits(series, units, window.kind === 'days' ? window.least : 1, end)
}

/** The periods of a label, or the periods within its units where the series is finer. */
export function readLabel(series: Windowed, from: Period, to: Period, today: Day | null): TakenReading {
  const last = lastDayOf(to)
  if (from.frequency === series.frequency || !isSparse(series.frequency)) {
    const { first, last: end } = standingWithin(series, firstDayOf(from), last)
    // A series coarser than the label gives the period that holds the label's end.
    return first > end ? series.read(ordinalAt(series.frequency, last)) : readPeriods(series, first, end)
  }
  const units = Array.from({ length: to.ordinal - from.ordinal + 1 }, (_, i) => unitOf(shift(from, i)))
  return readUnits(series, units, 1, { ordinal: ordinalAt(series.frequency, last), day: last, isPicked: false, today })
}

/** Days and weeks have holidays: a window over them takes the observations that exist. */
export function isSparse(frequency: Frequency): boolean {
  return frequency === 'DAILY' || frequency === 'WEEKLY'
}

/** The day by which a period belongs to a month, a quarter or a year. */
export function standingDay({ frequency, weekday }: Pick<Windowed, 'frequency' | 'weekday'>, ordinal: number): Day {
  return firstDayOf({ frequency, ordinal }) + (frequency === 'WEEKLY' ? weekday : 0)
}

function standingWithin(
  { frequency, weekday }: Pick<Windowed, 'frequency' | 'weekday'>,
  from: Day,
  to: Day,
): { first: number; last: number } {
  const moved = frequency === 'WEEKLY' ? weekday : 0
  return ordinalsWithin(frequency, from - moved, to - moved)
}

function readPeriods(series: Windowed, first: number, last: number): TakenReading {
  if (first === last) return series.read(first)
  const readings: TakenReading[] = []
  for (let ordinal = first; ordinal <= last; ordinal++) readings.push(series.read(ordinal))
  return joined(series, readings)
}

function readNewest(series: Windowed, count: number, fewest: number, last: number): TakenReading {
  const found: number[] = []
  const held = series.held(-Infinity, last)
  for (let i = held.length - 1; i >= 0 && found.length < count; i--)
    if (series.isKnown(held[i]!)) found.unshift(held[i]!)
  if (found.length < fewest) return series.instead(last, tooFew(found.length, fewest, 'up to', labelOf(series, last)))
  return joined(
    series,
    found.map(ordinal => series.read(ordinal)),
  )
}

/**
 * Ordinals of the periods of a window, without looking at any of them. A window that takes the existing values needs its last
 * period alone: the others were due before it.
 */
export function periodsOfWindow(
  series: Pick<Windowed, 'frequency' | 'weekday'>,
  window: BoundWindow,
  day: Day,
): { readonly first: number; readonly last: number } {
  const end = ordinalAt(series.frequency, day)
  if (window.kind === 'periods') return { first: end - window.count + 1, last: end }
  if (window.kind === 'last') return { first: end, last: end }
  const units = window.kind === 'days' ? [monthDays(window, day)] : calendarUnits(window, day)
  return spanOf(series, units[0]!.from, units.at(-1)!.to)
}

export function periodsOfLabel(
  series: Pick<Windowed, 'frequency' | 'weekday'>,
  from: Period,
  to: Period,
): { readonly first: number; readonly last: number } {
  const { first, last } = spanOf(series, firstDayOf(from), lastDayOf(to))
  const holding = ordinalAt(series.frequency, lastDayOf(to))
  return first > last ? { first: holding, last: holding } : { first, last }
}

function spanOf(series: Pick<Windowed, 'frequency' | 'weekday'>, from: Day, to: Day) {
  const { first, last } = standingWithin(series, from, to)
  return isSparse(series.frequency) ? { first: last, last } : { first, last }
}

interface Unit {
  readonly from: Day
  readonly to: Day
  readonly label: string
  readonly noun: string
}

function unitOf(period: Period): Unit {
  return {
    from: firstDayOf(period),
    to: lastDayOf(period),
    label: formatLabel(period),
    noun: periodNouns[period.frequency],
  }
}

function calendarUnits({ frequency, count }: Extract<BoundWindow, { kind: 'calendar' }>, day: Day): Unit[] {
  const last: Period = { frequency, ordinal: ordinalAt(frequency, day) }
  return Array.from({ length: count }, (_, i) => unitOf(shift(last, i + 1 - count)))
}

/** The days from a day of the month before, or of that month, to a day of the month that holds the lagged day. */
function monthDays({ from, to }: Extract<BoundWindow, { kind: 'days' }>, day: Day): Unit {
  const { year, month } = civilOf(day)
  const end = clipped(year, month, to)
  const before = civilOf(addMonths(dayOf(year, month, 1), from <= to ? 0 : -1))
  const start = clipped(before.year, before.month, from)
  return { from: start, to: end, label: `${formatDay(start)} to ${formatDay(end)}`, noun: 'window' }
}

function clipped(year: number, month: number, day: number): Day {
  return dayOf(year, month, Math.min(day, daysInMonth(year, month)))
}

function readUnits(series: Windowed, units: readonly Unit[], fewest: number, end: WindowEnd): TakenReading {
  series.work.spend(workOf.part * units.length)
  const lastUnit = units.at(-1)!
  const range = standingWithin(series, units[0]!.from, lastUnit.to)
  // The window ends with the period that was picked: later ones were not published by then.
  const last = end.isPicked ? Math.min(range.last, end.ordinal) : range.last
  if (!isSparse(series.frequency)) return readPeriods(series, range.first, last)
  const found: number[] = []
  for (const unit of units) {
    const within = standingWithin(series, unit.from, unit.to)
    const known = series.held(within.first, Math.min(within.last, last)).filter(series.isKnown)
    if (known.length === 0) return series.instead(last, noValue(unit.label))
    found.push(...known)
  }
  if (found.length < fewest) return series.instead(last, tooFew(found.length, fewest, 'for', lastUnit.label))
  if (!end.isPicked && !isOver(series, lastUnit.to, last, end.today))
    return series.instead(last, { ...noValue(lastUnit.label, `: the ${lastUnit.noun} is not over`), kind: 'window' })
  return joined(
    series,
    found.map(ordinal => series.read(ordinal)),
  )
}

/**
 * Whether the cut or the clock is past the day, or a value of a later period is known. Without a clock every window counts as
 * over.
 */
function isOver(series: Windowed, day: Day, last: number, today: Day | null): boolean {
  if (today === null || today > day) return true
  return series.held(last + 1, Infinity).some(series.isKnown)
}

export function noValue(period: string, more = ''): Lack {
  return { kind: 'value', period, words: `has no value for ${period}${more}` }
}

function tooFew(count: number, fewest: number, where: 'for' | 'up to', period: string): Lack {
  const words = `has ${count === 1 ? '1 value' : `${count} values`} ${where} ${period}, of ${fewest} at least`
  return { kind: 'window', period, words }
}

function labelOf({ frequency }: Windowed, ordinal: number): string {
  return formatLabel({ frequency, ordinal })
}

const beginning = dayOf(firstYear, 1, 1)

/** A long lag or window may lead outside the calendar. */
export function formatLabel(period: Period): string {
  return firstDayOf(period) < beginning ? 'before the year 1' : formatPeriod(period)
}

function joined({ using, work }: Windowed, readings: readonly TakenReading[]): TakenReading {
  const values = readings.map(reading => reading.value)
  return combine(readings, join(values, using, work))
}

export function combine(readings: readonly TakenReading[], value: Ratio): TakenReading {
  return {
    value,
    used: readings.flatMap(reading => reading.used),
    substituted: readings.some(reading => reading.substituted),
  }
}

function join(values: readonly Ratio[], using: Using, work: WorkBudget): Ratio {
  if (using === 'MEAN')
    return values.length === 1 ? values[0]! : divide(sum(values, work), ofInteger(values.length), work)
  if (using === 'SUM') return sum(values, work)
  if (using === 'FIRST') return values[0]!
  if (using === 'LAST') return values.at(-1)!
  if (using === 'MIN') return values.reduce((a, b) => least(a, b, work))
  if (using === 'MAX') return values.reduce((a, b) => greatest(a, b, work))
  const growth = values.reduce((product, rate) => multiply(product, add(one, divide(rate, hundred)), work), one)
  return multiply(subtract(growth, one, work), hundred, work)
}
