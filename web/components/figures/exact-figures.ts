// Figures computed from published ones: changes in percent and levels on another base. They are exact fractions, rounded half up
// to two decimals at the end, and null if there is no such figure (a division by zero, a base below zero).
import {
  divide,
  formatFixed,
  hundred,
  multiply,
  one,
  parseRatio,
  type Ratio,
  subtract,
} from '../../../src/core/numbers/ratio.ts'
import type { Cut, History } from '../../pages/series/series/vintages.ts'

const decimals = 2

/** A percentage cannot be computed from a value of zero or below. */
function positive(text: string): Ratio | null {
  const read = parseRatio(text)
  return read !== null && read.n > 0n ? read : null
}

/** The change from one value to another in percent: `2.35`, `-0.40`. */
export function changePct(from: string, to: string): string | null {
  const base = positive(from)
  const value = parseRatio(to)
  if (base === null || value === null) return null
  return formatFixed(multiply(subtract(divide(value, base), one), hundred), decimals)
}

/** The value of `to` if `base` is 100. */
export function rebase(base: string, to: string): string | null {
  const from = positive(base)
  const value = parseRatio(to)
  return from === null || value === null ? null : formatFixed(multiply(divide(value, from), hundred), decimals)
}

/** The difference between two published values with all their digits: `0.132`, `-1.4`. */
export function difference(from: string, to: string): string | null {
  const [a, b] = [parseRatio(from), parseRatio(to)]
  if (a === null || b === null) return null
  const places = (text: string) => (text.includes('.') ? text.length - text.indexOf('.') - 1 : 0)
  return formatFixed(subtract(b, a), Math.max(places(from), places(to)))
}

export const modes = ['level', 'yoy', 'rebased'] as const
export type Mode = (typeof modes)[number]

/** Reading of a line: levels, changes from a year before, or levels with `base` as 100. */
export interface Reading {
  readonly mode: Mode
  /** The index of the base period; -1 if it has no value. */
  readonly base: number
}

function valueAt({ value }: History, cut: Cut, place: number): string | null {
  const row = place < 0 ? -1 : cut[place]!
  return row < 0 ? null : value[row]!
}

/** The figure for one period, as it is written on the page. */
export function shownAt(history: History, cut: Cut, place: number, { mode, base }: Reading): string | null {
  const value = valueAt(history, cut, place)
  if (value === null || mode === 'level') return value
  const against = valueAt(history, cut, mode === 'yoy' ? history.yearAgo[place]! : base)
  if (against === null) return null
  return mode === 'yoy' ? changePct(against, value) : rebase(against, value)
}

/** The change from the previous period that has a value. */
export function changeAt(history: History, cut: Cut, place: number): string | null {
  const value = valueAt(history, cut, place)
  if (value === null) return null
  for (let i = place - 1; i >= 0; i--) {
    const before = valueAt(history, cut, i)
    if (before !== null) return changePct(before, value)
  }
  return null
}

/** Height of any row of a period under the reading, for the screen; NaN if there is none. */
export function heightOf(
  { heights, yearAgo }: History,
  cut: Cut,
  place: number,
  row: number,
  reading: Reading,
): number {
  if (row < 0) return Number.NaN
  const height = heights[row]!
  if (reading.mode === 'level') return height
  const against = reading.mode === 'yoy' ? yearAgo[place]! : reading.base
  const base = against < 0 || cut[against]! < 0 ? Number.NaN : heights[cut[against]!]!
  if (!(base > 0)) return Number.NaN
  return reading.mode === 'yoy' ? (height / base - 1) * 100 : (height / base) * 100
}

/** The heights of the whole line; positions outside the span are NaN. */
export function lineHeights(history: History, cut: Cut, reading: Reading, first: number, end: number): Float64Array {
  const line = new Float64Array(cut.length).fill(Number.NaN)
  for (let i = first; i < end; i++) line[i] = heightOf(history, cut, i, cut[i]!, reading)
  return line
}
