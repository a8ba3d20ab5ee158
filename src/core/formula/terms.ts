// The terms of a formula, which controls and expressions are written in: spans, params, tables, and the contents of a clause.
// Data only; it knows neither controls nor expressions.

import type { Ratio, Rounding } from '../numbers/ratio.ts'
import type { Day } from '../time/day.ts'
import type { Period } from '../time/period.ts'

export const spanUnits = ['day', 'week', 'month', 'quarter', 'year'] as const
export type SpanUnit = (typeof spanUnits)[number]

/** A whole number of calendar units; negative for forward. */
export interface Span {
  readonly count: number
  readonly unit: SpanUnit
}

export type Base =
  | { readonly kind: 'label'; readonly from: Period; readonly to: Period; readonly text: string }
  | { readonly kind: 'value'; readonly value: Ratio; readonly text: string }

/** A named number; with several entries, each counts from its day on. */
export interface Param {
  readonly name: string
  readonly values: readonly { readonly from: Day | null; readonly value: Ratio }[]
}

/** The value in force on a day; null before the first. */
export function valueAt({ values }: Param, date: Day): Ratio | null {
  return values.findLast(({ from }) => from === null || from <= date)?.value ?? null
}

/** A number of a clause on a day; null before its param has a value. */
export function numberAt({ value, param }: ClauseNumber, params: readonly Param[], date: Day): Ratio | null {
  if (value !== null) return value
  const named = params.find(({ name }) => name === param)
  return named === undefined ? null : valueAt(named, date)
}

export interface TableRow {
  /** Upper edge of the row; `null` for the last row, which is open. */
  readonly edge: Ratio | null
  /** Whether a number equal to the edge belongs to this row (`atMost`) or to the next (`below`). */
  readonly closed: boolean
  readonly value: Ratio
}

export interface Table {
  readonly name: string
  readonly rows: readonly TableRow[]
}

/** A number in a clause: written out, or the name of a param. */
export interface ClauseNumber {
  readonly text: string
  readonly value: Ratio | null
  readonly param: string | null
}

export interface Threshold {
  readonly pct: ClauseNumber
  readonly test: 'EXCEEDS' | 'REACHES'
  readonly pays: 'ALL' | 'EXCESS'
  readonly since: 'LAST' | 'BASE'
  readonly inside: 'KEEP' | 'RETURN'
}

export interface Band {
  readonly upTo: ClauseNumber | null
  readonly share: ClauseNumber
}

export const limitSides = ['cap', 'floor'] as const
export type LimitSide = (typeof limitSides)[number]

/** A percentage above, and one below. */
export type Limits = Readonly<Record<LimitSide, ClauseNumber | null>>

export type YearKind = 'CONTRACT' | 'ROLLING' | 'CALENDAR'
export interface YearLimit {
  readonly pct: ClauseNumber
  readonly year: YearKind
}

export const roundingPlaces = ['ratio', 'factor', 'total', 'percent', 'price'] as const
export type RoundingPlace = (typeof roundingPlaces)[number]

export type ClauseRounding = Readonly<Record<RoundingPlace, Rounding | null>> & {
  /** Roundings that the document has, `NONE` included. */
  readonly written: readonly RoundingPlace[]
}

/** The document's data for each control of a clause, by the control's name. */
export interface ClauseParts {
  readonly adder: ClauseNumber | null
  readonly threshold: Threshold | null
  /** One share, or bands; `null` for the whole movement. */
  readonly sharing: ClauseNumber | readonly Band[] | null
  readonly cumulative: Limits
  readonly year: Readonly<Record<LimitSide, YearLimit | null>>
  readonly period: Limits
  /** Whether a part that a limit held back is applied later. */
  readonly carryForward: Readonly<Record<LimitSide, boolean>>
  readonly rounding: ClauseRounding
}

/** The contents of a clause, without the list of its controls. */
export interface ClauseTerms extends ClauseParts {
  readonly fixed: ClauseNumber
  readonly tolerance: Ratio | null
  readonly basis: 'FIXED_BASE' | 'CHAINED'
  readonly combine: 'SUM_OF_RATIOS' | 'RATIO_OF_SUMS'
}

export interface StepSource {
  readonly name: string
  readonly expr: string
  readonly round: Rounding | null
  readonly show: Rounding | null
  readonly note: string | null
}
