// Worked examples of values that are not there, or that were published more than once.
import { describe, expect, test } from 'vitest'
import { entryOf, evaluateText, lineOf, observations, percents } from '../support/agreements/evaluate-text.ts'

/** CPI-U around the month that was never collected: there is no value for October 2025. */
const consumerPrices = {
  '2024-08': '314.796',
  '2024-09': '315.301',
  '2024-10': '315.664',
  '2025-08': '323.976',
  '2025-09': '324.800',
}

function octoberReading(missing: string, table: string): ReturnType<typeof evaluateText> {
  const document = `
    slug: october
    contract: { start: 2024-11-01, end: 2025-11-30, frequency: ANNUAL }
    inputs:
      cpi: { series: BLS/CUUR0000SA0, base: 2024-10, lag: 1 month, missing: ${missing} }
    steps:
      - { name: reading, expr: "cpi" }
      - { name: factor, expr: "cpi / cpi.base" }
    result: { kind: FACTOR, step: factor }`
  return evaluateText(document, table)
}

describe('missing values', () => {
  const table = observations({ 'BLS/CUUR0000SA0': consumerPrices })

  test('blocks and names the input, its series and the period it lacks', () => {
    const calculation = octoberReading('BLOCK', table)
    expect(calculation.adjustments).toEqual([])
    expect(calculation.blocked).toHaveLength(1)
    expect(calculation.blocked[0]!.period).toBe('2025')
    for (const named of ['cpi', 'BLS/CUUR0000SA0', '2025-10']) expect(calculation.blocked[0]!.reason).toContain(named)
  })

  test('takes the newest earlier period that has a value with LAST_KNOWN, as PRELIMINARY', () => {
    const calculation = octoberReading('LAST_KNOWN', table)
    expect(lineOf(calculation, '2025', 'reading')).toBe('324.8')
    expect(entryOf(calculation, '2025').dataVersion).toBe('PRELIMINARY')
    expect(entryOf(calculation, '2025').observations.map(({ period }) => period)).toEqual(['2024-10', '2025-09'])
  })

  test('estimates October 2025 as the value a year before times the last known year-on-year ratio', () => {
    const calculation = octoberReading('{ yoyEstimate: { capPct: 2 } }', table)
    // 315.664 x 324.800 / 315.301
    expect(lineOf(calculation, '2025', 'reading')).toBe('325.173936016695157960171391781…')
    expect(entryOf(calculation, '2025').dataVersion).toBe('PRELIMINARY')
  })

  test('keeps the step of an estimate from the month before within the cap, up and down', () => {
    const capped = octoberReading('{ yoyEstimate: { capPct: 0.1 } }', table)
    // 324.8 x 1.001
    expect(lineOf(capped, '2025', 'reading')).toBe('325.1248')
    const falling = observations({ 'BLS/CUUR0000SA0': { ...consumerPrices, '2024-10': '300' } })
    const held = octoberReading('{ yoyEstimate: { capPct: 2 } }', falling)
    // 300 x 324.8 / 315.301 is far below 324.8 x 0.98
    expect(lineOf(held, '2025', 'reading')).toBe('318.304')
  })

  test('estimates a gap of two months one after the other', () => {
    const { '2025-09': _unpublished, ...known } = consumerPrices
    const gap = observations({ 'BLS/CUUR0000SA0': known })
    const calculation = octoberReading('{ yoyEstimate: { capPct: 2 } }', gap)
    // the last known ratio is that of August: 315.664 x 323.976 / 314.796
    expect(lineOf(calculation, '2025', 'reading')).toBe('324.869312392787710136088133267…')
  })

  test('goes on with the trend of twelve months, as the U.S. Treasury did for October 2025', () => {
    const calculation = octoberReading('{ trend: { over: 12 months, dp: 3 } }', table)
    // 324.800 x (324.800 / 315.301)^(1/12), published as 325.604
    expect(lineOf(calculation, '2025', 'reading')).toBe('325.604')
    expect(entryOf(calculation, '2025').dataVersion).toBe('PRELIMINARY')
    const used = entryOf(calculation, '2025').observations.map(({ period }) => period)
    expect(used).toEqual(['2024-09', '2024-10', '2025-09'])
  })

  test('counts the periods since the last value along a trend, and rounds once', () => {
    const { '2025-09': _unpublished, ...known } = consumerPrices
    const gap = observations({ 'BLS/CUUR0000SA0': known })
    // 323.976 x (323.976 / 314.796)^(2/12) = 325.5318…
    expect(lineOf(octoberReading('{ trend: { over: 12 months, dp: 3 } }', gap), '2025', 'reading')).toBe('325.532')
    const doubled = observations({ 'BLS/CUUR0000SA0': { '2024-10': '1', '2025-07': '50', '2025-08': '100' } })
    // Two periods ahead at the pace of one: 100 x (100 / 50)^(2/1)
    expect(lineOf(octoberReading('{ trend: { over: 1 month, dp: 0 } }', doubled), '2025', 'reading')).toBe('400')
  })

  test('has no trend without the value before, or where one of the two is not above 0', () => {
    const trend = '{ trend: { over: 12 months, dp: 3 } }'
    const { '2024-09': _before, ...alone } = consumerPrices
    for (const values of [alone, { ...consumerPrices, '2024-09': '0' }, { ...consumerPrices, '2025-09': '-1' }])
      expect(octoberReading(trend, observations({ 'BLS/CUUR0000SA0': values })).blocked[0]!.reason).toContain('2025-10')
  })

  test('reads the fallback series where the first has no value, as PRELIMINARY', () => {
    const both = observations({
      'BLS/CUUR0000SA0': consumerPrices,
      'FRED/CPIAUCNS': { '2024-10': '1', '2025-10': '325.5' },
    })
    const calculation = octoberReading('{ fallback: FRED/CPIAUCNS }', both)
    expect(lineOf(calculation, '2025', 'reading')).toBe('325.5')
    expect(entryOf(calculation, '2025').dataVersion).toBe('PRELIMINARY')
    // the base has a value of its own and does not come from the fallback
    expect(entryOf(calculation, '2025').observations).toMatchObject([
      { series: 'BLS/CUUR0000SA0', period: '2024-10' },
      { series: 'FRED/CPIAUCNS', period: '2025-10' },
    ])
  })

  test('takes an agreed value as final, and blocks a period without one', () => {
    const agreed = octoberReading('{ agreed: { 2025-10: 325.1 } }', table)
    expect(lineOf(agreed, '2025', 'reading')).toBe('325.1')
    expect(entryOf(agreed, '2025').dataVersion).toBe('FINAL')
    expect(octoberReading('{ agreed: { 2025-11: 325.1 } }', table).blocked[0]!.reason).toContain('2025-10')
  })

  test('does not put an agreed value or a fallback in the place of a published one', () => {
    const published = observations({ 'BLS/CUUR0000SA0': { ...consumerPrices, '2025-10': '326' } })
    expect(lineOf(octoberReading('{ agreed: { 2025-10: 325.1 } }', published), '2025', 'reading')).toBe('326')
    expect(entryOf(octoberReading('LAST_KNOWN', published), '2025').dataVersion).toBe('FINAL')
  })

  test('fills single periods of a window', () => {
    const document = (missing: string) => `
      slug: window-gap
      contract: { start: 2025-01-01, end: 2025-12-31, frequency: ONCE, firstAdjustment: 2025-10-01 }
      inputs:
        cpi: { series: BLS/CUUR0000SA0, window: 3 months, missing: ${missing} }
      steps: [{ name: factor, expr: "cpi" }]
      result: { kind: FACTOR, step: factor }`
    // (323.976 + 324.8 + 324.8) / 3
    expect(lineOf(evaluateText(document('LAST_KNOWN'), table), '2025-10', 'factor')).toBe(
      '324.525333333333333333333333333…',
    )
    expect(evaluateText(document('BLOCK'), table).blocked[0]!.reason).toContain('2025-10')
  })

  test('names the base where that is what is missing', () => {
    const document = `
      slug: no-base
      contract: { start: 2024-01-01, end: 2025-09-30, frequency: ONCE, firstAdjustment: 2025-09-01 }
      inputs:
        cpi: { series: BLS/CUUR0000SA0, weight: 1, base: 2024-12 }
      clause: {}`
    expect(evaluateText(document, table).blocked[0]!.reason).toContain('2024-12')
  })

  test('does not ask for a reading that nothing uses', () => {
    const document = `
      slug: unused
      contract: { start: 2025-01-01, end: 2025-09-30, frequency: ONCE, firstAdjustment: 2025-09-01 }
      inputs:
        cpi: { series: BLS/CUUR0000SA0, base: 2024-12 }
      steps: [{ name: factor, expr: "cpi / 320" }]
      result: { kind: FACTOR, step: factor }`
    // 324.8 / 320
    expect(percents(evaluateText(document, table))).toEqual(['2025-09 1.5 1.5'])
  })
})

