import { describe, expect, test } from 'vitest'
import { parseRatio } from '../numbers/ratio.ts'
import { formatPeriod, parsePeriod } from '../time/period.ts'
import {
  gatherHistories,
  isDecimal,
  type ObservationRow,
  publishedByDefault,
  RowReader,
  readHeader,
} from './observation-table.ts'

const now = '2024-06-01T12:00:00.000000Z'

function readerOf(header: string, at: string | null = null): RowReader {
  const cells = header.split(',')
  const { columns, problems } = readHeader(cells, 1)
  expect(problems).toEqual([])
  return new RowReader(columns, cells.length, at)
}

function problemsOf(header: string, row: string, at: string | null = null): string[] {
  const read = readerOf(header, at).read(row.split(','), 7)
  return Array.isArray(read) ? read.map(({ line, column, message }) => `${line} ${column}: ${message}`) : []
}

function gather(header: string, ...rows: string[]) {
  const reader = readerOf(header)
  const read = rows.map((row, i) => reader.read(row.split(','), i + 2))
  return gatherHistories(
    read.map(row => (Array.isArray(row) ? expect.fail(JSON.stringify(row)) : (row as ObservationRow))),
  )
}

describe('the header', () => {
  test('reads its columns by name, in any order, with spaces around them', () => {
    const { columns, problems } = readHeader(['value', ' series ', 'dataType', 'period'], 1)
    expect(problems).toEqual([])
    expect([...columns]).toEqual([
      ['value', 0],
      ['series', 1],
      ['dataType', 2],
      ['period', 3],
    ])
  })

  test('names every column that is unknown, doubled or missing', () => {
    const { problems } = readHeader(['series', 'series', 'datum'], 3)
    expect(problems.map(({ line, column }) => `${line} ${column}`)).toEqual([
      '3 series',
      '3 datum',
      '3 period',
      '3 value',
    ])
  })
})

describe('a row', () => {
  test('reads what is written and leaves the rest to the rules', () => {
    const row = readerOf('series,period,value,version,published,flag').read(
      ['CUSTOM/a', ' 2024-03 ', '112.20', 'REVISED', '2024-04-11', 'p'],
      2,
    )
    expect(row).toMatchObject({
      line: 2,
      series: 'CUSTOM/a',
      value: '112.20',
      version: 'REVISED',
      published: '2024-04-11T00:00:00.000000Z',
      flag: 'p',
      name: null,
      frequency: null,
    })
  })

  test('removes a plus sign and keeps every digit', () => {
    expect(readerOf('series,period,value').read(['CUSTOM/a', '2024', '+007.10'], 2)).toMatchObject({ value: '007.10' })
  })

  test('names line and column of all its problems at once', () => {
    const problems = problemsOf(
      'series,period,value,version,published,frequency,dataType',
      'steel,2024-13,1e5,LATE,yesterday,HOURLY,COLOUR',
    )
    expect(problems.map(problem => problem.split(':')[0]).sort()).toEqual([
      '7 dataType',
      '7 frequency',
      '7 period',
      '7 published',
      '7 series',
      '7 value',
      '7 version',
    ])
  })

  test.each([
    [',2024,1', '7 series: is empty'],
    ['CUSTOM/a,,1', '7 period: is empty'],
    ['CUSTOM/a,2024,', '7 value: is empty'],
    ['CUSTOM/a,2024', '2 cells'],
    ['CUSTOM/a,2024,1,2', '4 cells'],
  ])('refuses "%s"', (row, words) => {
    expect(problemsOf('series,period,value', row).join()).toContain(words)
  })

  test('refuses a period of another frequency than its row says', () => {
    expect(problemsOf('series,period,value,frequency', 'CUSTOM/a,2024-Q1,1,MONTHLY')).toHaveLength(1)
    expect(problemsOf('series,period,value,frequency', 'CUSTOM/a,2024-Q1,1,QUARTERLY')).toEqual([])
  })

  test('refuses a publication in the future where there is a clock', () => {
    expect(problemsOf('series,period,value,published', 'CUSTOM/a,2024,1,2024-06-02', now)).toHaveLength(1)
    expect(problemsOf('series,period,value,published', 'CUSTOM/a,2024,1,2024-06-01', now)).toEqual([])
    expect(problemsOf('series,period,value,published', 'CUSTOM/a,2024,1,2999-01-01')).toEqual([])
  })

  test.each([
    '1',
    '-1.50',
    '+2',
    '0',
    '1e5',
    '.5',
    '5.',
    '',
    'NaN',
    '9'.repeat(60),
    '9'.repeat(61),
    `-0.${'1'.repeat(59)}`,
    `-0.${'1'.repeat(60)}`,
  ])('takes "%s" for a decimal exactly where the numbers do', text => {
    expect(isDecimal(text)).toBe(parseRatio(text) !== null)
  })
})

