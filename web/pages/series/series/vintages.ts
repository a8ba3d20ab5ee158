// A series with all its vintages as columns that can be cut at any day within a frame. The vintage at a cut is chosen the way the
// API's `asOf` does. Values stay strings; the floats beside them are only positions on the screen.

import { isSameValue } from '../../../../src/core/series/vintage.ts'
import { type Day, parseDay } from '../../../../src/core/time/day.ts'
import { endOfDay, microsOf, parseInstant } from '../../../../src/core/time/instant.ts'
import {
  type Frequency,
  firstAtLeast,
  firstDayOf,
  ordinalsWithin,
  parsePeriod,
  periodOf,
  yearBefore,
} from '../../../../src/core/time/period.ts'
import type { VersionTag, VintageColumns } from '../../../../src/views/shapes/series.ts'

export interface History {
  readonly frequency: Frequency
  /** The period labels, in order. */
  readonly labels: readonly string[]
  /** Ordinals of the periods. */
  readonly ordinals: Int32Array
  /** The first day of each period. */
  readonly firstDays: Int32Array
  /** The index of the first row of each period, with one extra entry at the end. */
  readonly begins: Int32Array
  readonly value: readonly (string | null)[]
  readonly tag: readonly (VersionTag | null)[]
  readonly publishedAt: readonly string[]
  readonly recordedAt: readonly string[]
  readonly flag: readonly (string | null)[]
  /** Publication of each row, in microseconds. */
  readonly published: Float64Array
  /** Value of each row for the screen, NaN for a withdrawal. */
  readonly heights: Float64Array
  /** The index of the period a year before, -1 if there is none. */
  readonly yearAgo: Int32Array
  /** The days on which something was published, in order. */
  readonly days: readonly PublicationDay[]
  /** The number of those days on which something was revised. */
  readonly revisionDays: number
}

export interface PublicationDay {
  readonly day: Day
  /** Whether a period that already had a vintage got another one. */
  readonly isRevision: boolean
}

/** Instants at which a row was published, and recorded here. */
export function publicationOf({ publishedAt, recordedAt }: History, row: number) {
  return { publishedAt: publishedAt[row]!, recordedAt: recordedAt[row]! }
}

/** The newest published row of each period, -1 if there is none. The row may be a withdrawal, which has no value. */
export type Cut = Int32Array

/** Moment of a view: a day counts until its end in UTC. */
export interface AsOf {
  /** Text in the address and in a request to the API. */
  readonly text: string
  readonly day: Day
  readonly micros: number
}

export function readAsOf(text: string | undefined): AsOf | null {
  if (text === undefined) return null
  const day = parseDay(text)
  if (day !== null) return { text, day, micros: microsOf(endOfDay(day)) }
  const instant = parseInstant(text)
  return instant === null ? null : { text, day: parseDay(instant.slice(0, 10))!, micros: microsOf(instant) }
}

export function readHistory(columns: VintageColumns, frequency: Frequency): History {
  const { periods, period, value, tag, publishedAt, recordedAt, flag } = columns
  const ordinals = Int32Array.from(periods, label => parsePeriod(label)!.ordinal)
  const begins = new Int32Array(periods.length + 1)
  for (const at of period) begins[at + 1]!++
  for (let i = 0; i < periods.length; i++) begins[i + 1]! += begins[i]!
  const published = publishedMicros(publishedAt)
  const days = publicationDays(begins, publishedAt)
  return {
    frequency,
    labels: periods,
    ordinals,
    firstDays: ordinals.map(ordinal => firstDayOf({ frequency, ordinal })),
    begins,
    value,
    tag,
    publishedAt,
    recordedAt,
    flag,
    published,
    heights: Float64Array.from(value, text => (text === null ? Number.NaN : Number.parseFloat(text))),
    yearAgo: yearAgoPlaces(ordinals, frequency),
    days,
    revisionDays: days.filter(({ isRevision }) => isRevision).length,
  }
}

/** Many rows share one instant: each instant is converted once. */
function publishedMicros(instants: readonly string[]): Float64Array {
  const known = new Map<string, number>()
  return Float64Array.from(instants, instant => {
    const held = known.get(instant)
    if (held !== undefined) return held
    const micros = microsOf(instant)
    known.set(instant, micros)
    return micros
  })
}

/** If there is no value exactly a year before a day, the last one in the week before counts: markets close on different days. */
const daysBack = 6

