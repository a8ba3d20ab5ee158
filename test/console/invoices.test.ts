// The check of invoices from a page, and the prices of a formula: the same answers as the command, nothing stored, and for a
// supplier only what it is party to.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyPriceList } from '../../src/agreements/price-list.ts'
import { verdictOf } from '../../src/core/invoices/check-row.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { limits } from '../../src/limits.ts'
import { Library } from '../../src/read/library.ts'
import { RowSeals } from '../../src/storage/log/row-seals.ts'
import type { ImportLine, InvoiceResult } from '../../src/views/shapes/imports.ts'
import type { AgreementPriceRows, PriceFile } from '../../src/views/shapes/invoices.ts'
import { readList } from '../support/agreements/priced-agreement.ts'
import { ublInvoice } from '../support/files/invoice-specimens.ts'
import { makeTestRing } from '../support/houses/api.ts'
import {
  type Browser,
  linesOf,
  makeSeats,
  openConsole,
  type Seats,
  type TestConsole,
} from '../support/houses/console.ts'
import { pricedDocument, steelPrices } from '../support/houses/price-house.ts'

let folder: string
let console: TestConsole
let seats: Seats
beforeAll(async () => {
  folder = await mkdtemp(joinPath(tmpdir(), 'assize-invoices-'))
  console = await openConsole({ env: { ASSIZE_DATA: folder } })
  seats = await makeSeats(console.api)
  const { tenant } = seats
  await tenant.import(steelPrices)
  await tenant.apply(pricedDocument())
  await tenant.apply(pricedDocument({ slug: 'of-another', parties: '{ supplier: [other@supplier.test] }' }))
  await applyList('steel-brackets', 'item,price,currency,from_quantity\nBR-100,12.40,EUR,0\nBR-100,12,EUR,1000\n')
  await tenant.signBoth('steel-brackets', '2024-Q2')
  await applyList('of-another', 'item,price,currency\nSECRET-1,99,EUR\n')
})
afterAll(async () => {
  await console.close()
  await rm(folder, { recursive: true, force: true })
})

async function applyList(agreement: string, csv: string): Promise<void> {
  const { sql } = console.api
  const library = new Library(sql, 1e8, { seals: new RowSeals(makeTestRing()), report: () => {} })
  const by = { who: 'eva@editor.test', fromAddress: null }
  const request = { workspaceId: seats.tenant.id, agreement, rows: readList(csv).rows, from: null, by }
  const applied = await applyPriceList(sql, library, { ...request, today: parseDay('2024-11-15')! })
  expect(applied.outcome).toBe('created')
}

async function check(as: Browser, content: string, file = 'lines.csv'): Promise<InvoiceResult> {
  const reply = await as.upload(`/import?kind=invoices&mode=preview&file=${encodeURIComponent(file)}`, content)
  expect(reply.status, reply.text).toBe(200)
  return linesOf<ImportLine>(reply).at(-1) as InvoiceResult
}

const head = 'invoice,line,agreement,item,quantity,unit_price,amount,date\n'
const wrong = `${head}4711,1,steel-brackets,BR-100,100,12.73,1273.00,2024-05-10\n`

