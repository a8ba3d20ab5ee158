import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { csvSource } from '../import/csv.ts'
import type { TableSource } from '../import/source.ts'
import { xlsxSource } from '../import/xlsx.ts'
import { formatCsv, type Sheet, workbookParts, writeXlsx } from './sheet.ts'
import { crc32 } from './zip.ts'

const sheet: Sheet = {
  name: 'Values: all / 2024',
  head: ['series', 'period', 'value'],
  rows: [
    ['CUSTOM/steel', '2024-03', { figure: '245.30' }],
    ['=HYPERLINK("x")', '2024-04', { figure: '-0.123456789012345678901' }],
    ['a "b", c;-d', '2024-05', null],
  ],
}

async function readBack(name: string, content: string | Uint8Array, source: (path: string) => TableSource) {
  const folder = await mkdtemp(join(tmpdir(), 'assize-sheet-'))
  const path = join(folder, name)
  await writeFile(path, content)
  const rows: string[][] = []
  const problems: string[] = []
  const watch = {
    problem: ({ message }: { readonly message: string }) => void problems.push(message),
    progress() {},
    note() {},
  }
  for await (const batch of source(path)(watch)) for (const { cells } of batch) rows.push([...cells])
  await rm(folder, { recursive: true })
  expect(problems).toEqual([])
  return rows
}

const cells = [
  ['series', 'period', 'value'],
  ['CUSTOM/steel', '2024-03', '245.30'],
  ['=HYPERLINK("x")', '2024-04', '-0.123456789012345678901'],
  ['a "b", c;-d', '2024-05', ''],
]

describe('a saved table', () => {
  test('makes text harmless that a spreadsheet would execute, and leaves figures as figures', () => {
    expect(formatCsv(sheet)).toBe(
      'series,period,value\r\nCUSTOM/steel,2024-03,245.30\r\n' +
        '"\'=HYPERLINK(""x"")",2024-04,-0.123456789012345678901\r\n"a ""b"", c;\'-d",2024-05,\r\n',
    )
  })

  test('is read back by our own readers, digit for digit and without what made it harmless', async () => {
    const read = (path: string) => xlsxSource(path, { bounds: null, sheet: null })
    expect(await readBack('values.xlsx', writeXlsx(sheet), read)).toEqual(cells)
    expect(await readBack('values.csv', formatCsv(sheet), csvSource)).toEqual(cells)
  })

  test('of a workbook with a title has real days, number formats and a frozen header', async () => {
    const titled: Sheet = {
      name: 'List',
      title: ['Formulas of Demo GmbH', 'As of 1 Apr 2024'],
      head: ['name', 'next date', 'price'],
      rows: [['Steel', { day: '2024-04-01' }, { figure: '12.40' }]],
    }
    const parts = workbookParts(titled)
    expect(parts['xl/worksheets/sheet1.xml']).toContain('<pane ySplit="4" topLeftCell="A5"')
    expect(parts['xl/worksheets/sheet1.xml']).toContain('<c s="3"><v>45383</v></c><c s="6"><v>12.40</v></c>')
    const read = (path: string) => xlsxSource(path, { bounds: null, sheet: null })
    expect((await readBack('list.xlsx', writeXlsx(titled), read)).slice(-2)).toEqual([
      ['name', 'next date', 'price'],
      ['Steel', '2024-04-01', '12.40'],
    ])
    expect(formatCsv(titled)).toBe('name,next date,price\r\nSteel,2024-04-01,12.40\r\n')
  })

  test('has the checksum that zip asks for', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
  })
})
