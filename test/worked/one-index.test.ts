// Worked examples with one index: from two readings to a percent, a factor and a price.
import { describe, expect, test } from 'vitest'
import {
  entryOf,
  evaluateText,
  lineOf,
  observations,
  percents,
  plainDecimal,
  priceOf,
  shownOf,
} from '../support/agreements/evaluate-text.ts'

const consumerPrices = observations({
  'BLS/CUUR0000SA0': { '2021-12': '278.802', '2022-12': '296.797', '2023-12': '306.746' },
})

describe('one index', () => {
  test('turns the change of the US consumer price index over 2023 into the change of a price', () => {
    const document = `
      slug: us-cpi
      contract: { start: 2023-01-01, end: 2024-06-30, frequency: ANNUAL, price: { amount: 1000, currency: USD, round: { dp: 2 } } }
      inputs:
        cpi: { series: BLS/CUUR0000SA0, weight: 1, base: 2022-12, lag: 1 month }
      clause: {}`
    const calculation = evaluateText(document, consumerPrices)
    expect(percents(calculation)).toEqual(['2024 3.3521 3.3521'])
    expect(priceOf(calculation, '2024')).toBe('1033.52')
    // 306.746 / 296.797, cut at thirty digits
    expect(lineOf(calculation, '2024', 'ratio_cpi')).toBe('1.03352122831430236828539372028…')
    expect(entryOf(calculation, '2024')).toMatchObject({
      adjustmentDate: '2024-01-01',
      formulaVersion: 1,
      dataVersion: 'FINAL',
      components: [{ input: 'cpi', series: 'BLS/CUUR0000SA0', weight: '1', change: '3.3521', contribution: '3.3521' }],
      observations: [
        { input: 'cpi', series: 'BLS/CUUR0000SA0', period: '2022-12', value: '296.797', version: 'FINAL' },
        { input: 'cpi', series: 'BLS/CUUR0000SA0', period: '2023-12', value: '306.746', version: 'FINAL' },
      ],
      controls: [],
    })
  })

  test('sees the exact tie of weight 0.15015 and an index going from 90 to 120', () => {
    const document = (percent: string) => `
      slug: exact-tie
      contract: { start: 2023-01-01, end: 2024-01-01, frequency: ANNUAL }
      inputs:
        index: { series: CUSTOM/index, weight: 0.15015, base: 2023-01 }
      clause: { fixed: 0.84985, rounding: { percent: ${percent} } }`
    const table = observations({ 'CUSTOM/index': { '2023-01': '90', '2024-01': '120' } })
    expect(percents(evaluateText(document('{ dp: 2 }'), table))).toEqual(['2024 5.01 5.01'])
    expect(percents(evaluateText(document('{ dp: 2, mode: HALF_DOWN }'), table))).toEqual(['2024 5 5'])
    expect(percents(evaluateText(document('{ dp: 2, mode: HALF_EVEN }'), table))).toEqual(['2024 5 5'])
    expect(percents(evaluateText(document('{ dp: 3 }'), table))).toEqual(['2024 5.005 5.005'])
  })

  test('applies the percent of a German index rent after rounding it to one decimal', () => {
    const document = `
      slug: german-rent
      contract: { start: 2023-01-01, end: 2024-01-31, frequency: ANNUAL, price: { amount: 850, currency: EUR, round: { dp: 2 } } }
      inputs:
        vpi: { series: CUSTOM/vpi-2020, weight: 1, base: 2022-12, lag: 1 month }
      clause: { rounding: { percent: { dp: 1 } } }`
    const table = observations({ 'CUSTOM/vpi-2020': { '2022-12': '113.2', '2023-12': '117.4' } })
    const calculation = evaluateText(document, table)
    // 117.4 / 113.2 is 3.71…; with 3.7 the rent is 881.45, with the exact quotient it would be 881.54
    expect(percents(calculation)).toEqual(['2024 3.7 3.7'])
    expect(priceOf(calculation, '2024')).toBe('881.45')
    // 3.7102… rounded to 3.7: rounding took 0.0102 points
    expect(entryOf(calculation, '2024').controls).toEqual([{ control: 'rounding', points: '-0.0102' }])
  })

  test('takes the French rent index that had been published on the day, not the one of a lag', () => {
    const document = (first: string) => `
      slug: french-rent
      contract:
        start: 2023-01-01
        end: 2024-12-31
        frequency: ONCE
        firstAdjustment: ${first}
        price: { amount: 700, currency: EUR, round: { dp: 2 } }
      inputs:
        irl: { series: CUSTOM/irl, weight: 1, base: 2022-Q3, pick: LATEST_PUBLISHED }
      clause: {}`
    const table = `series,period,value,published
CUSTOM/irl,2022-Q3,136.27,2022-10-14
CUSTOM/irl,2023-Q3,141.03,2023-10-13
CUSTOM/irl,2023-Q4,142.06,2024-01-12
`
    // 141.03 / 136.27 and 142.06 / 136.27
    const before = evaluateText(document('2024-01-11'), table)
    expect([percents(before), priceOf(before, '2024-01')]).toEqual([['2024-01 3.4931 3.4931'], '724.45'])
    const after = evaluateText(document('2024-01-12'), table)
    expect([percents(after), priceOf(after, '2024-01')]).toEqual([['2024-01 4.2489 4.2489'], '729.74'])
  })

  test('counts the lag back from the date before it asks what had been published', () => {
    const document = `
      slug: lagged-publication
      contract: { start: 2024-01-01, end: 2024-12-31, frequency: ONCE, firstAdjustment: 2024-03-15 }
      inputs:
        cpi: { series: CUSTOM/cpi, weight: 1, base: { value: 100 }, lag: 10 days, pick: LATEST_PUBLISHED }
      clause: {}`
    const table = `series,period,value,published
CUSTOM/cpi,2024-01,101,2024-02-10
CUSTOM/cpi,2024-02,102,2024-03-06
`
    expect(percents(evaluateText(document, table))).toEqual(['2024-03 1 1'])
    expect(percents(evaluateText(document.replace('10 days', '9 days'), table))).toEqual(['2024-03 2 2'])
  })

  test('gives the 3.2 percent of US benefits for 2024 from third-quarter averages, cut to ten cents', () => {
    const document = `
      slug: us-cola
      contract:
        start: 2023-01-01
        end: 2024-01-01
        frequency: ANNUAL
        price: { amount: 1848, currency: USD, unit: month, round: { multiple: 0.10, mode: DOWN } }
      inputs:
        cpiw: { series: BLS/CWUR0000SA0, weight: 1, base: 2022-07..2022-09, lag: 4 months, window: 3 months }
      clause:
        basis: CHAINED
        floor: { periodPct: 0 }
        rounding: { percent: { dp: 1 } }`
    const table = observations({
      'BLS/CWUR0000SA0': {
        '2022-07': '292.219',
        '2022-08': '291.629',
        '2022-09': '291.854',
        '2023-07': '299.899',
        '2023-08': '301.551',
        '2023-09': '302.257',
      },
    })
    const calculation = evaluateText(document, table)
    expect(percents(calculation)).toEqual(['2024 3.2 3.2'])
    // 1848 x 1.032 = 1907.136
    expect(priceOf(calculation, '2024')).toBe('1907.1')
    expect(entryOf(calculation, '2024').observations).toHaveLength(6)
  })

  test('rounds the base reading like the current one, but not a base written as a value', () => {
    const document = (base: string) => `
      slug: rounded-readings
      contract: { start: 2023-01-01, end: 2024-01-31, frequency: ANNUAL }
      inputs:
        index: { series: CUSTOM/index, weight: 1, base: ${base}, round: { dp: 0 } }
      clause: {}`
    const table = observations({ 'CUSTOM/index': { '2023-01': '100.4', '2024-01': '105.6' } })
    // 106 / 100 and 106 / 100.4
    expect(percents(evaluateText(document('2023-01'), table))).toEqual(['2024 6 6'])
    expect(percents(evaluateText(document('{ value: 100.4 }'), table))).toEqual(['2024 5.5777 5.5777'])
  })

  test('reports with result.show in a clause and carries the percent exactly', () => {
    const document = `
      slug: shown-percent
      contract: { start: 2023-01-01, end: 2024-06-30, frequency: ANNUAL, price: { amount: 1000, currency: USD, round: { dp: 2 } } }
      inputs:
        cpi: { series: BLS/CUUR0000SA0, weight: 1, base: 2022-12, lag: 1 month }
      clause: {}
      result: { show: { dp: 1 } }`
    const calculation = evaluateText(document, consumerPrices)
    expect(percents(calculation)).toEqual(['2024 3.4 3.4'])
    expect(lineOf(calculation, '2024', 'pct')).toBe('3.35212283143023682853937202869…')
    expect(priceOf(calculation, '2024')).toBe('1033.52')
  })

  test('prints a line with show and carries it exactly, and carries a line with round as rounded', () => {
    const document = `
      slug: shown-and-carried
      contract: { start: 2023-01-01, end: 2024-06-30, frequency: ANNUAL }
      inputs:
        cpi: { series: BLS/CUUR0000SA0, base: 2022-12, lag: 1 month }
      steps:
        - { name: printed, expr: "cpi / cpi.base", show: { dp: 3 } }
        - { name: cut, expr: "cpi / cpi.base", round: { dp: 3, mode: DOWN } }
        - { name: from_printed, expr: "printed * 1000000" }
        - { name: from_cut, expr: "cut * 1000000" }
      result: { kind: FACTOR, step: printed }`
    const calculation = evaluateText(document, consumerPrices)
    expect(shownOf(calculation, '2024', 'printed')).toBe('1.034')
    expect(shownOf(calculation, '2024', 'cut')).toBeUndefined()
    expect(plainDecimal(lineOf(calculation, '2024', 'cut'))).toBe('1.033')
    expect(lineOf(calculation, '2024', 'from_printed')).toBe('1033521.22831430236828539372028…')
    expect(lineOf(calculation, '2024', 'from_cut')).toBe('1033000')
  })

  test('cuts a carried value at thirty significant digits and writes a shorter one exactly', () => {
    const document = `
      slug: carried-digits
      contract: { start: 2023-01-01, end: 2024-01-01, frequency: ANNUAL }
      steps:
        - { name: thirds, expr: "-2 / 3" }
        - { name: small, expr: "1 / 3000" }
        - { name: finite, expr: "1 / 8" }
        - { name: factor, expr: "1 + finite" }
      result: { kind: FACTOR, step: factor }`
    const calculation = evaluateText(document, observations({ 'CUSTOM/unused': { '2023-01': '1' } }))
    expect(lineOf(calculation, '2024', 'thirds')).toBe(`-0.${'6'.repeat(30)}…`)
    expect(lineOf(calculation, '2024', 'small')).toBe(`0.000${'3'.repeat(30)}…`)
    expect(lineOf(calculation, '2024', 'finite')).toBe('0.125')
    expect(percents(calculation)).toEqual(['2024 12.5 12.5'])
  })

  test('rounds prev and last readings like the current one', () => {
    const document = `
      slug: rounded-before
      contract: { start: 2020-01-01, end: 2022-01-01, frequency: ANNUAL }
      inputs:
        index: { series: CUSTOM/index, base: 2020, round: { dp: 0, mode: DOWN } }
      steps:
        - { name: before, expr: "index.prev" }
        - { name: moved, expr: "index.last" }
        - { name: factor, expr: "index / index.base" }
      result: { kind: FACTOR, step: factor }`
    const table = observations({ 'CUSTOM/index': { '2020': '100.9', '2021': '101.9', '2022': '103.9' } })
    const calculation = evaluateText(document, table)
    expect(['2021', '2022'].map(year => lineOf(calculation, year, 'before'))).toEqual(['100', '101'])
    expect(['2021', '2022'].map(year => lineOf(calculation, year, 'moved'))).toEqual(['100', '101'])
    expect(percents(calculation)).toEqual(['2021 1 1', '2022 1.9802 3'])
  })

  test('reports four decimals half up, away from zero', () => {
    const document = (factor: string) => `
      slug: four-decimals
      contract: { start: 2020-01-01, end: 2021-01-01, frequency: ANNUAL }
      steps: [{ name: factor, expr: "${factor}" }]
      result: { kind: FACTOR, step: factor }`
    const reported = (factor: string) => percents(evaluateText(document(factor), consumerPrices))
    expect(reported('1.0000005')).toEqual(['2021 0.0001 0.0001'])
    expect(reported('0.9999995')).toEqual(['2021 -0.0001 -0.0001'])
    expect(reported('1.0000004999')).toEqual(['2021 0 0'])
    expect(reported('0.9999996')).toEqual(['2021 0 0'])
  })

  test('rounds a price that steps give by the contract, after the percent is taken from it', () => {
    const document = `
      slug: stepped-price
      contract: { start: 2020-01-01, end: 2021-01-01, frequency: ANNUAL, price: { amount: 10, currency: EUR, round: { dp: 2 } } }
      steps: [{ name: money, expr: "price + 0.005" }]
      result: { kind: PRICE, step: money }`
    const calculation = evaluateText(document, consumerPrices)
    expect(priceOf(calculation, '2021')).toBe('10.01')
    expect(percents(calculation)).toEqual(['2021 0.05 0.05'])
  })
})
