// `GET /ext/v1/invoices` and those of one invoice: order, filters, pages, cuts, reversals, which keys see them, CSV.
import { beforeAll, describe, expect, test } from 'vitest'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import type { Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { pricedDocument } from '../support/houses/price-house.ts'
import { fillBrackets, keepLines, reverse, withMoney } from '../support/houses/priced-tenant.ts'

type Lines = ExtWire<'InvoiceLineList'>
type Line = ExtWire<'InvoiceLine'>

const agreement = 'steel-brackets'
let reader: Tenant
let tenant: Tenant
let beforeReversal: string

const line = { agreement, item: 'BR-100', quantity: '100', unitPrice: '12.69' }

const { api } = house()
beforeAll(async () => {
  reader = await api.tenant()
  tenant = await withMoney(reader)
  await fillBrackets(reader)
  await reader.apply(pricedDocument({ slug: 'bolts', contract: '  priceDate: ORDER\n' }))
  await keepLines(reader, [
    { ...line, invoice: 'B-2', line: '1', date: '2024-05-10', amount: '+1269.00' },
    { ...line, invoice: 'B-2', line: '2', date: '2024-05-10', quantity: '-5', kind: 'CREDIT_NOTE' },
    { ...line, invoice: 'A-1', line: '1', date: '2024-06-30', serviceFrom: '2024-06-01', serviceTo: '2024-06-30' },
    { ...line, invoice: 'A-1', line: '2', date: '2024-07-01', supplier: 'a/b c' },
    { ...line, invoice: '4711', line: '1', date: '2025-02-01', supplier: '=ohio' },
  ])
  // Without a date of the invoice.
  await keepLines(reader, [
    { invoice: 'O-1', line: '1', agreement: 'bolts', quantity: '1', unitPrice: '12.40', orderDate: '2024-01-05' },
  ])
  beforeReversal = new Date().toISOString()
  await reverse(reader, 'B-2')
})

const linesOf = async (path: string): Promise<readonly Line[]> => (await tenant.extJson<Lines>(path)).data
const short = ({ supplier, invoice, line: number, period, reverses }: Line) =>
  `${supplier} ${invoice} ${number} ${period}${reverses === null ? '' : ' reversed'}`

describe('GET /invoices', () => {
  test('lists kept lines by date, supplier, invoice and line, with the period of their day', async () => {
    expect((await linesOf('/invoices')).map(short)).toEqual([
      'steel-brackets B-2 1 2024-Q2',
      'steel-brackets B-2 1 2024-Q2 reversed',
      'steel-brackets B-2 2 2024-Q2',
      'steel-brackets B-2 2 2024-Q2 reversed',
      'steel-brackets A-1 1 2024-Q2',
      'a/b c A-1 2 2024-Q3',
      '=ohio 4711 1 null',
      'bolts O-1 1 start',
    ])
  })

  test('gives the fields of a line and what is known about it since', async () => {
    const [first, opposite] = await linesOf('/invoices?limit=2')
    expect(first).toEqual({
      invoice: 'B-2',
      line: '1',
      supplier: agreement,
      agreement,
      contractRef: null,
      item: 'BR-100',
      quantity: '100',
      unit: null,
      unitPrice: '12.69',
      per: '1',
      amount: '1269.00',
      currency: 'EUR',
      date: '2024-05-10',
      serviceFrom: null,
      serviceTo: null,
      orderDate: null,
      kind: 'INVOICE',
      id: expect.stringMatching(/^inl_/),
      period: '2024-Q2',
      importedAt: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
      reverses: null,
      note: null,
      difference: null,
    })
    expect(opposite).toMatchObject({ quantity: '-100', amount: '-1269.00', reverses: first!.id })
  })

  test('filters by agreement and by date', async () => {
    const shown = async (query: string) => (await linesOf(`/invoices?${query}`)).map(each => each.invoice)
    expect(await shown('pam=bolts')).toEqual(['O-1'])
    expect(await shown(`pam=${agreement}&from=2024-06-30&to=2024-07-01`)).toEqual(['A-1', 'A-1'])
    expect(await shown('from=2024-07-02')).toEqual(['4711'])
    expect(await shown('to=2024-01-01')).toEqual([])
    for (const [query, status] of [
      ['pam=nobody', 404],
      ['pam=', 400],
      ['from=2024-02-01&to=2024-01-01', 400],
      ['from=yesterday', 400],
      ['limit=501', 400],
    ] as const)
      expect([query, (await tenant.ext(`/invoices?${query}`)).status]).toEqual([query, status])
  })

  test('comes page by page, pinned to its first page', async () => {
    for (const limit of [1, 3]) {
      const whole = await linesOf('/invoices')
      const walked: Line[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path = `/invoices?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`
        const page: Lines = await tenant.extJson<Lines>(path)
        walked.push(...page.data)
        cursor = page.pagination.nextCursor
        // Not seen by the walk that is under way.
        if (walked.length === limit)
          await keepLines(reader, [{ ...line, invoice: `N-${limit}`, line: '1', date: '2025-03-01' }])
      }
      expect(walked).toEqual(whole)
      expect((await linesOf('/invoices')).map(({ invoice }) => invoice)).toContain(`N-${limit}`)
    }
    const { nextCursor } = (await tenant.extJson<Lines>('/invoices?limit=1')).pagination
    expect((await tenant.ext(`/invoices?limit=1&pam=bolts&cursor=${nextCursor}`)).status).toBe(400)
    expect((await tenant.ext(`/prices?limit=1&cursor=${nextCursor}`)).status).toBe(400)
  })

  test('answers what was known then', async () => {
    const then = await linesOf(`/invoices?knownAt=${beforeReversal}`)
    expect(then.map(short)).toEqual([
      'steel-brackets B-2 1 2024-Q2',
      'steel-brackets B-2 2 2024-Q2',
      'steel-brackets A-1 1 2024-Q2',
      'a/b c A-1 2 2024-Q3',
      '=ohio 4711 1 null',
      'bolts O-1 1 start',
    ])
    expect(await linesOf('/invoices?knownAt=2020-01-01')).toEqual([])
  })

  test('keeps its tag while nothing changes, and is CSV with safe texts', async () => {
    const { headers } = await tenant.ext('/invoices')
    expect((await tenant.ext('/invoices', { headers: { 'if-none-match': headers.etag } })).status).toBe(304)
    const { text } = await tenant.ext('/invoices?from=2025-01-01&format=csv')
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      'invoice,line,supplier,agreement,contract_ref,item,quantity,unit,unit_price,per,amount,currency,date,service_from,service_to,order_date,kind,id,period,imported_at,reverses,note,difference_code,difference_amount,difference_message',
      expect.stringMatching(/^4711,1,'=ohio,steel-brackets,,BR-100,100,,12\.69,1,,EUR,2025-02-01,,,,INVOICE,inl_\w+,,/),
    ])
    const negative = await tenant.ext('/invoices/steel-brackets/B-2?format=csv')
    expect(negative.text).toContain(',-100,,12.69,1,-1269.00,')
  })
})

