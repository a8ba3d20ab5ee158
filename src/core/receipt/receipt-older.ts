// Receipts of the first format, which are no longer issued: those that were signed stay valid forever, so they are
// still read. They name no edition, issuer or origin, and leave the roundings of their lines to the document, where
// they are read as the compiler of that time read them. If the second edition of the rules changed the default of a
// key, the document is read with the old default written out.

import { checkClause } from '../formula/check/check-clause.ts'
import { checkResult, checkStepSources } from '../formula/check/check-steps.ts'
import { appliedLine } from '../formula/clause.ts'
import { controls } from '../formula/controls/controls.ts'
import { formulaEdition } from '../formula/formula.ts'
import { isRawMap, readRaw } from '../formula/raw.ts'
import type { ClauseRounding, StepSource } from '../formula/terms.ts'
import type { Rounding } from '../numbers/ratio.ts'
import { type Problem, Refusal } from '../refusal.ts'
import { listOf, literal, mapping, meaning, text } from '../text/exact-shape.ts'
import type { Frequency } from '../time/period.ts'
import { olderFormat } from './receipt.ts'
import { type ReadBody, type ReadRules, readPlace } from './receipt-reading.ts'
import {
  carriedWithoutOrigins,
  frequency,
  lineFields,
  observationWithoutOrigin,
  placeFields,
  receiptResult,
} from './receipt-schema.ts'
import { type JsonMapping, parseDocument, surroundingsOf } from './worksheet.ts'

const olderBody = mapping('The body of a receipt of the first format.', {
  format: literal(olderFormat, 'The form of this receipt'),
  ...placeFields,
  carriedIn: carriedWithoutOrigins,
  series: listOf(
    meaning(
      mapping('A series the formula reads.', { series: text('PROVIDER/code'), frequency }),
      ({ series, frequency: of }) => ({ reference: series, name: series, frequency: of }),
    ),
  ),
  observations: listOf(observationWithoutOrigin),
  result: receiptResult,
  steps: listOf(mapping('A line of the worksheet.', lineFields)),
})

export function readOlderBody(json: unknown): ReadBody {
  const { steps: lines, ...body } = olderBody.read(json, 'body')
  const place = readPlace(body)
  const documents = new Map([...place.documents].map(([number, each]) => [number, withOldDefaults(each, body.series)]))
  const names = lines.map(({ name }) => name)
  const { rules, roundingOf } = readDocument(documents.get(place.governing)!, place.governing, names)
  return {
    ...body,
    ...place,
    documents,
    edition: formulaEdition,
    rules,
    steps: lines.map(line => ({ ...line, ...roundingOf(line.name), note: null })),
  }
}

type LineRounding = Pick<StepSource, 'round' | 'show'>

/** What a document says about its lines and its result. It is read, not compiled: today's compiler is not involved. */
function readDocument(
  document: string,
  number: number,
  names: readonly string[],
): { rules: ReadRules; roundingOf: (name: string) => LineRounding } {
  const { contract, inputs, params } = surroundingsOf(document, number)
  const { root } = readRaw(document)
  const at = (key: string) => (isRawMap(root) ? root.get(key) : undefined)
  const problems: Problem[] = []
  const own = checkStepSources(at('steps'), problems)
  const written = at('clause')
  const paramNames = params.map(({ name }) => name)
  const surroundings = { inputs, params, paramNames, weightsRequired: own.length === 0, controls }
  const clause = written === undefined ? null : checkClause(written, surroundings, problems)
  const lines = names.map(name => ({ name }))
  const result = checkResult(at('result'), lines, clause && appliedLine, contract.price !== null, problems)
  if (problems.length > 0 || result === null)
    throw new Refusal('invalid', `the receipt's formula ${number} is refused: ${problems[0]?.message}`)
  return {
    rules: {
      kind: result.kind,
      step: names[result.step]!,
      show: result.show,
      priceRound: clause?.rounding.price ?? contract.price?.round ?? null,
      addsUp: false,
    },
    roundingOf: name => {
      const step = own.find(each => each.name === name)
      if (step !== undefined) return { round: step.round, show: step.show }
      return { round: clause === null ? null : compiledRounding(name, clause.rounding, names), show: null }
    },
  }
}

/** How the compiler of the first format rounded the lines of a clause. No receipt is issued in it any more, so this stays. */
function compiledRounding(name: string, rounding: ClauseRounding, names: readonly string[]): Rounding | null {
  const { ratio, factor, percent } = rounding
  if (name === 'ratio' || name.startsWith('ratio_')) return ratio
  if (name === 'factor') return factor
  if (percent === null) return null
  if (name === 'pct_down') return { ...percent, mode: 'FLOOR' }
  if (name === 'pct_up') return { ...percent, mode: 'CEILING' }
  return name === 'pct_nearest' || (name === 'pct' && !names.includes('pct_nearest')) ? percent : null
}

const oldPercent = { dp: '4', mode: 'HALF_UP' }

function withOldDefaults(document: string, series: ReadBody['series']): string {
  const root = parseDocument(document)
  const clause = root.clause as JsonMapping | undefined
  const rounding = clause?.rounding as JsonMapping | undefined
  const inputs = Object.entries((root.inputs ?? {}) as { [name: string]: JsonMapping })
  return JSON.stringify({
    ...root,
    inputs: Object.fromEntries(inputs.map(([name, input]) => [name, withOldRate(input, series)])),
    ...(clause === undefined ? {} : { clause: { ...clause, rounding: { percent: oldPercent, ...rounding } } }),
  })
}

const onePeriod: Readonly<Record<Frequency, string>> = {
  DAILY: '1 day',
  WEEKLY: '1 week',
  MONTHLY: '1 month',
  QUARTERLY: '1 quarter',
  SEMIANNUAL: '6 months',
  ANNUAL: '1 year',
}

/** An exchange rate was that of one period unless a window was written. */
function withOldRate(input: JsonMapping, series: ReadBody['series']): JsonMapping {
  const convert = input.convert as JsonMapping | undefined
  const frequency = series.find(({ reference }) => reference === convert?.fx)?.frequency
  if (convert === undefined || frequency === undefined || convert.each === 'true') return input
  return { ...input, convert: { window: onePeriod[frequency], using: 'MEAN', ...convert } }
}