describe('the check of a file', () => {
  test('says outcome, difference and reason of each line, for every role', async () => {
    for (const as of Object.values(seats.as)) {
      const { data, summary, problems } = await check(as, wrong)
      expect(problems).toEqual([])
      expect(data).toEqual([
        expect.objectContaining({
          outcome: 'OVER',
          difference: '4.00',
          reason: expect.objectContaining({ code: 'VINTAGE' }),
        }),
      ])
      expect(summary).toEqual({ lines: 1, outcomes: { OVER: 1 }, over: { EUR: '4.00' }, under: {} })
    }
  })

  test('accuses nobody by a price that is only proposed', async () => {
    const open = `${head}4712,1,steel-brackets,BR-100,100,12.69,1269.00,2024-08-01\n4712,2,steel-brackets,BR-100,1,14,14,2024-08-01\n`
    const { data, summary } = await check(seats.as.supplier, open)
    const told = '12.69 is in force; 13.02 is proposed for 2024-Q3'
    expect(data.map(row => [verdictOf(row), row.message])).toEqual([
      ['PROVISIONAL', told],
      ['NOT_AGREED', `not agreed yet: ${told}`],
    ])
    expect(summary).toEqual({ lines: 2, outcomes: { PROVISIONAL: 1, NOT_AGREED: 1 }, over: {}, under: {} })
  })

  test('names one period for a day that is still to come, in the line and in its sentence', async () => {
    await seats.tenant.apply(pricedDocument({ slug: 'long-running', end: '2400-12-31' }))
    const { data } = await check(seats.as.buyer, `${head}4713,1,long-running,,1,12.40,,2300-06-01\n`)
    expect(data[0]).toMatchObject({
      outcome: 'BLOCKED',
      period: '2300-Q2',
      message: '2300-Q2 has no price: its date 2300-04-01 has not come',
    })
  })

  test('stores nothing and leaves no file behind', async () => {
    const [row] = await console.api.owner`select count(*) from invoice_line`
    expect(row!.count).toBe(0)
    expect(await readdir(joinPath(folder, 'uploads'))).toEqual([])
  })

  test('shows a supplier only what it is party to: any other gives the same message as one that does not exist', async () => {
    const lines = `${head}1,1,of-another,SECRET-1,1,99,,2024-02-01\n1,2,nobody,SECRET-1,1,99,,2024-02-01\n1,3,,SECRET-1,1,99,,2024-02-01\n1,4,,NONE,1,99,,2024-02-01\n`
    const buyers = await check(seats.as.buyer, lines)
    expect(buyers.data.map(({ outcome }) => outcome)).toEqual(['OK', 'UNKNOWN', 'OK', 'UNKNOWN'])
    const { data } = await check(seats.as.supplier, lines)
    expect(data.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['UNKNOWN', 'there is no agreement "of-another"'],
      ['UNKNOWN', 'there is no agreement "nobody"'],
      ['UNKNOWN', 'no agreement has the item "SECRET-1"'],
      ['UNKNOWN', 'no agreement has the item "NONE"'],
    ])
    expect(
      data.every(({ candidates, agreement, price }) => candidates.length === 0 && agreement === null && price === null),
    ).toBe(true)
  })

  test('reads JSON and electronic invoices, and names every problem with the form', async () => {
    const json =
      '{"lines":[{"invoice":"1","line":"1","agreement":"steel-brackets","quantity":"1","unitPrice":"12.69","date":"2024-05-10"}]}'
    expect((await check(seats.as.buyer, json, 'lines.json')).data[0]!.outcome).toBe('OK')
    expect((await check(seats.as.buyer, ublInvoice(), 'invoice.xml')).data).toHaveLength(1)
    const bad = await check(seats.as.buyer, 'invoice,line,unit_price\n1,1\n1,2,3,4\n')
    expect(bad).toMatchObject({ data: [], problemCount: 2 })
    expect(bad.problems.map(({ line }) => line)).toEqual([2, 3])
    expect((await check(seats.as.buyer, '{"lines":[{"invoice":1}]}', 'lines.json')).problems).toEqual([
      { line: null, message: '/lines/0/invoice: must be a text: write the number in quotes' },
      { line: null, message: '/lines/0/line: line is missing' },
    ])
    const line = '1,1,steel-brackets,BR-100,1,12.69,,2024-05-10\n'
    const many = await check(
      seats.as.buyer,
      `${head}${line.repeat(limits.pageInvoiceLines)}${wrong.slice(head.length)}`,
    )
    expect([many.summary.lines, many.isWhole, many.data.length]).toEqual([limits.pageInvoiceLines + 1, false, 1])
  })

  test('refuses a file that is something else, one without a name, and a stranger', async () => {
    const other = await seats.as.buyer.upload('/import?kind=invoices&mode=preview&file=a.pdf', '%PDF-1.7')
    expect([other.status, other.text]).toEqual([422, expect.stringContaining('is a PDF document')])
    const kind = await seats.as.buyer.upload('/import?kind=invoices&mode=preview&file=a.txt', 'x')
    expect(kind.text).toContain('the file must be .csv, .xlsx, .json or .xml')
    expect((await seats.as.buyer.upload('/import?kind=invoices&mode=preview', 'x')).status).toBe(422)
    const elsewhere = await makeSeats(console.api, 'far-')
    const { data } = await check(elsewhere.as.owner, wrong)
    expect(data[0]).toMatchObject({ outcome: 'UNKNOWN', message: 'there is no agreement "steel-brackets"' })
  })
})

