// Worked examples of the contract's calendar: dates, labels, and the names that count from them.
import { describe, expect, test } from 'vitest'
import {
  entryOf,
  evaluateText,
  formulaOf,
  lineOf,
  observations,
  percents,
} from '../support/agreements/evaluate-text.ts'

const nothing = observations({ 'CUSTOM/unused': { '2020-01': '1' } })

/** `2024-02-29 2024-02` for each adjustment of a contract that never moves. */
function datesOf(contract: string): string[] {
  const document = `
    slug: dates
    contract: ${contract}
    steps: [{ name: factor, expr: "1" }]
    result: { kind: FACTOR, step: factor }`
  return evaluateText(document, nothing).adjustments.map(({ adjustmentDate, period }) => `${adjustmentDate} ${period}`)
}

describe('adjustment dates', () => {
  test('keeps the day of the start and clips it to the month: 31 January, 29 February, 31 March', () => {
    expect(datesOf('{ start: 2023-12-31, end: 2024-05-31, frequency: MONTHLY }')).toEqual([
      '2024-01-31 2024-01',
      '2024-02-29 2024-02',
      '2024-03-31 2024-03',
      '2024-04-30 2024-04',
      '2024-05-31 2024-05',
    ])
  })

  test('keeps the day of the first adjustment where one is written', () => {
    expect(datesOf('{ start: 2024-01-31, end: 2024-05-01, frequency: MONTHLY, firstAdjustment: 2024-02-29 }')).toEqual([
      '2024-02-29 2024-02',
      '2024-03-29 2024-03',
      '2024-04-29 2024-04',
    ])
  })

  test('gives 29 February of an annual contract to 28 February between leap years', () => {
    expect(datesOf('{ start: 2024-02-29, end: 2028-12-31, frequency: ANNUAL }')).toEqual([
      '2025-02-28 2025',
      '2026-02-28 2026',
      '2027-02-28 2027',
      '2028-02-29 2028',
    ])
  })

  test('includes an adjustment on the last day of the contract and none after it', () => {
    expect(datesOf('{ start: 2024-01-15, end: 2024-07-15, frequency: QUARTERLY }')).toEqual([
      '2024-04-15 2024-Q2',
      '2024-07-15 2024-Q3',
    ])
    expect(datesOf('{ start: 2024-01-15, end: 2024-07-14, frequency: QUARTERLY }')).toEqual(['2024-04-15 2024-Q2'])
  })

  test('labels a period by the calendar period that contains its date', () => {
    expect(datesOf('{ start: 2023-11-20, end: 2024-12-31, frequency: SEMIANNUAL }')).toEqual([
      '2024-05-20 2024-H1',
      '2024-11-20 2024-H2',
    ])
    expect(datesOf('{ start: 2023-09-01, end: 2024-12-31, frequency: ANNUAL }')).toEqual(['2024-09-01 2024'])
  })

  test('labels every fourth month by its month', () => {
    expect(datesOf('{ start: 2023-10-31, end: 2024-12-31, frequency: 4 months }')).toEqual([
      '2024-02-29 2024-02',
      '2024-06-30 2024-06',
      '2024-10-31 2024-10',
    ])
  })

  test.each([
    ['MONTHLY', 'MONTHLY'],
    ['4 months', 'EVERY_4_MONTHS'],
    ['1 month', 'EVERY_1_MONTHS'],
    ['ONCE', 'ONCE'],
  ])('calls %s on the wire %s', (frequency, wire) => {
    const { contract } = formulaOf(`
      slug: wire
      contract: { start: 2023-01-01, frequency: ${frequency}, firstAdjustment: 2024-01-01 }
      steps: [{ name: factor, expr: "1" }]
      result: { kind: FACTOR, step: factor }`)
    expect(contract.frequency.wire).toBe(wire)
  })

  test('adjusts once, on the date that is written, under its month', () => {
    expect(datesOf('{ start: 2023-01-01, end: 2025-12-31, frequency: ONCE, firstAdjustment: 2024-03-10 }')).toEqual([
      '2024-03-10 2024-03',
    ])
  })

  test('may adjust on the very first day', () => {
    expect(
      datesOf('{ start: 2024-01-01, end: 2024-12-31, frequency: SEMIANNUAL, firstAdjustment: 2024-01-01 }'),
    ).toEqual(['2024-01-01 2024-H1', '2024-07-01 2024-H2'])
  })

  test('runs an open contract to the last date for which its inputs have data', () => {
    const document = `
      slug: open-ended
      contract: { start: 2023-11-01, frequency: MONTHLY }
      inputs:
        long: { series: CUSTOM/long, weight: 0.5, base: { value: 100 }, lag: 2 months }
        short: { series: CUSTOM/short, weight: 0.5, base: { value: 100 }, lag: 1 month }
      clause: {}`
    const table = observations({
      'CUSTOM/long': { '2023-10': '100', '2023-11': '101', '2023-12': '102', '2024-01': '103', '2024-02': '104' },
      'CUSTOM/short': { '2023-11': '100', '2023-12': '100', '2024-01': '100' },
    })
    const calculation = evaluateText(document, table)
    // short ends in January, so 1 February is the last date; long would reach 1 April
    expect(percents(calculation)).toEqual(['2023-12 0 0', '2024-01 0.5 0.5', '2024-02 0.4975 1'])
    expect(calculation.blocked).toEqual([])
  })

  test('computes every date to the end of a contract that has one, blocked where data is lacking', () => {
    const document = `
      slug: closed
      contract: { start: 2023-12-01, end: 2024-03-31, frequency: MONTHLY }
      inputs:
        index: { series: CUSTOM/index, weight: 1, base: { value: 100 } }
      clause: {}`
    const calculation = evaluateText(document, observations({ 'CUSTOM/index': { '2024-01': '101', '2024-03': '102' } }))
    expect(calculation.adjustments.map(({ period }) => period)).toEqual(['2024-01', '2024-03'])
    expect(calculation.blocked.map(({ period }) => period)).toEqual(['2024-02'])
  })

  test('computes no date after the requested day', () => {
    const document = `
      slug: as-of
      contract: { start: 2023-12-01, end: 2024-12-31, frequency: MONTHLY }
      steps: [{ name: factor, expr: "1" }]
      result: { kind: FACTOR, step: factor }`
    const { adjustments, blocked } = evaluateText(document, nothing, { asOf: '2024-02-01' })
    expect(adjustments.map(({ period }) => period)).toEqual(['2024-01', '2024-02'])
    expect(blocked).toEqual([])
  })
})

