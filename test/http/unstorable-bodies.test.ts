// U+0000 and half of a character in what is sent as a body that is no JSON of the console: lines to check, files of every kind and
// format, documents, layouts, forms. It is refused with a sentence, in a file as a problem of its row, and nothing of the file comes in.
import { beforeAll, describe, expect, test } from 'vitest'
import type { ImportKind } from '../../src/core/invoices/table-kinds.ts'
import { logoutPath } from '../../src/http/console/account/back-channel.ts'
import { makeWorkbook, text } from '../support/files/workbook.ts'
import { linesOf, openConsole } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { pricedDocument, steelPrices } from '../support/houses/price-house.ts'
import { withMoney } from '../support/houses/priced-tenant.ts'

const console = ownHouse(openConsole)
const sentence = 'must not contain the character U+0000'

beforeAll(async () => {
  await console.tenant.import(steelPrices)
  await console.tenant.apply(pricedDocument())
})

describe('lines to check', () => {
  const lines = (item: string) => ({ lines: [{ invoice: '1', line: '1', item, unitPrice: '1' }] })
  test.each([
    ['application/json', JSON.stringify(lines('a\0b')), '/lines/0/item'],
    ['application/json', JSON.stringify(lines('a\ud800b')), '/lines/0/item'],
    ['text/csv', 'invoice,line,item,unit_price\n1,1,BR-100,1\n1,2,a\0b,1\n', 'line 3'],
    ['text/csv', 'invoice,line,it\0em,unit_price\n1,1,BR-100,1\n', 'line 1'],
    ['text/csv', 'invoice,line,item,unit_price\n1,1,"a\0b",1', 'line 2'],
  ])('%s with it in a text are refused, with the place', async (type, body, place) => {
    const tenant = await withMoney(console.tenant)
    for (const method of ['POST', 'QUERY']) {
      const reply = await tenant.ext('/check', { method, body, headers: { 'content-type': type } })
      expect([method, reply.status, reply.text]).toEqual([method, 400, expect.stringContaining(`${place}: `)])
      expect(reply.text).toContain(sentence)
    }
  })

  test.each([
    ['application/json', '{"lines":[{"invoice":"a\0b"}]}'],
    ['application/json', '{"li\\u0000nes":[]}'],
    ['application/xml', '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">a\0b</Invoice>'],
    ['application/xml', '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">a&#0;b</Invoice>'],
  ])('%s that is none because of it is refused: %j', async (type, body) => {
    const tenant = await withMoney(console.tenant)
    const reply = await tenant.ext('/check', { method: 'POST', body, headers: { 'content-type': type } })
    expect([reply.status, JSON.parse(reply.text)]).toEqual([400, { error: expect.stringMatching(/./) }])
  })
})

/** A row that is good, and how its first text is told. */
const tables: Readonly<Partial<Record<ImportKind, readonly [header: string, row: string]>>> = {
  observations: ['series,period,value,name', 'CUSTOM/nulText,2024-01,1,nul'],
  invoices: ['invoice,line,agreement,unit_price', 'Text,1,steel-brackets,1'],
  prices: ['item,price,currency,unit', 'Text,12.40,EUR,piece'],
  quantities: ['agreement,item,period,quantity', 'steel-brackets,Text,2024-Q2,100'],
  units: ['unit,other,factor', 'Text,piece,12'],
}

/** Longer than what a file is recognised by. */
const many = Array.from({ length: 500 }, (_, i) => i)

async function sent(file: string, kind: ImportKind, mode: string, content: string | Buffer, more = {}) {
  const query = new URLSearchParams({ file, kind, mode, agreement: 'steel-brackets', from: '2024-Q2', ...more })
  if (kind === 'observations') for (const name of ['agreement', 'from']) query.delete(name)
  return console.as.owner.upload(`/import?${query}`, content)
}

