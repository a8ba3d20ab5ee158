// Declared quantities as a table: agreement, item, period and quantity. It reads cells; whether there is such an
// agreement, item or period is checked by the caller.

import { compare, ratio, zero } from '../numbers/ratio.ts'
import { isDecimal } from '../series/observation-table.ts'
import type { RowProblem } from '../series/table-problems.ts'
import { headerProblems, shortName, tableProblems } from '../series/table-problems.ts'
import { wrongCells } from '../text/words.ts'
import { listBounds } from './list-table.ts'

const columns = ['agreement', 'item', 'period', 'quantity'] as const
type QuantityColumn = (typeof columns)[number]

export interface QuantityRow {
  readonly line: number
  /** A slug or an id. */
  readonly agreement: string
  /** Null: the only item there is. */
  readonly item: string | null
  readonly period: string
  readonly quantity: string
}

/** Takes the header, then the rows, then returns what the table contains. */
export class QuantityTable {
  readonly #places = new Map<QuantityColumn, number>()
  readonly #rows: QuantityRow[] = []
  readonly #problems = tableProblems()
  #width: number | null = null
  #isHopeless = false

  /** The header cannot be read, or there are too many rows or problems: reading stops. */
  get isHopeless(): boolean {
    return this.#isHopeless || this.#problems.isFull
  }

  /** What a source could not read. */
  readonly report = (problem: RowProblem): void => {
    this.#problems.add(problem)
  }

  take(cells: readonly string[], line: number): void {
    if (this.isHopeless) return
    if (this.#width === null) this.#readHeader(cells, line)
    else if (cells.length !== this.#width)
      this.report({ line, column: '', message: wrongCells(cells.length, this.#width) })
    else if (this.#rows.length >= listBounds.rows) {
      this.report({ line, column: '', message: `there are more than ${listBounds.rows} rows` })
      this.#isHopeless = true
    } else this.#readRow(cells, line)
  }

  #readHeader(cells: readonly string[], line: number): void {
    this.#width = cells.length
    const { problems, isCut } = headerProblems(cells, line, (name, place) => {
      const column = columns.find(each => each === name)
      if (column === undefined) return `unknown column "${shortName(name)}"; known are ${columns.join(', ')}`
      if (this.#places.has(column)) return `the column ${name} is there twice`
      this.#places.set(column, place)
      return null
    })
    for (const problem of problems) this.report(problem)
    for (const column of columns)
      if (!this.#places.has(column) && !isCut) this.report({ line, column, message: `the column ${column} is missing` })
    this.#isHopeless = this.#problems.length > 0
  }

  #readRow(cells: readonly string[], line: number): void {
    const before = this.#problems.length
    const text = (column: QuantityColumn) => {
      const found = cells[this.#places.get(column)!]!.trim()
      if (found.length <= listBounds.erpLength && !/\p{Cc}/u.test(found)) return found
      this.report({ line, column, message: `must be a text of at most ${listBounds.erpLength} characters` })
      return ''
    }
    const [agreement, item, period, quantity] = [text('agreement'), text('item'), text('period'), text('quantity')]
    for (const column of ['agreement', 'period', 'quantity'] as const)
      if (cells[this.#places.get(column)!]!.trim() === '') this.report({ line, column, message: 'is empty' })
    if (quantity !== '' && !isDecimal(quantity))
      this.report({ line, column: 'quantity', message: `must be a decimal number such as 1200, got "${quantity}"` })
    else if (quantity !== '' && compare(ratio(quantity), zero) < 0)
      this.report({ line, column: 'quantity', message: `must not be negative, got "${quantity}"` })
    if (this.#problems.length > before) return
    this.#rows.push({ line, agreement, item: item === '' ? null : item, period, quantity: quantity.replace(/^\+/, '') })
  }

  /** The rows, or everything that is wrong, by line. */
  finish(): { readonly rows: readonly QuantityRow[]; readonly problems: readonly RowProblem[] } {
    if (this.#width === null && this.#problems.length === 0)
      this.report({ line: 1, column: '', message: 'the file is empty' })
    const problems = this.#problems.byLine()
    return { rows: problems.length > 0 ? [] : this.#rows, problems }
  }
}
