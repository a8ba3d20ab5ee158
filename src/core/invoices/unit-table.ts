// Factors between units, as a workspace sets them: one line is used both ways, and units are compared without case. They are
// set one by one, or as a table.

import { compare, divide, one, type Ratio, ratio, zero } from '../numbers/ratio.ts'
import { listBounds } from '../prices/list-table.ts'
import { HeadedTable } from '../series/headed-table.ts'
import { isDecimal } from '../series/observation-table.ts'
import type { RowProblem } from '../series/table-problems.ts'
import { isOneLine } from '../text/one-line.ts'
import type { Instant } from '../time/instant.ts'

export const unitColumns = ['unit', 'other', 'factor'] as const
type UnitColumn = (typeof unitColumns)[number]

/** A factor as written: the number of the other unit in one of the unit. */
export type UnitTexts = Readonly<Record<UnitColumn, string>>

export interface UnitRow extends UnitTexts {
  readonly line: number
}

/** Faults of a factor between two units, by column; empty if there are none. */
export function unitProblems({ unit, other, factor }: UnitTexts): Omit<RowProblem, 'line'>[] {
  const names = (['unit', 'other'] as const).flatMap(column => {
    const name = { unit, other }[column]
    const isName = name !== '' && [...name].length <= listBounds.unitLength && isOneLine(name)
    const message = `a unit must have 1 to ${listBounds.unitLength} characters, got "${name}"`
    return isName ? [] : [{ column, message }]
  })
  const isSame = names.length === 0 && unit.toLowerCase() === other.toLowerCase()
  const isFactor = isDecimal(factor) && compare(ratio(factor), zero) > 0
  return [
    ...names,
    ...(isSame
      ? [{ column: 'other', message: `"${unit}" and "${other}" are the same unit: units are compared without case` }]
      : []),
    ...(isFactor
      ? []
      : [{ column: 'factor', message: `the factor must be a decimal number above 0 such as 0.001, got "${factor}"` }]),
  ]
}

export class UnitFactorTable extends HeadedTable<UnitColumn> {
  readonly #rows: UnitRow[] = []
  readonly #lines = new Map<string, number>()

  constructor() {
    const message = `there are more than ${listBounds.rows} rows`
    super({ columns: unitColumns, required: unitColumns }, { rows: listBounds.rows, message })
  }

  protected override readRow(cells: readonly string[], line: number): void {
    const text = (column: UnitColumn) => this.textOf(cells, column) ?? ''
    const row = { line, unit: text('unit'), other: text('other'), factor: text('factor').replace(/^\+/, '') }
    const problems = unitProblems(row)
    const pair = pairOf(row)
    const before = this.#lines.get(pair)
    if (problems.length === 0 && before !== undefined)
      problems.push({ column: 'unit', message: `${row.unit} and ${row.other} are there already (line ${before})` })
    for (const problem of problems) this.refuse(line, problem.column, problem.message)
    this.#lines.set(pair, line)
    this.#rows.push(row)
  }

  /** The rows, or all problems by line. */
  finish(): { readonly rows: readonly UnitRow[]; readonly problems: readonly RowProblem[] } {
    const problems = this.allProblems()
    return { rows: problems.length > 0 ? [] : this.#rows, problems }
  }
}

/** A key that both directions share. */
export function pairOf({ unit, other }: Pick<UnitTexts, 'unit' | 'other'>): string {
  return JSON.stringify([unit, other].map(each => each.toLowerCase()).sort())
}

export interface UnitFactor {
  readonly unit: string
  readonly other: string
  /** The number of the other unit in one of this unit: KGM, TNE, 0.001. More than 0. */
  readonly factor: Ratio
  /** The time of its setting; left out where nobody asks. */
  readonly recordedAt?: Instant
}

/** The moments whose factors count. */
export interface UnitMoments {
  /** The first signature of a period that both signed; null: now. */
  readonly asOf: Instant | null
  /** The time at which the line was stored, for a pair that had no factor then; null: now. */
  readonly keptAt: Instant | null
}

const now: UnitMoments = { asOf: null, keptAt: null }

interface DatedFactor {
  readonly factor: Ratio
  readonly since: Instant
}

export class UnitTable {
  readonly #factors = new Map<string, DatedFactor[]>()

  /** Takes all factors there ever were, the oldest first. */
  constructor(factors: readonly UnitFactor[]) {
    for (const { unit, other, factor, recordedAt: since = '' } of factors) {
      this.#add(keyOf(unit, other), { factor, since })
      this.#add(keyOf(other, unit), { factor: divide(one, factor), since })
    }
  }

  #add(key: string, dated: DatedFactor): void {
    this.#factors.getOrInsertComputed(key, () => []).push(dated)
  }

  /** The number of `to` in one of `from`; null where it is not set. */
  factor(from: string, to: string, { asOf, keptAt }: UnitMoments = now): Ratio | null {
    if (from.toLowerCase() === to.toLowerCase()) return one
    const factors = this.#factors.get(keyOf(from, to)) ?? []
    const newestBy = (moment: Instant | null) => factors.findLast(({ since }) => moment === null || since <= moment)
    return (newestBy(asOf) ?? newestBy(keptAt) ?? factors.at(-1))?.factor ?? null
  }
}

function keyOf(from: string, to: string): string {
  return `${from.toLowerCase()}\n${to.toLowerCase()}`
}
