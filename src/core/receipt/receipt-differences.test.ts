import { describe, expect, test } from 'vitest'
import { bracketsDocument, bracketsTable } from '../../../test/support/agreements/brackets.ts'
import { receiptsOf } from '../../../test/support/agreements/worked-receipts.ts'
import type { ReceiptBody } from './receipt.ts'
import { formatDifferences } from './receipt-differences.ts'

const receipt = (table: string, period = '2024-Q3', document = bracketsDocument()): ReceiptBody =>
  receiptsOf(document, table).get(period)!
const without = (line: string) => bracketsTable.replace(`${line}\n`, '')
const then = receipt(without('CUSTOM/steel,2024-06,116.00,FINAL,2024-07-28,Steel billets'))

describe('what is different between two receipts', () => {
  test('is nothing where they are the same', () => {
    expect(formatDifferences(then, then)).toEqual([])
  })

  test('names the observation that changed, the first line that follows from it, and the outcome', () => {
    expect(formatDifferences(then, receipt(bracketsTable))).toEqual([
      'CUSTOM/steel of 2024-06 (steel) is now 116.00 (FINAL), published 2024-07-28; it was 114.00 (PRELIMINARY).',
      'The line ratio_steel is now 1.16; it was 1.14.',
    ])
    const uncapped = '{ fixed: 0.40, rounding: { percent: { dp: 2 } } }'
    const document = bracketsDocument({ clause: uncapped })
    const moved = formatDifferences(
      receipt(without('CUSTOM/steel,2024-06,116.00,FINAL,2024-07-28,Steel billets'), '2024-Q3', document),
      receipt(bracketsTable, '2024-Q3', document),
    )
    expect(moved.slice(-2)).toEqual([
      'The adjustment is now +3.38 %; it was +2.7 %.',
      'The price is now 13.19; it was 13.10.',
    ])
  })

  test('distinguishes a value that became final from a changed one, and says when one was merely published again', () => {
    const settled = bracketsTable.replace('114.00,PRELIMINARY', '116.00,PRELIMINARY')
    const before = receipt(settled.replace('CUSTOM/steel,2024-06,116.00,FINAL,2024-07-28,Steel billets\n', ''))
    expect(formatDifferences(before, receipt(settled))).toEqual([
      'CUSTOM/steel of 2024-06 (steel) is still 116.00, but FINAL, published 2024-07-28; it was PRELIMINARY.',
    ])
    const again = receipt(bracketsTable.replace('116.00,FINAL,2024-07-28', '116.00,FINAL,2024-08-01'))
    expect(formatDifferences(receipt(bracketsTable), again)).toEqual([
      'CUSTOM/steel of 2024-06 (steel) was published again, with the same value.',
    ])
  })

  test('says when earlier periods pass on another price', () => {
    const document = bracketsDocument({ clause: '{ fixed: 0.40, rounding: { percent: { dp: 2 } } }' })
    const revised = bracketsTable.replace('106.71', '108.00')
    expect(
      formatDifferences(receipt(bracketsTable, '2024-Q3', document), receipt(revised, '2024-Q3', document)),
    ).toEqual([
      'The price factor before this period is now 1.0333; it was 1.0287.',
      'The line step is now 0.0292267492499…; it was 0.0338291046952….',
      'The adjustment is now +2.92 %; it was +3.38 %.',
    ])
  })

  test('says when another formula governs, and which readings came and went', () => {
    const lagged = receipt(
      `${bracketsTable}CUSTOM/steel,2024-05,115.00,FINAL,2024-06-10,Steel billets\n`,
      '2024-Q3',
      bracketsDocument().replace('lag: 1 month', 'lag: 2 months').replace('2024-12-31', '2024-09-30'),
    )
    const told = formatDifferences(receipt(bracketsTable), { ...lagged, formulaVersion: 2 })
    expect(told[0]).toBe('Formula 2 governs the period now; it was formula 1.')
    expect(told).toContain('CUSTOM/steel of 2024-05 (steel) is read now: 115.00 (FINAL), published 2024-06-10.')
    expect(told).toContain('CUSTOM/steel of 2024-06 (steel) is no longer read; it was 116.00 (FINAL).')
  })

  test('counts the rest when there is too much to list', () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ ...then.observations[0]!, period: `${2000 + i}` }))
    const told = formatDifferences(then, { ...then, observations: [...then.observations, ...many] })
    expect(told).toHaveLength(13)
    expect(told.at(-1)).toBe('18 more values differ.')
  })
})
