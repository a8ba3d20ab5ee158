// The checked formula: what a document says once everything in it is known to make sense. Data only.

import type { Ratio, Rounding } from '../numbers/ratio.ts'
import type { Day } from '../time/day.ts'
import type { Frequency, Period } from '../time/period.ts'
import type { Control } from './controls/control.ts'
import type { CompiledExpression } from './resolve.ts'

/** The edition of the rules by which a document is read and computed. Stored versions and receipts name it. */
export const formulaEdition = 2

export const statuses = ['DRAFT', 'ACTIVE', 'SUSPENDED', 'EXPIRED', 'ARCHIVED'] as const
export type Status = (typeof statuses)[number]

export const spanUnits = ['day', 'week', 'month', 'quarter', 'year'] as const
export type SpanUnit = (typeof spanUnits)[number]

/** A whole number of calendar units; negative for forward. */
export interface Span {
  readonly count: number
  readonly unit: SpanUnit
}

/** The observations a reading is made of. */
export type Window =
  | { readonly kind: 'span'; readonly span: Span }
  /** The newest ones up to the lagged day. */
  | { readonly kind: 'last'; readonly count: number; readonly least: number }
  /** From a day of the month, or of the month before, to a day of the month that holds the lagged day. */
  | { readonly kind: 'days'; readonly from: number; readonly to: number; readonly least: number }

export type Using = 'MEAN' | 'LAST' | 'FIRST' | 'MIN' | 'MAX' | 'SUM' | 'COMPOUND'

export type VintagePolicy = 'LATEST' | 'FIRST' | 'FINAL' | 'AT_DATE'

/** The day that stands for a week; 0 for Monday. */
export const weekdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const
export type Weekday = (typeof weekdays)[number]

export type MissingPolicy =
  | { readonly kind: 'BLOCK' | 'LAST_KNOWN' }
  | { readonly kind: 'YOY_ESTIMATE'; readonly capPct: Ratio | null }
  | { readonly kind: 'FALLBACK'; readonly series: string }
  | { readonly kind: 'AGREED'; readonly values: ReadonlyMap<string, Ratio> }

export type Base =
  | { readonly kind: 'label'; readonly from: Period; readonly to: Period; readonly text: string }
  | { readonly kind: 'value'; readonly value: Ratio; readonly text: string }

export interface FxConversion {
  readonly series: string
  readonly operation: 'MULTIPLY' | 'DIVIDE'
  /** The input's own lag, window and `using` where the document leaves them out. */
  readonly lag: Span
  readonly window: Window | null
  readonly using: Using
  readonly isWindowWritten: boolean
}

export interface Conversion {
  readonly fx: FxConversion | null
  readonly scale: Ratio | null
  readonly each: boolean
}

/** Another base of the same index, for periods up to `until` or from `from` on. */
export interface Link {
  readonly series: string
  readonly from: Period | null
  readonly until: Period | null
  readonly coefficient: Ratio
  readonly round: Rounding | null
}

export interface Input {
  readonly name: string
  readonly series: string
  readonly weight: ClauseNumber | null
  readonly base: Base | null
  readonly lag: Span
  readonly window: Window | null
  /** Whether a coarser series is read month by month. */
  readonly expand: boolean
  /** Null where the series' provider decides, or nothing is set. */
  readonly week: Weekday | null
  readonly using: Using
  readonly interpolate: boolean
  readonly pick: 'LAG' | 'LATEST_PUBLISHED'
  readonly vintage: VintagePolicy
  readonly missing: MissingPolicy
  readonly convert: Conversion | null
  readonly links: readonly Link[]
  readonly round: Rounding | null
}

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

export interface ContractFrequency {
  /** From one adjustment date to the next; `null` for a single date and for listed ones. */
  readonly every: { readonly count: number; readonly unit: 'day' | 'week' | 'month' } | null
  /** The calendar period that names an adjustment. */
  readonly label: Frequency
  /** As the API writes it: `QUARTERLY`, `EVERY_4_MONTHS`, `DATES`. */
  readonly wire: string
}

export interface ContractPrice {
  readonly amount: Ratio
  readonly text: string
  readonly currency: string
  readonly unit: string
  readonly round: Rounding | null
}

