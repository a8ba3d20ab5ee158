// Rows from a CSV file, streamed: the file is never held in memory as a whole. Cells are separated by commas unless a layout
// says otherwise; without one, a file with semicolons is refused with that reason, because its decimals have commas too.
import { Refusal } from '../core/refusal.ts'
import type { TableLayout } from '../core/series/table-layout.ts'
import { restoreCsv } from '../core/text/sheet-text.ts'
import { nul } from '../core/text/storable-text.ts'
import { CsvSplitter } from '../providers/formats/csv.ts'
import { readText, storableCells, type TableRow, type TableSource } from './source.ts'

export function csvSource(
  path: string,
  layout: Pick<TableLayout, 'separator' | 'encoding'> | null = null,
): TableSource {
  return async function* (watch) {
    let batch: TableRow[] = []
    let isHeader = true
    // Most files have neither an apostrophe nor U+0000, and then no cell is checked twice.
    let mayBeNeutralised = false
    let mayHaveNul = false
    const splitter = new CsvSplitter((cells, line) => {
      if (isHeader && layout === null) refuseSemicolons(cells, line)
      isHeader = false
      const written = mayHaveNul ? storableCells(cells, line, watch.problem) : cells
      batch.push({ line, cells: mayBeNeutralised ? written.map(restoreCsv) : written })
    }, layout?.separator)
    const split = (step: () => void): boolean => {
      try {
        step()
        return true
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        watch.problem(readRefusal(error.message))
        return false
      }
    }
    let isWhole = true
    for await (const text of readText(path, watch, layout?.encoding)) {
      mayBeNeutralised ||= text.includes("'")
      mayHaveNul ||= text.includes(nul)
      isWhole = split(() => splitter.push(text))
      yield batch
      batch = []
      if (!isWhole) return
    }
    split(() => splitter.end())
    yield batch
  }
}

export function refuseSemicolons(cells: readonly string[], line: number): void {
  if (cells.length === 1 && /[;\t]/.test(cells[0]!))
    throw new Refusal('invalid', `line ${line}: cells must be separated by commas, and decimals written with a point`)
}

/** The splitter includes the line in its message. */
export function readRefusal(message: string) {
  const match = /^line (\d+): (.*)$/s.exec(message)
  return { line: match === null ? 0 : Number.parseInt(match[1]!, 10), column: '', message: match?.[2] ?? message }
}
