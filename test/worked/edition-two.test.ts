// What edition 2 of the rules computes differently, one contract each, with the figures by which it was found.
import { describe, expect, test } from 'vitest'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { checkSuccession } from '../../src/core/formula/succession.ts'
import {
  entryOf,
  evaluateText,
  evaluateVersions,
  formulaOf,
  lineOf,
  observations,
  percents,
  priceOf,
  readTable,
} from '../support/agreements/evaluate-text.ts'
import { runClause } from '../support/agreements/one-index-clause.ts'

const prices = (calculation: ReturnType<typeof runClause>) =>
  calculation.adjustments.map(({ period }) => priceOf(calculation, period))

const thousand = 'price: { amount: 1000, currency: EUR, round: { dp: 2 } }'

/** One index against the base of 115.6, from 2021 on. */
function drift(clause: string) {
  const document = `
slug: drift
contract: { start: 2020-01-01, end: 2024-12-31, frequency: ANNUAL, price: { amount: 1000000, currency: EUR, round: { dp: 2 } } }
inputs: { i: { series: CUSTOM/i, weight: 0.85, base: 2020 } }
clause: ${clause}`
  const values = { '2020': '115.6', '2021': '129.3', '2022': '131.7', '2023': '128.4', '2024': '129.3' }
  return evaluateText(document, observations({ 'CUSTOM/i': values }))
}

describe('a fixed base', () => {
  test('gives the same price for the same index: nothing is rounded that is not written', () => {
    const clause = '{ fixed: 0.15, rounding: { factor: { dp: 4 } } }'
    expect(prices(drift(clause))).toEqual(['1100700', '1118400', '1094100', '1100700'])
  })

  test('drifts where each step is rounded, which check warns of', () => {
    const clause = '{ fixed: 0.15, rounding: { factor: { dp: 4 }, percent: { dp: 4 } } }'
    expect(prices(drift(clause))).toEqual(['1100700', '1118400.36', '1094099.75', '1100700.46'])
  })

  test('rounds the percent since the base where the clause says total', () => {
    const calculation = drift('{ fixed: 0.15, rounding: { total: { dp: 1 } } }')
    expect(percents(calculation).map(line => line.split(' ')[2])).toEqual(['10.1', '11.8', '9.4', '10.1'])
    expect(prices(calculation)).toEqual(['1101000', '1118000', '1094000', '1101000'])
  })

  test('rounds the percent since the base to the inside of a cumulative cap', () => {
    const clause = '{ cap: { cumulativePct: 9.95 }, rounding: { total: { dp: 1 } } }'
    expect(percents(runClause({ clause, readings: ['112', '109.96', '104'] }))).toEqual([
      '2021 9.9 9.9',
      '2022 0 9.9',
      '2023 -5.3685 4',
    ])
  })

  test('rounds to whole tens, and not at all where NONE is written', () => {
    const price = 'price: { amount: 1234.5, currency: EUR, round: { dp: 2 } }'
    const tens = runClause({ clause: '{ rounding: { price: { dp: -1 } } }', readings: ['103.3'], price })
    expect(entryOf(tens, '2021').price).toBe('1280')
    const none = runClause({ clause: '{ rounding: { price: NONE } }', readings: ['103.3'], price })
    expect(entryOf(none, '2021').price).toBe('1275.2385')
  })
})

