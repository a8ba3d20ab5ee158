// Places on the screen: scales, thinned lines, labels that do not overlap; and days as people type them.
import { describe, expect, test } from 'vitest'
import { parseDay } from '../../src/core/time/day.ts'
import { decimalsOfStep, formatMark, roundScale } from '../../web/components/chart/scale.ts'
import {
  dayAt,
  lonePoints,
  type Plot,
  spreadLabels,
  thinLine,
  timeMarks,
  xOf,
  yOf,
} from '../../web/pages/series/series/chart/plot.ts'
import { shapeOf } from '../../web/pages/series/series/chart/revisions.ts'
import { readDayText } from '../../web/pages/series/series/day-text.ts'

describe('a scale', () => {
  test('has round ends and steps around what is shown', () => {
    expect(roundScale(243.1, 287.9, 5)).toEqual({ low: 240, high: 290, step: 10 })
    expect(roundScale(0, 100, 5)).toEqual({ low: 0, high: 100, step: 20 })
    expect(roundScale(-3.2, 8.1, 5)).toEqual({ low: -5, high: 10, step: 2.5 })
  })

  test('is drawn around a single value and around none', () => {
    const { low, high } = roundScale(50, 50, 5)
    expect(low).toBeLessThan(50)
    expect(high).toBeGreaterThan(50)
    expect(roundScale(0, 0, 5).high).toBeGreaterThan(0)
    expect(roundScale(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5)).toEqual({ low: 0, high: 1, step: 0.25 })
  })

  test('says how many decimals its steps need', () => {
    expect([10, 2.5, 0.25, 0.002, 1].map(decimalsOfStep)).toEqual([0, 1, 2, 3, 0])
    expect([13, 12.8, -0.04, 1234.5].map(mark => formatMark(mark, 1, ''))).toEqual([
      '13.0',
      '12.8',
      '0.0',
      '1\u202f234.5',
    ])
  })
})

describe('marks of a time axis', () => {
  const marks = (from: string, to: string, most: number) =>
    timeMarks(parseDay(from)!, parseDay(to)!, most).map(({ label }) => label)

  test('are years, in even steps, where the time is long', () => {
    expect(marks('1999-01-04', '2026-11-01', 15)).toEqual(
      [2000, 2002, 2004, 2006, 2008, 2010, 2012, 2014, 2016, 2018, 2020, 2022, 2024, 2026].map(String),
    )
    expect(marks('1947-01-01', '2024-01-01', 4)).toEqual(['1960', '1980', '2000', '2020'])
  })

  test('are months, of which January says its year', () => {
    expect(marks('2024-02-01', '2025-02-01', 13).slice(0, 4)).toEqual(['Feb 2024', 'Mar', 'Apr', 'May'])
    expect(marks('2024-02-02', '2026-02-01', 9)).toEqual([
      'Apr 2024',
      'Jul',
      'Oct',
      '2025',
      'Apr',
      'Jul',
      'Oct',
      '2026',
    ])
  })

  test('are days where it is short', () => {
    expect(marks('2024-02-27', '2024-03-02', 8)).toEqual(['27 Feb 2024', '28 Feb', '29 Feb', '1 Mar', '2 Mar'])
  })
})

test('places and what they mean go both ways', () => {
  const plot: Plot = {
    width: 500,
    height: 300,
    left: 50,
    right: 50,
    top: 20,
    bottom: 30,
    fromDay: 0,
    toDay: 400,
    low: 10,
    high: 20,
  }
  expect(xOf(plot, 100)).toBe(150)
  expect(dayAt(plot, 150)).toBe(100)
  expect(yOf(plot, 10)).toBe(270)
  expect(yOf(plot, 20)).toBe(20)
})

