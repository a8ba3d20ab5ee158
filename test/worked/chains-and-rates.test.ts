// Worked examples of chains: rates, adjustments that continue from the last applied one, and values carried with prev.
import { describe, expect, test } from 'vitest'
import {
  entryOf,
  evaluateText,
  lineOf,
  observations,
  percents,
  priceOf,
  shownOf,
} from '../support/agreements/evaluate-text.ts'
import { runClause } from '../support/agreements/one-index-clause.ts'

const nothing = observations({ 'CUSTOM/unused': { '2020-01': '1' } })

describe('rates', () => {
  test('chains the twelve monthly rates of Brazilian consumer prices in 2023 to 4.62 percent', () => {
    const document = `
      slug: ipca
      contract: { start: 2023-01-01, end: 2024-01-31, frequency: ANNUAL }
      inputs:
        ipca: { series: CUSTOM/ipca, lag: 1 month, window: 12 months, using: COMPOUND }
      steps: [{ name: change, expr: "ipca", show: { dp: 2 } }]
      result: { kind: CHANGE_PCT, step: change, show: { dp: 2 } }`
    const rates = ['0.53', '0.84', '0.71', '0.61', '0.23', '-0.08', '0.12', '0.23', '0.26', '0.24', '0.28', '0.56']
    const months = rates.map((rate, i): [string, string] => [`2023-${`${i + 1}`.padStart(2, '0')}`, rate])
    const calculation = evaluateText(document, observations({ 'CUSTOM/ipca': Object.fromEntries(months) }))
    expect(shownOf(calculation, '2024', 'change')).toBe('4.62')
    // the product of all twelve, cut at thirty digits
    expect(lineOf(calculation, '2024', 'change')).toBe('4.62111393056676648738314216371…')
    expect(percents(calculation)).toEqual(['2024 4.62 4.62'])
  })

  test('compounds: 41.57 percent and then 20.43 percent are 70.49 percent', () => {
    const document = `
      slug: two-rates
      contract: { start: 2022-01-01, end: 2024-01-01, frequency: ANNUAL, price: { amount: 1000, currency: ARS } }
      inputs:
        rate: { series: CUSTOM/rate }
      steps: [{ name: pct, expr: "rate" }]
      result: { kind: CHANGE_PCT, step: pct, show: { dp: 2 } }`
    const table = observations({ 'CUSTOM/rate': { '2023': '41.57', '2024': '20.43' } })
    const calculation = evaluateText(document, table)
    expect(percents(calculation)).toEqual(['2023 41.57 41.57', '2024 20.43 70.49'])
    // 1.4157 x 1.2043 x 1000
    expect(priceOf(calculation, '2024')).toBe('1704.92751')
  })
})

describe('chains of a clause', () => {
  test('continues from the reading at the last applied adjustment', () => {
    const clause = '{ basis: CHAINED, rounding: { percent: { dp: 1 } } }'
    // 110 / 100, 121 / 110, 120 / 121 = -0.826 %
    expect(percents(runClause({ clause, readings: ['110', '121', '120'] }))).toEqual([
      '2021 10 10',
      '2022 10 21',
      '2023 -0.8 20.032',
    ])
  })

  test('compares with the last applied reading after a period whose threshold was not met', () => {
    const clause = '{ basis: CHAINED, threshold: { pct: 3, test: EXCEEDS, pays: ALL } }'
    const calculation = runClause({ clause, readings: ['104', '106', '107.5'] })
    // 106 / 104 is below the threshold; 107.5 / 104 is 3.3654 %
    expect(percents(calculation)).toEqual(['2021 4 4', '2022 0 4', '2023 3.3654 7.5'])
    expect(entryOf(calculation, '2023').components[0]).toMatchObject({ change: '3.3654', contribution: '3.3654' })
  })

  test('counts an adjustment as applied when the threshold was met, even if the percent rounds to 0', () => {
    const clause =
      '{ basis: CHAINED, threshold: { pct: 0.4, test: REACHES, pays: ALL }, rounding: { percent: { dp: 0 } } }'
    const calculation = runClause({ clause, readings: ['100.4', '100.8016', '100.8016'] })
    // each 0.4 % is measured from the one before and rounds to nothing; together they would have made 1 %
    expect(percents(calculation)).toEqual(['2021 0 0', '2022 0 0', '2023 0 0'])
    expect(lineOf(calculation, '2022', 'ratio_index')).toBe('1.004')
    expect(lineOf(calculation, '2023', 'ratio_index')).toBe('1')
  })

  test('applies nothing in a blocked period and continues from the last one applied', () => {
    const calculation = runClause({ clause: '{ basis: CHAINED }', readings: ['110', null, '121'] })
    expect(percents(calculation)).toEqual(['2021 10 10', '2023 10 21'])
    expect(calculation.blocked.map(({ period }) => period)).toEqual(['2022'])
  })
})

