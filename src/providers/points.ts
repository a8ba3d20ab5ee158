// Turns the points of one published series into a parsed series: figures, missing periods, and what could not be read. It
// never guesses: a cell that is neither a figure nor a known mark becomes a problem next to the good ones.

import type { VersionTag } from '../core/series/series.ts'
import { isSameValue } from '../core/series/vintage.ts'
import { type Frequency, formatPeriod, type Period } from '../core/time/period.ts'
import { plainDecimal } from './formats/figure.ts'
import { literalOf } from './formats/lossless.ts'
import { problem, quoted } from './formats/problem.ts'
import type { MissingObservation, ParsedAnswer, ParsedObservation } from './provider.ts'

export interface SeriesHead {
  readonly code: string
  readonly name: string | null
  readonly unit: string | null
  readonly frequency: Frequency
}

export type ParsedPoint =
  | {
      readonly kind: 'value'
      readonly period: Period
      readonly value: string
      readonly version: VersionTag
      readonly flag: string | null
      readonly published: string | null
    }
  | {
      readonly kind: 'missing'
      readonly period: Period
      readonly flag: string | null
      readonly reason: string
      readonly window?: NonNullable<MissingObservation['window']>
    }
  | { readonly kind: 'unreadable'; readonly what: string }

export interface Cell {
  /** The provider's own text of the period, for messages. */
  readonly when: string
  /** `null` if that text could not be read. */
  readonly period: Period | null
  /** The value as sent; `undefined` if there was no such field. */
  readonly value: unknown
  readonly version?: VersionTag
  readonly flag?: string | null
  readonly published?: string | null
  /** The provider's words for a missing figure. */
  readonly reason?: string | null
  /** The days between which the figure is missing. */
  readonly window?: NonNullable<MissingObservation['window']>
}

const marks: ReadonlySet<string> = new Set(['', '.', '..', '...', ':', '-', '--', 'na', 'n/a', 'nan', 'null'])

/** Marks that providers write in place of a missing figure; never zero. */
export function isMissingMark(text: string): boolean {
  return marks.has(text.toLowerCase())
}

export function readPoint(cell: Cell, isMark: (text: string) => boolean = isMissingMark): ParsedPoint {
  if (cell.period === null) return { kind: 'unreadable', what: `period ${quoted(cell.when)}` }
  const { period, flag = null, published = null, version = 'FINAL' } = cell
  if (cell.value === null) return { kind: 'missing', period, flag, reason: cell.reason ?? 'null', ...windowOf(cell) }
  const literal = literalOf(cell.value)
  if (literal === null) return { kind: 'unreadable', what: `the value of ${cell.when}, which is not a number` }
  const value = plainDecimal(literal)
  if (value !== null) return { kind: 'value', period, value, version, flag, published }
  if (isMark(literal))
    return { kind: 'missing', period, flag, reason: cell.reason ?? `marker "${literal}"`, ...windowOf(cell) }
  return { kind: 'unreadable', what: `value ${quoted(literal)} of ${cell.when}` }
}

function windowOf({ window }: Pick<Cell, 'window'>): Pick<MissingObservation, 'window'> {
  return window === undefined ? {} : { window }
}

/** One series, or none if no point could be read; all unreadable points together are one problem. */
export function assemble(head: SeriesHead, points: readonly ParsedPoint[]): ParsedAnswer {
  const observations: { readonly ordinal: number; readonly parsed: ParsedObservation }[] = []
  const missing: { readonly ordinal: number; readonly parsed: MissingObservation }[] = []
  const unreadable: string[] = []
  for (const point of points) {
    if (point.kind === 'unreadable') unreadable.push(point.what)
    else if (point.period.frequency !== head.frequency) {
      unreadable.push(`period ${formatPeriod(point.period)} of a series that is ${head.frequency}`)
    } else if (point.kind === 'value') {
      const { period, value, version, flag, published } = point
      const parsed = { period: formatPeriod(period), value, version, flag, published }
      observations.push({ ordinal: period.ordinal, parsed })
    } else {
      const { period, flag, reason } = point
      const parsed = { period: formatPeriod(period), flag, reason, ...windowOf(point) }
      missing.push({ ordinal: period.ordinal, parsed })
    }
  }
  observations.sort((a, b) => a.ordinal - b.ordinal || comparePublished(a.parsed.published, b.parsed.published))
  missing.sort((a, b) => a.ordinal - b.ordinal)
  const settled = settle(
    observations.map(each => each.parsed),
    unreadable,
  )
  const nothing = settled.length + missing.length === 0 && points.length > 0
  return {
    series: nothing ? [] : [{ ...head, observations: settled, missing: missing.map(each => each.parsed) }],
    problems:
      unreadable.length === 0 ? [] : [problem('unreadable', unreadableSentence(head, unreadable, points.length))],
  }
}

function unreadableSentence(head: SeriesHead, unreadable: readonly string[], count: number): string {
  return `${head.code}: ${unreadable.length} of ${count} points could not be read, first ${unreadable[0]}`
}

/** A publication without a known day sorts before those with one. */
function comparePublished(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? -1 : 1
  return a < b ? -1 : 1
}

/** A repeated figure counts once; of two different figures for one period and publication, neither counts. */
function settle(sorted: readonly ParsedObservation[], unreadable: string[]): readonly ParsedObservation[] {
  const kept: ParsedObservation[] = []
  for (let start = 0; start < sorted.length; ) {
    const first = sorted[start]!
    let end = start + 1
    while (end < sorted.length && isSamePublication(first, sorted[end]!)) end += 1
    const values: string[] = []
    for (const { value } of sorted.slice(start, end))
      if (!values.some(each => isSameValue(each, value))) values.push(value)
    if (values.length === 1) kept.push(first)
    else unreadable.push(`${first.period}, which was sent with ${values.length} different values`)
    start = end
  }
  return kept
}

function isSamePublication(a: ParsedObservation, b: ParsedObservation): boolean {
  return a.period === b.period && a.published === b.published
}
