import { expect, test } from 'vitest'
import { readInvoiceXml } from '../../src/import/invoice-lines.ts'
import { mostMs } from '../providers/mutation.ts'
import { suiteSeed } from './chance.ts'
import { mutateInvoices, specimens } from './invoice-files.ts'

/** The long form, a hundred thousand, is `npm run faults -- invoice-files`. */
const count = 2_000

test('electronic invoices are read before they are damaged', () => {
  for (const xml of specimens) {
    const { lines, problems } = readInvoiceXml(xml, 10)
    expect(problems).toEqual([])
    expect(lines.map(line => line.problems)).toEqual([[], [], [], []])
  }
})

test('F14: 2,000 damaged electronic invoices are read without an exception, a delay or a made-up figure', () => {
  const { failures, figures, slowestMs } = mutateInvoices({ count, seed: suiteSeed })
  expect(failures).toEqual([])
  expect(slowestMs).toBeLessThan(mostMs)
  expect(figures).toBeGreaterThan(count)
})
