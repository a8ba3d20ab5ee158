// Worked examples with a fixed share and several indices, in the forms construction and service contracts use.
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

const labourSeries = 'EUROSTAT/lc_lci_r2_q/Q.SCA.I20.B-S.D1_D4_MD5.DE'

/** The first document of the specification, word for word. */
const steelBrackets = `
slug: steel-brackets
name: Steel brackets, supplier A
description: Quarterly adjustment of the bracket price
status: ACTIVE                    # DRAFT ACTIVE SUSPENDED EXPIRED ARCHIVED
contract:
  start: 2024-01-01
  end: 2026-12-31                 # optional
  frequency: QUARTERLY            # MONTHLY QUARTERLY SEMIANNUAL ANNUAL ONCE, or \`4 months\`
  firstAdjustment: 2024-04-01     # optional; default: start + one period; required with ONCE
  price: { amount: 12.40, currency: EUR, unit: piece, round: { dp: 2 } }   # optional
effectiveFrom: 2024-01-01         # optional; from which adjustment date this version governs; default contract.start
parties: { buyer: [ann@buyer.test], supplier: [sam@supplier.test] }   # optional; left out: every buyer, and no supplier

inputs:
  steel:
    series: BLS/WPU101            # PROVIDER/code, or a series id
    weight: 0.35                  # fraction of 1
    base: 2023-12
    lag: 1 month
  labour:
    series: EUROSTAT/lc_lci_r2_q/Q.SCA.I20.B-S.D1_D4_MD5.DE
    weight: 0.25
    base: 2023-Q3
    lag: 2 quarters

clause:
  fixed: 0.40
  threshold: { pct: 3, test: EXCEEDS, pays: ALL }
  cap:   { periodPct: 5, cumulativePct: 15 }
  floor: { periodPct: -5 }
  rounding: { percent: { dp: 2 } }
`

const steelBracketReadings = observations({
  'BLS/WPU101': {
    '2023-12': '240',
    '2024-03': '264',
    '2024-06': '300',
    '2024-09': '300',
    '2024-12': '360',
    '2025-03': '360',
  },
  [labourSeries]: {
    '2023-Q3': '110',
    '2023-Q4': '112.2',
    '2024-Q1': '115.5',
    '2024-Q2': '115.5',
    '2024-Q3': '121',
    '2024-Q4': '121',
  },
})

