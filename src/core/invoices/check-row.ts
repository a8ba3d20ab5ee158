// The answer of a check about each line: the shape of a row, its columns in a table, and the totals.
import { formatMinorUnits, roundMoney } from '../numbers/money.ts'
import { absolute, add, type Ratio, ratio, zero } from '../numbers/ratio.ts'
import type { PriceStatus } from '../prices/agreement.ts'
import { columnOf } from '../text/sheet-text.ts'
import type { ReasonCode } from './hypotheses.ts'
import type { InvoiceLine } from './invoice-line.ts'

export const outcomes = [
  'OK',
  'OK_WITHIN',
  'OVER',
  'UNDER',
  'PROVISIONAL',
  'SPANS',
  'OUTSIDE',
  'UNKNOWN',
  'BLOCKED',
  'SKIPPED',
] as const
type Outcome = (typeof outcomes)[number]

/** The verdict for people: nobody is accused by a price that is only proposed. */
export type Verdict = Outcome | 'NOT_AGREED'

export interface Reason {
  readonly code: ReasonCode
  readonly sentence: string
}

/** Days of service under one price. */
interface SpanRow {
  readonly period: string
  readonly days: number
  readonly price: string
}

/** A row with every field: null where nothing is known. */
export interface CheckRow {
  readonly invoice: string | null
  readonly line: string | null
  readonly outcome: Outcome
  /** The slug. */
  readonly agreement: string | null
  readonly item: string | null
  readonly period: string | null
  readonly status: PriceStatus | null
  readonly price: string | null
  /** The price for the item's own `per` and unit. */
  readonly billedPrice: string | null
  readonly priceDifference: string | null
  readonly amount: string | null
  readonly billedAmount: string | null
  /** Billed less ours. */
  readonly difference: string | null
  readonly currency: string | null
  readonly reason: Reason | null
  readonly alsoPossible: readonly Reason[]
  readonly message: string | null
  readonly contradiction: boolean
  readonly candidates: readonly string[]
  readonly spans: readonly SpanRow[]
}

/** A row with the `per` and the unit of its prices. */
export interface PricedRow extends CheckRow {
  readonly per: string | null
  readonly unit: string | null
}

const differing: readonly Outcome[] = ['OVER', 'UNDER', 'OK_WITHIN']

/** Whether the billed price is not ours. */
function isDifferent({ outcome }: Pick<CheckRow, 'outcome'>): boolean {
  return differing.includes(outcome)
}

/** Whether a line is judged by a price that not both have signed. */
export function isUnagreed({ status }: Pick<CheckRow, 'status'>): boolean {
  return status !== null && status !== 'AGREED'
}

export function verdictOf(row: Pick<CheckRow, 'outcome' | 'status'>): Verdict {
  return isDifferent(row) && isUnagreed(row) ? 'NOT_AGREED' : row.outcome
}

/** The row for other systems: their list of outcomes is closed, so the message names what is not agreed. */
export function answeredRow({ per: _per, unit: _unit, ...row }: PricedRow): CheckRow {
  return row
}

/** The facts known about a line before it is checked, in the order of the fields of every row. */
export function blankRow({ invoice, line, currency, unitPrice, amount, texts }: InvoiceLine): PricedRow {
  return {
    invoice,
    line,
    outcome: 'UNKNOWN',
    agreement: null,
    item: null,
    period: null,
    status: null,
    price: null,
    billedPrice: unitPrice === null ? null : plainText(texts.unitPrice!),
    priceDifference: null,
    amount: null,
    billedAmount: amount === null ? null : formatBilled(amount, texts.amount!, currency),
    difference: null,
    currency,
    per: null,
    unit: null,
    reason: null,
    alsoPossible: [],
    message: null,
    contradiction: false,
    candidates: [],
    spans: [],
  }
}

function plainText(decimal: string): string {
  return decimal.trim().replace(/^\+/, '')
}

/** The amount as money where the currency is known, else as it is written. */
function formatBilled(amount: Ratio, text: string, currency: string | null): string {
  return currency === null ? plainText(text) : formatMinorUnits(roundMoney(amount, currency), currency)
}

export interface CheckSummary {
  readonly lines: number
  readonly outcomes: Readonly<Partial<Record<Verdict, number>>>
  /** Amounts billed too much and too little, by currency, at prices that both signed. */
  readonly over: Readonly<Record<string, string>>
  readonly under: Readonly<Record<string, string>>
}

/** Counts outcomes, for other systems, or verdicts, for people. */
export function summarise<R extends CheckRow>(rows: readonly R[], of: (row: R) => Verdict = outcomeOf): CheckSummary {
  const sums = new CheckSums(of)
  for (const row of rows) sums.take(row)
  return sums.finish()
}

function outcomeOf({ outcome }: CheckRow): Verdict {
  return outcome
}

export class CheckSums<R extends CheckRow> {
  readonly #verdictOf: (row: R) => Verdict
  #lines = 0
  readonly #counts = new Map<Verdict, number>()
  readonly #over = new Map<string, Ratio>()
  readonly #under = new Map<string, Ratio>()

  constructor(of: (row: R) => Verdict) {
    this.#verdictOf = of
  }

  take(row: R): void {
    const { difference, currency } = row
    const outcome = this.#verdictOf(row)
    this.#lines++
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1)
    const sums = outcome === 'OVER' ? this.#over : outcome === 'UNDER' ? this.#under : null
    if (sums !== null && !isUnagreed(row) && difference !== null && currency !== null)
      sums.set(currency, add(sums.get(currency) ?? zero, absolute(ratio(difference))))
  }

  finish(): CheckSummary {
    const counts = ([...outcomes, 'NOT_AGREED'] as const).flatMap(outcome => {
      const count = this.#counts.get(outcome)
      return count === undefined ? [] : [[outcome, count] as const]
    })
    return {
      lines: this.#lines,
      outcomes: Object.fromEntries(counts),
      over: writeSums(this.#over),
      under: writeSums(this.#under),
    }
  }
}

function writeSums(sums: ReadonlyMap<string, Ratio>): Record<string, string> {
  const sorted = [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([currency, sum]) => [currency, formatMinorUnits(sum, currency)]))
}

/** A cell of a table: a text, or a number that is written as a number. */
type TableCell = string | { readonly figure: string } | null

const figures: readonly (keyof CheckRow)[] = [
  'price',
  'billedPrice',
  'priceDifference',
  'amount',
  'billedAmount',
  'difference',
]
const plain: readonly (keyof CheckRow)[] = [
  'invoice',
  'line',
  'outcome',
  'agreement',
  'item',
  'period',
  'status',
  ...figures,
  'currency',
]

/** Names with underscores; nested fields start with the name of their parent. */
export const checkColumns: readonly string[] = [
  ...plain.map(columnOf),
  'reason_code',
  'reason_sentence',
  'also_possible',
  'message',
  'contradiction',
  'candidates',
  'spans',
]

/** Lists are joined by spaces; objects give their first field. */
export function checkCells(row: CheckRow): TableCell[] {
  const cells = plain.map(name => {
    const value = row[name] as string | null
    return value !== null && figures.includes(name) ? { figure: value } : value
  })
  const { reason, alsoPossible, message, contradiction, candidates, spans } = row
  return [
    ...cells,
    reason?.code ?? null,
    reason?.sentence ?? null,
    alsoPossible.map(({ code }) => code).join(' ') || null,
    message,
    `${contradiction}`,
    candidates.join(' ') || null,
    spans.map(({ period }) => period).join(' ') || null,
  ]
}
