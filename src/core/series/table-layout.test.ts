import { describe, expect, test } from 'vitest'
import { readLoosePeriod } from '../time/loose-period.ts'
import { guessLayout, isPlainTable } from './table-guess.ts'
import { LayoutReader, layoutProblems, readLooseNumber, type Separator, type TableLayout } from './table-layout.ts'

const rowsOf = (text: string, separator: Separator = ';') =>
  text
    .trim()
    .split('\n')
    .map((line, i) => ({ line: i + 1, cells: line.split(separator) }))

const from = (text: string, separator: Separator = ';', more: object = {}) => ({
  rows: rowsOf(text, separator),
  separator,
  encoding: 'utf-8' as const,
  isWorkbook: false,
  hasSeries: false,
  ...more,
})

describe('a period as people write it', () => {
  const read = (text: string, dates: TableLayout['dates'] = 'DAILY', dateOrder: TableLayout['dateOrder'] = 'DMY') =>
    readLoosePeriod(text, { dates, dateOrder })

  test('is a month, a quarter, a half-year or a year', () => {
    for (const text of [
      '2024-03',
      '2024/3',
      '03.2024',
      '3/2024',
      '2024M03',
      'Mar 2024',
      'März 2024',
      'mars 2024',
      'Mrz-24',
      '2024 Mar',
    ])
      expect(read(text), text).toBe('2024-03')
    for (const text of ['2024-Q2', 'Q2 2024', '2024Q2', '2. Quartal 2024', 'T2 2024', '2nd quarter 2024'])
      expect(read(text), text).toBe('2024-Q2')
    expect(read('1. Halbjahr 2024')).toBe('2024-H1')
    expect(read('2024')).toBe('2024')
    for (const text of [
      '',
      'Quelle: Destatis',
      '2024-13',
      'Foo 2024',
      '32.01.2024',
      '2024-01-31 12:30:00',
      '2400.5',
      '2024.5',
    ])
      expect(read(text), text).toBeNull()
  })

  test('is a date, which stands for what was said', () => {
    expect(read('31.01.2024')).toBe('2024-01-31')
    expect(read('31.01.2024', 'MONTHLY')).toBe('2024-01')
    expect(read('2024-05-31', 'QUARTERLY')).toBe('2024-Q2')
    expect(read('3. Mai 2024', 'ANNUAL')).toBe('2024')
    expect(read('02/01/2024', 'MONTHLY', 'MDY')).toBe('2024-02')
    expect(read('02/01/2024', 'MONTHLY', 'DMY')).toBe('2024-01')
    expect(read('02.01.2024', 'MONTHLY', 'MDY')).toBe('2024-01')
  })
})

describe('a number as people write it', () => {
  test('keeps its digits, whatever marks its decimals and thousands', () => {
    const comma = (text: string) => readLooseNumber(text, 'COMMA', false)
    const point = (text: string) => readLooseNumber(text, 'POINT', false)
    expect([comma('1.234,50'), comma('112,30'), comma('−4,5'), comma('1 234,5'), comma('7')]).toEqual([
      '1234.50',
      '112.30',
      '-4.5',
      '1234.5',
      '7',
    ])
    expect([point('1,234.50'), point("1'234.5"), point('112.30')]).toEqual(['1234.50', '1234.5', '112.30'])
    expect([comma('112.3'), comma('1.23,4'), point('112,3'), point('1,23'), point('12 %'), point('')]).toEqual(
      Array.from({ length: 6 }, () => null),
    )
  })

  test('of a workbook is never read as thousands', () => {
    expect(readLooseNumber('1.234', 'COMMA', true)).toBeNull()
    expect(readLooseNumber('1.234', 'POINT', true)).toBe('1.234')
  })
})

const german = `
Preisindex für Stahl;;
Datum;Stahlträger HEB;Schrott E3
Jan 2024;1.112,50;351,2
Feb 2024;1.115,00;.
Mrz 2024;1.120,75;348,9
Quelle: eigene Erhebung;;
`