describe('gathering rows', () => {
  const columns = 'series,period,value,version,published'

  test('counts a value without a date as published the day after its period ends', () => {
    expect(publishedByDefault(parsePeriod('2024-02')!)).toBe('2024-03-01T00:00:00.000000Z')
    expect(publishedByDefault(parsePeriod('2024')!)).toBe('2025-01-01T00:00:00.000000Z')
    expect(publishedByDefault(parsePeriod('2020-W53')!)).toBe('2021-01-04T00:00:00.000000Z')
  })

  test('sorts periods and publications, whatever the order of the rows', () => {
    const { series, problems } = gather(
      columns,
      'CUSTOM/a,2024-02,2,,2024-03-10',
      'CUSTOM/a,2024-01,1.1,,2024-03-01',
      'CUSTOM/a,2024-01,1,,2024-02-01',
    )
    expect(problems).toEqual([])
    const history = series.get('CUSTOM/a')!
    expect(history.ordinals.map(ordinal => formatPeriod({ frequency: 'MONTHLY', ordinal }))).toEqual([
      '2024-01',
      '2024-02',
    ])
    expect(history.periods.get(history.ordinals[0]!)?.map(({ value, tag }) => `${value} ${tag}`)).toEqual([
      '1 FINAL',
      '1.1 REVISED',
    ])
  })

  test('tags a value FINAL after preliminary ones and REVISED where it changes a final one', () => {
    const { series } = gather(
      columns,
      'CUSTOM/a,2024,1,PRELIMINARY,2025-01-10',
      'CUSTOM/a,2024,2,,2025-02-10',
      'CUSTOM/a,2024,3,,2025-03-10',
    )
    expect(
      series
        .get('CUSTOM/a')!
        .periods.get(2024)!
        .map(({ tag }) => tag),
    ).toEqual(['PRELIMINARY', 'FINAL', 'REVISED'])
  })

  test('counts the same row twice as one, and refuses another value for the same publication', () => {
    const { series, problems } = gather(
      columns,
      'CUSTOM/a,2024,1,,2025-01-10',
      'CUSTOM/a,2024,1,,2025-01-10',
      'CUSTOM/a,2024,2,,2025-01-10',
    )
    expect(series.get('CUSTOM/a')!.periods.get(2024)).toHaveLength(1)
    expect(problems).toEqual([{ line: 4, column: 'value', message: expect.stringContaining('line 2') }])
  })

  test('refuses a second frequency within one series', () => {
    const { problems } = gather('series,period,value', 'CUSTOM/a,2024-01,1', 'CUSTOM/a,2024-Q1,1')
    expect(problems).toEqual([{ line: 3, column: 'period', message: expect.stringContaining('QUARTERLY') }])
  })

  test('takes name and unit from a row that has them, and the code as the name if none has', () => {
    const { series } = gather(
      'series,period,value,name,unit',
      'CUSTOM/a/b,2023,1,,',
      'CUSTOM/a/b,2024,1,Steel,2015=100',
    )
    expect(series.get('CUSTOM/a/b')).toMatchObject({ name: 'Steel', unit: '2015=100', frequency: 'ANNUAL' })
    expect(gather('series,period,value', 'CUSTOM/a/b,2023,1').series.get('CUSTOM/a/b')).toMatchObject({
      name: 'a/b',
      unit: '',
    })
  })
})