describe('vintages', () => {
  const table = `series,period,value,version,published
CUSTOM/ppi,2023-01,200,FINAL,2023-02-10
CUSTOM/ppi,2024-01,210,PRELIMINARY,2024-02-10
CUSTOM/ppi,2024-01,211,PRELIMINARY,2024-03-10
CUSTOM/ppi,2024-01,212,FINAL,2024-06-10
CUSTOM/ppi,2024-01,214,,2025-02-10
`

  function read(vintage: string, request: { asOf?: string } = {}): string {
    const document = `
      slug: vintages
      contract: { start: 2023-01-01, end: 2024-01-31, frequency: ANNUAL }
      inputs:
        ppi: { series: CUSTOM/ppi, weight: 1, base: 2023-01, vintage: ${vintage} }
      clause: {}`
    const calculation = evaluateText(document, table, request)
    const [entry] = calculation.adjustments
    return entry === undefined ? calculation.blocked[0]!.reason : `${entry.adjustmentPct} ${entry.dataVersion}`
  }

  test('reads the newest vintage, the first print forever, or the newest final one', () => {
    // 214, 210 and 212 against 200; a changed value after a FINAL one is REVISED
    expect(read('LATEST')).toBe('7 REVISED')
    expect(read('FIRST')).toBe('5 PRELIMINARY')
    expect(read('FINAL')).toBe('6 FINAL')
  })

  test('sees only what had been published by the requested day, to its end', () => {
    expect(read('LATEST', { asOf: '2024-02-10' })).toBe('5 PRELIMINARY')
    expect(read('LATEST', { asOf: '2024-03-09' })).toBe('5 PRELIMINARY')
    expect(read('LATEST', { asOf: '2024-03-10' })).toBe('5.5 PRELIMINARY')
    expect(read('LATEST', { asOf: '2024-12-31' })).toBe('6 FINAL')
    expect(read('FINAL', { asOf: '2024-03-10' })).toContain('2024-01')
    expect(read('LATEST', { asOf: '2024-02-09' })).toContain('2024-01')
  })

  test('names the data version by the weakest of all values used, the base included', () => {
    const document = `
      slug: weakest
      contract: { start: 2023-01-01, end: 2024-01-31, frequency: ANNUAL }
      inputs:
        a: { series: CUSTOM/a, weight: 0.5, base: 2023-01 }
        b: { series: CUSTOM/b, weight: 0.5, base: 2023-01 }
      clause: {}`
    const version = (base: string, current: string) => {
      const rows = `CUSTOM/a,2023-01,1,FINAL\nCUSTOM/a,2024-01,1,FINAL\nCUSTOM/b,2023-01,1,${base}\nCUSTOM/b,2024-01,1,${current}\n`
      return entryOf(evaluateText(document, `series,period,value,version\n${rows}`), '2024').dataVersion
    }
    expect(version('FINAL', 'FINAL')).toBe('FINAL')
    expect(version('FINAL', 'REVISED')).toBe('REVISED')
    expect(version('PRELIMINARY', 'REVISED')).toBe('PRELIMINARY')
    expect(version('REVISED', 'FINAL')).toBe('REVISED')
  })

  test('lists each observation with its vintage: value, tag and publication', () => {
    const document = `
      slug: listed
      contract: { start: 2023-01-01, end: 2024-01-31, frequency: ANNUAL }
      inputs:
        ppi: { series: CUSTOM/ppi, weight: 1, base: 2023-01 }
      clause: {}`
    expect(entryOf(evaluateText(document, table), '2024').observations).toEqual([
      {
        input: 'ppi',
        series: 'CUSTOM/ppi',
        period: '2023-01',
        value: '200',
        version: 'FINAL',
        published: '2023-02-10',
      },
      {
        input: 'ppi',
        series: 'CUSTOM/ppi',
        period: '2024-01',
        value: '214',
        version: 'REVISED',
        published: '2025-02-10',
      },
    ])
  })
})
