// Declared quantities as a table: agreement, item, period and quantity. It reads cells; the caller checks whether there is such
// an agreement, item or period.

import { compare, ratio, zero } from '../numbers/ratio.ts'
import { HeadedTable } from '../series/headed-table.ts'
import { isDecimal } from '../series/observation-table.ts'
import type { RowProblem } from '../series/table-problems.ts'
import { isOneLine } from '../text/one-line.ts'
import { listBounds } from './list-table.ts'

export const quantityColumns = ['agreement', 'item', 'period', 'quantity'] as const
type QuantityColumn = (typeof quantityColumns)[number]

export interface QuantityRow {
  readonly line: number
  /** A slug or an id. */
  readonly agreement: string
  /** The item; null for the only one there is. */
  readonly item: string | null
  readonly period: string
  readonly quantity: string
}

export class QuantityTable extends HeadedTable<QuantityColumn> {
  readonly #rows: QuantityRow[] = []

  constructor() {
    const message = `there are more than ${listBounds.rows} rows`
    super({ columns: quantityColumns, required: quantityColumns }, { rows: listBounds.rows, message })
  }

  protected override readRow(cells: readonly string[], line: number): void {
    const before = this.problems.length
    const text = (column: QuantityColumn) => {
      const found = this.textOf(cells, column)
      if (found === null && column !== 'item') return this.refuse(line, column, 'is empty')
      if (found === null || (found.length <= listBounds.erpLength && isOneLine(found))) return found
      return this.refuse(line, column, `must be a text of at most ${listBounds.erpLength} characters`)
    }
    const [agreement, item, period, quantity] = [text('agreement'), text('item'), text('period'), text('quantity')]
    if (quantity !== null && !isDecimal(quantity))
      this.refuse(line, 'quantity', `must be a decimal number such as 1200, got "${quantity}"`)
    else if (quantity !== null && compare(ratio(quantity), zero) < 0)
      this.refuse(line, 'quantity', `must not be negative, got "${quantity}"`)
    if (this.problems.length > before) return
    this.#rows.push({ line, agreement: agreement!, item, period: period!, quantity: quantity!.replace(/^\+/, '') })
  }

  /** The rows, or all problems by line. */
  finish(): { readonly rows: readonly QuantityRow[]; readonly problems: readonly RowProblem[] } {
    const problems = this.allProblems()
    return { rows: problems.length > 0 ? [] : this.#rows, problems }
  }
}