describe('fixed share and several indices', () => {
  test('computes the first document of the specification through threshold, period cap and cumulative cap', () => {
    const calculation = evaluateText(steelBrackets, steelBracketReadings)
    // Q2: 0.4 + 0.35 x 1.1 + 0.25 x 1.02 = 1.04. Q3: 1.10 / 1.04 is over the cap. Q4: 1.10 / 1.092 is below the
    // threshold. 2025-Q1: 1.20, held at 1.15; 1.15 / 1.092 is over the cap. 2025-Q2: 1.15 / 1.1466 is below it again.
    expect(percents(calculation)).toEqual([
      '2024-Q2 4 4',
      '2024-Q3 5 9.2',
      '2024-Q4 0 9.2',
      '2025-Q1 5 14.66',
      '2025-Q2 0 14.66',
    ])
    expect(calculation.adjustments.map(({ period }) => priceOf(calculation, period))).toEqual([
      '12.9',
      '13.54',
      '13.54',
      '14.22',
      '14.22',
    ])
    expect(calculation.pam).toBe('steel-brackets')
  })

  test('names the input and the period it lacks for every date the data does not reach', () => {
    const { blocked } = evaluateText(steelBrackets, steelBracketReadings)
    expect(blocked.map(({ period }) => period)).toEqual([
      '2025-Q3',
      '2025-Q4',
      '2026-Q1',
      '2026-Q2',
      '2026-Q3',
      '2026-Q4',
    ])
    expect(blocked[0]!.reason).toContain('steel')
    expect(blocked[0]!.reason).toContain('2025-06')
    expect(blocked[5]!.reason).toContain('2026-09')
  })

  test('shows the lines of a clause in their order and under their names', () => {
    const { steps } = entryOf(evaluateText(steelBrackets, steelBracketReadings), '2024-Q2')
    const documented = ['factor', 'movement', 'payable', 'shared', 'target', 'step', 'pct', 'applied']
    const names = steps.map(({ name }) => name)
    expect(names.slice(0, 2)).toEqual(['ratio_steel', 'ratio_labour'])
    expect(names.filter(name => documented.includes(name))).toEqual(documented)
    const values = new Map(steps.map(({ name, value }) => [name, value]))
    expect(documented.map(name => values.get(name))).toEqual([
      '1.04',
      '0.04',
      '0.04',
      '0.04',
      '1.04',
      '0.04',
      '4',
      '1.04',
    ])
  })

  test('moves a FIDIC-like certificate by its labour, material and plant shares', () => {
    const document = `
      slug: fidic-like
      contract: { start: 2023-06-28, end: 2024-03-31, frequency: ONCE, firstAdjustment: 2024-03-28, price: { amount: 250000, currency: EUR } }
      inputs:
        labour: { series: CUSTOM/labour, weight: 0.25, base: 2023-05, lag: 49 days }
        material: { series: CUSTOM/material, weight: 0.45, base: 2023-05, lag: 49 days }
        plant: { series: CUSTOM/plant, weight: 0.15, base: 2023-05, lag: 49 days }
      clause: { fixed: 0.15, rounding: { percent: { dp: 6 } } }`
    const table = observations({
      'CUSTOM/labour': { '2023-05': '120', '2024-02': '132' },
      'CUSTOM/material': { '2023-05': '200', '2024-02': '214' },
      'CUSTOM/plant': { '2023-05': '80', '2024-02': '78' },
    })
    const calculation = evaluateText(document, table)
    // 0.15 + 0.25 x 1.1 + 0.45 x 1.07 + 0.15 x 0.975; 49 days before 28 March 2024 is 8 February
    expect(lineOf(calculation, '2024-03', 'factor')).toBe('1.05275')
    expect(percents(calculation)).toEqual(['2024-03 5.275 5.275'])
    expect(priceOf(calculation, '2024-03')).toBe('263187.5')
    expect(entryOf(calculation, '2024-03').components).toEqual([
      { input: 'labour', series: 'CUSTOM/labour', weight: '0.25', change: '10', contribution: '2.5' },
      { input: 'material', series: 'CUSTOM/material', weight: '0.45', change: '7', contribution: '3.15' },
      { input: 'plant', series: 'CUSTOM/plant', weight: '0.15', change: '-2.5', contribution: '-0.375' },
    ])
  })

  test('sums an NEC-like price adjustment factor from its components, each rounded to four decimals', () => {
    const document = `
      slug: nec-like
      contract: { start: 2023-04-01, end: 2023-07-31, frequency: QUARTERLY }
      inputs:
        labour: { series: CUSTOM/labour, weight: 0.4, base: 2023-03, lag: 1 month }
        steel: { series: CUSTOM/steel, weight: 0.35, base: 2023-03, lag: 1 month }
      steps:
        - { name: labour_part, expr: "0.4 * (labour - labour.base) / labour.base", round: { dp: 4 } }
        - { name: steel_part, expr: "0.35 * (steel - steel.base) / steel.base", round: { dp: 4 } }
        - { name: paf, expr: "sum(labour_part, steel_part)", show: { dp: 3 } }
        - { name: factor, expr: "1 + paf" }
      result: { kind: FACTOR, step: factor }`
    const table = observations({
      'CUSTOM/labour': { '2023-03': '137.2', '2023-06': '139.9' },
      'CUSTOM/steel': { '2023-03': '161.5', '2023-06': '152.3' },
    })
    const calculation = evaluateText(document, table)
    // 0.4 x 2.7 / 137.2 = 0.00787…; 0.35 x -9.2 / 161.5 = -0.01993…
    expect(lineOf(calculation, '2023-Q3', 'labour_part')).toBe('0.0079')
    expect(lineOf(calculation, '2023-Q3', 'steel_part')).toBe('-0.0199')
    expect(lineOf(calculation, '2023-Q3', 'paf')).toBe('-0.012')
    expect(shownOf(calculation, '2023-Q3', 'paf')).toBe('-0.012')
    expect(percents(calculation)).toEqual(['2023-Q3 -1.2 -1.2'])
  })

  test('rounds a French factor of 0.15 + 0.85 up to the next thousandth', () => {
    const document = `
      slug: french-services
      contract: { start: 2023-01-01, end: 2024-01-31, frequency: ANNUAL }
      inputs:
        index: { series: CUSTOM/index, weight: 0.85, base: 2022-09, lag: 4 months }
      clause: { fixed: 0.15, rounding: { factor: { dp: 3, mode: CEILING } } }`
    const table = observations({ 'CUSTOM/index': { '2022-09': '131.2', '2023-09': '133.9' } })
    const calculation = evaluateText(document, table)
    // 0.15 + 0.85 x 1.0205… = 1.01749…
    expect(lineOf(calculation, '2024', 'factor')).toBe('1.018')
    expect(percents(calculation)).toEqual(['2024 1.8 1.8'])
    expect(entryOf(calculation, '2024').components[0]!.contribution).toBe('1.7492')
    expect(entryOf(calculation, '2024').controls).toEqual([{ control: 'rounding', points: '0.0508' }])
  })

  test('computes the steps example of the specification: a ratio cut at six, a factor up to the thousandth', () => {
    const document = `
      slug: syntec
      contract: { start: 2023-06-01, end: 2024-06-01, frequency: ANNUAL }
      inputs:
        syntec: { series: CUSTOM/syntec, base: 2023-04, lag: 2 months }
      steps:
        - { name: ratio,  expr: "syntec / syntec.base", round: { dp: 6, mode: DOWN } }
        - { name: factor, expr: "0.15 + 0.85 * ratio",  round: { dp: 3, mode: CEILING }, note: "rounded up to the thousandth" }
      result: { kind: FACTOR, step: factor }`
    const table = observations({ 'CUSTOM/syntec': { '2023-04': '298.7', '2024-04': '305.2' } })
    const calculation = evaluateText(document, table)
    // 305.2 / 298.7 = 1.0217609…, cut 1.021760; 0.15 + 0.868496 = 1.018496
    expect(lineOf(calculation, '2024', 'ratio')).toBe('1.02176')
    expect(lineOf(calculation, '2024', 'factor')).toBe('1.019')
    expect(percents(calculation)).toEqual(['2024 1.9 1.9'])
  })

  test('uses one ratio of weighted levels with the fixed share, which is not the sum of ratios', () => {
    const document = (clause: string) => `
      slug: ratio-of-sums
      contract: { start: 2023-01-01, end: 2024-01-31, frequency: ANNUAL }
      inputs:
        a: { series: CUSTOM/a, weight: 0.5, base: 2023-01 }
        b: { series: CUSTOM/b, weight: 0.3, base: 2023-01 }
      clause: { fixed: 0.2, ${clause} }`
    const table = observations({
      'CUSTOM/a': { '2023-01': '100', '2024-01': '110' },
      'CUSTOM/b': { '2023-01': '50', '2024-01': '60' },
    })
    // 0.2 + 0.8 x (0.5 x 110 + 0.3 x 60) / (0.5 x 100 + 0.3 x 50) = 0.2 + 0.8 x 73 / 65
    const exact = evaluateText(document('combine: RATIO_OF_SUMS'), table)
    expect(percents(exact)).toEqual(['2024 9.8462 9.8462'])
    // the one ratio rounded: 1.123
    const rounded = evaluateText(document('combine: RATIO_OF_SUMS, rounding: { ratio: { dp: 3 } }'), table)
    expect(percents(rounded)).toEqual(['2024 9.84 9.84'])
    // 0.2 + 0.5 x 1.1 + 0.3 x 1.2
    expect(percents(evaluateText(document('combine: SUM_OF_RATIOS'), table))).toEqual(['2024 11 11'])
  })

  test('takes the ratio of weighted levels against the last applied readings in a chain', () => {
    const document = `
      slug: chained-sums
      contract: { start: 2022-01-01, end: 2024-01-31, frequency: ANNUAL }
      inputs:
        a: { series: CUSTOM/a, weight: 0.5, base: 2022 }
        b: { series: CUSTOM/b, weight: 0.5, base: 2022 }
      clause: { basis: CHAINED, combine: RATIO_OF_SUMS }`
    const table = observations({
      'CUSTOM/a': { '2022': '100', '2023': '120', '2024': '130' },
      'CUSTOM/b': { '2022': '300', '2023': '320', '2024': '310' },
    })
    // 440 / 400, then 440 / 440
    expect(percents(evaluateText(document, table))).toEqual(['2023 10 10', '2024 0 10'])
  })

  test('cuts every ratio on its own with SUM_OF_RATIOS', () => {
    const document = `
      slug: cut-ratios
      contract: { start: 2023-01-01, end: 2024-01-31, frequency: ANNUAL }
      inputs:
        a: { series: CUSTOM/a, weight: 0.5, base: 2023-01 }
        b: { series: CUSTOM/b, weight: 0.5, base: 2023-01 }
      clause: { rounding: { ratio: { dp: 2, mode: DOWN } } }`
    const table = observations({
      'CUSTOM/a': { '2023-01': '300', '2024-01': '310' },
      'CUSTOM/b': { '2023-01': '700', '2024-01': '710' },
    })
    // 1.0333 is cut to 1.03 and 1.0142 to 1.01
    expect(percents(evaluateText(document, table))).toEqual(['2024 2 2'])
  })

  test('uses weights within a written tolerance as they are, not scaled to 1', () => {
    const document = `
      slug: three-thirds
      contract: { start: 2023-01-01, end: 2024-01-31, frequency: ANNUAL }
      inputs:
        a: { series: CUSTOM/flat, weight: 0.333, base: 2023-01 }
        b: { series: CUSTOM/flat, weight: 0.333, base: 2023-01 }
        c: { series: CUSTOM/flat, weight: 0.333, base: 2023-01 }
      clause: { tolerance: 0.001 }`
    const table = observations({ 'CUSTOM/flat': { '2023-01': '100', '2024-01': '100' } })
    expect(percents(evaluateText(document, table))).toEqual(['2024 -0.1 -0.1'])
  })

  test('lets steps carry weights that make anything', () => {
    const document = `
      slug: any-weights
      contract: { start: 2023-01-01, end: 2024-01-31, frequency: ANNUAL }
      inputs:
        a: { series: CUSTOM/a, weight: 0.5, base: 2023-01 }
        b: { series: CUSTOM/b, weight: 0.9, base: 2023-01 }
        c: { series: CUSTOM/b, base: 2023-01 }
        d: { series: CUSTOM/b, weight: 0.1 }
      steps:
        - { name: factor, expr: "a / a.base + (b - c + d - d) / c.base" }
      result: { kind: FACTOR, step: factor }`
    const table = observations({
      'CUSTOM/a': { '2023-01': '100', '2024-01': '104' },
      'CUSTOM/b': { '2023-01': '50', '2024-01': '51' },
    })
    const calculation = evaluateText(document, table)
    expect(percents(calculation)).toEqual(['2024 4 4'])
    // an input without a weight or without a base is no component, and one whose base nothing asks for has no change
    const components = entryOf(calculation, '2024').components.map(({ input, contribution }) => [input, contribution])
    expect(components).toContainEqual(['a', '2'])
    expect(components.map(([input]) => input)).not.toContain('c')
    expect(components.map(([input]) => input)).not.toContain('d')
  })

  test('may use the lines of a clause by name in further steps', () => {
    const document = `
      slug: clause-and-steps
      contract: { start: 2023-01-01, end: 2024-01-31, frequency: ANNUAL, price: { amount: 80, currency: EUR } }
      inputs:
        index: { series: CUSTOM/index, weight: 1, base: 2023-01 }
      clause: { cap: { periodPct: 5 } }
      steps:
        - { name: with_fee, expr: "price * applied + 1.5", round: { dp: 1 } }
      result: { kind: PRICE, step: with_fee }`
    const table = observations({ 'CUSTOM/index': { '2023-01': '100', '2024-01': '107' } })
    const calculation = evaluateText(document, table)
    // 80 x 1.05 + 1.5 = 85.5; 85.5 / 80 = 1.06875
    expect(priceOf(calculation, '2024')).toBe('85.5')
    expect(percents(calculation)).toEqual(['2024 6.875 6.875'])
  })
})
