// Worked examples of stepwise tables, dated params and fuel prices read by the week or the day.
import { describe, expect, test } from 'vitest'
import { entryOf, evaluateText, lineOf, observations, percents } from '../support/agreements/evaluate-text.ts'

function surcharge(table: string, diesel: string): string {
  const document = `
    slug: fuel
    contract: { start: 2024-01-01, end: 2024-03-31, frequency: ONCE, firstAdjustment: 2024-02-05 }
    inputs:
      diesel: { series: CUSTOM/diesel, lag: 1 week }
    tables:
      fuel: ${table}
    steps:
      - { name: surcharge, expr: "lookup(fuel, diesel)" }
      - { name: factor, expr: "1 + surcharge" }
    result: { kind: FACTOR, step: factor }`
  const calculation = evaluateText(document, observations({ 'CUSTOM/diesel': { '2024-W05': diesel } }))
  return lineOf(calculation, '2024-02', 'surcharge')
}

describe('tables', () => {
  const below = '[{ below: 1.95, value: 0.01 }, { below: 2.05, value: 0.02 }, { value: 0.10 }]'

  test.each([
    ['1.949', '0.01'],
    ['1.95', '0.02'],
    ['2.049', '0.02'],
    ['2.05', '0.1'],
    ['9', '0.1'],
    ['-3', '0.01'],
  ])('gives the row whose edge lies above %s with below: %s', (diesel, expected) => {
    expect(surcharge(below, diesel)).toBe(expected)
  })

  test.each([
    ['1.95', '0.01'],
    ['1.951', '0.02'],
    ['2.05', '0.02'],
    ['2.0500001', '0.1'],
  ])('closes the edge with atMost: %s gives %s', (diesel, expected) => {
    expect(surcharge(below.replaceAll('below', 'atMost'), diesel)).toBe(expected)
  })

  test('mixes open and closed edges in one table', () => {
    const mixed = '[{ below: 2, value: 0 }, { atMost: 3, value: 0.05 }, { value: 0.07 }]'
    expect(['1.99', '2', '3', '3.01'].map(diesel => surcharge(mixed, diesel))).toEqual(['0', '0.05', '0.05', '0.07'])
  })

  test('computes a carrier formula of half a percent for each full five cents over the peg', () => {
    const document = `
      slug: carrier
      contract: { start: 2024-01-01, end: 2024-04-30, frequency: MONTHLY }
      inputs:
        diesel: { series: CUSTOM/diesel, lag: 1 month }
      params: { peg: 1.20, width: 0.05 }
      steps:
        - { name: bands, expr: "max(floor((diesel - peg) / width, 0), 0)" }
        - { name: factor, expr: "1 + bands * 0.005" }
      result: { kind: FACTOR, step: factor }`
    const table = observations({
      'CUSTOM/diesel': { '2024-01': '1.40', '2024-02': '1.449', '2024-03': '1.10' },
    })
    // (1.40 - 1.20) / 0.05 is 4 exactly; binary floating point makes it 3.99… and pays a band less
    const calculation = evaluateText(document, table)
    expect(['2024-02', '2024-03', '2024-04'].map(period => lineOf(calculation, period, 'bands'))).toEqual([
      '4',
      '4',
      '0',
    ])
    expect(percents(calculation)).toEqual(['2024-02 2 2', '2024-03 0 2', '2024-04 -1.9608 0'])
  })
})

