// Receipts of the first format, which are no longer issued: those that were signed stand forever, so they are still read.
// They name no edition, issuer or origin, and leave the roundings of their lines to the document. Where the second edition
// of the rules gave a key another default, the document is read with the old one written out.
import { listOf, mapping, oneOf, text } from './exact-shape.ts'
import { checkDocument } from './formula/check.ts'
import { type Formula, formulaEdition } from './formula/formula.ts'
import { type Frequency, frequencies } from './period.ts'
import { olderFormat } from './receipt.ts'
import { type ReadBody, readCarried, readLine, readObservation, readPlace, readResult } from './receipt-reading.ts'
import { Refusal } from './refusal.ts'
import { type JsonMapping, parseDocument } from './worksheet.ts'

const bodyKeys = [
  ...['format', 'pam', 'period', 'adjustmentDate', 'formulaVersion', 'documents', 'dataVersionAsked', 'carriedIn'],
  ...['series', 'observations', 'result', 'steps'],
]

export function readOlderBody(json: unknown): ReadBody {
  const body = mapping(json, 'body', bodyKeys)
  oneOf([olderFormat])(body.format, 'body.format')
  const series = listOf(body.series, 'body.series', readSeries)
  const place = readPlace(body)
  const documents = new Map([...place.documents].map(([number, each]) => [number, withOldDefaults(each, series)]))
  const { formula, problems } = checkDocument(documents.get(place.governing)!)
  if (formula === null)
    throw new Refusal('invalid', `the receipt's formula ${place.governing} is refused: ${problems[0]!.message}`)
  return {
    ...place,
    documents,
    edition: formulaEdition,
    carriedIn: readCarried(body.carriedIn, 'body.carriedIn', false),
    series,
    observations: listOf(body.observations, 'body.observations', (item, path) => readObservation(item, path, false)),
    rules: {
      kind: formula.result.kind,
      step: formula.steps[formula.result.step]!.name,
      show: formula.result.show,
      priceRound: formula.clause?.rounding.price ?? formula.contract.price?.round ?? null,
      addsUp: false,
    },
    steps: listOf(body.steps, 'body.steps', (item, path) => readStep(item, path, formula)),
    result: readResult(body.result),
  }
}

function readSeries(value: unknown, path: string): ReadBody['series'][number] {
  const { series, frequency } = mapping(value, path, ['series', 'frequency'])
  const reference = text(series, `${path}.series`)
  return { reference, name: reference, frequency: oneOf(frequencies)(frequency, `${path}.frequency`) }
}

function readStep(value: unknown, path: string, { steps }: Formula): ReadBody['steps'][number] {
  const line = readLine(mapping(value, path, ['name', 'expr', 'value', 'shown']), path)
  const known = steps.find(({ name }) => name === line.name)
  return { ...line, round: known?.round ?? null, show: known?.show ?? null, note: null }
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
