// Price lists, declared quantities and factors between units from a CSV file or a workbook: the rows, or all of their problems.
// A file is held in memory as a whole: an agreement has thousands of prices, not millions.
import { extname } from 'node:path'
import { UnitFactorTable, type UnitRow } from '../core/invoices/unit-table.ts'
import { ListTable, type ReadRows } from '../core/prices/list-table.ts'
import { type QuantityRow, QuantityTable } from '../core/prices/quantity-table.ts'
import { Refusal } from '../core/refusal.ts'
import type { RowProblem } from '../core/series/table-problems.ts'
import { csvSource } from './csv.ts'
import type { TableSource } from './source.ts'
import { type XlsxOptions, xlsxSource } from './xlsx.ts'

interface Noted {
  readonly notes: readonly string[]
}

/** The source of a table by the ending of the file name. */
export function tableSource(path: string, options: XlsxOptions): TableSource {
  const kind = extname(path).toLowerCase()
  if (options.sheet !== null && kind !== '.xlsx') throw new Refusal('misuse', '--sheet is for .xlsx workbooks only')
  if (kind === '.csv') return csvSource(path)
  if (kind === '.xlsx') return xlsxSource(path, options)
  throw new Refusal('invalid', `the file must be .csv or .xlsx, got "${path}"`)
}

/** Receives the rows of a file and returns what they contain. */
interface TakingTable<R> {
  readonly isRefused: boolean
  readonly report: (problem: RowProblem) => void
  take(cells: readonly string[], line: number): void
  finish(): R
}

export async function readInto<R>(
  table: TakingTable<R>,
  source: TableSource,
): Promise<R & { readonly notes: readonly string[] }> {
  const notes: string[] = []
  const watch = { problem: table.report, progress() {}, note: (text: string) => void notes.push(text) }
  for await (const batch of source(watch)) {
    for (const { cells, line } of batch) table.take(cells, line)
    if (table.isRefused) break
  }
  return { ...table.finish(), notes }
}

export function readPriceList(source: TableSource): Promise<ReadRows & Noted> {
  return readInto(new ListTable(), source)
}

interface ReadQuantities extends Noted {
  readonly rows: readonly QuantityRow[]
  /** Sorted by line; with any problem, there are no rows. */
  readonly problems: readonly RowProblem[]
}

export function readQuantityFile(source: TableSource): Promise<ReadQuantities> {
  return readInto(new QuantityTable(), source)
}

interface ReadUnits extends Omit<ReadQuantities, 'rows'> {
  readonly rows: readonly UnitRow[]
}

export function readUnitFile(source: TableSource): Promise<ReadUnits> {
  return readInto(new UnitFactorTable(), source)
}