describe('values carried by steps', () => {
  test('writes a chained price, rounded at every link, with prev of its own step', () => {
    const document = `
      slug: chained-price
      contract: { start: 2020-01-01, end: 2023-01-01, frequency: ANNUAL, price: { amount: 19.99, currency: EUR } }
      inputs:
        index: { series: CUSTOM/index, base: { value: 100 } }
      steps:
        - { name: next, expr: "prev(next, price) * index / index.prev", round: { dp: 2 } }
      result: { kind: PRICE, step: next }`
    const table = observations({ 'CUSTOM/index': { '2021': '103.3', '2022': '107.2', '2023': '109.9' } })
    const calculation = evaluateText(document, table)
    // 19.99 x 1.033 = 20.649…; 20.65 x 107.2 / 103.3 = 21.429…; 21.43 x 109.9 / 107.2 = 21.969…
    expect(['2021', '2022', '2023'].map(period => priceOf(calculation, period))).toEqual(['20.65', '21.43', '21.97'])
    // 21.97 / 21.43 and 21.97 / 19.99
    expect(percents(calculation).at(-1)).toBe('2023 2.5198 9.905')
  })

  test('writes a ratchet that never falls', () => {
    const document = `
      slug: ratchet
      contract: { start: 2020-01-01, end: 2023-01-01, frequency: ANNUAL }
      inputs:
        index: { series: CUSTOM/index, base: { value: 100 } }
      steps:
        - { name: factor, expr: "max(prev(factor, 1), index / index.base)" }
      result: { kind: FACTOR, step: factor }`
    const table = observations({ 'CUSTOM/index': { '2021': '105', '2022': '95', '2023': '110.25' } })
    expect(percents(evaluateText(document, table))).toEqual(['2021 5 5', '2022 0 5', '2023 5 10.25'])
  })

  test('takes prev of a later step, and its initial as any expression', () => {
    const document = `
      slug: later-step
      contract: { start: 2020-01-01, end: 2023-01-01, frequency: ANNUAL }
      params: { opening: 7 }
      steps:
        - { name: carried_in, expr: "prev(carried_out, opening * 2 - periodsSinceStart)" }
        - { name: carried_out, expr: "carried_in + 1" }
        - { name: factor, expr: "carried_out / 10" }
      result: { kind: FACTOR, step: factor }`
    const calculation = evaluateText(document, nothing)
    expect(['2021', '2022', '2023'].map(period => lineOf(calculation, period, 'carried_in'))).toEqual([
      '13',
      '14',
      '15',
    ])
  })

  test('distinguishes prev, the reading at the last computed date, from last, the reading when the factor last changed', () => {
    const document = `
      slug: prev-and-last
      contract: { start: 2020-01-01, end: 2024-01-01, frequency: ANNUAL }
      inputs:
        index: { series: CUSTOM/index, base: { value: 100 } }
      steps:
        - { name: before, expr: "index.prev" }
        - { name: moved, expr: "index.last" }
        - { name: change, expr: "index / index.last - 1" }
        - { name: factor, expr: "prev(factor, 1) * if(abs(change) >= 0.05, 1 + change, 1)" }
      result: { kind: FACTOR, step: factor }`
    const table = observations({ 'CUSTOM/index': { '2021': '103', '2022': '105', '2023': '106', '2024': '111' } })
    const calculation = evaluateText(document, table)
    const years = ['2021', '2022', '2023', '2024']
    expect(years.map(year => lineOf(calculation, year, 'before'))).toEqual(['100', '103', '105', '106'])
    expect(years.map(year => lineOf(calculation, year, 'moved'))).toEqual(['100', '100', '105', '105'])
    // 111 / 105 = 5.7143 %
    expect(percents(calculation)).toEqual(['2021 0 0', '2022 5 5', '2023 0 5', '2024 5.7143 11'])
  })

  test('reaches with prev over a blocked period to the last computed one', () => {
    const document = `
      slug: over-a-gap
      contract: { start: 2020-01-01, end: 2023-01-01, frequency: ANNUAL }
      inputs:
        index: { series: CUSTOM/index, base: { value: 100 } }
      steps:
        - { name: count, expr: "prev(count, 0) + 1" }
        - { name: before, expr: "index.prev" }
        - { name: factor, expr: "index / 100" }
      result: { kind: FACTOR, step: factor }`
    const calculation = evaluateText(document, observations({ 'CUSTOM/index': { '2021': '102', '2023': '106' } }))
    expect(lineOf(calculation, '2023', 'count')).toBe('2')
    expect(lineOf(calculation, '2023', 'before')).toBe('102')
  })

  test('computes only the branch that is taken: a missing reading or a division by zero elsewhere does not block', () => {
    const document = `
      slug: lazy
      contract: { start: 2020-01-01, end: 2022-01-01, frequency: ANNUAL }
      inputs:
        index: { series: CUSTOM/index, base: 2019 }
        other: { series: CUSTOM/other }
      steps:
        - { name: factor, expr: "if(year < 2022 or other > 1, 1.01, other / (year - 2022))" }
        - { name: safe, expr: "if(year == 2021 and other / 0 > 1, 2, 1) * 0 + 1" }
      result: { kind: FACTOR, step: factor }`
    const table = observations({ 'CUSTOM/index': { '2019': '1' }, 'CUSTOM/other': { '2022': '5' } })
    const calculation = evaluateText(document, table)
    // 2022: other is 5, so the first branch; `safe` divides by zero only where the year is 2021
    expect(percents(calculation)).toEqual(['2022 1 1'])
    expect(calculation.blocked.map(({ period }) => period)).toEqual(['2021'])
    expect(calculation.blocked[0]!.reason).toContain('other')
  })

  test('names the step that would divide by zero', () => {
    const document = `
      slug: by-zero
      contract: { start: 2020-01-01, end: 2022-01-01, frequency: ANNUAL }
      steps: [{ name: factor, expr: "1 / (year - 2021)" }]
      result: { kind: FACTOR, step: factor }`
    const calculation = evaluateText(document, nothing)
    expect(calculation.blocked.map(({ period }) => period)).toEqual(['2021'])
    expect(calculation.blocked[0]!.reason).toContain('factor')
    expect(calculation.blocked[0]!.reason).toContain('zero')
    expect(percents(calculation)).toEqual(['2022 0 0'])
  })

  test('gives a reason, not a crash, when a carried number exceeds the bound', () => {
    const document = `
      slug: squares
      contract: { start: 2020-01-01, end: 2034-01-01, frequency: ANNUAL }
      steps:
        - { name: square, expr: "prev(square, 1.0000001) * prev(square, 1.0000001)" }
        - { name: factor, expr: "1" }
      result: { kind: FACTOR, step: factor }`
    const calculation = evaluateText(document, nothing)
    expect(calculation.adjustments.length).toBeGreaterThan(5)
    expect(calculation.blocked.at(-1)!.reason).toContain('square')
  })
})
