import { describe, expect, test } from 'vitest'
import { bracketsDocument, bracketsTable } from '../../../test/support/agreements/brackets.ts'
import { receiptsOf } from '../../../test/support/agreements/worked-receipts.ts'
import { hashOf } from '../../core/receipt/receipt.ts'
import { printedPage } from './printed-page.ts'
import { type SettledPeriod, settledPeriods } from './settled-periods.ts'

// Labour does not move after the first adjustment.
const still = bracketsTable.replace('2024-Q1,103.00', '2024-Q1,102.10').replace('2024-Q2,104.00', '2024-Q2,102.10')
const bodies = receiptsOf(bracketsDocument({ clause: '{ fixed: 0.40 }' }), still)
const named = [...bodies].map(([name, body]) => ({ name, receipt: { hash: hashOf(body), body, signatures: [] } }))

/** The row of an input, cell by cell. */
function rowOf(name: string, input: string, settled: readonly SettledPeriod[]): string[] {
  const page = printedPage(named.find(each => each.name === name)!, settled)
  const row = new RegExp(`<tr><td>${input}</td>.*</tr>`).exec(page)![0]
  return [...row.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, cell]) => cell!)
}

describe('a page to print', () => {
  test('measures the change of a part from the same reading as its points', () => {
    const settled = settledPeriods(named, [])
    expect(rowOf('2024-Q2', 'labour', settled).slice(2)).toEqual(['0.25', '+2.1 %', '+0.525', 'the base'])
    expect(rowOf('2024-Q3', 'labour', settled).slice(2)).toEqual(['0.25', '0 %', '0', '2024-04-01'])
    const [, , , change, points] = rowOf('2024-Q3', 'steel', settled)
    expect([change, points]).toEqual(['+8.7058 %', '+3.1607'])
  })
})
