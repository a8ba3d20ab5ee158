import { expect, test } from 'vitest'
import { readInvoiceXml } from '../../src/import/invoice-lines.ts'
import { scenario } from '../support/run/long-test.ts'
import { mutateInvoices, specimens } from './invoice-files.ts'
import { watchMutations } from './watched-mutations.ts'

test('electronic invoices are read before they are damaged', () => {
  for (const xml of specimens) {
    const { lines, problems } = readInvoiceXml(xml, 10)
    expect(problems).toEqual([])
    expect(lines.map(line => line.problems)).toEqual([[], [], [], []])
  }
})

scenario(
  'invoice-files',
  'F14: damaged electronic invoices are read without an exception or a made-up figure',
  { short: 500, long: 100_000 },
  async ({ rounds: count, seed, isTimed }) => {
    const damaged = { count, seed }
    const { failures, figures } = isTimed ? await watchMutations('invoice', damaged) : mutateInvoices(damaged)
    expect(figures).toBeGreaterThan(count)
    return { summary: `${count} mutations, ${figures} figures read`, failures }
  },
)
