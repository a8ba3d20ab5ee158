// Many agreements read from a CSV file or a workbook: the rows, or all of their problems.
import { type AgreementRow, AgreementTable } from '../core/formula/many/agreement-table.ts'
import type { RowProblem } from '../core/series/table-problems.ts'
import { readInto } from './price-list.ts'
import type { TableSource } from './source.ts'

interface ReadAgreements {
  readonly rows: readonly AgreementRow[]
  /** Sorted by line; with any problem, there are no rows. */
  readonly problems: readonly RowProblem[]
  readonly notes: readonly string[]
}

/** `places`: the places that the template names. */
export function readAgreementTable(source: TableSource, places: readonly string[]): Promise<ReadAgreements> {
  return readInto(new AgreementTable(places), source)
}
