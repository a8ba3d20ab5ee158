// Cases on which the engine once differed from the oracle, each with the answer that docs/FORMULA.md gives.
import { describe, expect, test } from 'vitest'
import { presentAdjustment } from '../../src/core/receipt/calculation.ts'
import type { ClauseModel, DataModel, DocumentModel, InputModel } from '../oracle/document.ts'
import { expectAgreement } from '../oracle/engine.ts'

const table = (values: Readonly<Record<string, Readonly<Record<string, string>>>>): DataModel =>
  Object.fromEntries(
    Object.entries(values).map(([series, periods]) => [
      `CUSTOM/${series}`,
      Object.entries(periods).map(([period, value]) => ({ period, value })),
    ]),
  )

/** The percentages a clause on one input gives, month by month from February 2019, its base reading being 100. */
function percentages(clause: ClauseModel, values: readonly string[], params: DocumentModel['params'] = {}): string[] {
  const periods = values.map((value, i) => [`2019-0${i + 2}`, value] as const)
  const { adjustments } = expectAgreement({
    document: {
      contract: { start: '2019-01-01', end: `2019-0${values.length + 1}-01`, frequency: 'MONTHLY' },
      inputs: { x: { series: 'CUSTOM/x', weight: '1', base: { value: '100' } } },
      params,
      clause,
    },
    data: table({ x: Object.fromEntries(periods) }),
    asOf: null,
    until: '9999-12-31',
  })
  return adjustments.map(adjustment => presentAdjustment(adjustment).adjustmentPct ?? 'none')
}

/** The carried value of one reading on one day and its data version, or why there is none. */
function reading(input: Omit<InputModel, 'series'>, date: string, data: DataModel, asked = 'x'): string {
  const { adjustments, blocked } = expectAgreement({
    document: {
      contract: { start: '2019-01-01', frequency: 'ONCE', firstAdjustment: date },
      inputs: { x: { series: 'CUSTOM/x', ...input } },
      steps: [{ name: 'r', expr: { name: asked } }],
      result: { kind: 'FACTOR', step: 'r' },
    },
    data,
    asOf: null,
    until: '9999-12-31',
  })
  const [adjustment] = adjustments
  if (adjustment === undefined) return blocked[0]!.gap.sentence
  return `${presentAdjustment(adjustment).steps[0]!.value} ${adjustment.dataVersion}`
}

