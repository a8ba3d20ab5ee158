// The lines of a check grouped by what is wrong with them: those with a difference by reason, with the money, then those that
// could not be judged by outcome.
import {
  type CheckRow,
  checkCells,
  checkColumns,
  type Outcome,
  type PricedRow,
} from '../../../src/core/invoices/check-row.ts'
import type { ReasonCode } from '../../../src/core/invoices/hypotheses.ts'
import { writeMoney } from '../../../src/core/numbers/money.ts'
import { absolute, add, compare, type Ratio, ratio, zero } from '../../../src/core/numbers/ratio.ts'
import type { Sheet } from '../../../src/formats/sheet.ts'

export interface Group {
  readonly key: string
  readonly title: string
  readonly rows: readonly PricedRow[]
  /** The absolute differences of its lines, by currency; empty if there are none. */
  readonly money: readonly Money[]
}

interface Money {
  readonly currency: string
  readonly amount: string
}

const reasonTitles: Readonly<Record<ReasonCode, string>> = {
  PERIOD_BEFORE: 'Price of the period before',
  PERIOD_AFTER: 'Price of the period after',
  BEFORE_CORRECTION: 'Price before an agreed correction',
  NO_ADJUSTMENT: 'Base price without any adjustment',
  STEP_ONLY: 'This period’s percent on the base price',
  TWICE: 'Adjustment applied twice',
  ROUNDING: 'Rounded differently',
  VINTAGE: 'Other published values',
  CONTROL_LEFT_OUT: 'Cap, floor or threshold left out',
  LAG: 'Values of another month',
  BASIS: 'Chained instead of a fixed base, or the reverse',
  PER: 'Price for another quantity',
  UNIT: 'Factor between units left out',
  QUANTITY_STEP: 'Price of another quantity step',
  OTHER_ITEM: 'Price of another item',
  CURRENCY: 'Currency not converted',
  VERSION_BEFORE: 'Formula version before',
}

const outcomeTitles: Readonly<Partial<Record<Outcome, string>>> = {
  SPANS: 'Service crosses an adjustment date',
  OUTSIDE: 'Outside the contract or the item’s validity',
  BLOCKED: 'No price yet',
  UNKNOWN: 'Not recognised',
  SKIPPED: 'Corrections, not checked',
}

const differing: readonly Outcome[] = ['OVER', 'UNDER', 'OK_WITHIN']

/** Correct lines are in no group. Most money first; lines that could not be judged come last. */
export function groupsOf(rows: readonly PricedRow[]): Group[] {
  const withMoney = Map.groupBy(
    rows.filter(({ outcome }) => differing.includes(outcome)),
    ({ reason }) => reason?.code ?? null,
  )
  const byReason = [...withMoney].map(([code, own]) => ({
    key: code ?? 'unexplained',
    title: code === null ? 'No known mistake gives this price' : reasonTitles[code],
    rows: own,
    money: moneyOf(own),
    sum: sumOf(own),
  }))
  const sorted = byReason.sort((a, b) => compare(b.sum, a.sum)).map(({ sum: _sum, ...group }) => group)
  const byOutcome = Object.entries(outcomeTitles).map(([outcome, title]) => ({
    key: outcome,
    title,
    rows: rows.filter(row => row.outcome === outcome),
    money: [],
  }))
  return [...sorted, ...byOutcome.filter(group => group.rows.length > 0)]
}

/** Added up across currencies: only used to sort the groups. */
function sumOf(rows: readonly CheckRow[]): Ratio {
  return rows.reduce((sum, { difference }) => (difference === null ? sum : add(sum, absolute(ratio(difference)))), zero)
}

function moneyOf(rows: readonly CheckRow[]): Money[] {
  const known = rows.filter(({ difference, currency }) => difference !== null && currency !== null)
  const groups = [...Map.groupBy(known, ({ currency }) => currency!)].sort(([a], [b]) => (a < b ? -1 : 1))
  return groups.map(([currency, own]) => ({ currency, amount: writeMoney(sumOf(own), currency) }))
}

/** How many lines are as agreed, and how many of those are not yet signed by both sides. */
export function rightLines(rows: readonly CheckRow[]): { readonly right: number; readonly provisional: number } {
  const count = (wanted: Outcome) => rows.filter(({ outcome }) => outcome === wanted).length
  const provisional = count('PROVISIONAL')
  return { right: count('OK') + provisional, provisional }
}

/** Every line with all fields, including the correct ones. */
export function checkSheet(rows: readonly CheckRow[]): Sheet {
  return { name: 'Invoice check', head: checkColumns, rows: rows.map(checkCells) }
}
