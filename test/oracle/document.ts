// The document as plain objects, in the shape docs/FORMULA.md gives it: decimals, periods and dates as text, expressions as
// trees. Generators make it, the oracle computes from it, and `writeDocument` gives the engine its text.
import type { Expression } from './expression.ts'
import { writeExpression } from './expression.ts'
import type { RoundingChoice, RoundingText } from './numbers.ts'

export type Using = 'MEAN' | 'LAST' | 'FIRST' | 'MIN' | 'MAX' | 'SUM' | 'COMPOUND'

export interface InputModel {
  readonly series: string
  readonly weight?: string
  readonly base?: string | { readonly value: string }
  readonly lag?: string
  readonly window?: WindowModel
  readonly expand?: 'MONTHLY'
  readonly week?: Weekday
  readonly using?: Using
  readonly interpolate?: 'DAILY'
  readonly pick?: 'LAG' | 'LATEST_PUBLISHED'
  readonly vintage?: 'LATEST' | 'FIRST' | 'FINAL' | 'AT_DATE'
  readonly missing?: MissingModel
  readonly convert?: ConvertModel
  readonly links?: readonly LinkModel[]
  readonly round?: RoundingChoice
}

export const weekdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const
export type Weekday = (typeof weekdays)[number]

/** `3 months`, a number of the newest observations, or days of the month. */
export type WindowModel =
  | string
  | { readonly last: number; readonly least?: number }
  | { readonly from: number; readonly to: number; readonly least?: number }

export type MissingModel =
  | 'BLOCK'
  | 'LAST_KNOWN'
  | { readonly yoyEstimate: { readonly capPct?: string } }
  | { readonly trend: { readonly over: string; readonly dp: string } }
  | { readonly fallback: string }
  | { readonly agreed: Readonly<Record<string, string>> }

export interface ConvertModel {
  readonly fx?: string
  readonly operation?: 'MULTIPLY' | 'DIVIDE'
  readonly lag?: string
  readonly window?: WindowModel
  readonly using?: Using
  readonly each?: boolean
  readonly scale?: string
}

export interface LinkModel {
  readonly series: string
  readonly until?: string
  readonly from?: string
  readonly coefficient: string
  readonly round?: RoundingText
}

export type ParamModel = string | readonly { readonly from: string; readonly value: string }[]

export interface RowModel {
  readonly below?: string
  readonly atMost?: string
  readonly value: string
}

export interface LimitModel {
  readonly periodPct?: string
  readonly yearPct?: string
  readonly year?: 'CONTRACT' | 'ROLLING' | 'CALENDAR'
  readonly cumulativePct?: string
  readonly carryForward?: boolean
}

/** Every number may be the name of a param. */
export interface ClauseModel {
  readonly fixed?: string
  readonly tolerance?: string
  readonly basis?: 'FIXED_BASE' | 'CHAINED'
  readonly combine?: 'SUM_OF_RATIOS' | 'RATIO_OF_SUMS'
  readonly adder?: string
  readonly threshold?: {
    readonly pct: string
    readonly test: 'EXCEEDS' | 'REACHES'
    readonly pays: 'ALL' | 'EXCESS'
    readonly since?: 'LAST' | 'BASE'
    readonly inside?: 'KEEP' | 'RETURN'
  }
  readonly passThrough?: string | readonly { readonly upTo?: string; readonly share: string }[]
  readonly cap?: LimitModel
  readonly floor?: LimitModel
  readonly rounding?: {
    readonly ratio?: RoundingChoice
    readonly factor?: RoundingChoice
    readonly total?: RoundingChoice
    readonly percent?: RoundingChoice
    readonly price?: RoundingChoice
  }
}

export interface StepModel {
  readonly name: string
  readonly expr: Expression
  readonly round?: RoundingChoice
  readonly show?: RoundingChoice
}

export interface ResultModel {
  readonly kind?: 'FACTOR' | 'CHANGE_PCT' | 'PRICE' | 'SURCHARGE'
  readonly step?: string
  readonly show?: RoundingText
}

export interface ContractModel {
  readonly start: string
  readonly end?: string
  /** DAILY WEEKLY MONTHLY QUARTERLY SEMIANNUAL ANNUAL ONCE, `4 months` or `2 weeks`; left out beside `dates`. */
  readonly frequency?: string
  readonly dates?: readonly string[]
  readonly restart?: boolean
  readonly firstAdjustment?: string
  readonly price?: { readonly amount: string; readonly currency: string; readonly round?: RoundingChoice }
}

export interface DocumentModel {
  readonly contract: ContractModel
  readonly effectiveFrom?: string
  readonly inputs: Readonly<Record<string, InputModel>>
  readonly params?: Readonly<Record<string, ParamModel>>
  readonly tables?: Readonly<Record<string, readonly RowModel[]>>
  readonly clause?: ClauseModel
  readonly steps?: readonly StepModel[]
  readonly result?: ResultModel
}

export type Tag = 'PRELIMINARY' | 'FINAL' | 'REVISED'

export interface ObservationModel {
  readonly period: string
  readonly value: string
  readonly version?: Tag
  /** A day or an instant in UTC. */
  readonly published?: string
}

export type DataModel = Readonly<Record<string, readonly ObservationModel[]>>

/** JSON, which is YAML as well. Decimals stand in quotation marks: the engine reads the text of a scalar either way. */
export function writeDocument(document: DocumentModel): string {
  const steps = document.steps?.map(step => ({ ...step, expr: writeExpression(step.expr) }))
  return JSON.stringify({ slug: 'generated', ...document, ...(steps === undefined ? {} : { steps }) })
}
