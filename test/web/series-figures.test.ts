// Figures that pages compute: exact, rounded half up, never through a float.
import { describe, expect, test } from 'vitest'
import type { VintageColumns } from '../../src/views/shapes/series.ts'
import {
  changeAt,
  changePct,
  difference,
  heightOf,
  rebase,
  shownAt,
} from '../../web/components/figures/exact-figures.ts'
import { cutAt, readHistory } from '../../web/pages/series/series/vintages.ts'

function monthly(values: Readonly<Record<string, string>>): VintageColumns {
  const periods = Object.keys(values)
  return {
    omitted: 0,
    periods,
    period: periods.map((_, i) => i),
    value: Object.values(values),
    tag: periods.map(() => 'FINAL' as const),
    publishedAt: periods.map(() => '2024-06-01T00:00:00.000000Z'),
    recordedAt: periods.map(() => '2024-06-01T00:00:00.000000Z'),
    flag: periods.map(() => null),
  }
}

describe('a change in percent', () => {
  test('is rounded half up, away from zero on both sides', () => {
    expect(changePct('200', '201.25')).toBe('0.63')
    expect(changePct('200', '198.75')).toBe('-0.63')
    expect(changePct('8', '8.0002')).toBe('0.00')
  })

  test('is exact where a float is not', () => {
    // (1.005 - 1) * 100 is 0.49999999999998934 in floats.
    expect(changePct('1', '1.00500')).toBe('0.50')
    expect(changePct('1', '1.01005')).toBe('1.01')
    expect(changePct('0.1', '0.3')).toBe('200.00')
    expect(changePct('12345678901234567890.12', '12345678901234567890.13')).toBe('0.00')
  })

  test('there is none from zero or from below zero', () => {
    expect(changePct('0', '1')).toBe(null)
    expect(changePct('-0.5', '1')).toBe(null)
    expect(changePct('1', '-0.5')).toBe('-150.00')
  })
})

test('rebased, the base is 100', () => {
  expect(rebase('251.712', '251.712')).toBe('100.00')
  expect(rebase('251.712', '333.918')).toBe('132.66')
  expect(rebase('0', '1')).toBe(null)
})

test('a difference keeps the published digits', () => {
  expect(difference('244.0', '245.32')).toBe('1.32')
  expect(difference('245.3', '245.30')).toBe('0.00')
  expect(difference('10', '8.5')).toBe('-1.5')
})

describe('the figure of a period', () => {
  const history = readHistory(
    monthly({ '2023-01': '100.0', '2023-03': '102', '2024-01': '103.25', '2024-02': '104' }),
    'MONTHLY',
  )
  const cut = cutAt(history, null)

  test('is the published text in levels', () => {
    expect(shownAt(history, cut, 2, { mode: 'level', base: -1 })).toBe('103.25')
  })

  test('year on year needs the year before', () => {
    expect(shownAt(history, cut, 2, { mode: 'yoy', base: -1 })).toBe('3.25')
    expect(shownAt(history, cut, 3, { mode: 'yoy', base: -1 })).toBe(null)
  })

  test('rebased needs a base', () => {
    expect(shownAt(history, cut, 2, { mode: 'rebased', base: 1 })).toBe('101.23')
    expect(shownAt(history, cut, 2, { mode: 'rebased', base: -1 })).toBe(null)
  })

  test('the change is to the last period before that has a value', () => {
    expect(changeAt(history, cut, 0)).toBe(null)
    expect(changeAt(history, cut, 1)).toBe('2.00')
    expect(changeAt(history, cut, 2)).toBe('1.23')
  })

  test('the height on the screen says the same', () => {
    expect(heightOf(history, cut, 2, 2, { mode: 'yoy', base: -1 })).toBeCloseTo(3.25)
    expect(heightOf(history, cut, 2, 2, { mode: 'rebased', base: 1 })).toBeCloseTo(101.2255)
    expect(heightOf(history, cut, 3, 3, { mode: 'yoy', base: -1 })).toBeNaN()
  })
})
