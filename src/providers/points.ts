// Turns the points of one published series into its reading: figures, missing periods, and what could not be read. It
// never guesses: a cell that is neither a figure nor a known mark is a problem beside the good ones.
import { type Frequency, type Period, writePeriod } from '../core/period.ts'
import type { VersionTag } from '../core/series.ts'
import { isSameValue } from '../core/vintage.ts'
import { plainDecimal } from './formats/figure.ts'
import { literalOf } from './formats/lossless.ts'
import { problem, quoted } from './formats/problem.ts'
import type { MissingReading, ObservationReading, Reading } from './provider.ts'

export interface SeriesHead {
  readonly code: string
  readonly name: string | null
  readonly unit: string | null
  readonly frequency: Frequency
}

export type Point =
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
      readonly window?: NonNullable<MissingReading['window']>
    }
  | { readonly kind: 'unreadable'; readonly what: string }

export interface Cell {
  /** The provider's own text of the period, for messages. */
  readonly when: string
  /** `null` where that text could not be read. */
  readonly period: Period | null
  /** As it was sent; `undefined` where there was no such member. */
  readonly value: unknown
  readonly version?: VersionTag
  readonly flag?: string | null
  readonly published?: string | null
  /** The provider's words for a missing figure. */
  readonly reason?: string | null
  /** Since when and until when it is missing. */
  readonly window?: NonNullable<MissingReading['window']>
}

const marks: ReadonlySet<string> = new Set(['', '.', '..', '...', ':', '-', '--', 'na', 'n/a', 'nan', 'null'])

/** What stands where a figure would, in every provider's notation: never zero. */
export function isMissingMark(text: string): boolean {
  return marks.has(text.toLowerCase())
}

export function readPoint(cell: Cell, isMark: (text: string) => boolean = isMissingMark): Point {
  if (cell.period === null) return { kind: 'unreadable', what: `period ${quoted(cell.when)}` }
  const { period, flag = null, published = null, version = 'FINAL' } = cell
  if (cell.value === null) return { kind: 'missing', period, flag, reason: cell.reason ?? 'null', ...windowOf(cell) }
  const literal = literalOf(cell.value)
  if (literal === null) return { kind: 'unreadable', what: `the value of ${cell.when}, which is no figure` }
  const value = plainDecimal(literal)
  if (value !== null) return { kind: 'value', period, value, version, flag, published }
  if (isMark(literal))
    return { kind: 'missing', period, flag, reason: cell.reason ?? `marker "${literal}"`, ...windowOf(cell) }
  return { kind: 'unreadable', what: `value ${quoted(literal)} of ${cell.when}` }
}

function windowOf({ window }: Pick<Cell, 'window'>): Pick<MissingReading, 'window'> {
  return window === undefined ? {} : { window }
}

/** One series, or none where no point could be read; the points that could not be read make one problem. */
export function assemble(head: SeriesHead, points: readonly Point[]): Reading {
  const observations: { readonly ordinal: number; readonly reading: ObservationReading }[] = []
  const missing: { readonly ordinal: number; readonly reading: MissingReading }[] = []
  const unreadable: string[] = []
  for (const point of points) {
    if (point.kind === 'unreadable') unreadable.push(point.what)
    else if (point.period.frequency !== head.frequency) {
      unreadable.push(`period ${writePeriod(point.period)} of a series that is ${head.frequency}`)
    } else if (point.kind === 'value') {
      const { period, value, version, flag, published } = point
      const reading = { period: writePeriod(period), value, version, flag, published }
      observations.push({ ordinal: period.ordinal, reading })
    } else {
      const { period, flag, reason } = point
      const reading = { period: writePeriod(period), flag, reason, ...windowOf(point) }
      missing.push({ ordinal: period.ordinal, reading })
    }
  }
  observations.sort((a, b) => a.ordinal - b.ordinal || comparePublished(a.reading.published, b.reading.published))
  missing.sort((a, b) => a.ordinal - b.ordinal)
  const settled = settle(
    observations.map(each => each.reading),
    unreadable,
  )
  const nothing = settled.length + missing.length === 0 && points.length > 0
  return {
    series: nothing ? [] : [{ ...head, observations: settled, missing: missing.map(each => each.reading) }],
    problems:
      unreadable.length === 0 ? [] : [problem('unreadable', unreadableSentence(head, unreadable, points.length))],
  }
}

function unreadableSentence(head: SeriesHead, unreadable: readonly string[], count: number): string {
  return `${head.code}: ${unreadable.length} of ${count} points could not be read, first ${unreadable[0]}`
}

/** A publication whose day is not known was before those whose day is. */
function comparePublished(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? -1 : 1
  return a < b ? -1 : 1
}

/** The same figure twice is one figure; two figures for one period and publication are none. */
function settle(sorted: readonly ObservationReading[], unreadable: string[]): readonly ObservationReading[] {
  const kept: ObservationReading[] = []
  for (let start = 0; start < sorted.length; ) {
    const first = sorted[start]!
    let end = start + 1
    while (end < sorted.length && isSamePublication(first, sorted[end]!)) end += 1
    const values: string[] = []
    for (const { value } of sorted.slice(start, end))
      if (!values.some(each => isSameValue(each, value))) values.push(value)
    if (values.length === 1) kept.push(first)
    else unreadable.push(`${first.period}, which came with ${values.length} different values`)
    start = end
  }
  return kept
}

function isSamePublication(a: ObservationReading, b: ObservationReading): boolean {
  return a.period === b.period && a.published === b.published
}
