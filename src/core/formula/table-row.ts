// Stepwise tables: the row that a number belongs to, and its value.
import { compare, type Ratio } from '../numbers/ratio.ts'
import { type WorkBudget, workOf } from '../numbers/work-budget.ts'
import type { Table } from './terms.ts'

/** The value of the first row whose edge lies above the number. */
export function lookUp(table: Table, x: Ratio, work?: WorkBudget): Ratio {
  return table.rows[rowFor(table, x, work)]!.value
}

/** The number of that row. The last row is open, so there always is one. */
export function rowFor({ rows }: Table, x: Ratio, work?: WorkBudget): number {
  return rows.findIndex(({ edge, closed }) => {
    if (edge === null) return true
    work?.spend(workOf.part)
    const order = compare(x, edge, work)
    return order < 0 || (closed && order === 0)
  })
}
