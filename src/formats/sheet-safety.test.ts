// Exports that are opened in a spreadsheet execute nothing (T18), and keep their figures digit for digit.
import { describe, expect, test } from 'vitest'
import { type Cell, formatCsv, type Sheet, workbookParts } from './sheet.ts'

const sheetOf = (cells: readonly Cell[], head: readonly string[] = ['a']): Sheet => ({
  name: 'x',
  head,
  rows: cells.map(cell => [cell]),
})
const csvOf = (cell: Cell) => formatCsv(sheetOf([cell])).split('\r\n')[1]
const xlsxOf = (cell: Cell) =>
  /<row>.*?<\/row><row>(.*?)<\/row>/s.exec(workbookParts(sheetOf([cell]))['xl/worksheets/sheet1.xml']!)![1]

const running = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1+1',
  '＋1',
  '－1',
  '＠A1',
  '=cmd|"/c calc"!A1',
]

describe('a text', () => {
  test('that a spreadsheet would execute is neutralised, in CSV and XLSX', () => {
    for (const text of running) {
      expect(csvOf(text)?.replace(/^"/, ''), text).toMatch(/^'/)
      expect(xlsxOf(text), text).toContain(`<t xml:space="preserve">'`)
    }
  })

  test('is neutralised in the heading as well', () => {
    for (const text of running) {
      expect(formatCsv(sheetOf([], [text])).replace(/^"/, ''), text).toMatch(/^'/)
      expect(workbookParts(sheetOf([], [text]))['xl/worksheets/sheet1.xml'], text).toContain(`preserve">'`)
    }
  })

  test('is harmless after a semicolon too, where a spreadsheet may begin a new cell', () => {
    expect(csvOf('Steel;=1+1;-2; plain')).toBe(`"Steel;'=1+1;'-2; plain"`)
    expect(xlsxOf('Steel;=1+1')).toContain('>Steel;=1+1<')
  })

  test('that no spreadsheet executes stays as it is', () => {
    for (const text of ['Steel', '2024-Q1', 'a=b', "it's", '100', '1,5', 'a "b"'])
      expect(JSON.stringify(csvOf(text)).replaceAll(/\\"|"/g, ''), text).toBe(text.replaceAll('"', ''))
  })
})

describe('a figure', () => {
  test('stays a figure, digit for digit, with its sign', () => {
    for (const figure of ['0', '-0.40', '106.7100', '-12', '1e-7', '123456789012345678901234567890.5']) {
      expect(csvOf({ figure })).toBe(figure)
      expect(xlsxOf({ figure })).toBe(`<c><v>${figure}</v></c>`)
    }
  })

  test('that is not a figure is a text, and as harmless', () => {
    for (const figure of ['=1+1', '-1+cmd', '@x', '', '1 </v>', '--1']) {
      expect(csvOf({ figure })).not.toMatch(/^[=@+-]/)
      expect(xlsxOf({ figure })).toContain('inlineStr')
    }
  })
})