describe('a line', () => {
  const line = (heights: readonly number[], ordinals = heights.map((_, i) => i), longest = 1, columns = 100) =>
    thinLine(
      { days: ordinals, ordinals, heights, first: 0, end: heights.length, longest },
      0,
      ordinals.at(-1)!,
      columns,
    )

  test('stays whole where there is room', () => {
    expect(line([1, 2, 3])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ])
  })

  test('is broken where a period is missing or has no value', () => {
    const broken = line([1, 2, 3, 4], [0, 1, 5, 6])
    expect(broken.map(([, height]) => height)).toEqual([1, 2, Number.NaN, 3, 4])
    expect(line([1, Number.NaN, 3]).map(([, height]) => height)).toEqual([1, Number.NaN, 3])
  })

  test('passes over a weekend', () => {
    expect(line([1, 2], [4, 7], 10)).toHaveLength(2)
  })

  test('thinned, it keeps every peak and the ends', () => {
    const heights = Array.from({ length: 10_000 }, (_, i) => Math.sin(i / 700))
    heights[4321] = 9
    heights[7777] = -9
    const thin = line(heights, undefined, 1, 500)
    expect(thin.length).toBeLessThanOrEqual(1004)
    const kept = thin.map(([, height]) => height)
    expect(Math.max(...kept)).toBe(9)
    expect(Math.min(...kept)).toBe(-9)
    expect(thin[0]).toEqual([0, heights[0]])
    expect(thin.at(-1)).toEqual([9999, heights[9999]])
    expect(thin.every(([day], i) => i === 0 || day > thin[i - 1]![0])).toBe(true)
  })

  test('thinned, it still breaks where periods are missing, and each part keeps its ends', () => {
    const ordinals = Array.from({ length: 4000 }, (_, i) => (i < 2000 ? i : i + 500))
    const thin = line(ordinals.map(Math.sqrt), ordinals, 1, 300)
    const gap = thin.findIndex(([, height]) => Number.isNaN(height))
    expect(thin[gap - 1]![0]).toBe(1999)
    expect(thin[gap + 1]![0]).toBe(2500)
    expect(thin.at(-1)![0]).toBe(4499)
    expect(thin.filter(([, height]) => Number.isNaN(height))).toHaveLength(1)
  })

  test('a point between two breaks is marked', () => {
    expect(lonePoints(line([1, 2, 3], [0, 1, 9]))).toEqual([[9, 3]])
    expect(lonePoints(line([5]))).toEqual([[0, 5]])
    expect(lonePoints(line([1, 2]))).toEqual([])
  })
})

test('labels move apart and stay inside', () => {
  expect(spreadLabels([100, 104, 300], 16, 0, 400)).toEqual([100, 116, 300])
  expect(spreadLabels([395, 399], 16, 0, 400)).toEqual([384, 400])
  expect(spreadLabels([50, 10], 16, 0, 400)).toEqual([50, 10])
})

test('days as people type them', () => {
  const day = parseDay('2024-04-01')
  for (const text of ['2024-04-01', '1 Apr 2024', ' 01 april 2024 ', '1. Apr. 2024', '1 APR, 2024'])
    expect(readDayText(text), text).toBe(day)
  expect(readDayText('9 Sept 2024')).toBe(parseDay('2024-09-09'))
  for (const text of ['', '01/04/24', '4/1/2024', '31 Feb 2024', '1 Foo 2024', '2024-13-01', 'Apr 2024'])
    expect(readDayText(text), text).toBe(null)
})

describe('bars of revisions', () => {
  const drawn = { width: 1, scale: 2, middle: 40 }

  test('are one shape, upwards or downwards from the line', () => {
    const bars = [
      [10.5, 3],
      [20.5, -0.1],
    ] as const
    expect(shapeOf({ ...drawn, bars })).toBe('M10 40v-6h1v6zM20 41v1h1v-1z')
  })

  test('in one column of pixels are as long as the longest of them, on either side', () => {
    const bars = [
      [10.1, 1],
      [10.4, 3],
      [10.6, -2],
      [10.9, -1],
      [11, 1],
    ] as const
    expect(shapeOf({ ...drawn, bars })).toBe('M9.6 40v-6h1v6zM9.6 41v4h1v-4zM10.5 40v-2h1v2z')
  })
})