describe('a price that came to 0', () => {
  const surcharge = `
slug: after-zero
contract: { start: 2020-01-01, end: 2023-12-31, frequency: ANNUAL, price: { amount: 10, currency: EUR } }
inputs: { p: { series: CUSTOM/p } }
steps: [{ name: extra, expr: "max(p - 3, 0) * 0.1" }]
result: { kind: PRICE, step: extra }`

  test('continues, without a percent for the one period after it', () => {
    const table = observations({ 'CUSTOM/p': { '2021': '5', '2022': '2', '2023': '4' } })
    const calculation = evaluateText(surcharge, table)
    expect(calculation.blocked).toEqual([])
    expect(calculation.adjustments.map(({ adjustmentPct }) => adjustmentPct)).toEqual(['-98', '-100', null])
    expect(prices(calculation)).toEqual(['0.2', '0', '0.1'])
    expect(entryOf(calculation, '2023').cumulativePct).toBe('-99')
  })

  test('continues in a clause too, whatever its limits', () => {
    const clauses = ['{}', '{ cap: { periodPct: 5 } }', '{ threshold: { pct: 3, test: EXCEEDS, pays: ALL } }']
    for (const clause of [...clauses, '{ rounding: { percent: { dp: 2 } } }']) {
      const calculation = runClause({ clause, readings: ['0', '90', '90'], price: thousand })
      expect(prices(calculation)).toEqual(['0', '900', '900'])
      expect(calculation.adjustments.map(({ adjustmentPct }) => adjustmentPct)).toEqual(['-100', null, '0'])
      expect(entryOf(calculation, '2022').controls).toEqual([])
    }
  })
})

describe('thresholds', () => {
  test('let small moves add up in a chain until they leave the band: 1037.97 and not 1007.74', () => {
    const clause = '{ basis: CHAINED, threshold: { pct: 3, test: EXCEEDS, pays: EXCESS } }'
    const calculation = runClause({ clause, readings: ['102', '104', '106', '110'], price: thousand })
    expect(prices(calculation)).toEqual(['1000', '1010', '1010', '1037.97'])
  })

  test('are not tested again for what a cap held back, where it is carried forward', () => {
    const threshold = 'threshold: { pct: 3, test: EXCEEDS, pays: ALL }'
    const carried = runClause({
      clause: `{ ${threshold}, cap: { periodPct: 5, carryForward: true } }`,
      readings: ['107', '107', '107'],
      price: thousand,
    })
    expect(prices(carried)).toEqual(['1050', '1070', '1070'])
    expect(entryOf(carried, '2022').controls).toEqual([{ control: 'carryForward', points: '1.9048' }])
    const waits = runClause({
      clause: `{ ${threshold}, cap: { periodPct: 5 } }`,
      readings: ['107', '107', '109'],
      price: thousand,
    })
    expect(prices(waits)).toEqual(['1050', '1050', '1090'])
  })

  test('are tested again when the price has to go the other way', () => {
    const clause = '{ threshold: { pct: 3, test: EXCEEDS, pays: ALL }, cap: { periodPct: 5, carryForward: true } }'
    expect(prices(runClause({ clause, readings: ['107', '104', '101'], price: thousand }))).toEqual([
      '1050',
      '1050',
      '1010',
    ])
  })

  test('carry forward what a floor held back', () => {
    const clause = '{ threshold: { pct: 3, test: EXCEEDS, pays: ALL }, floor: { periodPct: -5, carryForward: true } }'
    expect(prices(runClause({ clause, readings: ['93', '93'], price: thousand }))).toEqual(['950', '930'])
    const chained = '{ basis: CHAINED, floor: { periodPct: -5, carryForward: true } }'
    expect(prices(runClause({ clause: chained, readings: ['93', '93'], price: thousand }))).toEqual(['950', '930'])
  })

  test('take the price back to the base price inside the band, where the clause says RETURN', () => {
    const band = (inside: string) =>
      `{ threshold: { pct: 5, test: EXCEEDS, pays: ALL, since: BASE${inside} }, passThrough: 0.5, cap: { cumulativePct: 10 } }`
    const readings = ['123', '104']
    expect(percents(runClause({ clause: band(''), readings }))).toEqual(['2021 10 10', '2022 0 10'])
    expect(percents(runClause({ clause: band(', inside: RETURN'), readings }))).toEqual([
      '2021 10 10',
      '2022 -9.0909 0',
    ])
  })
})