describe('params', () => {
  test('takes the value whose date has come, from its first day on', () => {
    const document = `
      slug: dated-param
      contract: { start: 2023-11-01, end: 2024-03-31, frequency: MONTHLY }
      params:
        rate: [{ from: 2023-12-01, value: 3 }, { from: 2024-01-02, value: 4 }, { from: 2024-03-01, value: -5 }]
        share: 0.5
      steps:
        - { name: factor, expr: "1 + share * rate / 100" }
      result: { kind: FACTOR, step: factor }`
    const calculation = evaluateText(document, observations({ 'CUSTOM/unused': { '2023-11': '1' } }))
    expect(calculation.adjustments.map(({ period, cumulativePct }) => `${period} ${cumulativePct}`)).toEqual([
      '2023-12 1.5',
      '2024-01 1.5',
      '2024-02 2',
      '2024-03 -2.5',
    ])
  })

  test('blocks a date on which a param it needs has no value yet, and names the param', () => {
    const document = `
      slug: late-param
      contract: { start: 2023-12-01, end: 2024-02-29, frequency: MONTHLY }
      params: { rate: [{ from: 2024-02-01, value: 3 }] }
      steps: [{ name: factor, expr: "1 + rate / 100" }]
      result: { kind: FACTOR, step: factor }`
    const calculation = evaluateText(document, observations({ 'CUSTOM/unused': { '2023-11': '1' } }))
    expect(percents(calculation)).toEqual(['2024-02 3 3'])
    expect(calculation.blocked.map(({ period }) => period)).toEqual(['2024-01'])
    expect(calculation.blocked[0]!.reason).toContain('rate')
  })
})

