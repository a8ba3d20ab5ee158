// Receipts of a document over a table of observations, made as a server makes them, without one.

import { evaluate } from '../../../src/core/calculation/evaluate.ts'
import { calculatingText } from '../../../src/core/formula/canonical.ts'
import { checkDocument } from '../../../src/core/formula/check/check.ts'
import type { Formula } from '../../../src/core/formula/formula.ts'
import { buildBody, type ReceiptBody, type ReceiptSurroundings } from '../../../src/core/receipt/receipt.ts'
import { noCuts } from '../../../src/core/series/vintage.ts'
import { parseDay } from '../../../src/core/time/day.ts'
import { bindText, readTable } from './evaluate-text.ts'

const endOfTime = parseDay('9999-12-31')!

/** By period. The contract must have an end. */
export function receiptsOf(document: string, table: string): ReadonlyMap<string, ReceiptBody> {
  const bound = bindText(document, readTable(table))
  const versions = [{ number: 1, bound }]
  const { adjustments } = evaluate({ versions, cuts: noCuts, tag: null, until: endOfTime, today: null, after: null })
  const documents = new Map([[1, calculatingText(checkDocument(document).document)]])
  const surroundings = surroundingsOf(bound.formula, documents)
  return new Map(adjustments.map(each => [each.period, buildBody(each, versions, surroundings)]))
}

/** As from an invented installation and workspace, with an uploaded file. */
export function surroundingsOf(formula: Formula, documents: ReadonlyMap<number, string>): ReceiptSurroundings {
  return {
    issuer: {
      installation: { id: `ins_${'0'.repeat(26)}`, name: 'Prices of the tests' },
      workspace: { id: `wsp_${'0'.repeat(26)}`, slug: 'tests', name: 'Tests GmbH' },
      companyName: slug => (slug === 'ohio-forge' ? 'Ohio Forge Inc.' : null),
    },
    agreement: formula.slug,
    name: formula.name,
    parties: formula.parties,
    documents,
    dataVersionAsked: null,
    originOf: (_series, recorded) => ({
      uploadedBy: 'eva@editor.test',
      file: 'table.csv',
      sha256: '0'.repeat(64),
      recorded,
    }),
  }
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