describe('what a table most likely is', () => {
  test('is found: title, header, one series in a column, decimal commas', () => {
    expect(guessLayout(from(german))).toEqual({
      layout: {
        separator: ';',
        encoding: 'utf-8',
        headerLine: 2,
        shape: 'COLUMNS',
        decimal: 'COMMA',
        dateOrder: 'DMY',
        dates: 'DAILY',
        columns: ['period', '=CUSTOM/stahltrager-heb', '=CUSTOM/schrott-e3'],
      },
      open: [],
    })
  })

  test('is a table with one value in a row where a column names the series', () => {
    const text = 'Reihe;Monat;Wert;Einheit;Bemerkung\nStahl;01.2024;1,5;EUR/t;\nZink;01.2024;2,5;EUR/t;neu\n'
    expect(guessLayout(from(text)).layout).toMatchObject({
      shape: 'ROWS',
      columns: ['series', 'period', 'value', 'unit', 'ignore'],
    })
  })

  test('leaves open what the cells do not show', () => {
    const open = (text: string, separator: Separator = ';') => guessLayout(from(text, separator)).open
    expect(open('Datum;Stahl\n31.01.2024;1,5\n29.02.2024;1,6\n31.03.2024;1,7\n')).toEqual(['dates'])
    expect(open('Datum;Stahl\n01.02.2024;1,5\n02.02.2024;1,6\n')).toEqual([])
    expect(open('Date,Steel\n01/02/2024,1.5\n02/02/2024,1.6\n', ',')).toEqual(['dateOrder'])
    expect(open('Date,Steel\n01/31/2024,1.5\n01/01/2024,1.6\n', ',')).toEqual(['dates'])
    expect(open('Monat;Stahl\n2024-01;1.234\n2024-02;1.250\n')).toEqual(['decimal'])
    expect(open('Monat;Wert\n2024-01;12,5\n')).toEqual(['codes'])
  })

  test('is in the form that import accepts, or not', () => {
    const plain = (text: string, more: object = {}) => isPlainTable(from(text, ',', more))
    expect(plain('series,period,value\nCUSTOM/a,2024-01,1.5\n')).toBe(true)
    expect(plain('period,value\n2024-01,1.5\n')).toBe(false)
    expect(plain('period,value\n2024-01,1.5\n', { hasSeries: true })).toBe(true)
    expect(plain('series,period,value,remark\nCUSTOM/a,2024-01,1.5,x\n')).toBe(false)
    expect(plain('series,period,value\nCUSTOM/a,2024-01-31,1\nCUSTOM/a,2024-02-29,1\n')).toBe(false)
    expect(plain('series,period,value\nCUSTOM/a,2024-01-30,1\nCUSTOM/a,2024-01-31,1\n')).toBe(true)
    expect(plain('series,period,value\nCUSTOM/a,2024-13,abc\n')).toBe(true)
  })
})

describe('a layout', () => {
  test('turns the rows of a table into those that import accepts, and leaves out cells without a value', () => {
    const rows = rowsOf(german)
    const { layout } = guessLayout(from(german))
    const reader = new LayoutReader(layout, rows[1]!.cells, false)
    expect(reader.header).toEqual(['series', 'period', 'value', 'name'])
    const read = rows.slice(2).map(({ cells, line }) => reader.read(cells, line))
    expect(read.flatMap(each => each.problems)).toEqual([])
    expect(read.flatMap(each => each.rows.map(row => row.cells.join(' | ')))).toEqual([
      'CUSTOM/stahltrager-heb | 2024-01 | 1112.50 | Stahlträger HEB',
      'CUSTOM/schrott-e3 | 2024-01 | 351.2 | Schrott E3',
      'CUSTOM/stahltrager-heb | 2024-02 | 1115.00 | Stahlträger HEB',
      'CUSTOM/stahltrager-heb | 2024-03 | 1120.75 | Stahlträger HEB',
      'CUSTOM/schrott-e3 | 2024-03 | 348.9 | Schrott E3',
    ])
    expect(read.map(each => each.missing)).toEqual([0, 1, 0, 2])
  })

  test('names every cell that cannot be read', () => {
    const { layout } = guessLayout(from(german))
    const reader = new LayoutReader(layout, ['Datum', 'Stahl', 'Schrott'], false)
    expect(reader.read(['Foo', '1.5', 'viel'], 7).problems).toEqual([
      { line: 7, column: 'Datum', message: 'must be a period or a date, got "Foo"' },
      { line: 7, column: 'Stahl', message: 'must be a number with a decimal comma, got "1.5"' },
      { line: 7, column: 'Schrott', message: 'must be a number with a decimal comma, got "viel"' },
    ])
    expect(reader.read(['Jan 2024', '1', '2', 'mehr'], 8).problems).toEqual([
      { line: 8, column: '', message: '4 cells where the header has 3' },
    ])
  })

  test('says what it lacks', () => {
    const { layout } = guessLayout(from(german))
    const problems = (columns: readonly string[], shape: TableLayout['shape'] = 'COLUMNS') =>
      layoutProblems({ ...layout, shape, columns }).map(({ message }) => message)
    expect(problems(layout.columns)).toEqual([])
    expect(problems(['ignore', '=', 'ignore'])).toEqual(['no column is the period', 'a series has no code yet'])
    expect(problems(['period', '=CUSTOM/a', '=CUSTOM/a'])).toEqual(['two columns are the series CUSTOM/a'])
    expect(problems(['period', 'value', 'wrong'], 'ROWS')).toEqual(['a column cannot be "wrong"'])
    expect(problems(['period', 'ignore'], 'ROWS')).toEqual(['no column is the value'])
  })
})
