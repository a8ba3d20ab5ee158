// Price files for other systems: which formats there are, which rows go into them, and where a column's text comes from. A
// file that would lose a digit of a price is refused with the items it is about.

import type { Ratio } from '../../core/numbers/ratio.ts'
import type { ExactRow, PriceRow } from '../../core/prices/price-rows.ts'
import { type Cell, writeCsv } from '../sheet.ts'
import { fitPrice, type PriceBounds, type UnitPrice } from './price-unit.ts'

export const priceFormats = ['csv', 'json', 'sap-csv', 'sap-idoc', 'd365-purchase', 'd365-sales', 'bc'] as const
export type PriceFormat = (typeof priceFormats)[number]

export const rowChoices = ['agreed', 'signed', 'all'] as const
/** Signed by both; by at least one; all that have a number. */
type RowChoice = (typeof rowChoices)[number]

export interface PriceFileOptions {
  readonly only: RowChoice
  /** Texts for columns that an item has no `erp_` key for. */
  readonly set: ReadonlyMap<string, string>
  /** Decimals a price may have, if the target's usual number does not apply. */
  readonly decimals: number | null
}

/** Why a file is refused, for one item or for all of it. */
export interface FileProblem {
  readonly agreement: string | null
  readonly item: string | null
  readonly message: string
}

export type WrittenFile = { readonly text: string } | { readonly problems: readonly FileProblem[] }

export type FileWriter = (rows: readonly ExactRow[], options: PriceFileOptions) => WrittenFile

/** How an open end is written in files that do not allow an empty one. */
export const openEnd = '9999-12-31'

export function chosenRows<Row extends { readonly row: Pick<PriceRow, 'status'> }>(
  rows: readonly Row[],
  only: RowChoice,
): readonly Row[] {
  if (only === 'all') return rows
  return rows.filter(({ row: { status } }) => status === 'AGREED' || (only === 'signed' && status !== 'OPEN'))
}

/** Where the text of a column comes from: the item's own key, else what was set, else what we know. */
export function columnText(name: string, { erp }: ExactRow, set: PriceFileOptions['set'], known = ''): string {
  return erp[name] ?? set.get(name) ?? known
}

/** Columns that are computed; no other value may be set in them. */
export function refuseComputed(
  computed: readonly string[],
  rows: readonly ExactRow[],
  { set }: PriceFileOptions,
): FileProblem[] {
  const isSet = computed
    .filter(name => set.has(name))
    .map(name => ({ agreement: null, item: null, message: `${name} is computed and cannot be set` }))
  const isKey = itemProblems(rows, ({ erp }) => {
    const name = computed.find(each => Object.hasOwn(erp, each))
    return name === undefined ? null : `erp_${name} cannot be used here: ${name} is computed`
  })
  return [...isSet, ...isKey]
}

/** One problem for each item, however many rows it has. */
export function itemProblems(rows: readonly ExactRow[], judge: (row: ExactRow) => string | null): FileProblem[] {
  const problems = new Map<string, FileProblem>()
  for (const exact of rows) {
    const message = judge(exact)
    const { agreement, item } = exact.row
    if (message !== null) problems.set(`${agreement} ${item} ${message}`, { agreement, item, message })
  }
  return [...problems.values()]
}

/** A row with its price in the form that the target accepts. */
export interface FittedRow extends UnitPrice {
  readonly exact: ExactRow
}

/** Every row, or the items whose prices do not fit. */
export function fitRows(
  rows: readonly ExactRow[],
  boundsOf: (row: ExactRow) => PriceBounds,
): { readonly fitted: readonly FittedRow[]; readonly problems: readonly FileProblem[] } {
  const fitted: FittedRow[] = []
  const problems = itemProblems(rows, exact => {
    const bounds = boundsOf(exact)
    const unitPrice = fitPrice(exact, bounds)
    if (unitPrice === null) return whyUnfit(exact, bounds)
    fitted.push({ exact, ...unitPrice })
    return null
  })
  return { fitted, problems }
}

export function whyUnfit({ row: { price, per, period } }: ExactRow, { decimals, mostPer }: PriceBounds): string {
  return `${price} per ${per} in ${period} does not fit: at most ${decimals} decimals are allowed, for a whole quantity of at most ${mostPer}`
}

/** A table; if not all rows are agreed, with the status of each as the last column. */
export function writeTable<T extends { readonly exact: ExactRow }>(
  head: readonly string[],
  rows: readonly T[],
  cells: (row: T) => readonly Cell[],
  { only }: PriceFileOptions,
): string {
  const hasStatus = only !== 'agreed'
  return writeCsv({
    name: 'Prices',
    head: hasStatus ? [...head, 'status'] : head,
    rows: rows.map(row => (hasStatus ? [...cells(row), row.exact.row.status] : cells(row))),
  })
}

export function figure(text: string): Cell {
  return { figure: text }
}

/** The quantity at which the next step of the same item begins; null for the last one. */
export function nextSteps(rows: readonly ExactRow[]): ReadonlyMap<ExactRow, Ratio | null> {
  const groups = Map.groupBy(rows, ({ row: { agreement, item, validFrom } }) => `${agreement}\n${item}\n${validFrom}`)
  return new Map(
    [...groups.values()].flatMap(steps => steps.map((step, i) => [step, steps[i + 1]?.from ?? null] as const)),
  )
}
