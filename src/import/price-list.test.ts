import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeWorkbook, text } from '../../test/support/files/workbook.ts'
import { writeXlsx } from '../formats/sheet.ts'
import { readPriceList, tableSource } from './price-list.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-lists-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function readFileOf(name: string, content: string | Uint8Array): ReturnType<typeof readPriceList> {
  const path = join(folder, name)
  await writeFile(path, content)
  return readPriceList(tableSource(path, { bounds: null, sheet: null }))
}

describe('a file with a price list', () => {
  test('is the same list as CSV and as a workbook, without the marks that make text harmless', async () => {
    const head = ['item', 'price', 'currency', 'valid_from', 'erp_MATNR']
    const csv = await readFileOf('list.csv', `${head.join()}\r\n'-BR,12.40,EUR,2024-01-01,'+7\r\n`)
    const rows = [['-BR', { figure: '12.40' }, 'EUR', '2024-01-01', '+7']]
    const xlsx = await readFileOf('list.xlsx', writeXlsx({ name: 'Prices', head, rows }))
    expect(csv.problems).toEqual([])
    expect(csv.rows).toEqual([
      expect.objectContaining({ line: 2, item: '-BR', price: '12.40', validFrom: '2024-01-01', erp: { MATNR: '+7' } }),
    ])
    expect(xlsx.rows).toEqual(csv.rows)
  })

  test('may have dates and empty cells as a spreadsheet keeps them', async () => {
    const head = ['item', 'price', 'currency', 'valid_from', 'share'].map(text)
    const rows = [head, [text('A'), { v: '12.4' }, text('EUR'), { v: '45292', s: 1 }]]
    const { rows: read } = await readFileOf(
      'dates.xlsx',
      makeWorkbook({ sheets: [{ name: 'a', rows }], formats: [14] }),
    )
    expect(read).toEqual([expect.objectContaining({ price: '12.4', validFrom: '2024-01-01', share: null })])
  })

  test('is refused with the problems of the file and of its rows together', async () => {
    const head = ['item', 'price', 'currency'].map(text)
    const broken = { t: 'e', v: '#N/A' }
    const rows = [head, [text('A'), broken, text('EUR')], [text('B'), { v: '-1' }, text('EUR')]]
    const { rows: read, problems } = await readFileOf('bad.xlsx', makeWorkbook({ sheets: [{ name: 'a', rows }] }))
    expect(read).toEqual([])
    expect(problems.map(({ line, column }) => `${line} ${column}`)).toEqual(['2 price', '3 price'])
    const csv = await readFileOf('bad.csv', 'item;price;currency\nA;1;EUR\n')
    expect(csv.problems).toEqual([
      { line: 1, column: '', message: 'cells must be separated by commas, and decimals written with a point' },
    ])
  })

  test('must be a table', async () => {
    await expect(readFileOf('list.pdf', '')).rejects.toThrow('the file must be .csv or .xlsx')
    expect((await readFileOf('none.csv', '')).problems).toEqual([{ line: 1, column: '', message: 'the file is empty' }])
  })
})
