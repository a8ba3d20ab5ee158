// Worked examples of daily interpolation, as inflation-linked bonds read their index.
import { describe, expect, test } from 'vitest'
import { entryOf, evaluateText, lineOf, observations, shownOf } from '../support/agreements/evaluate-text.ts'

const consumerPrices = observations({
  'BLS/CUUR0000SA0': {
    '2023-04': '303.363',
    '2023-05': '304.127',
    '2023-10': '307.671',
    '2023-11': '307.051',
    '2023-12': '306.746',
    '2024-02': '310.326',
    '2024-03': '312.332',
  },
})

function reference(date: string, more = ''): string {
  return `
    slug: reference-index
    contract: { start: 2023-01-01, end: 2024-12-31, frequency: ONCE, firstAdjustment: ${date} }
    inputs:
      cpi: { series: BLS/CUUR0000SA0, lag: 3 months, interpolate: DAILY, base: 2023-07-15 }
    steps:
      - { name: ref, expr: "round(trunc(cpi, 6), 5)" }
      - { name: ref_base, expr: "round(trunc(cpi.base, 6), 5)" }
      - { name: factor, expr: "round(trunc(ref / ref_base, 6), 5)" ${more} }
    result: { kind: FACTOR, step: factor }`
}

describe('daily interpolation', () => {
  test('gives the reference indices and the ratio of a US bond dated 15 July 2023 on 15 January 2024', () => {
    const calculation = evaluateText(reference('2024-01-15'), consumerPrices)
    // 307.671 + 14/31 x (307.051 - 307.671); 303.363 + 14/31 x (304.127 - 303.363)
    expect(lineOf(calculation, '2024-01', 'ref')).toBe('307.391')
    expect(lineOf(calculation, '2024-01', 'ref_base')).toBe('303.70803')
    expect(lineOf(calculation, '2024-01', 'factor')).toBe('1.01213')
    expect(entryOf(calculation, '2024-01').observations.map(({ period }) => period)).toEqual([
      '2023-04',
      '2023-05',
      '2023-10',
      '2023-11',
    ])
  })

  test('takes the lagged month alone on the first of a month and does not ask for the next', () => {
    const calculation = evaluateText(reference('2024-03-01'), consumerPrices)
    expect(lineOf(calculation, '2024-03', 'ref')).toBe('306.746')
    expect(evaluateText(reference('2024-03-02'), consumerPrices).blocked[0]!.reason).toContain('2024-01')
  })

  test('counts the days of the adjustment month, 29 in a leap February', () => {
    const calculation = evaluateText(reference('2024-02-20'), consumerPrices)
    // 307.051 + 19/29 x (306.746 - 307.051) = 306.85117…
    expect(lineOf(calculation, '2024-02', 'ref')).toBe('306.85117')
  })

  test('keeps the day of the adjustment date where the lagged month is shorter', () => {
    const calculation = evaluateText(reference('2024-05-31'), consumerPrices)
    // February's value and thirty of thirty-one parts of the way to March's
    expect(lineOf(calculation, '2024-05', 'ref')).toBe('312.26729')
  })

  test('gives the ratio of a UK gilt to five decimals from the retail prices three months before', () => {
    const document = `
      slug: gilt
      contract: { start: 2023-12-22, end: 2024-03-31, frequency: QUARTERLY }
      inputs:
        rpi: { series: ONS/chaw, lag: 3 months, interpolate: DAILY, base: 2023-12-22 }
      steps:
        - { name: exact, expr: "rpi / rpi.base", show: { dp: 5 } }
        - { name: ratio, expr: "rpi / rpi.base", round: { dp: 5 } }
      result: { kind: FACTOR, step: ratio }`
    const table = observations({
      'ONS/chaw': { '2023-09': '378.4', '2023-10': '377.8', '2023-12': '379.0', '2024-01': '378.0' },
    })
    const calculation = evaluateText(document, table)
    // (379.0 - 21/31) / (378.4 - 0.6 x 21/31)
    expect(lineOf(calculation, '2024-Q1', 'ratio')).toBe('1.00087')
    expect(shownOf(calculation, '2024-Q1', 'exact')).toBe('1.00087')
    expect(lineOf(calculation, '2024-Q1', 'exact')).toBe('1.00087047056614722900203109798…')
  })

  test('reads a month as base of an interpolated input as that month', () => {
    const document = reference('2024-03-01').replace('base: 2023-07-15', 'base: 2023-04')
    expect(lineOf(evaluateText(document, consumerPrices), '2024-03', 'ref_base')).toBe('303.363')
  })

  test('reads prev at the previous adjustment date, the base before the first', () => {
    const document = `
      slug: coupons
      contract: { start: 2023-01-01, end: 2024-02-28, frequency: MONTHLY, firstAdjustment: 2024-01-15 }
      inputs:
        cpi: { series: BLS/CUUR0000SA0, lag: 3 months, interpolate: DAILY, base: 2023-07-15 }
      steps:
        - { name: before, expr: "cpi.prev" }
        - { name: factor, expr: "cpi / cpi.base" }
      result: { kind: FACTOR, step: factor }`
    const calculation = evaluateText(document, consumerPrices)
    expect(lineOf(calculation, '2024-01', 'before')).toBe('303.708032258064516129032258064…')
    expect(lineOf(calculation, '2024-02', 'before')).toBe('307.391')
  })
})
