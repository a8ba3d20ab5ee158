// Postings of a ledger as a statement of account: by invoice, the newest first, with the balance after each.
import { describe, expect, test } from 'vitest'
import type { LedgerPage } from '../../src/views/shapes/true-up.ts'
import { formatLine, groupPostings } from '../../web/pages/true-up/ledger/postings.ts'

const line = (invoice: string, number: string) => ({ invoice, line: number, supplier: 'ohio-forge' })
const lines = { a: line('4711', '1'), b: line('4711', '2'), c: line('4712', '1') }
const entry = (at: string, event: string, subject: string, legs: Record<string, string>) => ({
  at,
  event,
  subject,
  period: null,
  item: null,
  legs,
})
const page = {
  lines,
  ledger: {
    currency: 'EUR',
    entries: [
      entry('2024-05-01', 'INVOICE_LINE', 'a', { BILLED: '100.00', PROVISIONAL: '-100.00' }),
      entry('2024-05-01', 'INVOICE_LINE', 'b', { BILLED: '50.00', PROVISIONAL: '-50.00' }),
      entry('2024-05-01', 'INVOICE_LINE', 'c', { ENTITLED: '-90.00', BILLED: '100.00', BILLING_DIFF: '-10.00' }),
      entry('2024-06-01', 'PERIOD_AGREED', 'a', { ENTITLED: '-103.00', PROVISIONAL: '100.00', BILLING_DIFF: '3.00' }),
      entry('2024-07-01', 'CORRECTION_AGREED', 'cor_1', { ENTITLED: '20.00', AGREED: '-20.00' }),
    ],
  },
} as unknown as LedgerPage

describe('postings', () => {
  test('stand together by invoice as they were made, the newest first, each group with the balance after it', () => {
    const groups = groupPostings(page)
    expect(groups.map(({ event, invoice, postings, balance }) => [event, invoice, postings.length, balance])).toEqual([
      ['CORRECTION_AGREED', null, 1, '-27.00'],
      ['PERIOD_AGREED', '4711', 1, '-7.00'],
      ['INVOICE_LINE', '4712', 1, '-10.00'],
      ['INVOICE_LINE', '4711', 2, '0.00'],
    ])
    expect(groups.at(-1)!.legs).toEqual({ BILLED: '150.00', PROVISIONAL: '-150.00' })
  })

  test('name their lines', () => {
    expect([formatLine(page, 'b'), formatLine(page, 'cor_1')]).toEqual(['4711, line 2, ohio-forge', 'cor_1'])
  })
})
