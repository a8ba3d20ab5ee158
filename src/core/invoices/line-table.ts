// Invoice lines as a table with a header. A problem with the form of the table (an unknown column, too few cells)
// refuses the whole table; a problem in a cell stays with its line.

import { HeadedTable } from '../series/headed-table.ts'
import type { RowProblem } from '../series/table-problems.ts'
import { columnOf } from '../text/sheet-text.ts'
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

export class LineTable extends HeadedTable<string> {
  readonly #rows = new PackedRows()
  #fields: readonly LineField[] = []

  constructor(mostLines: number) {
    super(
      { columns: lineColumns, required: requiredFields.map(columnOf) },
      { rows: mostLines, message: tooManyLines(mostLines) },
    )
  }

  protected override headerRead(cells: readonly string[]): void {
    this.#fields = cells.map(cell => lineFields[lineColumns.indexOf(cell.trim())]!)
  }

  protected override readRow(cells: readonly string[], line: number): void {
    this.#rows.push(cells, line)
  }

  /** The lines, or the problems with the form, by line. */
  finish(): { readonly lines: LineSequence; readonly problems: readonly RowProblem[] } {
    const problems = this.allProblems()
    return { lines: problems.length > 0 ? [] : new TableLines(this.#fields, this.#rows), problems }
  }
}

/**
 * Separates the cells of a packed row. Inside a cell it becomes another control character, which is refused with the same
 * message.
 */
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
