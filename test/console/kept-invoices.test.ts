// The page of kept invoices: the newest lines first, checked against settled prices, found by number, item, agreement and
// supplier, page by page through any number of them; for a supplier its own.
import { beforeAll, describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import type { LineTexts } from '../../src/core/invoices/invoice-line.ts'
import { limits } from '../../src/limits.ts'
import { Library } from '../../src/read/library.ts'
import { loadKeptLines } from '../../src/storage/agreements/stored-lines.ts'
import { type Transaction, withWorkspace } from '../../src/storage/postgres/database.ts'
import type { InvoiceLineList, InvoiceLineView } from '../../src/views/shapes/invoices.ts'
import type { Seat } from '../../src/views/sight/seat.ts'
import type { ViewContext } from '../../src/views/sight/view-parts.ts'
import { listKeptInvoices } from '../../src/views/true-up/stored-invoices.ts'
import { statementsOf } from '../support/counted-statements.ts'
import type { Browser } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { pricedDocument, steelPrices } from '../support/houses/price-house.ts'
import { applyListUnheard, keepLinesUnheard, reverse } from '../support/houses/priced-tenant.ts'

const house = consoleHouse()

const line = (invoice: string, unitPrice: string, date: string, more: LineTexts = {}): LineTexts => ({
  invoice,
  line: '1',
  agreement: 'steel-brackets',
  quantity: '10',
  unitPrice,
  date,
  ...more,
})

async function list(
  query: Readonly<Record<string, string>> = {},
  as: Browser = house.as.buyer,
): Promise<InvoiceLineList> {
  return as.json<InvoiceLineList>(`/invoices?${new URLSearchParams(query)}`)
}
/** How often this transaction looked something up in an index of invoices. */
async function invoiceLookUps(tx: Transaction): Promise<number> {
  const [row] = await tx<{ scans: number }[]>`
    select idx_scan as scans from pg_stat_xact_user_tables where relid = 'invoice'::regclass`
  return Number(row!.scans)
}
const numbers = ({ rows }: Pick<InvoiceLineList, 'rows'>) => rows.map(({ invoice }) => invoice)

beforeAll(async () => {
  const { tenant } = house
  await tenant.import(steelPrices)
  await tenant.apply(pricedDocument())
  await tenant.apply(pricedDocument({ slug: 'of-another', parties: '{ supplier: [other@supplier.test] }' }))
  for (const period of ['2024-Q2', '2024-Q3']) await tenant.signBoth('steel-brackets', period)
})

describe('kept invoices', () => {
  test('are none in the beginning, and nothing is said about lines that are not there', async () => {
    expect(await list()).toEqual({ rows: [], next: null, looked: 0, total: 0, suppliers: [] })
  })

  test('come with the newest first, each with its state, its reason and the receipt of the settled price', async () => {
    await keepLinesUnheard(house.tenant, [
      line('K-1', '12.73', '2024-05-10'),
      line('K-2', '12.69', '2024-06-10'),
      line('K-3', '13.00', '2024-11-10'),
      line('K-4', '12.69', '2024-05-12', { agreement: 'of-another' }),
      line('K-5', '1', '2023-05-12'),
    ])
    const { rows, total, suppliers } = await list()
    expect(rows.map(({ invoice, state }) => [invoice, state])).toEqual([
      ['K-3', 'open'],
      ['K-2', 'agreed'],
      ['K-4', 'open'],
      ['K-1', 'wrong'],
      ['K-5', 'unclear'],
    ])
    expect([total, suppliers!.map(({ value }) => value)]).toEqual([5, ['of-another', 'steel-brackets']])
    const wrong = rows.find(({ invoice }) => invoice === 'K-1')!
    expect(wrong.check).toMatchObject({
      period: '2024-Q2',
      price: '12.69',
      difference: '0.40',
      reason: { code: 'VINTAGE' },
    })
    const { hash } = await house.as.buyer.json<{ hash: string }>('/agreements/steel-brackets/periods/2024-Q2/receipt')
    expect(wrong.receiptHash).toBe(hash)
    expect(rows[0]).toMatchObject({
      check: { message: 'not agreed yet: 13.02 is in force; 13.64 is proposed for 2024-Q4' },
      receiptHash: null,
    })
  })

  test('are found by number, agreement and item, and chosen by state, supplier and period', async () => {
    expect(numbers(await list({ q: 'k-1' }))).toEqual(['K-1'])
    expect(numbers(await list({ q: '%' }))).toEqual([])
    expect(numbers(await list({ q: 'of-ano' }))).toEqual(['K-4'])
    expect(numbers(await list({ q: 'brackets' }))).toEqual(['K-3', 'K-2', 'K-1', 'K-5'])
    expect(numbers(await list({ state: 'wrong' }))).toEqual(['K-1'])
    expect(numbers(await list({ supplier: 'of-another' }))).toEqual(['K-4'])
    expect(numbers(await list({ period: '2024-Q2', agreement: 'steel-brackets' }))).toEqual(['K-2', 'K-1'])
    expect((await house.as.buyer.get('/invoices?state=none')).status).toBe(422)
  })

  test('are a supplier’s own for a supplier, whatever it asks for', async () => {
    const { supplier } = house.as
    const own = await list({}, supplier)
    expect([numbers(own), own.total, own.suppliers]).toEqual([['K-3', 'K-2', 'K-1', 'K-5'], null, null])
    expect(own.rows.every(({ importedBy }) => importedBy === null)).toBe(true)
    expect(numbers(await list({ agreement: 'of-another' }, supplier))).toEqual([])
    expect(numbers(await list({ q: 'K-4' }, supplier))).toEqual([])
    const [hidden] = (await list({ q: 'K-4' })).rows
    expect((await supplier.get(`/invoices/${hidden!.id}`)).status).toBe(404)
  })

  test('show what was reversed, with the line that undoes it', async () => {
    await reverse(house.tenant, 'K-1')
    const { rows } = await list({ state: 'reversed' })
    expect(rows.map(({ invoice, reverses }) => [invoice, reverses === null])).toEqual([
      ['K-1', expect.any(Boolean)],
      ['K-1', expect.any(Boolean)],
    ])
    const undone = rows.find(({ reversedBy }) => reversedBy !== null)!
    const shown = await house.as.viewer.json<{ line: InvoiceLineView; other: InvoiceLineView }>(
      `/invoices/${undone.id}`,
    )
    expect([shown.line.id, shown.other.reverses]).toEqual([undone.id, undone.id])
    expect(numbers(await list({ state: 'wrong' }))).toEqual([])
  })

  test('are walked through to the end, and a page looks through so many lines and no more', async () => {
    const many = limits.keptLines.looked + 300
    const right = Array.from({ length: many }, (_, i) => line('M-1', '12.69', '2024-06-20', { line: `${i + 1}` }))
    await keepLinesUnheard(house.tenant, [...right, line('M-2', '12.40', '2024-04-02')])
    const first = await list({ state: 'wrong' })
    expect([first.rows.length, first.looked]).toEqual([0, limits.keptLines.looked])
    const second = await list({ state: 'wrong', after: first.next! })
    expect([numbers(second), second.next]).toEqual([['M-2'], null])
    const ids = new Set<string>()
    let page = await list({ q: 'M-1' })
    for (let next: string | null = ''; next !== null; next = page.next) {
      if (next !== '') page = await list({ q: 'M-1', after: next })
      for (const { id } of page.rows) ids.add(id)
    }
    expect(ids.size).toBe(many)
  })

  test('are searched without looking up the invoice of any line that is not found, and are counted once', async () => {
    const { sql } = house.api
    const { id } = house.tenant
    const filter = { agreementIds: null, suppliers: null }
    for (const [text, found] of [
      ['unit', 0],
      ['no such line', 0],
      ['k-2', 1],
    ] as const)
      await withWorkspace(sql, id, async tx => {
        const before = await invoiceLookUps(tx)
        const search = { text, agreementIds: [], suppliers: [] }
        const lines = await loadKeptLines(tx, id, { ...filter, search }, { after: null, most: 100 })
        expect([text, lines.length]).toEqual([text, found])
        // One for each of the two parts of the list, for what is searched for, and one for each line.
        expect((await invoiceLookUps(tx)) - before).toBeLessThanOrEqual(2 + found)
      })
    const library = new Library(sql, 64 * 1024 * 1024, { seals: new Seal(house.api.ring).rows, report: () => {} })
    const parts = { installation: { sql }, library, now: () => '2026-01-01T00:00:00.000000Z' } as unknown as ViewContext
    const seat = { workspace: { id }, role: 'viewer' } as Seat
    const counts = async (q: string) => {
      const sent = await statementsOf(sql, () => listKeptInvoices(parts, seat, { q }))
      return sent.filter(text => text.startsWith('select count(*) as count from invoice_line')).length
    }
    expect([await counts('k-2'), await counts('M-1')]).toEqual([0, 1])
    expect([(await list({ q: 'k-2' })).total, (await list({ q: 'M-' })).total]).toEqual([
      1,
      limits.keptLines.looked + 301,
    ])
  })

  test('are found by an item with quotation marks and backslashes, and not by how its text is stored', async () => {
    const odd = String.raw`5"\n,"kind":`
    await applyListUnheard(house.tenant, 'of-another', `item,price,currency\n"${odd.replaceAll('"', '""')}",10,EUR\n`)
    await keepLinesUnheard(house.tenant, [line('Q-1', '10', '2024-05-10', { agreement: 'of-another', item: odd })])
    for (const q of [odd, '5"', '"KIND":']) expect([q, numbers(await list({ q }))]).toEqual([q, ['Q-1']])
    for (const q of [String.raw`5\"`, '"item"']) expect([q, numbers(await list({ q }))]).toEqual([q, []])
  })
})