describe('limits of a year', () => {
  const quarters = (clause: string, start: string, values: readonly string[], first: string) => {
    const document = `
slug: years
contract: { start: ${start}, end: 2025-12-31, frequency: QUARTERLY, firstAdjustment: ${first}, price: { amount: 1000, currency: EUR, round: { dp: 2 } } }
inputs: { y: { series: CUSTOM/y, weight: 1, base: { value: 100 } } }
clause: ${clause}`
    const rows = values.map((value, i) => [`${2023 + Math.floor(i / 4)}-Q${(i % 4) + 1}`, value] as const)
    return evaluateText(document, observations({ 'CUSTOM/y': Object.fromEntries(rows) }))
  }
  const rising = ['102', '104', '106', '108', '110', '112', '114', '116', '118', '120', '122', '124']

  test('limit the price from the anniversary of the start', () => {
    const calculation = quarters('{ cap: { yearPct: 5, year: CONTRACT } }', '2023-02-15', rising, '2023-04-01')
    // 1.05 to the anniversary in February 2024, then 1.1025
    expect(prices(calculation).slice(0, 6)).toEqual(['1040', '1050', '1050', '1050', '1102.5', '1102.5'])
    expect(entryOf(calculation, '2023-Q3').controls[0]).toEqual({ control: 'yearCap', points: '-0.9615' })
  })

  test('limit it from 1 January, and from a year before each date', () => {
    const calendar = quarters('{ cap: { yearPct: 5, year: CALENDAR } }', '2023-02-15', rising, '2023-04-01')
    // 1 January 2024 is the first date of its year: what was in force before it counts
    expect(prices(calendar).slice(0, 5)).toEqual(['1040', '1050', '1050', '1100', '1120'])
    const rolling = quarters('{ cap: { yearPct: 5, year: ROLLING } }', '2023-02-15', rising, '2023-04-01')
    // a year before 2024-04-01 the factor of 2023-04-01 was in force: 1.04
    expect(prices(rolling).slice(0, 6)).toEqual(['1040', '1050', '1050', '1050', '1092', '1102.5'])
  })

  test('have a floor as well, and both combine with those of a period', () => {
    const falling = ['98', '96', '94', '92', '90']
    const clause = '{ floor: { yearPct: -5, year: CALENDAR, periodPct: -3 }, cap: { yearPct: 5, year: CALENDAR } }'
    const calculation = quarters(clause, '2023-01-01', falling, '2023-04-01')
    expect(prices(calculation).slice(0, 2)).toEqual(['970', '950'])
    expect(entryOf(calculation, '2023-Q3').controls.map(({ control }) => control)).toContain('yearFloor')
  })
})

describe('a version that states another price', () => {
  const version = (price: number, more = '', contract = '') => `
slug: renegotiated
contract: { start: 2020-01-01, end: 2024-12-31, frequency: ANNUAL, price: { amount: ${price}, currency: EUR, round: { dp: 2 } }${contract} }
${more}
inputs: { i: { series: CUSTOM/i, weight: 1, base: ${more === '' ? '2020' : '2022'} } }
clause: { threshold: { pct: 1, test: EXCEEDS, pays: ALL } }`
  const table = observations({
    'CUSTOM/i': { '2020': '100', '2021': '110', '2022': '121', '2023': '124.63', '2024': '133.1' },
  })

  test('is refused without restart', () => {
    const older = formulaOf(version(1000))
    const newer = formulaOf(version(1300, 'effectiveFrom: 2023-01-01'))
    expect(checkSuccession(older, newer).map(({ path }) => path)).toEqual(['contract.price.amount'])
    expect(checkSuccession(older, formulaOf(version(1300, 'effectiveFrom: 2023-01-01', ', restart: true')))).toEqual([])
    expect(checkSuccession(older, formulaOf(version(1000).replace('1000', '1000.00')))).toEqual([])
  })

  test('begins at 1 again with restart, from the new price', () => {
    const calculation = evaluateVersions(
      [version(1000), version(1300, 'effectiveFrom: 2023-01-01', ', restart: true')],
      table,
    )
    // 1.03 and 1.10 on 1300; the percent of 2023 is against 1300
    expect(prices(calculation)).toEqual(['1100', '1210', '1339', '1430'])
    expect(percents(calculation)).toEqual(['2021 10 10', '2022 10 21', '2023 3 3', '2024 6.7961 10'])
  })
})

