// Formula documents and tables of observations as text, and what the engine makes of them: the same public functions in
// the same order as `evaluate` calls them, without files. It computes nothing itself.

import type { BoundVersion } from '../../../src/core/calculation/adjustment.ts'
import { evaluate } from '../../../src/core/calculation/evaluate.ts'
import { lastDateWithData } from '../../../src/core/calculation/requirements.ts'
import { type BoundFormula, bindFormula, findMisfits } from '../../../src/core/formula/bind.ts'
import { checkDocument } from '../../../src/core/formula/check/check.ts'
import type { Formula } from '../../../src/core/formula/formula.ts'
import { type Calculation, type CalculationEntry, presentCalculation } from '../../../src/core/receipt/calculation.ts'
import type { Problem } from '../../../src/core/refusal.ts'
import {
  gatherHistories,
  type ObservationRow,
  RowReader,
  readHeader,
} from '../../../src/core/series/observation-table.ts'
import type { SeriesHistory } from '../../../src/core/series/series.ts'
import type { RowProblem } from '../../../src/core/series/table-problems.ts'
import { type Day, parseDay } from '../../../src/core/time/day.ts'
import { dayOfInstant, parseCut } from '../../../src/core/time/instant.ts'
import { splitCsv } from '../../../src/providers/formats/csv.ts'

const endOfTime: Day = parseDay('9999-12-31')!

export interface CutOptions {
  /** A day or an instant, as `--as-of` takes it. */
  readonly asOf?: string
}

/** The calculation of one document over a table of observations. */
export function evaluateText(document: string, table: string, request: CutOptions = {}): Calculation {
  return evaluateVersions([document], table, request)
}

/** The calculation of several versions of one formula, numbered from 1. */
export function evaluateVersions(documents: readonly string[], table: string, { asOf }: CutOptions = {}): Calculation {
  const series = readTable(table)
  const versions = documents.map((document, i) => ({ number: i + 1, bound: bindText(document, series) }))
  const cut = asOf === undefined ? null : parseCut(asOf)
  const { adjustments, blocked } = evaluate({
    versions,
    cuts: { asOf: cut, knownAt: null },
    tag: null,
    today: cut === null ? null : dayOfInstant(cut),
    until: Math.min(lastDate(versions), cut === null ? endOfTime : dayOfInstant(cut)),
    after: null,
  })
  const newest = versions.at(-1)!
  return presentCalculation(newest.bound.formula.slug, newest.number, adjustments, blocked)
}

function lastDate(versions: readonly BoundVersion[]): Day {
  return Math.max(
    ...versions.map(({ bound }) => (bound.formula.contract.end === null ? lastDateWithData(bound) : endOfTime)),
  )
}

/** The formula of a document that has no problems; names them where it has. */
export function formulaOf(document: string): Formula {
  const { formula, problems } = checkDocument(document)
  if (formula === null) throw new Error(`the document is refused:\n${describe(problems)}`)
  return formula
}

export function bindText(document: string, series: ReadonlyMap<string, SeriesHistory>): BoundFormula {
  const formula = formulaOf(document)
  const misfits = findMisfits(formula, series)
  const { bound } = bindFormula(formula, series)
  if (bound === null || misfits.length > 0)
    throw new Error(`the document does not fit its series:\n${describe(misfits)}`)
  return bound
}

function describe(problems: readonly Problem[]): string {
  return problems.map(({ path, message }) => `${path}: ${message}`).join('\n')
}

/** The series of a CSV table; refuses a table with bad rows. */
export function readTable(table: string): Map<string, SeriesHistory> {
  const { series, problems } = readTableOrProblems(table)
  if (problems.length > 0) throw new Error(`the table is refused: ${JSON.stringify(problems)}`)
  return series
}

export function readTableOrProblems(table: string): { series: Map<string, SeriesHistory>; problems: RowProblem[] } {
  const rows: ObservationRow[] = []
  const problems: RowProblem[] = []
  let reader: RowReader | null = null
  splitCsv([table], (cells, line) => {
    if (reader === null) {
      const header = readHeader(cells, line)
      problems.push(...header.problems)
      reader = new RowReader(header.columns, cells.length, null)
      return
    }
    const row = reader.read(cells, line)
    if (Array.isArray(row)) problems.push(...row)
    else rows.push(row as ObservationRow)
  })
  const gathered = gatherHistories(rows)
  return { series: gathered.series, problems: [...problems, ...gathered.problems] }
}

/** A CSV table from values by series and period: `{ 'CUSTOM/steel': { '2024-01': '100' } }`. */
export function observations(series: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const rows = Object.entries(series).flatMap(([reference, values]) =>
    Object.entries(values).map(([period, value]) => `${reference},${period},${value}\n`),
  )
  return `series,period,value\n${rows.join('')}`
}

/** The entry of a period, which must be there. */
export function entryOf({ adjustments, blocked }: Calculation, period: string): CalculationEntry {
  const entry = adjustments.find(candidate => candidate.period === period)
  if (entry === undefined) throw new Error(`there is no entry for ${period}; blocked: ${JSON.stringify(blocked)}`)
  return entry
}

/** The carried value of a step in a period. */
export function lineOf(calculation: Calculation, period: string, name: string): string {
  const step = entryOf(calculation, period).steps.find(candidate => candidate.name === name)
  if (step === undefined) throw new Error(`there is no step ${name} in ${period}`)
  return step.value
}

/** How a step is printed in a period; undefined for one without `show`. */
export function shownOf(calculation: Calculation, period: string, name: string): string | undefined {
  return entryOf(calculation, period).steps.find(candidate => candidate.name === name)?.shown
}

/** The price of a period without idle zeros. */
export function priceOf(calculation: Calculation, period: string): string | undefined {
  const { price } = entryOf(calculation, period)
  return price === undefined ? undefined : plainDecimal(price)
}

/** 4.70 and 4.7 are the same decimal. */
export function plainDecimal(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** `2024-Q2 4 4`: each period with its percent and the percent since the start. */
export function percents({ adjustments }: Calculation): string[] {
  return adjustments.map(({ period, adjustmentPct, cumulativePct }) => `${period} ${adjustmentPct} ${cumulativePct}`)
}