describe('lags', () => {
  function readings(lag: string, first: string): string {
    const document = `
      slug: lag
      contract: { start: 2023-01-01, end: 2024-12-31, frequency: ONCE, firstAdjustment: ${first} }
      inputs:
        index: { series: CUSTOM/index, lag: ${lag} }
      steps: [{ name: factor, expr: "index" }]
      result: { kind: FACTOR, step: factor }`
    const months = Array.from({ length: 24 }, (_, i): [string, string] => {
      const month = `${(i % 12) + 1}`.padStart(2, '0')
      return [`${2023 + Math.floor(i / 12)}-${month}`, `${2023 + Math.floor(i / 12)}${month}`]
    })
    const calculation = evaluateText(document, observations({ 'CUSTOM/index': Object.fromEntries(months) }))
    return calculation.adjustments[0]!.steps[0]!.value
  }

  test.each([
    ['0', '2024-03-31', '202403'],
    ['1 month', '2024-03-31', '202402'],
    ['13 months', '2024-03-31', '202302'],
    ['2 quarters', '2024-08-31', '202402'],
    ['1 year', '2024-02-29', '202302'],
    ['30 days', '2024-03-31', '202403'],
    ['31 days', '2024-03-31', '202402'],
    ['5 weeks', '2024-03-31', '202402'],
  ])('goes back %s from %s to %s', (lag, date, period) => {
    expect(readings(lag, date)).toBe(period)
  })
})

describe('names that are known everywhere', () => {
  const document = `
    slug: names
    contract: { start: 2023-05-31, end: 2024-11-30, frequency: QUARTERLY, price: { amount: 12.5, currency: EUR } }
    inputs:
      index: { series: CUSTOM/index, base: { value: 100 } }
    steps:
      - { name: y, expr: "year" }
      - { name: m, expr: "month" }
      - { name: q, expr: "quarter" }
      - { name: periods, expr: "periodsSinceStart" }
      - { name: years, expr: "yearsSinceStart" }
      - { name: days, expr: "daysSinceLast" }
      - { name: money, expr: "price" }
      - { name: factor, expr: "index / index.base" }
    result: { kind: FACTOR, step: factor }`
  const table = observations({
    'CUSTOM/index': {
      '2023-08': '100',
      '2023-11': '101',
      '2024-02': '101',
      '2024-05': '102',
      '2024-08': '103',
      '2024-11': '103',
    },
  })
  const calculation = evaluateText(document, table)
  const line = (name: string) =>
    calculation.adjustments.map(({ period }) => lineOf(calculation, period, name)).join(' ')

  test('gives the calendar of the adjustment date', () => {
    expect(calculation.adjustments.map(({ adjustmentDate }) => adjustmentDate)).toEqual([
      '2023-08-31',
      '2023-11-30',
      '2024-02-29',
      '2024-05-31',
      '2024-08-31',
      '2024-11-30',
    ])
    expect(line('y')).toBe('2023 2023 2024 2024 2024 2024')
    expect(line('m')).toBe('8 11 2 5 8 11')
    expect(line('q')).toBe('3 4 1 2 3 4')
  })

  test('counts whole periods and years since the start: 1 at the default first adjustment', () => {
    expect(line('periods')).toBe('1 2 3 4 5 6')
    expect(line('years')).toBe('0 0 0 1 1 1')
  })

  test('counts days since the last applied adjustment, at first since the start', () => {
    // 2023-05-31 to 08-31 is 92, to 11-30 is 183 (nothing was applied in August); 11-30 to 02-29 is 91, to 05-31 183
    expect(line('days')).toBe('92 183 91 183 92 91')
  })

  test('knows the price of the contract, not the one in force', () => {
    expect(line('money')).toBe('12.5 12.5 12.5 12.5 12.5 12.5')
    expect(entryOf(calculation, '2024-Q2').price).toBe('12.75')
  })

  test('counts from the start even where the first adjustment is late', () => {
    const late = `
      slug: late
      contract: { start: 2020-03-15, end: 2024-12-31, frequency: ANNUAL, firstAdjustment: 2023-03-14 }
      steps:
        - { name: periods, expr: "periodsSinceStart" }
        - { name: factor, expr: "1 + yearsSinceStart / 100" }
      result: { kind: FACTOR, step: factor }`
    const { adjustments } = evaluateText(late, nothing)
    expect(adjustments.map(({ period, cumulativePct }) => `${period} ${cumulativePct}`)).toEqual(['2023 2', '2024 3'])
    expect(adjustments.map(({ steps }) => steps[0]!.value)).toEqual(['2', '3'])
  })
})