describe('windows of days and weeks', () => {
  const reading = (window: string, table: string, asOf?: string, date = '2024-04-06', more = '') => {
    const document = `
slug: window
contract: { start: 2024-01-06, end: ${date}, frequency: ONCE, firstAdjustment: ${date} }
inputs: { d: { series: CUSTOM/d, window: ${window}${more} } }
steps: [{ name: mean, expr: d }]
result: { kind: FACTOR, step: mean }`
    return evaluateText(document, table, asOf === undefined ? {} : { asOf })
  }
  const april = observations({
    'CUSTOM/d': { '2024-03-28': '9', '2024-04-02': '10', '2024-04-03': '11', '2024-04-04': '12' },
  })

  test('are missing while the month is not over', () => {
    const { adjustments, blocked } = reading('1 month', april, '2024-04-06')
    expect(adjustments).toEqual([])
    expect(blocked[0]!.reason).toContain('2024-04')
    expect(blocked[0]!.reason).toContain('not over')
    expect(lineOf(reading('1 month', april, '2024-05-01'), '2024-04', 'mean')).toBe('11')
    const later = `${april}CUSTOM/d,2024-05-02,99\n`
    expect(lineOf(reading('1 month', later, '2024-05-02'), '2024-04', 'mean')).toBe('11')
  })

  test('are missing where one of their months is empty', () => {
    const { blocked } = reading('3 months', april)
    expect(blocked[0]!.reason).toContain('2024-02')
    expect(lineOf(reading('2 months', april), '2024-04', 'mean')).toBe('10.5')
  })

  test('count a week to the month of its day', () => {
    const weeks = observations({
      'CUSTOM/d': {
        '2020-W18': '10',
        '2020-W19': '20',
        '2020-W20': '20',
        '2020-W21': '20',
        '2020-W22': '20',
        '2020-W23': '99',
      },
    })
    const may = (more: string) => {
      const text = `
slug: may
contract: { start: 2020-04-01, end: 2020-06-01, frequency: ONCE, firstAdjustment: 2020-06-01 }
inputs: { d: { series: CUSTOM/d, lag: 1 month, window: 1 month${more} } }
steps: [{ name: mean, expr: d }]
result: { kind: FACTOR, step: mean }`
      return lineOf(evaluateText(text, weeks), '2020-06', 'mean')
    }
    expect(may('')).toBe('20')
    expect(may(', week: FRIDAY')).toBe('18')
  })

  test('take the newest few, and days from one month to the next', () => {
    expect(lineOf(reading('{ last: 2 }', april), '2024-04', 'mean')).toBe('11.5')
    expect(reading('{ last: 9, least: 5 }', april).blocked[0]!.reason).toContain('has 4 values')
    expect(lineOf(reading('{ from: 28, to: 3 }', april), '2024-04', 'mean')).toBe('10')
    expect(lineOf(reading('{ from: 3, to: 31 }', april), '2024-04', 'mean')).toBe('11.5')
  })

  test('are those of the exchange rate as well, unless it has its own', () => {
    const table = observations({
      'CUSTOM/d': { '2024-02': '100', '2024-03': '100' },
      'CUSTOM/fx': { '2024-02': '0.9', '2024-03': '1.5' },
    })
    const convert = (more: string) =>
      lineOf(
        reading('2 months', table, undefined, '2024-03-31', `, convert: { fx: CUSTOM/fx, operation: MULTIPLY${more} }`),
        '2024-03',
        'mean',
      )
    expect(convert('')).toBe('120')
    expect(convert(', window: 1 month')).toBe('150')
  })
})

