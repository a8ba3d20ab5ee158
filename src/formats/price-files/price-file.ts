// Price files for other systems: the formats, the rows that go into them, and the source of a column's text. A file that would
// lose a digit of a price is refused with the items concerned.

import { compare, type Ratio } from '../../core/numbers/ratio.ts'
import { type ExactRow, earlier, type PriceRow } from '../../core/prices/price-rows.ts'
import { formatDay } from '../../core/time/day.ts'
import { type Cell, formatCsv } from '../sheet.ts'
import { fitPrice, type PriceBounds, type UnitPrice } from './price-unit.ts'

export const priceFormats = ['csv', 'json', 'sap-csv', 'sap-idoc', 'd365-purchase', 'd365-sales', 'bc'] as const
export type PriceFormat = (typeof priceFormats)[number]

export const rowChoices = ['agreed', 'signed', 'all'] as const
/** Rows signed by both; by at least one; all that have a number. */
export type RowChoice = (typeof rowChoices)[number]

export interface PriceFileOptions {
  readonly only: RowChoice
  /** Texts for columns that an item has no `erp_` key for. */
  readonly set: ReadonlyMap<string, string>
  /** Decimals a price may have, if the target's usual number does not apply. */
  readonly decimals: number | null
  /** Prices end with their own period, in place of staying in force until the next one is signed. */
  readonly periodValidity?: boolean
}

/** Why a file is refused, for one item or for all of it. */
export interface FileProblem {
  readonly agreement: string | null
  readonly item: string | null
  readonly message: string
}

export type WrittenFile = { readonly text: string } | { readonly problems: readonly FileProblem[] }

export type FileWriter = (rows: readonly ExactRow[], options: PriceFileOptions) => WrittenFile

/** The text for an open end in files that do not allow an empty one. */
export const openEnd = '9999-12-31'

export function chosenRows<Row extends { readonly row: Pick<PriceRow, 'status'> }>(
  rows: readonly Row[],
  only: RowChoice,
): readonly Row[] {
  if (only === 'all') return rows
  return rows.filter(({ row: { status } }) => status === 'AGREED' || (only === 'signed' && status !== 'OPEN'))
}

/** A row in a file, with the last day on which its price is valid there; null without end. */
export interface FileRow extends ExactRow {
  readonly lastDay: string | null
}

/**
 * The chosen rows for a system that keeps one price at a time: each ends the day before the next row of its item and step. The
 * rows come by agreement, item, step and validity; a row of which no day is left is not in the file.
 */
export function fileRows(
  all: readonly ExactRow[],
  { only, periodValidity }: Pick<PriceFileOptions, 'only' | 'periodValidity'>,
): readonly FileRow[] {
  const rows = chosenRows(all, only)
  return rows.flatMap((exact, i) => {
    const next = rows[i + 1]
    const cut = next !== undefined && isSameKey(exact, next) ? earlier(exact.last, next.validFrom - 1) : exact.last
    const last = periodValidity === true ? exact.ownLast : cut
    if (last !== null && last < exact.validFrom) return []
    return [{ ...exact, lastDay: last === null ? null : formatDay(last) }]
  })
}

function isSameKey(a: ExactRow, b: ExactRow): boolean {
  return a.row.agreement === b.row.agreement && a.row.item === b.row.item && compare(a.from, b.from) === 0
}

/** The text of a column: the item's own key, else the set value, else the known one. */
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
export function itemProblems<Row extends ExactRow>(
  rows: readonly Row[],
  judge: (row: Row) => string | null,
): FileProblem[] {
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
  readonly exact: FileRow
}

/** All rows, or the problems of the items whose prices do not fit. */
export function fitRows(
  rows: readonly FileRow[],
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
export function formatTable<T extends { readonly exact: ExactRow }>(
  head: readonly string[],
  rows: readonly T[],
  cells: (row: T) => readonly Cell[],
  { only }: PriceFileOptions,
): string {
  const hasStatus = only !== 'agreed'
  return formatCsv({
    name: 'Prices',
    head: hasStatus ? [...head, 'status'] : head,
    rows: rows.map(row => (hasStatus ? [...cells(row), row.exact.row.status] : cells(row))),
  })
}

export function figure(text: string): Cell {
  return { figure: text }
}

/** The quantity at which the item's next step begins in its period; null for the last step. */
export function nextSteps(rows: readonly ExactRow[]): (row: ExactRow) => Ratio | null {
  const keyOf = ({ row: { agreement, item, period } }: ExactRow) => `${agreement}\n${item}\n${period}`
  const groups = Map.groupBy(rows, keyOf)
  return row => groups.get(keyOf(row))!.find(({ from }) => compare(from, row.from) > 0)?.from ?? null
}
