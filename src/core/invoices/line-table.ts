// Invoice lines as a table with a header. A problem with the form of the table (an unknown column, too few cells)
// refuses the whole table; a problem in a cell stays with its line.

import type { RowProblem } from '../series/table-problems.ts'
import { headerProblems, shortName, tableProblems } from '../series/table-problems.ts'
import { columnOf } from '../text/sheet-text.ts'
import { wrongCells } from '../text/words.ts'
import {
  type InvoiceLine,
  type LineField,
  type LineNames,
  type LineSequence,
  type LineTexts,
  lineColumns,
  lineFields,
  readLine,
  readNames,
  requiredFields,
  tooManyLines,
} from './invoice-line.ts'

/** Takes the header, then the rows. */
export class LineTable {
  readonly #most: number
  readonly #rows = new PackedRows()
  readonly #problems = tableProblems()
  #fields: readonly LineField[] | null = null
  #isHopeless = false

  constructor(mostLines: number) {
    this.#most = mostLines
  }

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
    if (this.#fields === null) {
      this.#readHeader(cells, line)
      return
    }
    if (cells.length !== this.#fields.length) {
      this.report({ line, column: '', message: wrongCells(cells.length, this.#fields.length) })
      return
    }
    if (this.#rows.length >= this.#most) {
      this.report({ line, column: '', message: tooManyLines(this.#most) })
      this.#isHopeless = true
      return
    }
    this.#rows.push(cells, line)
  }

  #readHeader(cells: readonly string[], line: number): void {
    const seen = new Set<string>()
    const { problems, isCut } = headerProblems(cells, line, name => {
      if (!lineColumns.includes(name)) return `unknown column "${shortName(name)}"; known are ${lineColumns.join(', ')}`
      if (seen.has(name)) return `the column ${name} is there twice`
      seen.add(name)
      return null
    })
    for (const problem of problems) this.report(problem)
    for (const field of requiredFields)
      if (!seen.has(columnOf(field)) && !isCut)
        this.report({ line, column: columnOf(field), message: `the column ${columnOf(field)} is missing` })
    this.#isHopeless = this.#problems.length > 0
    this.#fields = this.#isHopeless ? [] : cells.map(cell => lineFields[lineColumns.indexOf(cell.trim())]!)
  }

  /** The lines, or the problems with the form, by line. */
  finish(): { readonly lines: LineSequence; readonly problems: readonly RowProblem[] } {
    if (this.#fields === null && this.#problems.length === 0)
      this.report({ line: 1, column: '', message: 'the file is empty' })
    const problems = this.#problems.byLine()
    return problems.length > 0
      ? { lines: [], problems }
      : { lines: new TableLines(this.#fields!, this.#rows), problems }
  }
}

/** Between the cells of a packed row. Inside a cell it becomes another control character, which is refused in the same words. */
const between = '\u0000'

/** Rows as one text each: a file has many thousand of them, and as objects they would take ten times the room. */
class PackedRows {
  readonly #texts: string[] = []
  readonly #places: number[] = []

  get length(): number {
    return this.#texts.length
  }

  push(cells: readonly string[], place: number): void {
    const isPlain = cells.every(cell => !cell.includes(between))
    this.#texts.push((isPlain ? cells : cells.map(cell => cell.replaceAll(between, '\u0001'))).join(between))
    this.#places.push(place)
  }

  *[Symbol.iterator](): Generator<{ readonly cells: readonly string[]; readonly place: number }> {
    for (let i = 0; i < this.#texts.length; i++)
      yield { cells: this.#texts[i]!.split(between), place: this.#places[i]! }
  }
}

/** The lines of a table. Each is read when its turn comes, and again in the next round. */
class TableLines implements LineSequence {
  readonly #fields: readonly LineField[]
  readonly #rows: PackedRows

  constructor(fields: readonly LineField[], rows: PackedRows) {
    this.#fields = fields
    this.#rows = rows
  }

  get length(): number {
    return this.#rows.length
  }

  *[Symbol.iterator](): Generator<InvoiceLine> {
    for (const { cells, place } of this.#rows) yield readLine(place, this.#textsOf(cells))
  }

  *names(): Generator<LineNames> {
    for (const { cells } of this.#rows) yield readNames(this.#textsOf(cells))
  }

  #textsOf(cells: readonly string[]): LineTexts {
    const texts: Partial<Record<LineField, string>> = {}
    for (let i = 0; i < cells.length; i++) if (cells[i] !== '') texts[this.#fields[i]!] = cells[i]!
    return texts as LineTexts
  }
}
