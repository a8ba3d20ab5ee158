// What is written to a supplier about lines that were not billed as agreed.
import { expect, test } from 'vitest'
import { blankRow } from '../../src/core/invoices/check-row.ts'
import { readLine } from '../../src/core/invoices/invoice-line.ts'
import type { InvoiceLineView } from '../../src/views/shapes/invoices.ts'
import { letterOf, sheetOfLines } from '../../web/pages/invoices/letter.ts'

const kept = (line: string, difference: string): InvoiceLineView => ({
  id: line,
  supplier: 'forge',
  supplierName: 'Forge Ltd',
  invoice: '4711',
  line,
  date: '2024-05-10',
  quantity: '100',
  unit: 'piece',
  kind: 'INVOICE',
  importedAt: '',
  importedBy: null,
  reverses: null,
  reversedBy: null,
  state: 'wrong',
  correction: null,
  receiptHash: null,
  check: {
    ...blankRow(readLine(1, { invoice: '4711', line, unitPrice: '12.73' })),
    outcome: 'OVER',
    item: 'BR-100',
    period: '2024-Q2',
    status: 'AGREED',
    price: '12.69',
    billedPrice: '12.73',
    amount: '1269.00',
    billedAmount: '1273.00',
    difference,
    currency: 'EUR',
    reason: { code: 'VINTAGE', sentence: '12.73 is the price with the preliminary March value' },
  },
})

test('a letter names each line with both prices, the difference and the reason, and the sums without mixing signs', () => {
  const text = letterOf({ supplier: 'Forge Ltd', from: 'Acme', lines: [kept('1', '4.00'), kept('2', '-1.50')] })
  expect(text.replaceAll('\u00a0', ' ')).toBe(`To Forge Ltd

2 lines of your invoices were not billed at the price we have both agreed. In total they are billed 4.00 EUR too high, and 1.50 EUR too low.

- Invoice 4711, line 1, of 10 May 2024, item BR-100: billed 12.73 EUR, agreed for 2024-Q2 12.69 EUR; difference +4.00 EUR. 12.73 is the price with the preliminary March value.
- Invoice 4711, line 2, of 10 May 2024, item BR-100: billed 12.73 EUR, agreed for 2024-Q2 12.69 EUR; difference −1.50 EUR. 12.73 is the price with the preliminary March value.

Please correct them by a credit note or a debit note, or tell us where we are wrong.

Acme`)
})

test('a letter about very many lines refers to the sheet, which has all of them', () => {
  const lines = Array.from({ length: 40 }, (_, i) => kept(`${i}`, '1.00'))
  expect(letterOf({ supplier: 'Forge Ltd', from: 'Acme', lines })).toContain('… and 15 more in the attached sheet.')
  const { head, rows } = sheetOfLines('Wrong lines', lines)
  expect([rows.length, rows[0]![head.indexOf('settled_price')]]).toEqual([40, { figure: '12.69' }])
})
