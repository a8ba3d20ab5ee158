// Tables with a header, whatever they contain: their columns, and one cell in each row for each of them. Every problem is
// named, up to a bound; the kind of table reads the cells.

import { wrongCells } from '../text/words.ts'
import { headerProblems, type RowProblem, shortName, tableProblems } from './table-problems.ts'

interface TableHead<C extends string> {
  readonly columns: readonly C[]
  readonly required: readonly C[]
  /** Other columns: their words, and the fault of a name; undefined if the name is none of them. */
  readonly others?: {
    readonly words: string
    readonly problemOf: (name: string, place: number) => string | null | undefined
  }
}

/** The place of each column, and all problems of the header. */
export function readHead<C extends string>(
  { columns, required, others }: TableHead<C>,
  cells: readonly string[],
  line: number,
): { readonly places: ReadonlyMap<C, number>; readonly problems: readonly RowProblem[] } {
  const places = new Map<string, number>()
  const { problems, isCut } = headerProblems(cells, line, (name, place) => {
    if (places.has(name)) return `the column ${shortName(name)} is there twice`
    const problem = (columns as readonly string[]).includes(name) ? null : others?.problemOf(name, place)
    if (problem === undefined) {
      const known = columns.join(', ')
      return `unknown column "${shortName(name)}"; known are ${known}${others === undefined ? '' : ` and ${others.words}`}`
    }
    places.set(name, place)
    return problem
  })
  const missing = required.filter(column => !places.has(column) && !isCut)
  return {
    places: places as Map<C, number>,
    problems: [...problems, ...missing.map(column => ({ line, column, message: `the column ${column} is missing` }))],
  }
}

/** Takes the header, then the rows. */
export abstract class HeadedTable<C extends string> {
  protected readonly problems = tableProblems()
  readonly #head: TableHead<C>
  readonly #most: { readonly rows: number; readonly message: string }
  #places: ReadonlyMap<C, number> | null = null
  #width = 0
  #rows = 0
  #isRefused = false

  constructor(head: TableHead<C>, most: { readonly rows: number; readonly message: string }) {
    this.#head = head
    this.#most = most
  }

  /** The header cannot be read, or there are too many rows or problems: reading stops. */
  get isRefused(): boolean {
    return this.#isRefused || this.problems.isFull
  }

  /** Takes a problem of the source, or of a cell. */
  readonly report = (problem: RowProblem): void => {
    this.problems.add(problem)
  }

  take(cells: readonly string[], line: number): void {
    if (this.isRefused) return
    if (this.#places === null) this.#readHeader(cells, line)
    else if (cells.length !== this.#width) this.refuse(line, '', wrongCells(cells.length, this.#width))
    else if (++this.#rows > this.#most.rows) {
      this.refuse(line, '', this.#most.message)
      this.#isRefused = true
    } else this.readRow(cells, line)
  }

  #readHeader(cells: readonly string[], line: number): void {
    const before = this.problems.length
    const { places, problems } = readHead(this.#head, cells, line)
    this.#places = places
    this.#width = cells.length
    for (const problem of problems) this.report(problem)
    this.headerRead(cells, line)
    this.#isRefused = this.problems.length > before
  }

  protected abstract readRow(cells: readonly string[], line: number): void

  /** Looks at the header as a whole. */
  protected headerRead(_cells: readonly string[], _line: number): void {}

  protected refuse(line: number, column: string, message: string): null {
    this.report({ line, column, message })
    return null
  }

  /** The text of a cell without blanks around it; null where it is empty or there is no such column. */
  protected textOf(cells: readonly string[], column: C): string | null {
    const place = this.#places?.get(column)
    return place === undefined ? null : cells[place]!.trim() || null
  }

  /** All problems by line. `whenEmpty`: the fault of a table without rows, if that is one. */
  protected allProblems(whenEmpty: string | null = null): readonly RowProblem[] {
    if (this.problems.length === 0) {
      if (this.#places === null) this.refuse(1, '', 'the file is empty')
      else if (this.#rows === 0 && whenEmpty !== null) this.refuse(1, '', whenEmpty)
    }
    return this.problems.byLine()
  }
}
