// The checked formula: what a document says once everything in it is known to make sense. Data only.
import type { Day } from '../day.ts'
import type { Frequency, Period } from '../period.ts'
import type { Ratio, Rounding } from '../ratio.ts'
import type { CompiledExpression } from './resolve.ts'

export const statuses = ['DRAFT', 'ACTIVE', 'SUSPENDED', 'EXPIRED', 'ARCHIVED'] as const
export type Status = (typeof statuses)[number]

export const spanUnits = ['day', 'week', 'month', 'quarter', 'year'] as const
export type SpanUnit = (typeof spanUnits)[number]

/** A whole number of calendar units. */
export interface Span {
  readonly count: number
  readonly unit: SpanUnit
}

export const usings = ['MEAN', 'LAST', 'FIRST', 'MIN', 'MAX', 'SUM', 'COMPOUND'] as const
export type Using = (typeof usings)[number]

export const vintagePolicies = ['LATEST', 'FIRST', 'FINAL'] as const
export type VintagePolicy = (typeof vintagePolicies)[number]

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
  /** The input's own lag where the document leaves it out. */
  readonly lag: Span
  readonly window: Span | null
  readonly using: Using
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
  readonly weight: { readonly value: Ratio; readonly text: string } | null
  readonly base: Base | null
  readonly lag: Span
  readonly window: Span | null
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
  /** Months between adjustment dates; `null` for a single one. */
  readonly months: number | null
  /** The calendar period that names an adjustment. */
  readonly label: Frequency
  /** As the API writes it: `QUARTERLY`, `EVERY_4_MONTHS`. */
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
  readonly price: ContractPrice | null
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
}

export interface Band {
  readonly upTo: ClauseNumber | null
  readonly share: ClauseNumber
}

export interface Limits {
  readonly periodPct: ClauseNumber | null
  readonly cumulativePct: ClauseNumber | null
}

export interface Clause {
  readonly fixed: ClauseNumber
  readonly tolerance: Ratio | null
  readonly basis: 'FIXED_BASE' | 'CHAINED'
  readonly combine: 'SUM_OF_RATIOS' | 'RATIO_OF_SUMS'
  readonly adder: ClauseNumber | null
  readonly threshold: Threshold | null
  /** One share, or bands; `null` for all of it. */
  readonly passThrough: ClauseNumber | readonly Band[] | null
  readonly cap: Limits | null
  readonly carryForward: boolean
  readonly floor: Limits | null
  readonly rounding: {
    readonly ratio: Rounding | null
    readonly factor: Rounding | null
    readonly percent: Rounding
    readonly price: Rounding | null
    /** Whether the document says how the percent is rounded. */
    readonly percentWritten: boolean
  }
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

export const resultKinds = ['FACTOR', 'CHANGE_PCT', 'PRICE'] as const
export type ResultKind = (typeof resultKinds)[number]

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
  readonly parties: { readonly buyer: readonly string[] | null; readonly supplier: readonly string[] | null }
  readonly contract: Contract
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
  nameLength: 60,
} as const
