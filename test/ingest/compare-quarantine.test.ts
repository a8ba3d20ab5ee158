import { describe, expect, test } from 'vitest'
import { parseDay } from '../../src/core/time/day.ts'
import { formatPeriod } from '../../src/core/time/period.ts'
import { compareSeries, needsWholeHistory, quarantineReason } from '../../src/ingest/compare.ts'
import { parsedOf, type Read, storedOf, whole } from './compared.ts'

describe('an operator must review', () => {
  const months = Array.from({ length: 40 }, (_, i) => formatPeriod({ frequency: 'MONTHLY', ordinal: 2020 * 12 + i }))
  const stored = storedOf(
    Object.fromEntries(months.map(month => [month, [['100', 'FINAL'] as const]])),
    'Index 2015 = 100',
  )
  const changed = (count: number, unit: string | null = null) =>
    compareSeries(
      parsedOf(
        months.map((month, i): Read => [month, i < count ? '90' : '100']),
        [],
        unit,
      ),
      stored,
      whole,
    )

  test('more than a tenth of the final values rewritten', () => {
    expect(quarantineReason(changed(4))).toBeNull()
    expect(quarantineReason(changed(5))).toBe('5 of 40 final values would be rewritten')
  })

  test('a change of unit or base, but not of its spaces, and not if one is unknown', () => {
    expect(quarantineReason(changed(0, 'Index 2025 = 100'))).toBe(
      'the unit changed from "Index 2015 = 100" to "Index 2025 = 100"',
    )
    expect(quarantineReason(changed(0, ' index  2015 = 100'))).toBeNull()
    expect(quarantineReason(changed(0, null))).toBeNull()
    expect(quarantineReason(compareSeries(parsedOf([], [], 'Dollars'), storedOf({}), whole))).toBeNull()
  })

  test('withdrawn values count as rewritten; preliminary ones and single revisions of a short history do not', () => {
    const half = compareSeries(
      parsedOf(months.filter((_, i) => i % 2 === 0).map((month): Read => [month, '100'])),
      stored,
      whole,
    )
    expect(quarantineReason(half)).toBe('20 of 40 final values would be rewritten')
    const young = storedOf({
      '2024-01': [['1', 'FINAL']],
      '2024-02': [['1', 'PRELIMINARY']],
      '2024-03': [['1', 'PRELIMINARY']],
    })
    const revised = parsedOf([
      ['2024-01', '2'],
      ['2024-02', '2'],
      ['2024-03', '2'],
    ])
    expect(quarantineReason(compareSeries(revised, young, whole))).toBeNull()
  })

  test('nothing in a window before the whole history was requested', () => {
    const from = parseDay('2023-01-01')!
    const asked = { ...whole, from }
    const window = compareSeries(
      parsedOf([
        ['2023-01', '9'],
        ['2023-02', '9'],
        ['2023-03', '100'],
        ['2023-04', '100'],
      ]),
      stored,
      asked,
    )
    expect([needsWholeHistory(window, asked), quarantineReason(window)]).toEqual([true, null])
    expect(needsWholeHistory(window, whole)).toBe(false)
    const single = compareSeries(
      parsedOf([
        ['2023-01', '9'],
        ['2023-02', '100'],
        ['2023-03', '100'],
        ['2023-04', '100'],
      ]),
      stored,
      asked,
    )
    expect(needsWholeHistory(single, asked)).toBe(false)
  })

  test('a multiplier that appears, disappears or changes is a change of unit', () => {
    const reasonFor = (from: string, to: string | null) =>
      quarantineReason(compareSeries(parsedOf([], [], to), storedOf({}, from), whole))
    expect(reasonFor('', '(x10^3)')).toContain('the unit changed')
    expect(reasonFor('(x10^3)', null)).toContain('the unit changed')
    expect(reasonFor('Dollars (x10^3)', 'Dollars (x10^6)')).toContain('the unit changed')
    expect(reasonFor('(x10^3)', '(x10^3)')).toBeNull()
    expect(reasonFor('Dollars', null)).toBeNull()
  })

  test('nothing in a delta before the whole history was requested', () => {
    const delta = { ...whole, isDelta: true }
    const some = compareSeries(parsedOf([['2020-01', '9']]), stored, delta)
    expect(needsWholeHistory(some, delta)).toBe(true)
    expect(needsWholeHistory(compareSeries(parsedOf([['2026-01', '9']]), stored, delta), delta)).toBe(false)
  })

  test('a history without its beginning', () => {
    const cut = compareSeries(parsedOf(months.slice(10).map((month): Read => [month, '100'])), stored, whole)
    expect(quarantineReason(cut)).toBe('the first 10 of 40 final values are no longer there')
    expect(cut.rows).toEqual([])
    const rolled = compareSeries(parsedOf(months.slice(1).map((month): Read => [month, '100'])), stored, whole)
    expect(quarantineReason(rolled)).toBeNull()
  })
})