describe('GET /invoices/{supplierKey}/{number}', () => {
  test('gives the lines of one invoice, as /changes names it', async () => {
    expect((await linesOf('/invoices/a%2Fb%20c/A-1')).map(short)).toEqual(['a/b c A-1 2 2024-Q3'])
    const { data } = await tenant.extJson<ExtWire<'ChangeList'>>('/changes?from=start&kinds=invoice')
    expect(data.map(({ subject }) => subject)).toContain('steel-brackets/B-2')
    const page = await tenant.extJson<Lines>('/invoices/steel-brackets/B-2?limit=3')
    expect(page.data.map(short)).toHaveLength(3)
    const rest = await linesOf(`/invoices/steel-brackets/B-2?limit=3&cursor=${page.pagination.nextCursor}`)
    expect(rest.map(short)).toEqual(['steel-brackets B-2 2 2024-Q2 reversed'])
  })

  test('is 404 if nothing is kept, nothing was kept then, or the address is different', async () => {
    for (const path of ['/nobody/B-2', '/steel-brackets/nothing', '/steel-brackets/B-2?knownAt=2020-01-01'])
      expect((await tenant.ext(`/invoices${path}`)).text).toBe('{"error":"there is no such invoice"}')
    for (const path of ['/invoices/', '/invoices/x', '/invoices/x/', '/invoices/x/y/z', '/invoices//y'])
      expect((await tenant.ext(path)).text).toBe('{"error":"there is nothing at this address"}')
    expect((await tenant.ext('/invoices/%ff/%00')).status).toBe(404)
  })
})

describe('a key that does not read money', () => {
  test('gets the 404 of what does not exist, whatever it asks', async () => {
    const nothing = await reader.ext('/nothing')
    for (const path of ['/invoices', '/invoices/steel-brackets/B-2', '/invoices?limit=x', '/check'])
      for (const method of ['GET', 'POST', 'QUERY', 'OPTIONS', 'DELETE']) {
        const { status, text } = await reader.ext(path, { method })
        expect([path, method, status, text]).toEqual([path, method, 404, nothing.text])
      }
    const all = await api.issueKey(tenant.id, null, 'all', 'all')
    const { status } = await api.ask('/ext/v1/invoices', { headers: { authorization: `Bearer ${all.key}` } })
    expect(status).toBe(200)
  })
})
