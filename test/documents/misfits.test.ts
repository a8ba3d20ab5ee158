// Good documents whose series do not fit them: every misfit is named at once with its path when formula and series meet.
import { describe, expect, test } from 'vitest'
import { findMisfits } from '../../src/core/formula/bind.ts'
import { inputText, stepsText } from '../support/agreements/document-text.ts'
import { formulaOf, observations, readTable } from '../support/agreements/evaluate-text.ts'

const series = readTable(
  observations({
    'CUSTOM/steel': { '2023-12': '100', '2024-01': '101' },
    'CUSTOM/day': { '2024-01-02': '1' },
    'CUSTOM/week': { '2024-W02': '1' },
    'CUSTOM/quarter': { '2023-Q4': '1' },
    'CUSTOM/half': { '2023-H2': '1' },
    'CUSTOM/year': { '2023': '1' },
  }),
)

/** As `evaluate` and `pam check` ask. */
function misfitsOf(text: string, data = series): string[][] {
  return findMisfits(formulaOf(text), data).map(({ path, message }) => [path, message])
}

const noProblem: string[][] = []

describe('series that do not fit', () => {
  test('names every unknown series of an input at once', () => {
    const misfits = misfitsOf(
      inputText({
        series: 'BLS/none',
        links: '[{ series: BLS/older, until: 2010, coefficient: 1 }]',
        convert: '{ fx: ECB/none, operation: DIVIDE }',
        missing: '{ fallback: FRED/none }',
      }),
    )
    expect(misfits).toEqual([
      ['inputs.steel.series', expect.stringContaining('unknown series BLS/none')],
      ['inputs.steel.links[0].series', expect.stringContaining('unknown series BLS/older')],
      ['inputs.steel.convert.fx', expect.stringContaining('unknown series ECB/none')],
      ['inputs.steel.missing.fallback', expect.stringContaining('unknown series FRED/none')],
    ])
  })

  test.each([
    ['CUSTOM/quarter', '2023-Q4', '4 months', 'quarters'],
    ['CUSTOM/week', '2024-W02', '10 days', 'weeks'],
    ['CUSTOM/half', '2023-H2', '1 quarter', 'half-years'],
    ['CUSTOM/year', '2023', '18 months', 'years'],
    ['CUSTOM/steel', '2023-12', '30 days', 'months'],
    ['CUSTOM/steel', '2023-12', '4 weeks', 'months'],
  ])('refuses on %s (base %s) a window of %s: no whole number of %s', (name, base, window, periods) => {
    expect(misfitsOf(inputText({ series: name, base, window }))).toEqual([
      ['inputs.steel.window', expect.stringContaining(periods)],
    ])
  })

  test.each([
    ['CUSTOM/quarter', '2023-Q4', '6 months'],
    ['CUSTOM/quarter', '2023-Q4', '1 year'],
    ['CUSTOM/week', '2024-W02', '14 days'],
    ['CUSTOM/week', '2024-W02', '1 month'],
    ['CUSTOM/day', '2024-01-02', '2 weeks'],
    ['CUSTOM/half', '2023-H2', '4 quarters'],
    ['CUSTOM/steel', '2023-12', '1 quarter'],
  ])('takes on %s (base %s) a window of %s', (name, base, window) => {
    expect(misfitsOf(inputText({ series: name, base, window }))).toEqual(noProblem)
  })

  test.each([
    ['CUSTOM/quarter', '2023-12', 'month'],
    ['CUSTOM/year', '2023-Q4', 'quarter'],
    ['CUSTOM/steel', '2023-12-15', 'day'],
    ['CUSTOM/steel', '2024-W02', 'week'],
    ['CUSTOM/year', '2023-01..2023-12', 'month'],
  ])('refuses on %s the base %s, which is a %s and finer than the series', (name, base, kind) => {
    expect(misfitsOf(inputText({ series: name, base }))).toEqual([['inputs.steel.base', expect.stringContaining(kind)]])
  })

  test('refuses a base before the series begins, and accepts it with a link, a fallback or an agreed value', () => {
    expect(misfitsOf(inputText({ base: '2023-11' }))).toEqual([
      ['inputs.steel.base', expect.stringContaining('2023-11')],
    ])
    const older = readTable(observations({ 'CUSTOM/steel': { '2023-12': '1' }, 'CUSTOM/old': { '2020-01': '1' } }))
    const linked = inputText({ base: '2023-11', links: '[{ series: CUSTOM/old, until: 2023-11, coefficient: 1 }]' })
    expect(misfitsOf(linked, older)).toEqual(noProblem)
    expect(misfitsOf(inputText({ base: '2023-11', missing: '{ agreed: { 2023-11: 99 } }' }))).toEqual(noProblem)
    expect(misfitsOf(inputText({ base: '{ value: 99 }' }))).toEqual(noProblem)
  })

  test('refuses a base that no period of the series can have', () => {
    expect(misfitsOf(inputText({ base: '1900' }))).toEqual([['inputs.steel.base', expect.stringContaining('begins')]])
  })

  test('interpolates monthly series only', () => {
    expect(misfitsOf(inputText({ series: 'CUSTOM/quarter', base: '2023-Q4', interpolate: 'DAILY' }))).toEqual([
      ['inputs.steel.interpolate', expect.stringContaining('monthly')],
    ])
    expect(misfitsOf(inputText({ base: '2024-03-15', lag: '2 months', interpolate: 'DAILY' }))).toEqual(noProblem)
  })

  test('links and falls back only within one frequency', () => {
    const misfits = misfitsOf(
      inputText({
        links: '[{ series: CUSTOM/quarter, until: 2010, coefficient: 1 }]',
        missing: '{ fallback: CUSTOM/year }',
      }),
    )
    expect(misfits).toEqual([
      ['inputs.steel.links[0].series', expect.stringContaining('QUARTERLY')],
      ['inputs.steel.missing.fallback', expect.stringContaining('ANNUAL')],
    ])
  })

  test('estimates from a year before only where a year is a whole number of periods', () => {
    expect(
      misfitsOf(inputText({ series: 'CUSTOM/day', base: '2024-01-02', missing: '{ yoyEstimate: { capPct: 2 } }' })),
    ).toEqual([['inputs.steel.missing', expect.stringContaining('yoyEstimate')]])
  })

  test('takes a trend over whole periods of a series that is not daily', () => {
    const trend = (series: string, base: string, over: string) =>
      misfitsOf(inputText({ series, base, missing: `{ trend: { over: ${over}, dp: 3 } }` }))
    const path = 'inputs.steel.missing.trend.over'
    expect(trend('CUSTOM/day', '2024-01-02', '365 days')).toEqual([
      [path, expect.stringContaining('weekly or coarser')],
    ])
    expect(trend('CUSTOM/quarter', '2023-Q4', '2 months')).toEqual([[path, expect.stringContaining('2 months is not')]])
    expect(trend('CUSTOM/quarter', '2023-Q4', '12 months')).toEqual([])
    expect(trend('CUSTOM/quarter', '2023-Q4', '400 quarters')).toEqual([[path, expect.stringContaining('at most 366')]])
  })

  test('asks the same of the window of an exchange rate', () => {
    expect(misfitsOf(inputText({ convert: '{ fx: CUSTOM/quarter, operation: DIVIDE, window: 2 months }' }))).toEqual([
      ['inputs.steel.convert.window', expect.stringContaining('quarters')],
    ])
  })

  test('names the misfits of all inputs together', () => {
    const misfits = misfitsOf(
      stepsText({
        inputs: `{ steel: { series: CUSTOM/steel, base: 2020-01 }, a: { series: CUSTOM/none },
                   b: { series: CUSTOM/quarter, interpolate: DAILY } }`,
      }),
    )
    expect(misfits.map(([path]) => path).sort()).toEqual([
      'inputs.a.series',
      'inputs.b.interpolate',
      'inputs.steel.base',
    ])
  })
})
