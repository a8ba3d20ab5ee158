import { describe, expect, test } from 'vitest'
import type { ParsedAnswer, ParsedObservation, ParsedSeries } from '../providers/provider.ts'
import { type Chain, gather } from './gather.ts'

const row = (period: string, value: string, published: string | null = null): ParsedObservation => {
  return { period, value, version: 'FINAL', flag: null, published }
}
const series = (
  code: string,
  observations: readonly ParsedObservation[],
  more: Partial<ParsedSeries> = {},
): ParsedSeries => {
  return { code, name: null, unit: null, frequency: 'MONTHLY', observations, missing: [], ...more }
}
const chain = (
  codes: readonly string[],
  parsedAnswers: readonly Partial<ParsedAnswer>[],
  more: Partial<Chain> = {},
): Chain => ({
  codes,
  parsedAnswers: parsedAnswers.map(parsed => ({ series: [], problems: [], ...parsed })),
  failure: null,
  hasMarkedEnds: true,
  ...more,
})
const unknown = (code: string) => ({ kind: 'unknown-series', message: `Invalid Series for Series ${code}` }) as const

describe('gathering', () => {
  test('several answers make one series; the non-null name and unit win', () => {
    const gathered = gather(
      ['GDP'],
      [
        chain(['GDP'], [{ series: [series('GDP', [row('2024-02', '2')])] }]),
        chain(['GDP'], [{ series: [series('GDP', [row('2024-01', '1'), row('2024-02', '2.0')])] }]),
        chain(['GDP'], [{ series: [series('GDP', [], { name: 'Gross', unit: 'Billions' })] }]),
      ],
    ).get('GDP')
    expect(gathered).toMatchObject({
      kind: 'read',
      isComplete: true,
      series: {
        name: 'Gross',
        unit: 'Billions',
        observations: [{ period: '2024-01' }, { period: '2024-02', value: '2' }],
      },
    })
  })

  test('only the requested codes are kept, ignoring case', () => {
    const gathered = gather(
      ['d7/mm23/m'],
      [chain(['d7/mm23/m'], [{ series: [series('D7/MM23/M', [row('2024-01', '1')]), series('D7/MM23/Q', [])] }])],
    )
    expect([...gathered.keys()]).toEqual(['d7/mm23/m'])
    expect(gathered.get('d7/mm23/m')).toMatchObject({ kind: 'read', series: { code: 'D7/MM23/M' } })
  })

  test('a problem belongs only to the code it names', () => {
    const codes = ['A1', 'A10', 'A2']
    const gathered = gather(codes, [
      chain(codes, [
        {
          series: [series('A10', [row('2024-01', '1')]), series('A2', [row('2024-01', '1')])],
          problems: [unknown('A1')],
        },
      ]),
    ])
    expect(gathered.get('A1')).toMatchObject({ kind: 'failed', problem: { kind: 'unknown-series' } })
    expect(gathered.get('A10')).toMatchObject({ kind: 'read', isComplete: true })
    const vague = gather(codes, [
      chain(codes, [
        {
          series: [series('A10', [row('2024-01', '1')])],
          problems: [{ kind: 'provider-error', message: 'try later' }],
        },
      ]),
    ])
    expect(vague.get('A10')).toMatchObject({ kind: 'read', isComplete: false })
    expect(vague.get('A2')).toMatchObject({ kind: 'failed', problem: { kind: 'provider-error' } })
  })

  test('a failed chain discards its series', () => {
    const failure = { kind: 'provider-error', message: 'took too long' } as const
    const gathered = gather(
      ['A'],
      [chain(['A'], [{ series: [series('A', [row('2024-01', '1')])] }]), chain(['A'], [], { failure })],
    )
    expect(gathered.get('A')).toEqual({ kind: 'failed', problem: failure })
  })

  test('an answer that does not mention a series is empty, and one without a marked end is incomplete', () => {
    expect(gather(['A'], [chain(['A'], [{}])]).get('A')).toEqual({ kind: 'empty' })
    const open = gather(
      ['A'],
      [chain(['A'], [{ series: [series('A', [row('2024-01', '1')])] }], { hasMarkedEnds: false })],
    )
    expect(open.get('A')).toMatchObject({ kind: 'read', isComplete: false })
  })

  test('of two values for one publication neither is used', () => {
    const gathered = gather(
      ['A'],
      [
        chain(['A'], [{ series: [series('A', [row('2024-01', '1'), row('2024-02', '1')])] }]),
        chain(['A'], [{ series: [series('A', [row('2024-02', '2')])] }]),
      ],
    ).get('A')
    expect(gathered).toMatchObject({
      kind: 'read',
      isComplete: false,
      series: { observations: [{ period: '2024-01' }] },
    })
  })

  test('dates are read in the frequency of the metadata; other frequencies do not match', () => {
    const dates = series('W', [row('2024-01-01', '1'), row('2024-01-09', '2')], { frequency: 'DAILY' })
    const head = (frequency: ParsedSeries['frequency']) => series('W', [], { frequency })
    const weeks = gather(
      ['W'],
      [chain(['W'], [{ series: [dates] }]), chain(['W'], [{ series: [head('WEEKLY')] }])],
    ).get('W')
    expect(weeks).toMatchObject({
      series: { frequency: 'WEEKLY', observations: [{ period: '2024-W01' }, { period: '2024-W02' }] },
    })
    const quarters = series('W', [row('2024-Q1', '1')], { frequency: 'QUARTERLY' })
    const misfit = gather(
      ['W'],
      [chain(['W'], [{ series: [quarters] }]), chain(['W'], [{ series: [head('MONTHLY')] }])],
    ).get('W')
    expect(misfit).toEqual({
      kind: 'failed',
      problem: { kind: 'unreadable', message: 'W was sent as QUARTERLY and MONTHLY' },
    })
  })
})
