// The short notation of the demo's figures: lists of numbers as a statistician would jot them down, turned into vintages
// with their days of publication. It refuses what it cannot read, because a slip in a table would be a wrong price.
import assert from 'node:assert/strict'
import type { DataType, VersionTag } from '../core/series/series.ts'
import { type Day, parseDay } from '../core/time/day.ts'
import { type Instant, startOfDay } from '../core/time/instant.ts'
import { type Frequency, lastDayOf, type Period, parsePeriod, shift } from '../core/time/period.ts'

interface DemoVintage {
  readonly period: Period
  /** `null`: the provider withdrew the figure. */
  readonly value: string | null
  /** `null`: as its history says, FINAL or REVISED. */
  readonly tag: VersionTag | null
  readonly flag: string | null
  readonly publishedAt: Instant
}

export interface DemoSeries {
  /** `PROVIDER/code`. */
  readonly reference: string
  readonly name: string
  readonly unit: string
  readonly dataType: DataType
  readonly frequency: Frequency
  readonly description: string
  readonly vintages: readonly DemoVintage[]
}

/** Figures of one period after the other; `.` for none. Each is published on the day that `publishedOn` gives. */
export function consecutive(
  first: string,
  figures: string,
  publishedOn: (period: Period, place: number) => Day,
): readonly DemoVintage[] {
  const start = periodIn(first)
  return words(figures).flatMap((figure, place) => {
    const period = shift(start, place)
    return figure === '.' ? [] : [vintage(period, figure, publishedOn(period, place))]
  })
}

/** Lines of a period and its publications, each a day and a figure. */
export function histories(text: string): readonly DemoVintage[] {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  return lines.flatMap(line => {
    const [period = '', ...cells] = words(line)
    assert(cells.length % 2 === 0, `a day without its figure: ${line}`)
    return cells.flatMap((cell, at) => (at % 2 === 0 ? [vintage(periodIn(period), cells[at + 1]!, dayIn(cell))] : []))
  })
}

/** Pairs of a day and its figure, published on that day. */
export function daily(text: string): readonly DemoVintage[] {
  const cells = words(text)
  return cells.flatMap((cell, at) => (at % 2 === 0 ? [vintage(periodIn(cell), cells[at + 1]!, dayIn(cell))] : []))
}

/** A fixed number of days after the period's end, where the real day is not known. */
export function daysLater(days: number): (period: Period) => Day {
  return period => lastDayOf(period) + days
}

/** The days of a release calendar, one for each place in a list. */
export function calendar(days: string): (period: Period, place: number) => Day {
  const known = words(days).map(day => (day === '.' ? null : dayIn(day)))
  return (_, place) => {
    const day = known[place]
    assert(day != null, `the calendar has no day for place ${place}`)
    return day
  }
}

/** A letter after a figure is the provider's mark for a preliminary one; `-` withdraws the figure. */
const figurePattern = /^(\d+(?:\.\d+)?)([A-Za-z]?)$/

function vintage(period: Period, figure: string, day: Day): DemoVintage {
  const publishedAt = startOfDay(day)
  if (figure === '-') return { period, value: null, tag: null, flag: null, publishedAt }
  const [, value, mark] = figurePattern.exec(figure) ?? []
  assert(value !== undefined, `not a figure: ${figure}`)
  return { period, value, tag: mark === '' ? null : 'PRELIMINARY', flag: mark === '' ? null : mark!, publishedAt }
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

function periodIn(text: string): Period {
  const period = parsePeriod(text)
  assert(period !== null, `not a period: ${text}`)
  return period
}

function dayIn(text: string): Day {
  const day = parseDay(text)
  assert(day !== null, `not a day: ${text}`)
  return day
}
