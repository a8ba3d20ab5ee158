// The figures that adjustment dates wait for, from documents and figures; the engine reads exactly these once everything is
// there.
import { describe, expect, test } from 'vitest'
import { bindText, readTable } from '../../../test/support/agreements/evaluate-text.ts'
import { neededFigures } from '../calculation/needed-figures.ts'
import { isSparse } from '../calculation/reading-window.ts'
import { InputReader } from '../calculation/series-reading.ts'
import { WorkBudget } from '../numbers/work-budget.ts'
import { noCuts } from '../series/vintage.ts'
import { parseDay } from '../time/day.ts'
import { formatPeriod } from '../time/period.ts'
import { AwaitedFigures, type AwaitedOnDate } from './awaited-figures.ts'

const months = Array.from(
  { length: 30 },
  (_, i) => `${2023 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
)
const days = ['2025-03-03', '2025-03-14', '2025-03-31', '2025-06-02', '2025-06-13', '2025-06-30', '2025-07-01']
const full = [
  'series,period,value,version,published',
  ...months.flatMap((month, i) => [
    `CUSTOM/steel,${month},${100 + i},FINAL,2025-07-01`,
    `CUSTOM/rebased,${month},${50 + i},FINAL,2025-07-01`,
  ]),
  ...['2023', '2024', '2025'].flatMap(year => [1, 2].map(q => `CUSTOM/wages,${year}-Q${q},110,FINAL,2025-07-01`)),
  ...days.map(day => `CUSTOM/rate,${day},1.1,FINAL,${day}`),
  '',
].join('\n')

function without(...lost: readonly string[]): string {
  return full
    .split('\n')
    .filter(line => !lost.some(each => line.startsWith(each)))
    .join('\n')
}

function bind(input: string, table: string) {
  const document = `
slug: due
name: Due
contract: { start: 2025-01-01, end: 2027-12-31, frequency: QUARTERLY }
inputs:
  x: { ${input} }
clause: {}
`
  return bindText(document, readTable(table))
}

function awaited(input: string, table: string, date = '2025-07-01', today = '2025-07-01'): AwaitedOnDate {
  const bound = bind(input, table)
  return new AwaitedFigures({ number: 1, bound }, parseDay(today)!, new WorkBudget()).on(parseDay(date)!)
}

const steel = 'series: CUSTOM/steel, weight: 1, base: 2024-01'
const names = ({ figures }: AwaitedOnDate) => figures.map(({ series, period }) => `${series} ${period}`)

describe('an adjustment date waits for', () => {
  test('nothing while every figure is there', () => {
    expect(awaited(`${steel}, lag: 1 month`, full)).toEqual({ figures: [], agreed: [], newer: null })
  })

  test('each month of its window that is not there', () => {
    const input = `${steel}, lag: 1 month, window: 3 months, using: MEAN`
    expect(names(awaited(input, without('CUSTOM/steel,2025-06', 'CUSTOM/steel,2025-05')))).toEqual([
      'CUSTOM/steel 2025-05',
      'CUSTOM/steel 2025-06',
    ])
    expect(names(awaited(input, full, '2025-10-01'))).toEqual([
      'CUSTOM/steel 2025-07',
      'CUSTOM/steel 2025-08',
      'CUSTOM/steel 2025-09',
    ])
  })

  test('the series that a link leads to', () => {
    const links = 'links: [{ series: CUSTOM/rebased, from: 2025-01, coefficient: 1.5 }]'
    expect(names(awaited(`${steel}, lag: 1 month, ${links}`, full, '2025-10-01'))).toEqual(['CUSTOM/rebased 2025-09'])
  })

  test('a base that is not published yet', () => {
    const input = 'series: CUSTOM/steel, weight: 1, base: 2025-08, lag: 1 month'
    expect(names(awaited(input, full, '2025-07-01'))).toEqual(['CUSTOM/steel 2025-08'])
  })

  test('both months between which it interpolates, and on the first of a month the first of them', () => {
    const table = without('CUSTOM/steel,2025-06', 'CUSTOM/steel,2025-05')
    const input = `${steel}, lag: 2 months, interpolate: DAILY`
    expect(names(awaited(input, table, '2025-07-15'))).toEqual(['CUSTOM/steel 2025-05', 'CUSTOM/steel 2025-06'])
    expect(names(awaited(input, table, '2025-07-01'))).toEqual(['CUSTOM/steel 2025-05'])
  })

  test('a final figure where only that counts', () => {
    const table = full.replace('CUSTOM/steel,2025-06,129,FINAL', 'CUSTOM/steel,2025-06,129,PRELIMINARY')
    expect(awaited(`${steel}, lag: 1 month, vintage: FINAL`, table).figures).toMatchObject([
      { period: '2025-06', stage: 'FINAL', rule: 'BLOCK', instead: null },
    ])
  })

  test('the end of a window over days, also when it is not over', () => {
    const input = `series: CUSTOM/rate, weight: 1, base: 2025-03, window: 1 month, using: MEAN, lag: 1 month`
    expect(names(awaited(input, full, '2025-08-01', '2025-07-01'))).toEqual(['CUSTOM/rate 2025-07-31'])
    expect(names(awaited(input, full, '2025-07-01', '2025-07-01'))).toEqual([])
  })

  test('the quarter of a month in which a coarser series is read', () => {
    const input = `series: CUSTOM/wages, weight: 1, base: 2024-01, expand: MONTHLY, lag: 1 month`
    expect(names(awaited(input, full, '2025-10-01'))).toEqual(['CUSTOM/wages 2025-Q3'])
  })

  test('the exchange rate as well', () => {
    const convert = 'convert: { fx: CUSTOM/rate, operation: MULTIPLY, window: 1 month }'
    const input = `series: CUSTOM/steel, weight: 1, base: 2025-06, lag: 1 month, ${convert}`
    expect(names(awaited(input, full, '2025-08-01', '2025-07-02'))).toEqual([
      'CUSTOM/steel 2025-07',
      'CUSTOM/rate 2025-07-31',
    ])
  })

  test('nothing in particular where the newest published counts, and says which one is next', () => {
    expect(awaited(`${steel}, lag: 1 month, pick: LATEST_PUBLISHED`, full, '2025-10-01')).toEqual({
      figures: [],
      agreed: [],
      newer: { series: 'CUSTOM/steel', period: '2025-07', stage: null, countsUntil: parseDay('2025-09-01') },
    })
  })
})

describe('a rule for missing figures', () => {
  test('says what is read in their place', () => {
    const table = without('CUSTOM/steel,2025-06')
    expect(awaited(`${steel}, lag: 1 month, missing: LAST_KNOWN`, table).figures).toMatchObject([
      { period: '2025-06', rule: 'LAST_KNOWN', instead: '128' },
    ])
    expect(awaited(`${steel}, lag: 1 month`, table).figures).toMatchObject([{ rule: 'BLOCK', instead: null }])
  })

  test('waits for nothing where both agreed on the value', () => {
    const table = without('CUSTOM/steel,2025-06')
    const found = awaited(`${steel}, lag: 1 month, missing: { agreed: { 2025-06: 130 } }`, table)
    expect(names(found)).toEqual([])
    expect(found.agreed).toMatchObject([{ series: 'CUSTOM/steel', period: '2025-06', rule: 'AGREED', instead: '130' }])
  })
})

describe('the figures that are needed', () => {
  const shapes = [
    `${steel}, lag: 1 month`,
    `${steel}, lag: 2 months, window: 6 months, using: MEAN`,
    `${steel}, lag: 1 quarter, window: 1 quarter, using: MEAN`,
    `${steel}, lag: 2 months, interpolate: DAILY`,
    `${steel}, lag: 1 month, links: [{ series: CUSTOM/rebased, until: 2025-04, coefficient: 2 }], window: 3 months, using: MEAN`,
    `series: CUSTOM/wages, weight: 1, base: 2024-01, expand: MONTHLY, lag: 1 month, window: 3 months, using: MEAN`,
    `${steel}, lag: 1 month, convert: { fx: CUSTOM/rate, operation: MULTIPLY, window: 1 month }`,
    `series: CUSTOM/rate, weight: 1, base: 2025-03, window: { from: 16, to: 15, least: 1 }, using: MEAN, lag: 1 month`,
  ]

  test.each(shapes)('are those that the engine reads: %s', input => {
    const bound = bind(input, full)
    const rules = { cuts: noCuts, tag: null, strict: false, today: null }
    for (const date of ['2025-07-01', '2025-07-15'].map(text => parseDay(text)!)) {
      const [of] = bound.inputs
      const { used } = new InputReader(of!, rules, new WorkBudget()).at(date)
      const read = new Set(used.map(({ series, period }) => `${series} ${formatPeriod(period)}`))
      const needed = neededFigures(of!, date).map(({ series, period }) => ({
        isLast: isSparse(period.frequency),
        name: `${series.reference} ${formatPeriod(period)}`,
      }))
      expect(new Set(needed.filter(({ isLast }) => !isLast).map(({ name }) => name))).toEqual(
        new Set([...read].filter(name => !name.startsWith('CUSTOM/rate'))),
      )
      const ends = needed.filter(({ isLast }) => isLast).map(({ name }) => name)
      for (const name of read) if (name.startsWith('CUSTOM/rate')) expect(name <= ends.at(-1)!).toBe(true)
    }
  })
})
