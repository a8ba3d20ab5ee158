// Receipts of a document over a table of observations, made as a server makes them, without one.
import { parseDay } from '../../src/core/day.ts'
import { evaluate } from '../../src/core/evaluate.ts'
import { calculatingText } from '../../src/core/formula/canonical.ts'
import { checkDocument } from '../../src/core/formula/check.ts'
import { buildBody, type ReceiptBody } from '../../src/core/receipt.ts'
import { noCuts } from '../../src/core/vintage.ts'
import { bindText, readTable } from './evaluate-text.ts'

const endOfTime = parseDay('9999-12-31')!

/** By period. The contract must have an end. */
export function receiptsOf(document: string, table: string): ReadonlyMap<string, ReceiptBody> {
  const bound = bindText(document, readTable(table))
  const versions = [{ number: 1, bound }]
  const { adjustments } = evaluate({ versions, cuts: noCuts, tag: null, until: endOfTime, today: null, after: null })
  const documents = new Map([[1, calculatingText(checkDocument(document).document)]])
  const { slug } = bound.formula
  return new Map(adjustments.map(each => [each.period, buildBody(slug, each, versions, documents, null)]))
}

/** One annual index against a base of 100, one adjustment a year from 2021 on, with a price. */
export function oneIndexReceipts(
  clause: string,
  readings: readonly string[],
  more = '',
): ReadonlyMap<string, ReceiptBody> {
  const rows = readings.map((value, i) => `CUSTOM/index,${2021 + i},${value}\n`)
  const document = `
slug: one-index
contract:
  start: 2020-01-01
  end: ${2020 + readings.length}-12-31
  frequency: ANNUAL
  price: { amount: 100, currency: EUR, unit: piece, round: { dp: 2 } }
inputs:
  index: { series: CUSTOM/index, weight: 1, base: { value: 100 } }
clause: ${clause}
${more}`
  return receiptsOf(document, `series,period,value\n${rows.join('')}`)
}
