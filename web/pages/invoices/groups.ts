// Lines of a check grouped by fault: those with a difference by reason, with the money, then those that could not be judged by
// outcome.
import {
  type CheckRow,
  type CheckSummary,
  checkCells,
  checkColumns,
  type PricedRow,
  type Verdict,
  verdictOf,
} from '../../../src/core/invoices/check-row.ts'
import type { ReasonCode } from '../../../src/core/invoices/hypotheses.ts'
import { formatMinorUnits } from '../../../src/core/numbers/money.ts'
import { absolute, compare, type Ratio, ratio, sum } from '../../../src/core/numbers/ratio.ts'
import type { Sheet } from '../../../src/formats/sheet.ts'

export interface Group {
  readonly key: string
  readonly title: string
  readonly rows: readonly PricedRow[]
  /** Total difference of its lines, with the sign, by currency; empty if there is none. */
  readonly money: readonly Money[]
}

interface Money {
  readonly currency: string
  readonly amount: string
}

const reasonTitles: Readonly<Record<ReasonCode | 'contradiction' | 'unexplained', string>> = {
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
  contradiction: 'Unit price and amount contradict each other',
  unexplained: 'No known mistake gives this price',
}

const verdictTitles: Readonly<Partial<Record<Verdict, string>>> = {
  NOT_AGREED: 'Not agreed yet',
  SPANS: 'Service crosses an adjustment date',
  OUTSIDE: 'Outside the contract or the item’s validity',
  BLOCKED: 'No price yet',
  UNKNOWN: 'Not recognised',
  SKIPPED: 'Corrections, not checked',
}

const differing: readonly Verdict[] = ['OVER', 'UNDER', 'OK_WITHIN']

/** A line that was billed as proposed is as little agreed as one that was billed otherwise. */
function groupOf(row: PricedRow): Verdict {
  return row.outcome === 'PROVISIONAL' ? 'NOT_AGREED' : verdictOf(row)
}

/** Correct lines are in no group. Most money first; lines that could not be judged come last. */
export function groupsOf(rows: readonly PricedRow[]): Group[] {
  const withMoney = Map.groupBy(
    rows.filter(row => differing.includes(groupOf(row))),
    ({ reason, contradiction }) => reason?.code ?? (contradiction ? 'contradiction' : 'unexplained'),
  )
  const byReason = [...withMoney].map(([key, own]) => ({
    key,
    title: reasonTitles[key],
    rows: own,
    money: moneyOf(own),
    moved: movedBy(own),
  }))
  const sorted = byReason.sort((a, b) => compare(b.moved, a.moved)).map(({ moved: _moved, ...group }) => group)
  const byVerdict = Object.entries(verdictTitles).map(([verdict, title]) => ({
    key: verdict,
    title,
    rows: rows.filter(row => groupOf(row) === verdict),
    money: [],
  }))
  return [...sorted, ...byVerdict.filter(group => group.rows.length > 0)]
}

function differencesOf(rows: readonly CheckRow[]): readonly Ratio[] {
  return rows.flatMap(({ difference }) => (difference === null ? [] : [ratio(difference)]))
}

/** Sum of differences in either direction, added up across currencies: only used to sort the groups. */
function movedBy(rows: readonly CheckRow[]): Ratio {
  return sum(differencesOf(rows).map(each => absolute(each)))
}

function moneyOf(rows: readonly CheckRow[]): Money[] {
  const known = rows.filter(({ difference, currency }) => difference !== null && currency !== null)
  const groups = [...Map.groupBy(known, ({ currency }) => currency!)].sort(([a], [b]) => (a < b ? -1 : 1))
  return groups.map(([currency, own]) => ({ currency, amount: formatMinorUnits(sum(differencesOf(own)), currency) }))
}

/** Number of lines that are billed as agreed, and of lines without an agreed price yet. */
export function countLines({ outcomes }: Pick<CheckSummary, 'outcomes'>): {
  readonly agreed: number
  readonly unagreed: number
} {
  return { agreed: outcomes.OK ?? 0, unagreed: (outcomes.NOT_AGREED ?? 0) + (outcomes.PROVISIONAL ?? 0) }
}

/** Every line with all fields, including the correct ones. */
export function checkSheet(rows: readonly PricedRow[]): Sheet {
  return { name: 'Invoice check', head: checkColumns, rows: rows.map(toldCells) }
}

/** Cells for people: without a difference from a price that is only proposed. */
function toldCells(row: PricedRow): ReturnType<typeof checkCells> {
  const verdict = verdictOf(row)
  if (verdict !== 'NOT_AGREED') return checkCells(row)
  const untold = { priceDifference: null, difference: null, reason: null, alsoPossible: [] }
  const cells = checkCells({ ...row, ...untold })
  return cells.map((cell, i) => (checkColumns[i] === 'outcome' ? verdict : cell))
}
