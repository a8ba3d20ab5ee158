// Gives the same scenario to the engine, through its public functions, and lists where it differs from the oracle.

import type { Adjustment, Evaluation } from '../../src/core/calculation/adjustment.ts'
import { evaluate } from '../../src/core/calculation/evaluate.ts'
import { bindFormula } from '../../src/core/formula/bind.ts'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import type { Ratio } from '../../src/core/numbers/ratio.ts'
import { presentAdjustment } from '../../src/core/receipt/calculation.ts'
import { gatherHistories, type ObservationRow, RowReader, readHeader } from '../../src/core/series/observation-table.ts'
import type { SeriesHistory } from '../../src/core/series/series.ts'
import { formatDay, parseDay } from '../../src/core/time/day.ts'
import { parseCut } from '../../src/core/time/instant.ts'
import { type DataModel, writeDocument } from './document.ts'
import { type Fraction, numeratorOf, print, roundAs } from './numbers.ts'
import { giveOpinion, type OpinionEntry, type Scenario } from './oracle.ts'

const columns = ['series', 'period', 'value', 'version', 'published']

export function readData(data: DataModel): Map<string, SeriesHistory> {
  const header = readHeader(columns, 1)
  const reader = new RowReader(header.columns, columns.length, null)
  const rows: ObservationRow[] = []
  let line = 1
  for (const [series, observations] of Object.entries(data))
    for (const { period, value, version = '', published = '' } of observations) {
      const row = reader.read([series, period, value, version, published], ++line)
      if (Array.isArray(row)) throw new Error(`bad row: ${JSON.stringify(row)}`)
      rows.push(row as ObservationRow)
    }
  const { series, problems } = gatherHistories(rows)
  if (problems.length > 0) throw new Error(`bad rows: ${JSON.stringify(problems)}`)
  return series
}

export function askEngine({ document, data, asOf, until }: Scenario): Evaluation {
  const text = writeDocument(document)
  const { formula, problems } = checkDocument(text)
  if (formula === null) throw new Error(`refused: ${JSON.stringify(problems)}`)
  const { bound, problems: misfits } = bindFormula(formula, readData(data))
  if (bound === null) throw new Error(`cannot be bound: ${JSON.stringify(misfits)}`)
  return evaluate({
    versions: [{ number: 1, bound }],
    cuts: { asOf: asOf === null ? null : parseCut(asOf), knownAt: null },
    tag: null,
    until: parseDay(until)!,
    today: asOf === null ? null : parseDay(asOf)!,
    after: null,
  })
}

export function isSame(ratio: Ratio, fraction: Fraction): boolean {
  return ratio.n * fraction.d === numeratorOf(fraction) * ratio.d
}

/** Fails with the scenario itself, so that it can be repeated by hand. */
export function expectAgreement(scenario: Scenario): Evaluation {
  const evaluation = askEngine(scenario)
  const found = differences(scenario, evaluation)
  if (found.length === 0) return evaluation
  const { document: _, ...rest } = scenario
  throw new Error(`${found.join('\n')}\n${writeDocument(scenario.document)}\n${JSON.stringify(rest)}`)
}

function differences(scenario: Scenario, evaluation: Evaluation): string[] {
  const opinion = giveOpinion(scenario)
  const found: string[] = []
  const blocked = (list: readonly { period: string }[]) => list.map(({ period }) => period).join(' ')
  if (blocked(evaluation.blocked) !== blocked(opinion.blocked))
    found.push(`blocked: engine ${JSON.stringify(evaluation.blocked)}, oracle ${JSON.stringify(opinion.blocked)}`)
  else
    opinion.blocked.forEach(({ period, names }, i) => {
      const { sentence } = evaluation.blocked[i]!.gap
      if (!names.every(name => sentence.includes(name)))
        found.push(`${period}: "${sentence}" does not name ${names.join()}`)
    })
  const periods = (list: readonly { period: string }[]) => list.map(({ period }) => period).join(' ')
  if (periods(evaluation.adjustments) !== periods(opinion.entries)) {
    found.push(`periods: engine ${periods(evaluation.adjustments)}, oracle ${periods(opinion.entries)}`)
    return found
  }
  evaluation.adjustments.forEach((adjustment, i) => {
    for (const difference of compareEntry(adjustment, opinion.entries[i]!, scenario))
      found.push(`${adjustment.period}: ${difference}`)
  })
  return found
}

function compareEntry(adjustment: Adjustment, entry: OpinionEntry, { document }: Scenario): string[] {
  const found: string[] = []
  const text = (what: string, engine: string, oracle: string) => {
    if (engine !== oracle) found.push(`${what}: engine ${engine}, oracle ${oracle}`)
  }
  const number = (what: string, engine: Ratio, oracle: Fraction) => {
    if (!isSame(engine, oracle)) found.push(`${what}: engine ${engine.n}/${engine.d}, oracle ${oracle.toFraction()}`)
  }
  text('date', formatDay(adjustment.date), entry.date)
  text('dataVersion', adjustment.dataVersion, entry.dataVersion)
  if ((adjustment.adjustmentPct === null) !== (entry.adjustmentPct === null))
    found.push('only one of them has a percent')
  if (adjustment.adjustmentPct !== null && entry.adjustmentPct !== null)
    number('adjustmentPct', adjustment.adjustmentPct, entry.adjustmentPct)
  number('cumulativePct', adjustment.cumulativePct, entry.cumulativePct)
  const printed = presentAdjustment(adjustment)
  const show = document.result?.show ?? { dp: 4 }
  if (printed.adjustmentPct !== null && entry.adjustmentPct !== null)
    text('printed adjustmentPct', printed.adjustmentPct, print(roundAs(entry.adjustmentPct, show)))
  text('printed cumulativePct', printed.cumulativePct, print(roundAs(entry.cumulativePct, show)))
  if ((adjustment.price === null) !== (entry.price === null)) found.push('only one of them has a price')
  if (adjustment.price !== null && entry.price !== null) number('price', adjustment.price.value, entry.price)
  if ((adjustment.surcharge === null) !== (entry.surcharge === null)) found.push('only one of them has a surcharge')
  if (adjustment.surcharge !== null && entry.surcharge !== null)
    number('surcharge', adjustment.surcharge, entry.surcharge)
  for (const { step, value } of adjustment.steps) {
    const line = entry.lines.get(step.name)
    if (line !== undefined) number(`step ${step.name}`, value, line)
  }
  for (const name of (document.steps ?? []).map(step => step.name))
    if (!adjustment.steps.some(({ step }) => step.name === name)) found.push(`the engine lacks the step ${name}`)
  if (document.clause !== undefined) {
    // A change from a reading of 0 has no percentage, and so there is no component.
    const told = [...entry.changes].filter(([, change]) => change !== null)
    text(
      'components',
      adjustment.breakdown.components.map(({ input }) => input).join(),
      told.map(([input]) => input).join(),
    )
    for (const { input, changePct } of adjustment.breakdown.components) {
      const change = entry.changes.get(input) ?? null
      if (change !== null) number(`change of ${input}`, changePct, change)
    }
  }
  return found
}
