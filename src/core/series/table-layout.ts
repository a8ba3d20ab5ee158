// The layout of a table from elsewhere: the meaning of its columns, and how its numbers and dates are written. A layout turns
// such rows into the table that import accepts; a cell it cannot read is a problem with its line, never a guess.

import { wrongCells } from '../text/words.ts'
import { type DateOrder, dateOrders, readLoosePeriod } from '../time/loose-period.ts'
import { type Frequency, frequencies } from '../time/period.ts'
import { type Column, isDecimal, optionalColumns, requiredColumns } from './observation-table.ts'
import { parseReference } from './series.ts'
import type { RowProblem } from './table-problems.ts'

export const separators = [',', ';', '\t'] as const
export type Separator = (typeof separators)[number]
export const encodings = ['utf-8', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]
export const decimalMarks = ['POINT', 'COMMA'] as const
export type DecimalMark = (typeof decimalMarks)[number]
export const tableShapes = ['ROWS', 'COLUMNS'] as const
export type TableShape = (typeof tableShapes)[number]
export { type DateOrder, dateOrders, type Frequency, frequencies }

/** The meanings of a column: one of ours, or left out. In a table of one series per column also `=CUSTOM/code`. */
export const columnTargets: readonly string[] = [...requiredColumns, ...optionalColumns, 'ignore']

export interface TableLayout {
  /** The separator of a CSV file. */
  readonly separator: Separator
  readonly encoding: Encoding
  /** The line of the header; lines before it are left out. */
  readonly headerLine: number
  /** The shape: one value in a row, or one series in a column. */
  readonly shape: TableShape
  readonly decimal: DecimalMark
  readonly dateOrder: DateOrder
  /** The period that a whole date stands for. */
  readonly dates: Frequency
  /** Meanings by place. */
  readonly columns: readonly string[]
}

/** `=CUSTOM/scrap` → `CUSTOM/scrap`; null for a column that is not a series. */
export function seriesOfColumn(target: string): string | null {
  return target.startsWith('=') ? target.slice(1) : null
}

/**
 * `no-code`: a series has no code yet. `code`: its code is not valid. `columns`: any other problem with the meanings of the
 * columns.
 */
interface LayoutProblem {
  readonly kind: 'no-code' | 'code' | 'columns'
  readonly message: string
}

/** Faults of a layout as a whole; empty where there are none. */
export function layoutProblems({ shape, columns }: TableLayout): LayoutProblem[] {
  const count = (target: string) => columns.filter(each => each === target).length
  const problems: LayoutProblem[] = []
  const say = (message: string) => problems.push({ kind: 'columns', message })
  const unknown = columns.filter(each => !each.startsWith('=') && !columnTargets.includes(each))
  for (const each of unknown) say(`a column cannot be "${each}"`)
  if (count('period') === 0) say('no column is the period')
  for (const target of columnTargets) if (target !== 'ignore' && count(target) > 1) say(`two columns are the ${target}`)
  const codes = columns.flatMap(each => seriesOfColumn(each) ?? [])
  if (shape === 'ROWS') {
    if (codes.length > 0) say('a column is a series, but the table has one value in a row')
    if (count('value') === 0) say('no column is the value')
    return problems
  }
  if (count('value') > 0 || count('series') > 0)
    say('with one series in a column, no column is the value or the series')
  if (codes.length === 0) say('no column is a series')
  for (const code of codes)
    if (parseReference(code) === null)
      problems.push(
        code === ''
          ? { kind: 'no-code', message: 'a series has no code yet' }
          : { kind: 'code', message: `"${code}" is no code of a series` },
      )
  const twice = codes.find((code, i) => codes.indexOf(code) !== i)
  if (twice !== undefined) say(`two columns are the series ${twice}`)
  return problems
}

/** Cells that mean "no value", which is never read as 0. */
const missingMarks = new Set([
  '',
  '-',
  '–',
  '—',
  ':',
  '.',
  '..',
  '...',
  '…',
  '/',
  'x',
  'n/a',
  'na',
  'n.a.',
  'nan',
  '#n/a',
  'k.a.',
  'null',
])

export function isMissing(text: string): boolean {
  return missingMarks.has(text.trim().toLowerCase())
}

