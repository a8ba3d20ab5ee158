// Invoice lines as a table with a header. A problem with the form of the table (an unknown column, too few cells)
// refuses the whole table; a problem in a cell stays with its line.
import type { RowProblem } from '../observation-table.ts'
import { columnOf } from '../sheet-text.ts'
import {
  type InvoiceLine,
  type LineField,
  type LineTexts,
  lineColumns,
  lineFields,
  readLine,
  requiredFields,
  tooManyLines,
} from './invoice-line.ts'

/** Takes the header, then the rows. */
export class LineTable {
  readonly #most: number
  readonly #lines: InvoiceLine[] = []
  readonly #problems: RowProblem[] = []
  #fields: readonly LineField[] | null = null
  #isHopeless = false

  constructor(mostLines: number) {
    this.#most = mostLines
  }

  /** The header cannot be read, or there are too many rows: reading stops. */
  get isHopeless(): boolean {
    return this.#isHopeless
  }

  /** What a source could not read. */
  readonly report = (problem: RowProblem): void => {
    this.#problems.push(problem)
  }

  take(cells: readonly string[], line: number): void {
    if (this.#isHopeless) return
    if (this.#fields === null) {
      this.#readHeader(cells, line)
      return
    }
    if (cells.length !== this.#fields.length) {
      this.report({ line, column: '', message: `${cells.length} cells where the header has ${this.#fields.length}` })
      return
    }
    if (this.#lines.length >= this.#most) {
      this.report({ line, column: '', message: tooManyLines(this.#most) })
      this.#isHopeless = true
      return
    }
    const texts: Partial<Record<LineField, string>> = {}
    this.#fields.forEach((field, i) => {
      if (cells[i] !== '') texts[field] = cells[i]!
    })
    this.#lines.push(readLine(line, texts as LineTexts))
  }

  #readHeader(cells: readonly string[], line: number): void {
    const names = cells.map(cell => cell.trim())
    names.forEach((name, i) => {
      if (!lineColumns.includes(name))
        this.report({ line, column: name, message: `unknown column "${name}"; known are ${lineColumns.join(', ')}` })
      else if (names.indexOf(name) < i)
        this.report({ line, column: name, message: `the column ${name} is there twice` })
    })
    for (const field of requiredFields)
      if (!names.includes(columnOf(field)))
        this.report({ line, column: columnOf(field), message: `the column ${columnOf(field)} is missing` })
    this.#isHopeless = this.#problems.length > 0
    this.#fields = names.map(name => lineFields[lineColumns.indexOf(name)]!)
  }

  /** The lines, or the problems with the form, by line. */
  finish(): { readonly lines: readonly InvoiceLine[]; readonly problems: readonly RowProblem[] } {
    if (this.#fields === null && this.#problems.length === 0)
      this.report({ line: 1, column: '', message: 'the file is empty' })
    const problems = this.#problems.sort((a, b) => a.line - b.line)
    return problems.length > 0 ? { lines: [], problems } : { lines: this.#lines, problems }
  }
}
