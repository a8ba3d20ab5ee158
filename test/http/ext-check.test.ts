// `QUERY` and `POST /ext/v1/check`: every kind of body, the answer as JSON and CSV, what is refused and with which place, and
// that nothing is stored.
import { beforeAll, describe, expect, test } from 'vitest'
import { checkColumns } from '../../src/core/invoices/check-row.ts'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import { limits } from '../../src/limits.ts'
import type { Asking } from '../support/clients/http-client.ts'
import { ciiInvoice, ublCreditNote, ublInvoice, usualLine } from '../support/files/invoice-specimens.ts'
import type { Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { applyList, fillBrackets, withMoney } from '../support/houses/priced-tenant.ts'

type Checked = ExtWire<'CheckAnswer'>

let tenant: Tenant
let beforeList: string

const { api } = house()
beforeAll(async () => {
  const reader = await api.tenant()
  tenant = await withMoney(reader)
  await fillBrackets(reader)
  beforeList = new Date().toISOString()
  await applyList(reader, 'steel-brackets', 'item,price,currency,unit\nBR-100,20,EUR,piece\n', '2024-Q4')
})

const line = {
  invoice: '4711',
  line: '1',
  agreement: 'steel-brackets',
  item: 'BR-100',
  quantity: '100',
  unit: 'piece',
  unitPrice: '12.73',
  per: '1',
  amount: '1273.00',
  currency: 'EUR',
  date: '2024-05-10',
}
const types = { json: 'application/json', csv: 'text/csv; charset=UTF-8', xml: 'application/xml' }

const send = (
  kind: keyof typeof types,
  body: string | Buffer,
  { path = '/check', ...more }: Asking & { path?: string } = {},
) => tenant.ext(path, { method: 'POST', ...more, body, headers: { 'content-type': types[kind], ...more.headers } })
const check = async (kind: keyof typeof types, body: string): Promise<Checked> => {
  const { status, text } = await send(kind, body)
  expect([status, text.slice(0, 300)]).toEqual([200, text.slice(0, 300)])
  return JSON.parse(text) as Checked
}
const json = (...lines: unknown[]) => JSON.stringify({ lines })
const errorOf = async (kind: keyof typeof types, body: string | Buffer) => {
  const { status, text } = await send(kind, body)
  return [status, (JSON.parse(text) as { error: string }).error]
}

describe('a check', () => {
  test('answers the line of the documentation, with QUERY and POST alike', async () => {
    const answer = await check('json', json(line))
    expect(answer).toEqual({
      data: [
        {
          invoice: '4711',
          line: '1',
          outcome: 'OVER',
          agreement: 'steel-brackets',
          item: 'BR-100',
          period: '2024-Q2',
          status: 'AGREED',
          price: '12.69',
          billedPrice: '12.73',
          priceDifference: '0.04',
          amount: '1269.00',
          billedAmount: '1273.00',
          difference: '4.00',
          currency: 'EUR',
          reason: {
            code: 'VINTAGE',
            sentence: expect.stringMatching(/^12\.73 is the price .*; the settled price of 2024-Q2 is 12\.69/),
          },
          alsoPossible: [],
          message: null,
          contradiction: false,
          candidates: [],
          spans: [],
        },
      ],
      summary: { lines: 1, outcomes: { OVER: 1 }, over: { EUR: '4.00' }, under: {} },
    })
    const asked = await send('json', json(line), { method: 'QUERY' })
    expect(JSON.parse(asked.text)).toEqual(answer)
    // An answer to QUERY can be revalidated by its tag; one to POST cannot.
    expect(asked.headers.etag).toMatch(/^"/)
    const again = { method: 'QUERY', headers: { 'if-none-match': asked.headers.etag } }
    expect((await send('json', json(line), again)).status).toBe(304)
    const posted = await send('json', json(line), { headers: { 'if-none-match': asked.headers.etag } })
    expect([posted.status, posted.headers.etag]).toEqual([200, undefined])
    const long = await api.ask('/api/ext/v1/check', {
      method: 'QUERY',
      headers: { ...tenant.authorization, 'content-type': types.json },
      body: json(line),
    })
    expect(long.text).toBe(asked.text)
  })

  test('reads CSV, UBL and CII as it reads JSON', async () => {
    const csv = 'invoice,line,agreement,item,quantity,unit,unit_price,per,amount,currency,date\n'
    const cells = '4711,1,steel-brackets,BR-100,100,piece,12.73,1,1273.00,EUR,2024-05-10\n'
    expect(await check('csv', `\uFEFF${csv}${cells}`)).toEqual(await check('json', json(line)))
    const document = {
      id: '4711',
      issued: '2024-05-10',
      contract: 'steel-brackets',
      lines: [{ ...usualLine, unit: 'piece' }],
    }
    for (const body of [ublInvoice(document), ciiInvoice(document)]) {
      const { data } = await check('xml', body)
      expect(data[0]).toMatchObject({ invoice: '4711', outcome: 'OVER', difference: '4.00' })
    }
    const credit = await check('xml', ublCreditNote(document))
    expect(credit.data[0]).toMatchObject({ outcome: 'UNDER', difference: '-4.00' })
    const asText = await send('xml', ublInvoice(document), { headers: { 'content-type': 'text/xml' } })
    expect(asText.status).toBe(200)
  })

  test('keeps the order of the lines and turns a bad cell into one UNKNOWN line', async () => {
    const { data, summary } = await check(
      'json',
      json(
        { ...line, line: '1', unitPrice: '12.69', amount: null },
        { ...line, line: '2', date: '2024-02-30' },
        { ...line, line: '3', agreement: 'nobody' },
        { ...line, line: '4', unitPrice: null, amount: null },
        { ...line, line: '5', kind: 'CORRECTION' },
        { ...line, line: '6', item: 'nothing' },
      ),
    )
    expect(data.map(({ line: number, outcome }) => `${number} ${outcome}`)).toEqual([
      '1 OK',
      '2 UNKNOWN',
      '3 UNKNOWN',
      '4 UNKNOWN',
      '5 SKIPPED',
      '6 UNKNOWN',
    ])
    expect(data[1]!.message).toContain('date must be a day')
    expect(data[2]!.message).toBe('there is no agreement "nobody"')
    expect(summary).toEqual({ lines: 6, outcomes: { OK: 1, UNKNOWN: 4, SKIPPED: 1 }, over: {}, under: {} })
    expect(await check('json', json())).toMatchObject({ data: [], summary: { lines: 0 } })
  })

  test('uses what was known then, if requested', async () => {
    const body = json({ ...line, date: '2024-10-05', unitPrice: '22.00', amount: null })
    const at = async (query: string) => {
      const { text } = await send('json', body, { path: `/check${query}` })
      return (JSON.parse(text) as Checked).data[0]
    }
    expect(await at('')).toMatchObject({ outcome: 'PROVISIONAL', price: '22.00' })
    expect(await at(`?knownAt=${beforeList}`)).toMatchObject({ outcome: 'OVER', price: '13.64' })
    expect(await at('?knownAt=2020-01-01')).toMatchObject({ outcome: 'UNKNOWN' })
    expect((await send('json', body, { path: '/check?knownAt=2999-01-01' })).status).toBe(400)
  })

  test('answers CSV without the summary, with the columns of the command', async () => {
    const lines = [line, { ...line, line: '2', unitPrice: '12.60', amount: '1260.00', invoice: '=1+1' }]
    for (const asking of [{ path: '/check?format=csv' }, { headers: { accept: 'text/csv' } }]) {
      const { text, headers } = await send('json', json(...lines), asking)
      expect(headers['content-type']).toBe('text/csv; charset=utf-8')
      const rows = text.split('\r\n')
      expect(rows[0]).toBe(checkColumns.join(','))
      expect(rows[1]).toMatch(/^4711,1,OVER,steel-brackets,BR-100,2024-Q2,AGREED,12\.69,12\.73,0\.04,1269\.00,/)
      expect(rows[2]).toMatch(/^'=1\+1,2,UNDER,.*,-0\.09,1269\.00,1260\.00,-9\.00,EUR,/)
      expect(rows).toHaveLength(4)
    }
  })

  test('stores nothing', async () => {
    const count = async () => (await api.owner<{ n: number }[]>`select count(*)::int as n from publication`)[0]!.n
    const before = await count()
    await check('json', json(line))
    expect(await count()).toBe(before)
    const { data } = await tenant.extJson<{ data: unknown[] }>('/invoices')
    expect(data).toEqual([])
  })
})

describe('a problem with the form', () => {
  test('is one 400 that names every place in JSON by its pointer', async () => {
    expect(await errorOf('json', '{')).toEqual([400, expect.stringMatching(/^is not JSON: /)])
    expect(await errorOf('json', '')).toEqual([400, expect.stringMatching(/^is not JSON: /)])
    expect(await errorOf('json', '[]')).toEqual([400, 'must be {"lines": […]}'])
    expect(await errorOf('json', '{"rows":[]}')).toEqual([
      400,
      '/rows: unknown field "rows"; the only one is lines; /lines: lines is missing',
    ])
    const [status, error] = await errorOf('json', json({ ...line, quantity: 100, colour: 'red' }, 7, { invoice: '1' }))
    expect(status).toBe(400)
    expect(error).toMatch(
      /^\/lines\/0\/quantity: must be a text: write the number in quotes; \/lines\/0\/colour: unknown field "colour"; known are .*; \/lines\/1: a line must be an object \{…\}; \/lines\/2\/line: line is missing$/,
    )
  })

  test('is one 400 that names every place in CSV by line and column', async () => {
    const [, header] = await errorOf('csv', 'invoice,colour,item\n1,red,x\n')
    expect(header).toMatch(/^line 1, colour: unknown column "colour"; .*; line 1, line: the column line is missing$/)
    expect(await errorOf('csv', 'invoice,line\n1,2\n3\n4,5,6\n')).toEqual([
      400,
      'line 3: 1 cell where the header has 2; line 4: 3 cells where the header has 2',
    ])
    expect(await errorOf('csv', '')).toEqual([400, 'line 1: the file is empty'])
    expect(await errorOf('csv', 'invoice;line\n1;2\n')).toEqual([
      400,
      'line 1: cells must be separated by commas, and decimals written with a point',
    ])
    expect(await errorOf('csv', 'invoice,line\n1,"2\n')).toEqual([400, expect.stringMatching(/^line \d+: /)])
    expect(await errorOf('csv', Buffer.from('invoice,line\n1,2\n\xff,3\n', 'latin1'))).toEqual([
      400,
      'line 3: the text is not UTF-8',
    ])
  })

  test('is one 400 with its line in XML', async () => {
    expect(await errorOf('xml', '')).toEqual([400, expect.stringMatching(/is empty|is not well-formed XML/)])
    expect(await errorOf('xml', '<!DOCTYPE x [<!ENTITY a "b">]><x/>')).toEqual([
      400,
      'line 1: XML with a DOCTYPE is refused',
    ])
    expect(await errorOf('xml', '<Order/>')).toEqual([400, expect.stringMatching(/^line 1: /)])
    expect(await errorOf('xml', `${ublInvoice({}).slice(0, -20)}`)).toEqual([
      400,
      expect.stringMatching(/^line \d+: is not well-formed XML: /),
    ])
  })

  test('is 413 over the bound of lines or bytes, 415 with another type or none, 405 with another method', async () => {
    const many = Array.from({ length: limits.ext.checkLines + 1 }, (_, i) => `1,${i},x\n`).join('')
    expect(await errorOf('csv', `invoice,line,amount\n${many}`)).toEqual([413, 'there are more than 5000 lines'])
    const short = { invoice: '1', line: '1', amount: '1' }
    expect(await errorOf('json', json(...Array.from({ length: 5_001 }, () => short)))).toEqual([
      413,
      'there are more than 5000 lines',
    ])
    const whole = await send('json', json(...Array.from({ length: 5_000 }, (_, i) => ({ ...line, line: `${i}` }))))
    expect(whole.status).toBe(200)
    expect((await send('csv', Buffer.alloc(limits.ext.checkBytes + 1, 0x20))).status).toBe(413)
    expect((await send('json', '{}', { headers: { 'content-type': 'application/pdf' } })).status).toBe(415)
    expect((await tenant.ext('/check', { method: 'POST', body: '{}' })).status).toBe(415)
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
      const { status, headers } = await tenant.ext('/check', { method })
      expect([method, status, headers.allow]).toEqual([method, 405, 'QUERY, POST'])
    }
    const options = await tenant.ext('/check', { method: 'OPTIONS' })
    expect([options.status, options.headers.allow, options.headers['accept-query']]).toEqual([
      204,
      'QUERY, POST',
      'application/json, text/csv, application/xml, text/xml',
    ])
    expect((await send('json', json(line), { path: '/check?limit=1' })).status).toBe(400)
  })
})
