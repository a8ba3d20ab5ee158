import { describe, expect, test } from 'vitest'
import type { PreviewEntry, ReadingVariant } from '../../src/views/shapes/agreements.ts'
import { effectLines, isSameToday } from '../../web/components/agreements/effects.ts'
import { addsUpTo, differenceIfBoth, isNothing } from '../../web/components/figures/decimals.ts'
import {
  formatFactor,
  formatMoneyChange,
  formatPoints,
  formatPrice,
  formatWay,
} from '../../web/components/words/price-words.ts'
import { chosenReadings, readingLines } from '../../web/pages/agreements/agreement-compare/readings.ts'

describe('differences on a page', () => {
  test('are exact and keep the decimals of the figures they come from', () => {
    expect(differenceIfBoth('12.80', '13.10')).toBe('0.30')
    expect(differenceIfBoth('13.1', '12.80')).toBe('-0.30')
    expect(differenceIfBoth('0.1', '0.3')).toBe('0.2')
    expect(differenceIfBoth('1.3333333333…', '2')).toBe('0.6666666667…')
    expect(differenceIfBoth(null, '1')).toBeNull()
    expect(['0.00', '-0', '0.01'].map(isNothing)).toEqual([true, true, false])
  })

  test('show whether parts add up to the whole, to the last digit', () => {
    expect(addsUpTo(['3.0195', '0.2901', '-0.8096'], '2.5')).toBe(true)
    expect(addsUpTo(['3.0195', '0.2901', '-0.8095'], '2.5')).toBe(false)
  })
})

describe('words of formulas', () => {
  test('cut a factor for reading without rounding it', () => {
    expect(['1', '1.050000000000', '1.0399999999', '0.9000001'].map(formatFactor)).toEqual([
      '1',
      '1.05',
      '1.039999',
      '0.9',
    ])
  })

  test('carry signs, currencies and units', () => {
    expect(formatPrice('12.40', { amount: '1', currency: 'EUR', unit: 'piece' })).toBe('12.40\u00a0EUR per piece')
    expect(formatPrice('12.40', null)).toBe('12.40')
    expect(formatMoneyChange('-0.30', 'EUR')).toBe('−0.30\u00a0EUR')
    expect(formatPrice('13.33333333333333…', null)).toBe('13.333333…')
    expect(formatMoneyChange('0.6666666667…', 'EUR')).toBe('+0.666666…\u00a0EUR')
    expect(formatPoints('0.07')).toBe('+0.07\u00a0points')
    expect(formatPoints('-1')).toBe('−1\u00a0point')
    expect([formatWay('1', '2'), formatWay('2', '2')]).toEqual(['1 → 2', '2'])
  })
})

describe('the effect of a version', () => {
  const side = (adjustmentPct: string, cumulativePct: string, price: string | null) => ({
    adjustmentPct,
    cumulativePct,
    price,
  })

  test('is given for each period in points and money', () => {
    const [changed, same] = effectLines([
      { period: '2025', before: side('3', '9.27', '26224.80'), after: side('3.12', '9.40', '26255.00') },
      { period: '2024', before: side('3', '6.09', '25461.60'), after: side('3.00', '6.09', '25461.60') },
    ])
    expect(changed).toMatchObject({ points: '0.12', money: '30.20', hasChanged: true })
    expect(same).toMatchObject({ points: '0.00', money: '0.00', hasChanged: false })
  })

  test('is a change where only one of the two has a number, or only the total moved', () => {
    const [gained, carried] = effectLines([
      { period: '2026', before: null, after: side('3', '12.55', null) },
      { period: '2027', before: side('3', '15', null), after: side('3', '16', null) },
    ])
    expect(gained).toMatchObject({ before: null, after: '3', points: null, money: null, hasChanged: true })
    expect(carried!.hasChanged).toBe(true)
  })
})

describe('a signed number from today’s figures', () => {
  const today = {
    adjustmentPct: '4',
    cumulativePct: '7.26',
    price: '13.30',
    differencePoints: '0',
    differenceMoney: '0.00',
    because: null,
  }

  test('is the same only where neither percent nor price moved', () => {
    expect(isSameToday(today)).toBe(true)
    expect(isSameToday({ ...today, differenceMoney: null })).toBe(true)
    expect(isSameToday({ ...today, differencePoints: '0.01' })).toBe(false)
    expect(isSameToday({ ...today, differenceMoney: '-0.01' })).toBe(false)
  })
})

describe('readings side by side', () => {
  const entry = (period: string, cumulativePct: string, price: string): PreviewEntry => ({
    period,
    adjustmentDate: `${period}-01`,
    adjustmentPct: '1',
    cumulativePct,
    factor: '1',
    price,
    dataVersion: 'FINAL',
    controls: [],
  })
  const reading = (id: string, points: string | null, entries: readonly PreviewEntry[]): ReadingVariant => ({
    id,
    title: id,
    words: '',
    notApplicable: points === null ? 'it has no cap' : null,
    entries,
    blocked: [],
    effect: points === null ? null : { period: '2024-02', points, money: null },
  })
  const written = reading('as-written', '0', [entry('2024-01', '1', '10.10'), entry('2024-02', '2', '10.20')])
  const readings = [
    written,
    reading('basis', '0.0', [entry('2024-02', '2', '10.20')]),
    reading('cap', null, []),
    reading('lag-more', '-0.5', [entry('2024-02', '1.5', '10.15'), entry('2024-03', '2', '10.20')]),
  ]
  const ids = (asked: string | undefined) => chosenReadings(readings, asked).map(({ id }) => id)

  test('are those of the address, or those that make a difference; the written one always leads', () => {
    expect(ids(undefined)).toEqual(['as-written', 'lag-more'])
    expect(ids('basis,cap,unknown')).toEqual(['as-written', 'basis'])
    expect(ids('none')).toEqual(['as-written'])
    expect(chosenReadings([], undefined)).toEqual([])
  })

  test('are next to each other for every period any of them has, the newest first', () => {
    const lines = readingLines([written, readings[3]!])
    expect(lines.map(({ period }) => period)).toEqual(['2024-03', '2024-02', '2024-01'])
    expect(lines[0]!.cells.map(cell => cell.entry?.price ?? null)).toEqual([null, '10.20'])
    expect(lines[1]!.cells[1]).toMatchObject({ points: '-0.5', money: '-0.05' })
    expect(lines[1]!.cells[0]).toMatchObject({ points: null, money: null })
  })
})
