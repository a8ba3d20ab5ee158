import { expect, test } from 'vitest'
import { readInvoiceXml } from '../../src/import/invoice-lines.ts'
import { suiteSeed } from './chance.ts'
import { mutateInvoices, specimens } from './invoice-files.ts'

/** The long form, a hundred thousand, is `npm run faults -- invoice-files`. */
const count = 500

test('electronic invoices are read before they are damaged', () => {
  for (const xml of specimens) {
    const { lines, problems } = readInvoiceXml(xml, 10)
    expect(problems).toEqual([])
    expect(lines.map(line => line.problems)).toEqual([[], [], [], []])
  }
})

test('F14: 500 damaged electronic invoices are read without an exception or a made-up figure', () => {
  const { failures, figures } = mutateInvoices({ count, seed: suiteSeed })
  expect(failures).toEqual([])
  expect(figures).toBeGreaterThan(count)
})