describe('what was once computed differently', () => {
  test('keeps the period floor when a lowered cumulative cap cannot be reached at once', () => {
    const clause: ClauseModel = {
      cap: { cumulativePct: 'top' },
      floor: { periodPct: '-1' },
      rounding: { percent: { multiple: '0.003' } },
    }
    const top = [
      { from: '2019-01-01', value: '5' },
      { from: '2019-03-01', value: '1' },
    ]
    expect(percentages(clause, ['103', '103', '103'], { top })).toEqual(['3', '-0.999', '-0.954'])
  })

  test('keeps the period cap when a raised cumulative floor cannot be reached at once', () => {
    const clause: ClauseModel = {
      cap: { periodPct: '1.005' },
      floor: { cumulativePct: 'bottom' },
      rounding: { percent: { dp: 2, mode: 'HALF_EVEN' } },
    }
    const bottom = [
      { from: '2019-01-01', value: '-15' },
      { from: '2019-03-01', value: '-1' },
    ]
    expect(percentages(clause, ['90', '90', '90'], { bottom })).toEqual(['-10', '1', '1'])
  })

  test('treats a share that is a param worth 1 as the whole', () => {
    const clause: ClauseModel = {
      threshold: { pct: '5', test: 'REACHES', pays: 'ALL' },
      passThrough: 'share',
      cap: { periodPct: '6' },
    }
    expect(percentages(clause, ['120', '121', '121'], { share: '1' })).toEqual(['6', '6', '6'])
    expect(percentages({ ...clause, passThrough: '1' }, ['120', '121', '121'])).toEqual(['6', '6', '6'])
    expect(percentages(clause, ['120', '121', '121'], { share: '0.5' })).toEqual(['6', '0', '0'])
  })

  test('prints a percentage of thirty decimals in full', () => {
    const { adjustments } = expectAgreement({
      document: {
        contract: { start: '2019-01-01', end: '2019-02-01', frequency: 'MONTHLY' },
        inputs: { x: { series: 'CUSTOM/x' } },
        steps: [{ name: 'f', expr: { operator: '/', left: { name: 'x' }, right: { literal: '7' } } }],
        result: { kind: 'FACTOR', step: 'f', show: { dp: 30 } },
      },
      data: table({ x: { '2019-02': '8' } }),
      asOf: null,
      until: '9999-12-31',
    })
    expect(presentAdjustment(adjustments[0]!).adjustmentPct).toBe('14.285714285714285714285714285714')
  })

  test('converts each month of an interpolated reading at its own rate', () => {
    const convert = { fx: 'CUSTOM/fx', operation: 'MULTIPLY', each: true } as const
    const data = table({ x: { '2019-02': '100', '2019-03': '128' }, fx: { '2019-02': '2', '2019-03': '3' } })
    expect(reading({ interpolate: 'DAILY', convert }, '2019-02-15', data)).toBe('292 FINAL')
  })

  test('takes the last known rate where a calendar month has none', () => {
    const convert = { fx: 'CUSTOM/fx', operation: 'MULTIPLY', window: '1 month' } as const
    const data = table({ x: { '2019-03': '100' }, fx: { '2019-W04': '2', '2019-W05': '3' } })
    expect(reading({ missing: 'LAST_KNOWN', convert }, '2019-03-01', data)).toBe('300 PRELIMINARY')
    expect(reading({ convert }, '2019-03-01', data)).toContain('CUSTOM/fx')
  })

  test('is missing the rate of a range in which one of its own periods is missing', () => {
    const input = { base: '2018-W48..2018-W50', convert: { fx: 'CUSTOM/fx', operation: 'MULTIPLY' } } as const
    const x = { '2018-W48': '100', '2018-W49': '100', '2018-W50': '100' }
    const data = table({ x, fx: { '2018-W48': '2', '2018-W50': '3' } })
    expect(reading(input, '2019-02-01', data, 'x.base')).toContain('CUSTOM/fx')
  })

  test('estimates without a cap although the month before cannot be estimated', () => {
    const year = Object.fromEntries(
      Array.from({ length: 11 }, (_, i) => [`2018-${String(i + 2).padStart(2, '0')}`, '110']),
    )
    const data = table({ x: { '2017-12': '100', ...year } })
    expect(reading({ missing: { yoyEstimate: {} } }, '2019-02-01', data)).toBe('121 PRELIMINARY')
    expect(reading({ missing: { yoyEstimate: { capPct: '2' } } }, '2019-02-01', data)).toContain('2019-02')
  })

  test('estimates by the newest ratio that is known, however old', () => {
    const data = table({ x: { '2018-06': '100', '2019-01': '200', '2019-06': '110', '2019-12': '200' } })
    expect(reading({ missing: { yoyEstimate: { capPct: '50' } } }, '2020-01-01', data)).toBe('220 PRELIMINARY')
  })

  test('lists no component for an index at 0, because its change has no percentage', () => {
    const { adjustments } = expectAgreement({
      document: {
        contract: { start: '2019-01-01', end: '2019-03-01', frequency: 'MONTHLY' },
        inputs: {
          x: { series: 'CUSTOM/x', weight: '0.5', base: '2019-01' },
          y: { series: 'CUSTOM/y', weight: '0.5', base: '2019-01', round: { multiple: '0.25' } },
        },
        clause: { combine: 'RATIO_OF_SUMS' },
      },
      data: table({
        x: { '2019-01': '100', '2019-02': '110', '2019-03': '110' },
        y: { '2019-01': '0.1', '2019-02': '0.1', '2019-03': '11.1' },
      }),
      asOf: null,
      until: '9999-12-31',
    })
    const told = adjustments.map(adjustment => presentAdjustment(adjustment))
    expect(told.map(({ adjustmentPct }) => adjustmentPct)).toEqual(['10', '10'])
    for (const { breakdown } of adjustments) expect(breakdown.components.map(({ input }) => input)).toEqual(['x'])
  })

  test('continues from a price of 0, without a percent', () => {
    const { adjustments, blocked } = expectAgreement({
      document: {
        contract: { start: '2019-01-01', end: '2019-04-01', frequency: 'MONTHLY' },
        inputs: { x: { series: 'CUSTOM/x', weight: '1', base: { value: '100' } } },
        clause: { basis: 'CHAINED', rounding: { ratio: { multiple: '0.5', mode: 'FLOOR' } } },
      },
      data: table({ x: { '2019-02': '110', '2019-03': '50', '2019-04': '102.5' } }),
      asOf: null,
      until: '9999-12-31',
    })
    expect(adjustments.map(adjustment => presentAdjustment(adjustment).adjustmentPct ?? 'none')).toEqual([
      '0',
      '-100',
      'none',
    ])
    expect(blocked).toEqual([])
  })

  test('does not grow long in a chain whose limits hold something back in every period', () => {
    const values = ['97.1', '96.3', '98.9', '99.7', '99.1', '98.3', '99.9', '98.7']
    const { adjustments } = expectAgreement({
      document: {
        contract: { start: '2019-01-01', end: '2019-09-01', frequency: 'MONTHLY' },
        inputs: { x: { series: 'CUSTOM/x', weight: '1', base: { value: '100' } } },
        clause: {
          basis: 'CHAINED',
          cap: { periodPct: '2', cumulativePct: '5', carryForward: true },
          floor: { periodPct: '-2', cumulativePct: '-10', carryForward: true },
        },
      },
      data: table({ x: Object.fromEntries(values.map((value, i) => [`2019-0${i + 2}`, value])) }),
      asOf: null,
      until: '9999-12-31',
    })
    // Dividing by the chain and multiplying by it again would give 12,000 digits by then.
    expect(adjustments.at(-1)!.factor.d.toString().length).toBeLessThan(500)
  })
})
