// `evaluate`: adjustments from a formula document and a table of observations. No database, no network, no clock.

import { basename } from 'node:path'
import type { Adjustment, Evaluation } from '../../core/calculation/adjustment.ts'
import { evaluate } from '../../core/calculation/evaluate.ts'
import { lastDateWithData } from '../../core/calculation/requirements.ts'
import { type BoundFormula, bindFormula, findMisfits } from '../../core/formula/bind.ts'
import { calculatingText } from '../../core/formula/canonical.ts'
import { isLabelOf } from '../../core/formula/schedule.ts'
import { presentCalculation } from '../../core/receipt/calculation.ts'
import { buildBody, hashOf, type Receipt } from '../../core/receipt/receipt.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Day, parseDay } from '../../core/time/day.ts'
import { dayOfInstant, parseCut } from '../../core/time/instant.ts'
import { fingerprintFile } from '../../storage/series/uploads.ts'
import { type Command, Misuse, printJson, textOption } from '../frame/command.ts'
import { loadFormula, problemLine, readObservations, rowProblemLine } from '../frame/files.ts'
import { worksheet, worksheetHead } from '../frame/worksheet.ts'

const endOfTime: Day = parseDay('9999-12-31')!

export const evaluateCommand: Command = {
  name: 'evaluate',
  usage: '<pam.yaml> --data <observations.csv> [--period P] [--as-of D] [--receipt]',
  summary: 'Computes adjustments from files alone and shows the calculation. Nothing else is read or stored.',
  options: {
    data: { type: 'string', value: 'F', help: 'observations as CSV: series, period, value, …' },
    period: { type: 'string', value: 'P', help: 'only this period, such as 2024-Q2' },
    'as-of': { type: 'string', value: 'D', help: 'only what was published by this day or instant' },
    receipt: { type: 'boolean', help: 'prints the receipt of --period instead, without a seal' },
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const { terminal } = invocation
    const data = textOption(invocation, 'data')
    if (data === null) throw new Misuse('--data is missing: name the table of observations')
    const asOf = readAsOf(textOption(invocation, 'as-of'))
    const path = invocation.positionals[0]!
    const loaded = await loadFormula(path, terminal)
    const table = await readObservations(data)
    for (const problem of table.problems) terminal.err(rowProblemLine(data, problem))
    if (loaded === null || table.problems.length > 0) return 1
    const misfits = findMisfits(loaded.formula, table.series)
    const { bound } = bindFormula(loaded.formula, table.series)
    for (const problem of misfits) terminal.err(problemLine(path, problem, loaded.lines))
    if (bound === null || misfits.length > 0) return 1

    const evaluation = evaluate({
      versions: [{ number: 1, bound }],
      cuts: { asOf, knownAt: null },
      tag: null,
      until: lastDate(bound, asOf),
      today: asOf === null ? null : dayOfInstant(asOf),
      after: null,
    })
    if (invocation.options.receipt === true) {
      const adjustment = theOne(evaluation, textOption(invocation, 'period'))
      const documents = new Map([[1, calculatingText(loaded.document)]])
      const { sha256 } = await fingerprintFile(data)
      const body = buildBody(adjustment, [{ number: 1, bound }], {
        issuer: null,
        agreement: loaded.formula.slug,
        name: loaded.formula.name,
        parties: loaded.formula.parties,
        documents,
        dataVersionAsked: null,
        originOf: () => ({ uploadedBy: null, file: basename(data), sha256, recorded: null }),
      })
      const receipt: Receipt = { hash: hashOf(body), body, signatures: [], seal: null }
      printJson(invocation, receipt)
      return 0
    }
    const calculation = only(
      presentCalculation(loaded.formula.slug, 1, evaluation.adjustments, evaluation.blocked),
      textOption(invocation, 'period'),
      bound,
    )
    if (invocation.json) {
      printJson(invocation, calculation)
      return 0
    }
    terminal.out(worksheetHead(loaded.formula, 1))
    for (const entry of calculation.adjustments) terminal.out(worksheet(loaded.formula, entry))
    for (const { period, reason } of calculation.blocked)
      terminal.out(['', `${period}   cannot be computed: ${reason}`])
    if (calculation.adjustments.length + calculation.blocked.length === 0)
      terminal.out(['', 'The data covers no adjustment date.'])
    return 0
  },
}

function readAsOf(text: string | null): string | null {
  if (text === null) return null
  const cut = parseCut(text)
  if (cut === null) throw new Misuse(`--as-of must be a day such as 2024-01-31 or an instant, got "${text}"`)
  return cut
}

function theOne({ adjustments, blocked }: Evaluation, period: string | null): Adjustment {
  if (period === null) throw new Misuse('--receipt needs --period')
  const found = adjustments.find(adjustment => adjustment.period === period)
  if (found !== undefined) return found
  const gap = blocked.find(entry => entry.period === period)?.gap
  throw new Refusal(
    'not-found',
    gap === undefined ? `there is no adjustment for ${period}` : `${period}: ${gap.sentence}`,
  )
}

function lastDate(bound: BoundFormula, asOf: string | null): Day {
  const last = bound.formula.contract.end === null ? lastDateWithData(bound) : endOfTime
  return asOf === null ? last : Math.min(last, dayOfInstant(asOf))
}

function only<T extends { adjustments: readonly { period: string }[]; blocked: readonly { period: string }[] }>(
  calculation: T,
  period: string | null,
  bound: BoundFormula,
): T {
  if (period === null) return calculation
  if (!isLabelOf(bound.formula.contract, period))
    throw new Misuse(`--period must be a label of this contract such as 2024-Q2 or 2024-03, got "${period}"`)
  const adjustments = calculation.adjustments.filter(entry => entry.period === period)
  const blocked = calculation.blocked.filter(entry => entry.period === period)
  if (adjustments.length + blocked.length === 0) throw new Refusal('not-found', `there is no adjustment for ${period}`)
  return { ...calculation, adjustments, blocked }
}
