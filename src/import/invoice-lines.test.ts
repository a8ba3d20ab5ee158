import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ciiInvoice, ublInvoice } from '../../test/support/files/invoice-specimens.ts'
import { needsOf } from '../core/invoices/agreement-book.ts'
import { writeXlsx } from '../formats/sheet.ts'
import { readInvoiceCsv, readInvoiceFile, readInvoiceJson } from './invoice-lines.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-invoices-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const options = { bounds: null, sheet: null, mostLines: 10 }

async function fromFile(name: string, content: string | Uint8Array) {
  const path = join(folder, name)
  await writeFile(path, content)
  return readInvoiceFile(path, options)
}

const json = (lines: unknown) => readInvoiceJson(JSON.stringify({ lines }), 3)
const pointers = (lines: unknown) => json(lines).problems.map(({ pointer, message }) => `${pointer} ${message}`)
const example = {
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

describe('invoice lines in JSON', () => {
  test('are read in the documented shape', () => {
    const { lines, problems } = json([example, { ...example, line: '2', serviceFrom: null }])
    expect(problems).toEqual([])
    expect(lines.map(({ place, line, items }) => [place, line, items])).toEqual([
      [1, '1', ['BR-100']],
      [2, '2', ['BR-100']],
    ])
    expect(lines[0]).toMatchObject({ unitPrice: { n: 1273n, d: 100n }, kind: 'INVOICE', problems: [] })
  })

  test('are refused as a whole for what breaks the form, each with its pointer', () => {
    expect(
      pointers([{ ...example, quantity: 100, unit_price: '1' }, 'x', { line: null, unitPrice: ['1'], item: true }]),
    ).toEqual([
      '/lines/0/quantity must be a text: write the number in quotes',
      expect.stringMatching(/^\/lines\/0\/unit_price unknown field "unit_price"; known are invoice, line/),
      '/lines/1 a line must be an object {…}',
      '/lines/2/unitPrice must be a text',
      '/lines/2/item must be a text',
      '/lines/2/invoice invoice is missing',
      '/lines/2/line line is missing',
    ])
    expect(json([{ ...example, quantity: 100 }]).lines).toEqual([])
  })

  test.each([
    ['{"lines": [', /^ is not JSON: /],
    ['', /^ is not JSON: /],
    ['['.repeat(100_000), /^ is not JSON: /],
    ['[]', /^ must be \{"lines": \[…\]\}$/],
    ['{}', /^\/lines lines is missing$/],
    ['{"lines": {}}', /^\/lines must be a list of lines$/],
    ['{"lines": [], "a/b~": 1}', /^\/a~1b~0 unknown field/],
    ['{"lines": [{}, {}, {}, {}]}', /^\/lines there are more than 3 lines$/],
    ['{"lines": [], "lines": [1]}', /^ is not JSON: /],
  ])('are refused: %s', (text, expected) => {
    const { pointer, message } = readInvoiceJson(text, 3).problems[0]!
    expect(`${pointer} ${message}`).toMatch(expected)
  })

  test('keep a bad cell with its line', () => {
    const bad = { invoice: ' ', line: 'x'.repeat(201), quantity: '1e3', date: '2024-13-01', kind: 'NOTE', per: '0' }
    const [line] = json([{ ...bad, currency: 'euro', serviceFrom: '2024-05-02', serviceTo: '2024-05-01' }]).lines
    expect(line!.problems.map(({ field }) => field).sort()).toEqual([
      'currency',
      'date',
      'invoice',
      'kind',
      'line',
      'per',
      'quantity',
      'serviceTo',
      'unitPrice',
    ])
  })
})

describe('invoice lines in a table', () => {
  const csv = "invoice,line,item,quantity,unit_price,service_from\n4711,1,'-BR,100,12.73,2024-05-01\n"

  test('are the same from CSV, as text and as a file, and from a workbook', async () => {
    const { lines, problems } = readInvoiceCsv(csv, 10)
    expect(problems).toEqual([])
    expect(lines).toEqual([expect.objectContaining({ place: 2, items: ['-BR'], quantity: { n: 100n, d: 1n } })])
    expect([...(await fromFile('a.csv', csv)).lines]).toEqual(lines)
    const head = ['invoice', 'line', 'item', 'quantity', 'unit_price', 'service_from']
    const row = ['4711', '1', '-BR', { figure: '100' }, { figure: '12.73' }, '2024-05-01']
    expect([...(await fromFile('a.xlsx', writeXlsx({ name: 'a', head, rows: [row] }))).lines]).toEqual(lines)
  })

  test('are refused as a whole for what breaks the form, by line and column', () => {
    const problems = (text: string) =>
      readInvoiceCsv(text, 2).problems.map(({ line, column, message }) => `${line} ${column} ${message}`)
    expect(problems('invoice,unitPrice,invoice\n')).toEqual([
      expect.stringMatching(/^1 unitPrice unknown column "unitPrice"; known are .*unit_price/),
      '1 invoice the column invoice is there twice',
      '1 line the column line is missing',
    ])
    expect(problems('invoice,line\n1\n2,2\n3,3,3\n')).toEqual([
      '2  1 cell where the header has 2',
      '4  3 cells where the header has 2',
    ])
    expect(problems('invoice,line\n1,"2\n')).toEqual(['2  a quoted cell is never closed'])
    expect(problems('invoice,line\n1,1\n1,2\n1,3\n')).toEqual(['4  there are more than 2 lines'])
    expect(problems('')).toEqual(['1  the file is empty'])
  })

  test('keep a bad cell with its line', () => {
    const { lines } = readInvoiceCsv('invoice,line,quantity,unit_price\n,1,x,1\n', 10)
    expect(lines[0]!.problems).toEqual([
      { field: 'invoice', message: 'invoice is empty' },
      { field: 'quantity', message: 'quantity must be a decimal number such as 12.40, got "x"' },
    ])
  })
})

describe('the lines of a long table', () => {
  const head = 'invoice,line,agreement,contract_ref,item,quantity,unit_price'
  const rows = ['1,1,brackets,,A,1,1', '1,2,,K-1, B ,1,1', '1,3,,,C\u0001D,1,1', `1,4,${'x'.repeat(201)},,"E\nF",1,1`]

  test('are the same each time they are gone through, and name the same agreements without being read', async () => {
    const { lines } = await fromFile('long.csv', `${head}\n${rows.join('\n')}\n`)
    const once = [...lines]
    expect([...lines]).toEqual(once)
    expect(lines.length).toBe(4)
    const named = once.map(({ agreement, contractRef, items }) => ({ agreement, contractRef, items }))
    expect([...lines.names!()]).toEqual(named)
    expect(named.map(({ items }) => items)).toEqual([['A'], ['B'], [], []])
    expect(needsOf(lines)).toEqual(needsOf(once))
    const messages = (place: number) => once[place]!.problems.map(({ message }) => message)
    expect(messages(2)).toEqual(['item must be a text of at most 200 characters'])
    expect(messages(3)).toEqual([
      'item must be a text of at most 200 characters',
      'agreement must be a text of at most 200 characters',
    ])
  })
})

describe('a file of invoice lines', () => {
  test('is read by its ending', async () => {
    expect((await fromFile('a.json', `\uFEFF${JSON.stringify({ lines: [example] })}`)).lines).toHaveLength(1)
    expect((await fromFile('a.xml', ublInvoice())).lines).toHaveLength(1)
    expect((await fromFile('b.xml', `\uFEFF${ciiInvoice()}`)).lines).toHaveLength(1)
    await expect(fromFile('a.pdf', '')).rejects.toThrow('the file must be .csv, .xlsx, .json or .xml')
  })

  test('must be UTF-8', async () => {
    const latin = Buffer.from(ublInvoice().replace('Graz', 'Köln'), 'latin1')
    const { lines, problems } = await fromFile('latin.xml', latin)
    expect(lines).toEqual([])
    expect(problems[0]!.message).toMatch(/not UTF-8/)
    expect((await fromFile('latin.json', Buffer.from('{"lines":["ö"]}', 'latin1'))).problems).toHaveLength(1)
  })
})