describe('labels', () => {
  test('have a number where an earlier date of the agreement has the same', () => {
    const version = (frequency: string, first: string, more: string) => `
slug: labels
contract: { start: 2024-01-01, end: 2024-12-31, frequency: ${frequency}, firstAdjustment: ${first} }
${more}
inputs: { i: { series: CUSTOM/i, weight: 1, base: 2024-01 } }
clause: {}`
    const table = observations({
      'CUSTOM/i': { '2024-01': '100', '2024-04': '101', '2024-07': '102', '2024-09': '103', '2024-12': '104' },
    })
    const calculation = evaluateVersions(
      [version('QUARTERLY', '2024-04-01', ''), version('QUARTERLY', '2024-09-15', 'effectiveFrom: 2024-08-01')],
      table,
    )
    expect(percents(calculation).map(line => line.split(' ')[0])).toEqual([
      '2024-Q2',
      '2024-Q3',
      '2024-Q3.2',
      '2024-Q4',
    ])
  })

  test('are weeks, days or the dates themselves', () => {
    const labels = (contract: string) => {
      const text = `
slug: labels
contract: { start: 2024-01-01, ${contract} }
inputs: { i: { series: CUSTOM/i } }
steps: [{ name: f, expr: "1 + 0 * i" }]
result: { kind: FACTOR, step: f }`
      const table = observations({ 'CUSTOM/i': { '2024': '1' } })
      return evaluateText(text, table).adjustments.map(({ period }) => period)
    }
    expect(labels('end: 2024-01-22, frequency: WEEKLY')).toEqual(['2024-W02', '2024-W03', '2024-W04'])
    expect(labels('end: 2024-02-01, frequency: 2 weeks')).toEqual(['2024-W03', '2024-W05'])
    expect(labels('end: 2024-01-03, frequency: DAILY')).toEqual(['2024-01-02', '2024-01-03'])
    expect(labels('dates: [2024-03-15, 2024-09-01]')).toEqual(['2024-03-15', '2024-09-01'])
  })
})

describe('weights that name a param', () => {
  const document = (labour: string) => `
slug: dated-weights
contract: { start: 2020-01-01, end: 2022-12-31, frequency: ANNUAL }
params:
  steelShare: [{ from: 2020-01-01, value: 0.6 }, { from: 2022-01-01, value: 0.3 }]
  labourShare: ${labour}
inputs:
  steel: { series: CUSTOM/steel, weight: steelShare, base: 2020 }
  labour: { series: CUSTOM/labour, weight: labourShare, base: 2020 }
clause: {}`
  const labour = '[{ from: 2020-01-01, value: 0.4 }, { from: 2022-01-01, value: 0.7 }]'

  test('take the weights of the date, as do its components', () => {
    const table = observations({
      'CUSTOM/steel': { '2020': '100', '2021': '110', '2022': '110' },
      'CUSTOM/labour': { '2020': '100', '2021': '105', '2022': '105' },
    })
    const calculation = evaluateText(document(labour), table)
    expect(percents(calculation)).toEqual(['2021 8 8', '2022 -1.3889 6.5'])
    const { components } = entryOf(calculation, '2022')
    expect(components.map(({ weight }) => weight)).toEqual(['0.3', '0.7'])
    expect(components.map(({ contribution }) => contribution)).toEqual(['-2.7778', '1.3889'])
  })

  test('must make 1 on every day on which one of them changes', () => {
    const { problems } = checkDocument(document('[{ from: 2020-01-01, value: 0.4 }, { from: 2021-06-01, value: 0.7 }]'))
    expect(problems.map(({ path }) => path)).toEqual(['inputs'])
    expect(problems[0]!.message).toContain('from 2021-06-01 on: together 1.3')
  })
})

describe('readings as they stood', () => {
  test('are those of the end of the adjustment date, and of the start for the base', () => {
    const table = `series,period,value,version,published
CUSTOM/v,2023-12,100.0,FINAL,2024-01-10
CUSTOM/v,2023-12,101.0,REVISED,2024-03-01
CUSTOM/v,2024-05,109.8,PRELIMINARY,2024-06-12
CUSTOM/v,2024-05,110,PRELIMINARY,2024-07-01
CUSTOM/v,2024-05,110.3,FINAL,2024-10-11
`
    const document = `
slug: at-date
contract: { start: 2024-01-15, end: 2024-07-31, frequency: SEMIANNUAL, firstAdjustment: 2024-07-01, price: { amount: 1000, currency: USD, round: { dp: 2 } } }
inputs: { v: { series: CUSTOM/v, weight: 1, base: 2023-12, lag: 2 months, vintage: AT_DATE } }
clause: {}`
    expect(readTable(table).size).toBe(1)
    expect(priceOf(evaluateText(document, table), '2024-H2')).toBe('1100')
    expect(priceOf(evaluateText(document.replace('AT_DATE', 'LATEST'), table), '2024-H2')).toBe('1092.08')
  })
})
