// The problems of a table, up to a bound: people who repair a file need the first ones, and a file that is wrong in a million
// places must not take longer, or more memory, than a right one.
export interface RowProblem {
  readonly line: number
  readonly column: string
  readonly message: string
}

/** Problems of a header that are named; a header with more is not read further. */
export const mostHeaderProblems = 100
/** Problems of a whole table that are named; after that it is not read further. */
export const mostTableProblems = 1_000
const longestName = 60

/** A name as it is shown: a file may have one of any length. */
export function shortName(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName)}…`
}

/**
 * Faults of the names of a header, in their order. `problemOf` gives that of one name, null if it has none. `isCut`: some names
 * were not looked at, so that nothing can be said about missing ones.
 */
export function headerProblems(
  cells: readonly string[],
  line: number,
  problemOf: (name: string, place: number) => string | null,
): { readonly problems: RowProblem[]; readonly isCut: boolean } {
  const problems: RowProblem[] = []
  for (let place = 0; place < cells.length; place++) {
    const name = cells[place]!.trim()
    const message = problemOf(name, place)
    if (message === null) continue
    if (problems.length === mostHeaderProblems) {
      problems.push({ line, column: '', message: manyInHeader })
      return { problems, isCut: true }
    }
    problems.push({ line, column: shortName(name), message })
  }
  return { problems, isCut: false }
}

const manyInHeader = `more than ${mostHeaderProblems} columns are wrong: only the first of them are named`

/** Collects problems; of those beyond the bound only their existence is known. */
export class ProblemList<P extends RowProblem = RowProblem> {
  readonly #problems: P[] = []
  readonly #more: (message: string) => P

  /** `more` makes the last entry of a list that is cut. */
  constructor(more: (message: string) => P) {
    this.#more = more
  }

  get length(): number {
    return this.#problems.length
  }

  /** Whether problems are no longer added: reading on is useless. */
  get isFull(): boolean {
    return this.#problems.length > mostTableProblems
  }

  add(problem: P): void {
    if (this.#problems.length < mostTableProblems) this.#problems.push(problem)
    else if (!this.isFull)
      this.#problems.push(this.#more(`there are more than ${mostTableProblems} problems: only these are named`))
  }

  /** Sorted by line; the note that there are more comes last. */
  byLine(): readonly P[] {
    const named = this.#problems.slice(0, mostTableProblems).sort((a, b) => a.line - b.line)
    return [...named, ...this.#problems.slice(mostTableProblems)]
  }
}

/** A list for tables, whose problems have a line. */
export function tableProblems(): ProblemList {
  return new ProblemList(message => ({ line: 0, column: '', message }))
}