export interface Contract {
  readonly start: Day
  readonly end: Day | null
  readonly frequency: ContractFrequency
  readonly firstAdjustment: Day
  /** The day of the month that adjustment dates keep, clipped to the month's length. */
  readonly keepDay: number
  /** The adjustment dates themselves, where they are listed. */
  readonly dates: readonly Day[] | null
  readonly price: ContractPrice | null
  /** Whether the price was renegotiated and counts from `effectiveFrom`. */
  readonly restart: boolean
}

/** How invoices find the contract and its prices. It changes no number. */
export interface Billing {
  /** Texts by which invoices name the contract. */
  readonly references: readonly string[]
  readonly priceDate: 'SERVICE' | 'INVOICE' | 'ORDER'
  readonly prorate: 'NONE' | 'DAYS'
}

/** What is done about agreed prices when the figures behind them are revised. */
export interface Corrections {
  readonly when: 'NONE' | 'FINAL' | 'EACH' | 'YEARLY' | 'END'
  /** `03-31`, with YEARLY. */
  readonly day: string | null
  readonly min: { readonly amount: Ratio; readonly below: 'KEEP' | 'WAIVE' } | null
  readonly within: { readonly months: number; readonly of: 'PERIOD' | 'PUBLICATION' | 'INVOICE' } | null
  readonly level: 'HEAL' | 'REBASE'
  readonly settle: 'NOTE' | 'NEXT_INVOICE' | { readonly spread: number }
}

/** A side of the contract: e-mail addresses, the slug of a party, or null where nobody is named. */
export type PartySide = readonly string[] | string | null

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
  /** Only roundings that the document has, `NONE` included. */
  readonly written: readonly RoundingPlace[]
}

/** What each control of a clause read from the document, by the control's name. */
export interface ClauseParts {
  readonly adder: ClauseNumber | null
  readonly threshold: Threshold | null
  /** One share, or bands; `null` for all of it. */
  readonly sharing: ClauseNumber | readonly Band[] | null
  readonly cumulative: Limits
  readonly year: Readonly<Record<LimitSide, YearLimit | null>>
  readonly period: Limits
  /** Whether what a limit held back is applied later. */
  readonly carryForward: Readonly<Record<LimitSide, boolean>>
  readonly rounding: ClauseRounding
}

export interface Clause extends ClauseParts {
  readonly fixed: ClauseNumber
  readonly tolerance: Ratio | null
  readonly basis: 'FIXED_BASE' | 'CHAINED'
  readonly combine: 'SUM_OF_RATIOS' | 'RATIO_OF_SUMS'
  /** The controls it was read with, in the order in which they act. */
  readonly controls: readonly Control[]
}

export interface StepSource {
  readonly name: string
  readonly expr: string
  readonly round: Rounding | null
  readonly show: Rounding | null
  readonly note: string | null
}

export interface Step extends StepSource {
  /** Whether the clause compiler wrote it. */
  readonly compiled: boolean
  readonly expression: CompiledExpression
}

export type ResultKind = 'FACTOR' | 'CHANGE_PCT' | 'PRICE' | 'SURCHARGE'

export interface Result {
  readonly kind: ResultKind
  /** Position of the step in `Formula.steps`. */
  readonly step: number
  readonly show: Rounding
}

export interface Formula {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly status: Status
  readonly parties: { readonly buyer: PartySide; readonly supplier: PartySide }
  readonly contract: Contract
  readonly billing: Billing
  readonly corrections: Corrections | null
  readonly effectiveFrom: Day
  readonly inputs: readonly Input[]
  readonly params: readonly Param[]
  readonly tables: readonly Table[]
  readonly clause: Clause | null
  readonly steps: readonly Step[]
  readonly result: Result
}

export const percentShownByDefault: Rounding = { dp: 4, mode: 'HALF_UP' }

export const formulaBounds = {
  inputs: 100,
  params: 200,
  paramValues: 1000,
  tables: 50,
  tableRows: 2000,
  steps: 200,
  links: 20,
  dates: 2400,
  references: 100,
  nameLength: 60,
} as const
