// How the page Invoices puts lines into groups: by reason with the most money first, what could not be judged last.
import { describe, expect, test } from 'vitest'
import { blankRow, type PricedRow, summarise, verdictOf } from '../../src/core/invoices/check-row.ts'
import { readLine } from '../../src/core/invoices/invoice-line.ts'
import { checkSheet, countLines, groupsOf } from '../../web/pages/invoices/groups.ts'

const row = (more: Partial<PricedRow>): PricedRow => ({
  ...blankRow(readLine(1, { invoice: '1', line: '1', unitPrice: '1' })),
  ...more,
})
const wrong = (code: string, difference: string, currency = 'EUR') =>
  row({
    outcome: difference.startsWith('-') ? 'UNDER' : 'OVER',
    difference,
    currency,
    reason: { code: code as never, sentence: 'because.' },
  })

const rows = [
  row({ outcome: 'OK' }),
  row({ outcome: 'PROVISIONAL', status: 'OPEN', message: 'not agreed yet' }),
  { ...wrong('LAG', '4.00'), status: 'OPEN' as const, message: 'not agreed yet' },
  wrong('LAG', '10.00'),
  wrong('TWICE', '-30.00'),
  wrong('LAG', '-5.50'),
  wrong('TWICE', '7', 'JPY'),
  row({ outcome: 'OVER', difference: '1.00', currency: 'EUR' }),
  row({ outcome: 'OVER', difference: '2.00', currency: 'EUR', contradiction: true }),
  row({ outcome: 'UNKNOWN', message: 'there is no agreement "x"' }),
]

describe('groups of checked lines', () => {
  test('have the most money in either direction first, and say what it comes to with its sign, by currency', () => {
    expect(groupsOf(rows).map(({ key, rows: own, money }) => [key, own.length, money])).toEqual([
      [
        'TWICE',
        2,
        [
          { currency: 'EUR', amount: '-30.00' },
          { currency: 'JPY', amount: '7' },
        ],
      ],
      ['LAG', 2, [{ currency: 'EUR', amount: '4.50' }]],
      ['contradiction', 1, [{ currency: 'EUR', amount: '2.00' }]],
      ['unexplained', 1, [{ currency: 'EUR', amount: '1.00' }]],
      ['NOT_AGREED', 2, []],
      ['UNKNOWN', 1, []],
    ])
  })

  test('leave out lines that are right, which are counted', () => {
    expect(countLines(summarise(rows, verdictOf))).toEqual({ agreed: 1, unagreed: 2 })
    expect(groupsOf([row({ outcome: 'OK' })])).toEqual([])
  })

  test('are exported with every line and every column', () => {
    const { head, rows: cells } = checkSheet(rows)
    expect(cells).toHaveLength(rows.length)
    expect(cells.every(each => each.length === head.length)).toBe(true)
    const told = Object.fromEntries(head.map((name, i) => [name, cells[2]![i]]))
    expect(told).toMatchObject({
      outcome: 'NOT_AGREED',
      difference: null,
      reason_code: null,
      message: 'not agreed yet',
    })
  })
})
