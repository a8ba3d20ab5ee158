// The checked formula: a document once everything in it is known to make sense. Data only.

import type { Ratio, Rounding } from '../numbers/ratio.ts'
import type { SignKind } from '../parties.ts'
import type { Day } from '../time/day.ts'
import type { Frequency, Period } from '../time/period.ts'
import type { Control } from './controls/control.ts'
import type { CompiledExpression } from './resolve.ts'
import type { Base, ClauseNumber, ClauseTerms, Param, Span, StepSource, Table } from './terms.ts'

/** The edition of the rules by which a document is read and computed. Stored versions and receipts name it. */
export const formulaEdition = 2

export const statuses = ['DRAFT', 'ACTIVE', 'SUSPENDED', 'EXPIRED', 'ARCHIVED'] as const
export type Status = (typeof statuses)[number]

/** The observations a reading is made of. */
export type Window =
  | { readonly kind: 'span'; readonly span: Span }
  /** The newest observations up to the lagged day. */
  | { readonly kind: 'last'; readonly count: number; readonly least: number }
  /** Days from a day of the month, or of the month before, to a day of the month that holds the lagged day. */
  | { readonly kind: 'days'; readonly from: number; readonly to: number; readonly least: number }

export type Using = 'MEAN' | 'LAST' | 'FIRST' | 'MIN' | 'MAX' | 'SUM' | 'COMPOUND'

export type VintagePolicy = 'LATEST' | 'FIRST' | 'FINAL' | 'AT_DATE'

/** The day that stands for a week; 0 for Monday. */
export const weekdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const
export type Weekday = (typeof weekdays)[number]

export type MissingPolicy =
  | { readonly kind: 'BLOCK' | 'LAST_KNOWN' }
  | { readonly kind: 'YOY_ESTIMATE'; readonly capPct: Ratio | null }
  /** The last value goes on as it moved over a span, rounded half up. */
  | { readonly kind: 'TREND'; readonly over: Span; readonly dp: number }
  | { readonly kind: 'FALLBACK'; readonly series: string }
  | { readonly kind: 'AGREED'; readonly values: ReadonlyMap<string, Ratio> }

interface FxConversion {
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

export type SuccessorMethod = 'OVERLAP' | 'POINT' | 'PUBLISHED' | 'SAME_LEVEL' | 'RELEVEL'

/** The replacement of a series when it ends, as agreed in advance. It changes no number before that. */
export interface Successor {
  readonly series: string
  readonly method: SuccessorMethod
  /** The number of common periods behind the coefficient; null for as many as is usual for the frequency. */
  readonly window: number | null
  /** Whether the change needs no further signature than those under this version. */
  readonly automatic: boolean
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
  /** The weekday; null where the series' provider decides, or nothing is set. */
  readonly week: Weekday | null
  readonly using: Using
  readonly interpolate: boolean
  readonly pick: 'LAG' | 'LATEST_PUBLISHED'
  readonly vintage: VintagePolicy
  readonly missing: MissingPolicy
  readonly convert: Conversion | null
  readonly links: readonly Link[]
  readonly successor: Successor | null
  readonly round: Rounding | null
}

export interface ContractFrequency {
  /** The step from one adjustment date to the next; `null` for a single date and for listed ones. */
  readonly every: { readonly count: number; readonly unit: 'day' | 'week' | 'month' } | null
  /** The calendar period that names an adjustment. */
  readonly label: Frequency
  /** The API's spelling: `QUARTERLY`, `EVERY_4_MONTHS`, `DATES`. */
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
  /** The right to change the terms: either side alone, or only both together. */
  readonly change: 'ONE' | 'BOTH'
}

/** Rules by which invoices find the contract and its prices. They change no number. */
export interface Billing {
  /** Texts by which invoices name the contract. */
  readonly references: readonly string[]
  readonly priceDate: 'SERVICE' | 'INVOICE' | 'ORDER'
  readonly prorate: 'NONE' | 'DAYS'
}

/** The rule for settled prices when the figures behind them are revised. */
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

export interface Clause extends ClauseTerms {
  /** The controls it was read with, in the order in which they act. */
  readonly controls: readonly Control[]
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

interface FormulaParties {
  readonly buyer: PartySide
  readonly supplier: PartySide
  /** The ways in which the contract may be signed, the strictest first; left out: any. */
  readonly signWith?: readonly SignKind[]
}

export interface Formula {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly status: Status
  readonly parties: FormulaParties
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
  successorWindow: { least: 2, most: 1000 },
  dates: 2400,
  references: 100,
  nameLength: 60,
} as const
