// First rows of a file as a layout reads them: the lines of the chart, and the unreadable rows. The server reads the whole file
// in the same way.
import { LayoutReader, type TableLayout } from '../../../../src/core/series/table-layout.ts'
import type { RowProblem } from '../../../../src/core/series/table-problems.ts'
import type { UploadLook } from '../../../../src/views/shapes/series.ts'

export interface UnderstoodSeries {
  readonly name: string
  readonly points: readonly { readonly period: string; readonly value: string }[]
}

export interface Understood {
  readonly series: readonly UnderstoodSeries[]
  readonly problems: readonly RowProblem[]
  readonly missing: number
}

export function understand(
  { rows, isWorkbook }: Pick<UploadLook, 'rows' | 'isWorkbook'>,
  layout: TableLayout,
): Understood {
  const header = rows.find(({ line }) => line === layout.headerLine)
  if (header === undefined || !layout.columns.includes('period')) return { series: [], problems: [], missing: 0 }
  if (layout.shape === 'ROWS' && !layout.columns.includes('value')) return { series: [], problems: [], missing: 0 }
  const reader = new LayoutReader(layout, header.cells, isWorkbook)
  const place = (column: string) => reader.header.indexOf(column)
  const lines = new Map<string, { name: string; points: { period: string; value: string }[] }>()
  const problems: RowProblem[] = []
  let missing = 0
  for (const { line, cells } of rows) {
    if (line <= layout.headerLine) continue
    const laid = reader.read(cells, line)
    problems.push(...laid.problems)
    missing += laid.missing
    for (const row of laid.rows) {
      const of = (column: string) => row.cells[place(column)] ?? ''
      const reference = of('series')
      const name = of('name') || reference || 'the series'
      const known = lines.get(reference) ?? { name, points: [] }
      known.points.push({ period: of('period'), value: of('value') })
      lines.set(reference, known)
    }
  }
  return { series: [...lines.values()], problems, missing }
}