describe('the prices of a formula', () => {
  test('are those in force, or of the requested period, with the lists they come from', async () => {
    const newest = await seats.as.viewer.json<AgreementPriceRows>('/agreements/steel-brackets/prices')
    expect(newest.periods.map(({ period }) => period)).toEqual(['start', '2024-Q2', '2024-Q3', '2024-Q4'])
    expect([newest.period, newest.rowCount, newest.why]).toEqual(['2024-Q2', 2, null])
    expect(newest.lists).toEqual([
      {
        version: 1,
        from: 'start',
        recordedAt: expect.any(String),
        origin: { kind: 'ONE_SIDE' },
        applied: { by: 'eva@editor.test', items: 1 },
      },
    ])
    const second = await seats.as.supplier.json<AgreementPriceRows>('/agreements/steel-brackets/prices?date=2024-04-01')
    expect(second.rows.map(({ item, fromQuantity, price, status }) => [item, fromQuantity, price, status])).toEqual([
      ['BR-100', '0', '12.69', 'AGREED'],
      ['BR-100', '1000', '12.28', 'AGREED'],
    ])
  })

  test('do not exist for a supplier of another agreement, with the same message as one that does not exist', async () => {
    const [hidden, missing] = await Promise.all(
      ['of-another', 'nobody'].map(slug => seats.as.supplier.get(`/agreements/${slug}/prices`)),
    )
    expect([hidden!.status, hidden!.text]).toEqual([missing!.status, missing!.text])
    expect(hidden!.status).toBe(404)
  })

  test('are taken as a file for another system, with what is not in it, and by a supplier without the keys', async () => {
    const { tenant } = seats
    await tenant.apply(pricedDocument({ slug: 'z-keyed', parties: '{ supplier: [sam@supplier.test] }' }))
    await applyList('z-keyed', 'item,price,currency,erp_LIFNR,erp_MATNR\nBR-9,1.00,EUR,4711,M-9\n')
    await tenant.signBoth('z-keyed', '2024-Q2')
    const take = (who: Browser, query: string) => who.json<PriceFile>(`/price-file?${query}`)
    const own = await take(seats.as.viewer, 'format=sap-csv&date=2024-05-01&agreement=z-keyed')
    expect([own.count, own.leftOutCount, own.name]).toEqual([1, 0, expect.stringMatching(/^z-keyed-sap-csv-.*\.csv$/)])
    expect(own.text).toContain('018,4711,M-9,20240401,20241231,0,1.02,EUR')
    const all = await take(seats.as.buyer, 'format=sap-csv&date=2024-05-01')
    const told = all.leftOut.map(({ agreement, reason }) => `${agreement} ${reason}`)
    expect(told.filter(each => !each.startsWith('long-running'))).toEqual(['of-another UNFIT', 'steel-brackets UNFIT'])
    const theirs = await take(seats.as.supplier, 'format=csv&only=all')
    expect(theirs.text).toContain('z-keyed,BR-9')
    expect(theirs.text).not.toMatch(/erp_|\b4711\b|of-another/)
    const [hidden, missing] = await Promise.all(
      ['of-another', 'nobody'].map(slug => seats.as.supplier.get(`/price-file?format=csv&agreement=${slug}`)),
    )
    expect([hidden!.status, hidden!.text]).toEqual([missing!.status, missing!.text])
    const wrong = await seats.as.buyer.get('/price-file?format=sap-csv&set=LIFNRR%3D1')
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('LIFNRR is no field')])
  })
})
