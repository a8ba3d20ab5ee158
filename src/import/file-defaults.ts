// Values given once for a whole file that has no column for them: the series of figures with its name and unit, the agreement
// of invoice lines, the currency of a price list. A cell with a different value is refused: it is unclear which of the two was meant.
import type { RowProblem } from '../core/series/table-problems.ts'
import { wrongCells } from '../core/text/words.ts'
import type { TableRow, TableSource, Watch } from './source.ts'

/** Values by column name. */
export type GivenColumns = Readonly<Record<string, string>>

export function withGivenColumns(source: TableSource, given: GivenColumns): TableSource {
  const texts = Object.entries(given)
  if (texts.length === 0) return source
  return async function* (watch) {
    let filler: Filler | null = null
    for await (const batch of source(watch)) {
      const rows: TableRow[] = []
      for (const row of batch) {
        if (filler !== null) rows.push(...filler.fill(row))
        else {
          filler = new Filler(row, texts, watch)
          rows.push(filler.header)
        }
      }
      yield rows
    }
  }
}

class Filler {
  readonly header: TableRow
  /** Texts with the position of their column in the original header. */
  readonly #places: readonly { readonly column: string; readonly text: string; readonly at: number }[]
  readonly #added: readonly string[]
  readonly #width: number
  readonly #watch: Watch

  constructor({ line, cells }: TableRow, texts: readonly (readonly [string, string])[], watch: Watch) {
    const names = cells.map(cell => cell.trim())
    const missing = texts.filter(([column]) => !names.includes(column))
    this.#watch = watch
    this.#width = cells.length
    this.#added = missing.map(([, text]) => text)
    this.#places = texts.flatMap(([column, text]) => {
      const at = names.indexOf(column)
      return at < 0 ? [] : [{ column, text, at }]
    })
    this.header = { line, cells: [...cells, ...missing.map(([column]) => column)] }
  }

  /** The row, or nothing after reporting its problems. */
  fill({ line, cells: found }: TableRow): readonly TableRow[] {
    // Checked here: after this step the header is wider than the file's.
    if (found.length !== this.#width)
      return this.#refuse([{ line, column: '', message: wrongCells(found.length, this.#width) }])
    const problems: RowProblem[] = []
    const cells = [...found, ...this.#added]
    for (const { column, text, at } of this.#places) {
      const cell = cells[at]!.trim()
      if (cell === '') cells[at] = text
      else if (cell !== text)
        problems.push({ line, column, message: `is "${cell}", but "${text}" is given for the whole file` })
    }
    return problems.length === 0 ? [{ line, cells }] : this.#refuse(problems)
  }

  #refuse(problems: readonly RowProblem[]): readonly TableRow[] {
    for (const problem of problems) this.#watch.problem(problem)
    return []
  }
}