const grouped = {
  POINT: /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/,
  COMMA: /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/,
} as const
const spaced = /^[+-]?\d{1,3}(?:[ '’\u00a0\u202f]\d{3})+(?:[.,]\d+)?$/

/** The digits with a decimal point; null if it is not a number. Numbers in a workbook have no thousands separators. */
export function readLooseNumber(text: string, decimal: DecimalMark, isWorkbook: boolean): string | null {
  const written = text.trim().replace(/^[−–]/, '-')
  const isSpaced = spaced.test(written)
  const bare = isSpaced ? written.replace(/[ '’\u00a0\u202f]/g, '') : written
  const isGrouped = !isWorkbook && !isSpaced && grouped[decimal].test(bare)
  const plain =
    decimal === 'POINT'
      ? isGrouped
        ? bare.replaceAll(',', '')
        : bare
      : isGrouped
        ? bare.replaceAll('.', '').replace(',', '.')
        : bare.includes('.')
          ? ''
          : bare.replace(',', '.')
  return isDecimal(plain) ? plain.replace(/^\+/, '') : null
}

/** `Scrap, grade E3 (EUR/t)` → `scrap-grade-e3-eur-t`. */
export function codeOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100)
}

export interface LaidRow {
  readonly line: number
  readonly cells: readonly string[]
}

interface LaidOut {
  readonly rows: readonly LaidRow[]
  readonly problems: readonly RowProblem[]
  /** Cells that mean "no value". */
  readonly missing: number
}

const decimalWords: Readonly<Record<DecimalMark, string>> = { POINT: 'point', COMMA: 'comma' }

/** Turns the rows after the header into rows of the table that import accepts. */
export class LayoutReader {
  /** The header of the table it produces. */
  readonly header: readonly string[]
  readonly #layout: TableLayout
  readonly #isWorkbook: boolean
  readonly #names: readonly string[]
  readonly #periodAt: number
  /** Places of kept columns, in a table of rows; of columns with a series, in a table of columns. */
  readonly #kept: readonly number[]
  readonly #publishedAt: number
  readonly #addsName: boolean

  constructor(layout: TableLayout, header: readonly string[], isWorkbook: boolean) {
    const { columns, shape } = layout
    this.#layout = layout
    this.#isWorkbook = isWorkbook
    this.#names = header.map(cell => cell.trim())
    this.#periodAt = columns.indexOf('period')
    this.#publishedAt = columns.indexOf('published')
    if (shape === 'ROWS') {
      this.#kept = columns.flatMap((target, i) => (target === 'ignore' ? [] : [i]))
      this.#addsName = columns.includes('series') && !columns.includes('name')
      this.header = [...this.#kept.map(i => columns[i]!), ...(this.#addsName ? ['name'] : [])]
      return
    }
    this.#kept = columns.flatMap((target, i) => (seriesOfColumn(target) === null ? [] : [i]))
    this.#addsName = true
    this.header = ['series', 'period', 'value', 'name', ...(this.#publishedAt < 0 ? [] : ['published'])]
  }

  read(found: readonly string[], line: number): LaidOut {
    const { columns, shape } = this.#layout
    const width = columns.length
    if (found.slice(width).some(cell => cell.trim() !== '')) return problem(line, '', wrongCells(found.length, width))
    const cells = Array.from({ length: width }, (_, i) => found[i] ?? '')
    const written = cells[this.#periodAt]!.trim()
    if (cells.every(cell => cell.trim() === '')) return nothing
    return shape === 'ROWS' ? this.#row(cells, written, line) : this.#columns(cells, written, line)
  }

  #row(cells: readonly string[], written: string, line: number): LaidOut {
    const { columns } = this.#layout
    const value = cells[columns.indexOf('value')]!
    if (isMissing(value)) return { rows: [], problems: [], missing: 1 }
    const problems: RowProblem[] = []
    const period = this.#period(written, line, problems)
    const number = this.#number(value, 'value', line, problems)
    if (period === null || number === null) return { rows: [], problems, missing: 0 }
    const taken: Partial<Record<Column, string>> = { period, value: number }
    const at = columns.indexOf('series')
    const reference = at < 0 ? null : referenceOf(cells[at]!)
    if (reference !== null) taken.series = reference.reference
    const kept = this.#kept.map(i => taken[columns[i] as Column] ?? this.#plain(columns[i]!, cells[i]!))
    return { rows: [{ line, cells: this.#addsName ? [...kept, reference!.name] : kept }], problems: [], missing: 0 }
  }

  /** Dates of publication are written like the dates of periods. */
  #plain(target: string, cell: string): string {
    if (target !== 'published') return cell
    const { dateOrder } = this.#layout
    return readLoosePeriod(cell, { dateOrder, dates: 'DAILY' }) ?? cell
  }

  #columns(cells: readonly string[], written: string, line: number): LaidOut {
    const present = this.#kept.filter(i => !isMissing(cells[i]!))
    const missing = this.#kept.length - present.length
    if (present.length === 0) return { rows: [], problems: [], missing }
    const problems: RowProblem[] = []
    const period = this.#period(written, line, problems)
    const published = this.#publishedAt < 0 ? [] : [this.#plain('published', cells[this.#publishedAt]!)]
    const rows = present.flatMap(i => {
      const number = this.#number(cells[i]!, this.#names[i] ?? '', line, problems)
      if (period === null || number === null) return []
      const series = seriesOfColumn(this.#layout.columns[i]!)!
      const name = this.#names[i] ?? ''
      return [{ line, cells: [series, period, number, name === series ? '' : name, ...published] }]
    })
    return { rows, problems, missing }
  }

  #period(written: string, line: number, problems: RowProblem[]): string | null {
    const period = readLoosePeriod(written, this.#layout)
    if (period === null)
      problems.push({
        line,
        column: this.#names[this.#periodAt] ?? 'period',
        message: written === '' ? 'is empty' : `must be a period or a date, got "${written}"`,
      })
    return period
  }

  #number(text: string, column: string, line: number, problems: RowProblem[]): string | null {
    const { decimal } = this.#layout
    const number = readLooseNumber(text, decimal, this.#isWorkbook)
    if (number === null)
      problems.push({
        line,
        column,
        message: `must be a number with a decimal ${decimalWords[decimal]}, got "${text.trim()}"`,
      })
    return number
  }
}

const nothing: LaidOut = { rows: [], problems: [], missing: 0 }

function problem(line: number, column: string, message: string): LaidOut {
  return { rows: [], problems: [{ line, column, message }], missing: 0 }
}

/**
 * PROVIDER/code as it is; any other text is the name of the workspace's own series, and its code is made from the
 * name.
 */
function referenceOf(cell: string): { readonly reference: string; readonly name: string } {
  const written = cell.trim()
  if (written === '' || parseReference(written) !== null) return { reference: written, name: '' }
  return { reference: `CUSTOM/${codeOf(written)}`, name: written }
}
