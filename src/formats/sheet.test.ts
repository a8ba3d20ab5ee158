import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { xlsxSource } from '../../src/import/xlsx.ts'
import { neutralise, type Sheet, writeCsv, writeXlsx } from '../../web/components/sheet.ts'
import { crc32 } from '../../web/components/zip-stored.ts'

const sheet: Sheet = {
  name: 'Values: all / 2024',
  head: ['series', 'period', 'value'],
  rows: [
    ['CUSTOM/steel', '2024-03', { figure: '245.30' }],
    ['=HYPERLINK("x")', '2024-04', { figure: '-0.123456789012345678901' }],
    ['a "b", c', '2024-05', null],
  ],
}

describe('a saved table', () => {
  it('makes text harmless that a spreadsheet would run, and leaves figures as figures', () => {
    expect(['=1+1', '+1', '-x', '@a', '\tx', 'plain', '1-2'].map(neutralise)).toEqual([
      "'=1+1",
      "'+1",
      "'-x",
      "'@a",
      "'\tx",
      'plain',
      '1-2',
    ])
    expect(writeCsv(sheet)).toBe(
      'series,period,value\r\nCUSTOM/steel,2024-03,245.30\r\n' +
        '"\'=HYPERLINK(""x"")",2024-04,-0.123456789012345678901\r\n"a ""b"", c",2024-05,\r\n',
    )
  })

  it('is a workbook that our own reader takes in, digit for digit', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assize-sheet-'))
    const path = join(folder, 'values.xlsx')
    await writeFile(path, writeXlsx(sheet))
    const rows: string[][] = []
    const problems: string[] = []
    const watch = {
      problem: ({ message }: { readonly message: string }) => void problems.push(message),
      progress() {},
      note() {},
    }
    for await (const batch of xlsxSource(path, { bounds: null, sheet: null })(watch))
      for (const { cells } of batch) rows.push([...cells])
    await rm(folder, { recursive: true })
    expect(problems).toEqual([])
    expect(rows[0]).toEqual(['series', 'period', 'value'])
    expect(rows[1]).toEqual(['CUSTOM/steel', '2024-03', '245.30'])
    expect(rows[2]![0]).toBe(`'=HYPERLINK("x")`)
  })

  it('has the checksum that zip asks for', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
  })
})
