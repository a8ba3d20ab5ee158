// The layout of a table from elsewhere: the meaning of its columns, and how its decimals and dates are written. A cell that it
// cannot read stays as it is: the table of that kind names its fault, by line and column.

import { guessDecimal, guessOrder } from '../series/table-guess.ts'
import {
  type DateOrder,
  type DecimalMark,
  type Encoding,
  type LaidRow,
  readLooseNumber,
  type Separator,
} from '../series/table-layout.ts'
import { readDate } from '../time/loose-period.ts'
import { formOf, headerPlace, kindColumns, type TableKind, targetsOf } from './table-kinds.ts'

export interface ColumnLayout {
  readonly kind: TableKind
  /** The separator of a CSV file. */
  readonly separator: Separator
  readonly encoding: Encoding
  /** The line of the header; lines before it are left out. */
  readonly headerLine: number
  readonly decimal: DecimalMark
  readonly dateOrder: DateOrder
  /** Columns of the kind by place, or `ignore`. */
  readonly columns: readonly string[]
}

/** The facts known about a file before it is read. */
interface PeekedTable extends Pick<ColumnLayout, 'separator' | 'encoding'> {
  readonly rows: readonly LaidRow[]
  readonly isWorkbook: boolean
}

export type ColumnQuestion = 'decimal' | 'dateOrder'

interface GuessedColumns {
  /** Open questions have no value in it yet. */
  readonly layout: ColumnLayout
  readonly open: readonly ColumnQuestion[]
}

export function guessColumns(
  kind: TableKind,
  { rows, separator, encoding, isWorkbook }: PeekedTable,
  at = headerPlace(kind, rows),
): GuessedColumns {
  const columns = targetsOf(kind, rows[at]?.cells ?? [])
  const cellsOf = (form: 'number' | 'day') =>
    rows
      .slice(at + 1)
      .flatMap(({ cells }) =>
        columns.flatMap((target, i) =>
          target !== 'ignore' && formOf(target) === form ? [cells[i]?.trim() ?? ''] : [],
        ),
      )
  const decimal = guessDecimal(cellsOf('number'), isWorkbook)
  const order = guessOrder(cellsOf('day'))
  return {
    layout: {
      kind,
      separator,
      encoding,
      columns,
      headerLine: rows[at]?.line ?? 1,
      decimal: decimal ?? 'POINT',
      dateOrder: order ?? 'DMY',
    },
    open: [...(decimal === null ? ['decimal' as const] : []), ...(order === null ? ['dateOrder' as const] : [])],
  }
}

/** Whether the kind reads the table as it is; `given`: columns with one value for the whole file. */
export function isPlainKind(kind: TableKind, table: PeekedTable, given: readonly string[]): boolean {
  const { rows, separator, encoding } = table
  const header = rows[0]?.cells.map(cell => cell.trim()) ?? []
  const { required, columns, prefix } = kindColumns[kind]
  if (separator !== ',' || encoding !== 'utf-8') return false
  const isKnown = (name: string) => columns.includes(name) || (prefix !== null && name.startsWith(prefix))
  if (!header.every(isKnown) || !required.every(name => header.includes(name) || given.includes(name))) return false
  if (guessColumns(kind, table, 0).layout.decimal !== 'POINT') return false
  const days = header.flatMap((name, i) =>
    formOf(name) === 'day' ? rows.slice(1).map(({ cells }) => cells[i] ?? '') : [],
  )
  return days.every(
    cell => cell.trim() === '' || /^\d{4}-\d{2}-\d{2}$/.test(cell.trim()) || readDate(cell.trim(), 'DMY') === null,
  )
}

/** Faults of a layout as a whole; empty where there are none. */
export function columnProblems({ kind, columns }: ColumnLayout, given: readonly string[]): string[] {
  const { columns: known, required, prefix } = kindColumns[kind]
  const isKnown = (name: string) =>
    name === 'ignore' ||
    known.includes(name) ||
    (prefix !== null && name.length > prefix.length && name.startsWith(prefix))
  const twice = columns.filter((name, i) => name !== 'ignore' && columns.indexOf(name) !== i)
  return [
    ...columns.filter(name => !isKnown(name)).map(name => `a column cannot be "${name}"`),
    ...required
      .filter(name => !columns.includes(name) && !given.includes(name))
      .map(name => `no column is the ${name.replaceAll('_', ' ')}`),
    ...new Set(twice.map(name => `two columns are the ${name.replaceAll('_', ' ')}`)),
  ]
}

/** Turns the rows after the header into rows of a table of the kind. */
export class ColumnReader {
  /** The header of the table it produces. */
  readonly header: readonly string[]
  /** The file's own names of its columns. */
  readonly names: ReadonlyMap<string, string>
  readonly #layout: ColumnLayout
  readonly #kept: readonly number[]
  readonly #isWorkbook: boolean

  constructor(layout: ColumnLayout, header: readonly string[], isWorkbook: boolean) {
    const { columns } = layout
    this.#layout = layout
    this.#isWorkbook = isWorkbook
    this.#kept = columns.flatMap((target, i) => (target === 'ignore' ? [] : [i]))
    this.header = this.#kept.map(i => columns[i]!)
    this.names = new Map(this.#kept.map(i => [columns[i]!, header[i]?.trim() || columns[i]!]))
  }

  /** The cells; null for an empty row. */
  read(cells: readonly string[]): readonly string[] | null {
    const kept = this.#kept.map(i => cells[i]?.trim() ?? '')
    return kept.every(cell => cell === '') ? null : kept.map((cell, i) => this.#written(this.header[i]!, cell))
  }

  #written(column: string, cell: string): string {
    const form = formOf(column)
    if (cell === '' || form === 'text') return cell
    const { decimal, dateOrder } = this.#layout
    return (form === 'number' ? readLooseNumber(cell, decimal, this.#isWorkbook) : readDate(cell, dateOrder)) ?? cell
  }
}