describe.each(Object.entries(tables) as [ImportKind, readonly [string, string]][])(
  'a file of %s',
  (kind, [header, row]) => {
    const rows = many.map(i => row.replace('Text', `Text${i}`)).join('\n')
    const csv = `${header}\n${rows}\n${row.replace('Text', 'a\0b')}\n`
    const cells = (line: string) => line.split(',').map(cell => text(cell))
    const ofNul = row.replace('Text', 'a_x0000_b')
    const workbook = makeWorkbook({ sheets: [{ name: 'S', rows: [header, row, ofNul].map(cells) }] })
    const workbookOfHeader = makeWorkbook({
      sheets: [{ name: 'S', rows: [header.replace(/$/, '_x0000_'), row].map(cells) }],
    })

    test.each([
      ['a.csv', csv, many.length + 2],
      ['a.xlsx', workbook, 3],
      ['a.xlsx', workbookOfHeader, 1],
    ])('%s with it in a cell has a problem in that row', async (file, content, line) => {
      for (const mode of ['look', 'preview', 'import']) {
        const reply = await sent(file, kind, mode, content)
        expect([mode, reply.status], reply.text).toEqual([mode, 200])
        const end = linesOf<{ stage: string; problems?: readonly { line: number | null; message: string }[] }>(
          reply,
        ).at(-1)!
        if (mode === 'look') continue
        expect([mode, end.problems?.map(each => [each.line, each.message])]).toEqual([
          mode,
          expect.arrayContaining([[line, expect.stringContaining(sentence)]]),
        ])
      }
    })

    test('with it near the beginning is no text', async () => {
      const { status, text: answer } = await sent(
        'a.csv',
        kind,
        'preview',
        `${header}\n${row.replace('Text', 'a\0b')}\n`,
      )
      expect([status, answer]).toEqual([422, expect.stringContaining('contains no text')])
    })

    test('with it in the layout is refused', async () => {
      const layout = JSON.stringify({ kind, columns: ['a\0b'] })
      const { status, text: answer } = await sent('a.csv', kind, 'preview', `${header}\n${row}\n`, { layout })
      expect([status, answer]).toEqual([422, expect.stringContaining(sentence)])
    })
  },
)

test('figures as JSON with it in a text have a problem in that observation', async () => {
  for (const name of ['a\0b', 'a\udc00b']) {
    const observation = { series: 'CUSTOM/nul', period: '2024-01', value: '1', name }
    for (const mode of ['preview', 'import']) {
      const reply = await sent('a.json', 'observations', mode, JSON.stringify([observation]))
      expect(reply.status).toBe(200)
      expect(linesOf(reply).at(-1)).toMatchObject({
        problems: [{ line: 1, message: expect.stringContaining(`name: ${sentence}`) }],
      })
    }
  }
})

test.each(['_xD800_', '_x0000_'])('a workbook with %s in a cell has a problem in that row', async written => {
  const cells = (line: string) => line.split(',').map(cell => text(cell))
  const rows = ['unit,other,factor', `a${written}b,piece,12`].map(cells)
  const reply = await sent('a.xlsx', 'units', 'import', makeWorkbook({ sheets: [{ name: 'S', rows }] }))
  expect(linesOf<{ problems?: readonly object[] }>(reply).at(-1)!.problems).toMatchObject([
    { line: 2, message: expect.stringContaining(sentence) },
  ])
})

test.each(['\\0', '\\ud800'])('a document with %s in any text is refused', async escaped => {
  const document = pricedDocument()
  for (const written of [
    document.replace('clause:', `description: "a${escaped}b"\nclause:`),
    `${document}"a${escaped}b": 1\n`,
  ]) {
    const reply = await console.as.owner.post('/agreements', { text: written, basedOn: 1 })
    expect([reply.status, reply.text]).toEqual([422, expect.stringContaining(sentence)])
  }
})

test('nothing of such a file has come in', async () => {
  const [counted] = await console.api.owner<{ series: number; lines: number; uploads: number }[]>`
    select (select count(*) from series where owner = ${console.tenant.id} and code like '%nul%')::int as series,
      (select count(*) from invoice_line where workspace_id = ${console.tenant.id})::int as lines`
  expect(counted).toEqual({ series: 0, lines: 0 })
})

test('a form with it is refused', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const body of ['logout_token=a%00b', 'logout_token=a\0b', 'a%00b=1']) {
    const { status } = await console.api.ask(logoutPath, { method: 'POST', body, headers })
    expect([body, status]).toEqual([body, 400])
  }
})