describe('weekly and daily series', () => {
  const weekly = observations({
    'CUSTOM/diesel': {
      '2021-W04': '1',
      '2021-W05': '2.801',
      '2021-W06': '2.876',
      '2021-W08': '3.072',
      '2021-W09': '9',
    },
  })

  function reading(input: string, first: string, table: string): ReturnType<typeof evaluateText> {
    const document = `
      slug: read-once
      contract: { start: 2021-01-01, end: 2021-12-31, frequency: ONCE, firstAdjustment: ${first} }
      inputs:
        diesel: ${input}
      steps: [{ name: factor, expr: "diesel / diesel.base" }]
      result: { kind: FACTOR, step: factor }`
    return evaluateText(document, table)
  }

  test('reads the week that contains the lagged day', () => {
    const document = '{ series: CUSTOM/diesel, lag: 3 weeks, base: { value: 1 } }'
    // 7 March 2021 is the Sunday of week 9
    expect(lineOf(reading(document, '2021-03-07', weekly), '2021-03', 'factor')).toBe('2.876')
    expect(lineOf(reading(document, '2021-03-01', weekly), '2021-03', 'factor')).toBe('2.876')
  })

  test('averages the weeks there are when the window is a calendar month', () => {
    // February 2021 is weeks 5 to 8; week 7 has no value
    const input = '{ series: CUSTOM/diesel, lag: 1 month, window: 1 month, base: { value: 1 } }'
    const calculation = reading(input, '2021-03-15', weekly)
    // (2.801 + 2.876 + 3.072) / 3
    expect(lineOf(calculation, '2021-03', 'factor')).toBe(`2.91633${'3'.repeat(24)}…`)
    expect(entryOf(calculation, '2021-03').dataVersion).toBe('FINAL')
  })

  test('asks for every week when the window is counted in weeks', () => {
    const input = '{ series: CUSTOM/diesel, lag: 0 days, window: 4 weeks, base: { value: 1 } }'
    const { adjustments, blocked } = reading(input, '2021-02-28', weekly)
    expect(adjustments).toEqual([])
    expect(blocked[0]!.reason).toContain('diesel')
    expect(blocked[0]!.reason).toContain('2021-W07')
  })

  test('averages the trading days of a month, both in the reading and in a base label', () => {
    const table = observations({
      'CUSTOM/copper': {
        '2021-02-26': '9100',
        '2021-03-01': '9000',
        '2021-03-02': '9030',
        '2021-03-05': '9060',
        '2021-04-01': '8800',
        '2021-04-30': '9800',
        '2021-05-03': '1',
      },
    })
    const input = '{ series: CUSTOM/copper, lag: 1 month, window: 1 month, base: 2021-03 }'
    const calculation = reading(input, '2021-05-20', table)
    // (8800 + 9800) / 2 over (9000 + 9030 + 9060) / 3 = 9300 / 9030
    expect(percents(calculation)).toEqual(['2021-05 2.99 2.99'])
    expect(entryOf(calculation, '2021-05').observations.map(({ period }) => period)).toEqual([
      '2021-03-01',
      '2021-03-02',
      '2021-03-05',
      '2021-04-01',
      '2021-04-30',
    ])
  })

  test('lacks a year in a window of thousands of them, and says so', () => {
    const table = observations({ 'CUSTOM/copper': { '2021-03-01': '9000', '2021-03-02': '9030' } })
    const document = `
      slug: wide-window
      contract: { start: 2021-02-05, end: 2023-02-05, frequency: MONTHLY, firstAdjustment: 2021-03-05 }
      inputs:
        copper: { series: CUSTOM/copper, window: 9999 years }
      steps: [{ name: factor, expr: "copper" }]
      result: { kind: FACTOR, step: factor }`
    const calculation = evaluateText(document, table)
    expect(calculation.adjustments).toEqual([])
    expect(calculation.blocked[0]!.reason).toContain('copper (CUSTOM/copper) has no value for')
  })

  test.each([
    ['MEAN', '3'],
    ['FIRST', '4'],
    ['LAST', '3'],
    ['MIN', '2'],
    ['MAX', '4'],
    ['SUM', '9'],
    // 1.04 x 1.02 x 1.03 - 1
    ['COMPOUND', '9.2624'],
  ])('joins the window using %s: %s', (using, expected) => {
    const table = observations({ 'CUSTOM/index': { '2021-01': '4', '2021-02': '2', '2021-03': '3' } })
    const input = `{ series: CUSTOM/index, window: 3 months, using: ${using}, base: { value: 1 } }`
    expect(lineOf(reading(input, '2021-03-01', table), '2021-03', 'factor')).toBe(expected)
  })

  test('joins the months of a coarser base label with using, and the window does not widen it', () => {
    const months = { '2020-10': '90', '2020-11': '96', '2020-12': '99', '2021-06': '110' }
    const table = observations({ 'CUSTOM/index': months })
    const base = (label: string, using: string) =>
      lineOf(
        reading(`{ series: CUSTOM/index, using: ${using}, base: ${label} }`, '2021-06-01', table),
        '2021-06',
        'factor',
      )
    // 110 / 95, 110 / 99, 110 / 90
    expect(base('2020-Q4', 'MEAN')).toBe('1.15789473684210526315789473684…')
    expect(base('2020-Q4', 'LAST')).toBe(`1.${'1'.repeat(29)}…`)
    expect(base('2020-10..2020-12', 'MIN')).toBe(`1.${'2'.repeat(29)}…`)
    const wide = '{ series: CUSTOM/index, window: 1 month, base: 2020-12 }'
    expect(lineOf(reading(wide, '2021-06-01', table), '2021-06', 'factor')).toBe(`1.${'1'.repeat(29)}…`)
  })

  test('reads a window of months on a quarterly series as whole quarters', () => {
    const table = observations({ 'CUSTOM/wages': { '2020-Q4': '100', '2021-Q1': '104' } })
    const input = '{ series: CUSTOM/wages, lag: 3 months, window: 6 months, base: { value: 100 } }'
    expect(percents(reading(input, '2021-05-01', table))).toEqual(['2021-05 2 2'])
  })

  test('reads a window of one quarter on a monthly series as the calendar quarter that contains the lagged day', () => {
    const table = observations({
      'CUSTOM/index': { '2020-12': '1', '2021-01': '101', '2021-02': '102', '2021-03': '106', '2021-04': '1' },
    })
    const input = '{ series: CUSTOM/index, lag: 3 months, window: 1 quarter, base: { value: 100 } }'
    // 20 May less three months is 20 February: January to March
    expect(percents(reading(input, '2021-05-20', table))).toEqual(['2021-05 3 3'])
  })
})