function yearAgoPlaces(ordinals: Int32Array, frequency: Frequency): Int32Array {
  const back = frequency === 'DAILY' ? daysBack : 0
  return ordinals.map(ordinal => {
    const wanted = yearBefore(periodOf(frequency, ordinal)).ordinal
    const place = firstAtLeast(ordinals, wanted + 1) - 1
    return place >= 0 && ordinals[place]! >= wanted - back ? place : -1
  })
}

function publicationDays(begins: Int32Array, publishedAt: readonly string[]): PublicationDay[] {
  const revised = new Map<string, boolean>()
  for (let i = 0; i + 1 < begins.length; i++)
    for (let row = begins[i]!; row < begins[i + 1]!; row++) {
      const day = publishedAt[row]!.slice(0, 10)
      revised.set(day, row > begins[i]! || revised.get(day) === true)
    }
  const days = [...revised.keys()].sort()
  return days.map(day => ({ day: parseDay(day)!, isRevision: revised.get(day)! }))
}

/** The series as it stood: the newest vintage of each period published by then. */
export function cutAt({ begins, published }: History, asOf: AsOf | null): Cut {
  const cut = new Int32Array(begins.length - 1)
  const micros = asOf?.micros ?? Number.POSITIVE_INFINITY
  for (let i = 0; i < cut.length; i++) {
    let row = begins[i + 1]! - 1
    const first = begins[i]!
    while (row >= first && published[row]! > micros) row--
    cut[i] = row >= first ? row : -1
  }
  return cut
}

/** A withdrawn period has no value. */
export function hasValue({ value }: History, cut: Cut, place: number): boolean {
  const row = cut[place] ?? -1
  return row >= 0 && value[row] !== null
}

/** Number of vintages of a period that had been published. */
export function countAt({ begins }: History, cut: Cut, place: number): number {
  return cut[place]! < 0 ? 0 : cut[place]! - begins[place]! + 1
}

/** Difference between a series as it stood and as it is known today. */
export interface Since {
  /** Periods that had another value, or one that was withdrawn since. */
  readonly changed: number
  readonly added: number
}

export function compareCuts({ value }: History, before: Cut, after: Cut): Since {
  let [changed, added] = [0, 0]
  for (let i = 0; i < before.length; i++) {
    const [old, now] = [before[i]! < 0 ? null : value[before[i]!]!, after[i]! < 0 ? null : value[after[i]!]!]
    if (isSameValue(old, now)) continue
    if (old === null) added++
    else changed++
  }
  return { changed, added }
}

/** The indexes of the first period that starts within the days and of the first one after them. */
export function placesWithin(
  { frequency, ordinals }: Pick<History, 'frequency' | 'ordinals'>,
  from: Day,
  to: Day,
): [first: number, end: number] {
  const { first, last } = ordinalsWithin(frequency, from, to)
  return [firstAtLeast(ordinals, first), firstAtLeast(ordinals, last + 1)]
}

/** The last period that has a value at the cut, -1 if there is none. */
export function lastPlace(history: History, cut: Cut, before = cut.length): number {
  for (let i = before - 1; i >= 0; i--) if (hasValue(history, cut, i)) return i
  return -1
}

export function firstPlace(history: History, cut: Cut, from = 0, end = cut.length): number {
  for (let i = from; i < end; i++) if (hasValue(history, cut, i)) return i
  return -1
}

/** The period that starts nearest to a day and has a value at one of the cuts. */
export function nearestPlace(history: History, day: number, cuts: readonly Cut[]): number {
  const { firstDays } = history
  const has = (i: number) => cuts.some(cut => hasValue(history, cut, i))
  const after = firstAtLeast(firstDays, day)
  let [low, high] = [after - 1, after]
  while (low >= 0 && !has(low)) low--
  while (high < firstDays.length && !has(high)) high++
  if (high >= firstDays.length) return low
  if (low < 0) return high
  return day - firstDays[low]! < firstDays[high]! - day ? low : high
}

/** The rows of one period, oldest first. */
export function rowsOf({ begins }: History, place: number): number[] {
  const count = begins[place + 1]! - begins[place]!
  return Array.from({ length: count }, (_, i) => begins[place]! + i)
}

/** The previous or next day on which something was published; null after the last one: today. */
export function stepDay(days: readonly PublicationDay[], from: Day | null, by: -1 | 1): Day | null {
  if (by > 0) return from === null ? null : (days.find(({ day }) => day > from)?.day ?? null)
  if (from === null) return days.at(-1)?.day ?? null
  return days.findLast(({ day }) => day < from)?.day ?? days[0]?.day ?? null
}
