// A table read by a layout: rows before the header are left out, and the rest becomes the table that import accepts.
import { type ColumnLayout, ColumnReader } from '../core/invoices/column-layout.ts'
import { LayoutReader, type TableLayout } from '../core/series/table-layout.ts'
import type { TableRow, TableSource } from './source.ts'

export function withLayout(source: TableSource, layout: TableLayout, isWorkbook: boolean): TableSource {
  return async function* (watch) {
    let reader: LayoutReader | null = null
    let missing = 0
    for await (const batch of source(watch)) {
      const rows: TableRow[] = []
      for (const { line, cells } of batch) {
        if (line < layout.headerLine) continue
        if (reader === null) {
          reader = new LayoutReader(layout, cells, isWorkbook)
          rows.push({ line, cells: reader.header })
          continue
        }
        const laid = reader.read(cells, line)
        for (const problem of laid.problems) watch.problem(problem)
        rows.push(...laid.rows)
        missing += laid.missing
      }
      yield rows
    }
    if (missing > 0)
      watch.note(
        `${missing} ${missing === 1 ? 'cell' : 'cells'} without a value ${missing === 1 ? 'was' : 'were'} left out`,
      )
  }
}

/** A table of another kind than figures, read by its layout. */
export function withColumns(source: TableSource, layout: ColumnLayout, isWorkbook: boolean): TableSource {
  return async function* (watch) {
    let reader: ColumnReader | null = null
    for await (const batch of source(watch)) {
      const rows: TableRow[] = []
      for (const { line, cells } of batch) {
        if (line < layout.headerLine) continue
        if (reader === null) {
          reader = new ColumnReader(layout, cells, isWorkbook)
          rows.push({ line, cells: reader.header })
          continue
        }
        const read = reader.read(cells)
        if (read !== null) rows.push({ line, cells: read })
      }
      yield rows
    }
  }
}
