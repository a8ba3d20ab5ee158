import { describe, expect, test } from 'vitest'
import { formatDay, parseDay } from './day.ts'
import {
  firstDayOf,
  formatPeriod,
  frequencies,
  lastDayOf,
  ordinalsWithin,
  parsePeriod,
  periodAt,
  periodOf,
  periodsPerYear,
  rankOf,
  shift,
  yearBefore,
} from './period.ts'

const day = (text: string) => parseDay(text)!
const period = (text: string) => parsePeriod(text)!

describe('periods', () => {
  test.each([
    ['2024', 'ANNUAL', '2024-01-01', '2024-12-31'],
    ['2024-H2', 'SEMIANNUAL', '2024-07-01', '2024-12-31'],
    ['2024-Q1', 'QUARTERLY', '2024-01-01', '2024-03-31'],
    ['2024-02', 'MONTHLY', '2024-02-01', '2024-02-29'],
    ['2024-W01', 'WEEKLY', '2024-01-01', '2024-01-07'],
    ['2020-W53', 'WEEKLY', '2020-12-28', '2021-01-03'],
    ['2026-W53', 'WEEKLY', '2026-12-28', '2027-01-03'],
    ['2021-W01', 'WEEKLY', '2021-01-04', '2021-01-10'],
    ['2024-02-29', 'DAILY', '2024-02-29', '2024-02-29'],
  ])('reads %s as %s from %s to %s and writes it back', (text, frequency, first, last) => {
    const read = period(text)
    expect(read.frequency).toBe(frequency)
    expect([formatDay(firstDayOf(read)), formatDay(lastDayOf(read))]).toEqual([first, last])
    expect(formatPeriod(read)).toBe(text)
  })

  test.each([
    '2024-13',
    '2024-00',
    '2024-Q5',
    '2024-Q0',
    '2024-H3',
    '2024-W00',
    '2024-W53',
    '2021-W53',
    '2023-02-29',
    '24',
    '2024-1',
    '2024-q1',
    '2024Q1',
    '2024-W5',
    '0000',
    '0000-05',
    '2024-03-15T00:00:00Z',
    '',
  ])('refuses "%s"', text => {
    expect(parsePeriod(text)).toBeNull()
  })

  test('counts a week by its Thursday, across the turn of the year', () => {
    expect(formatPeriod(periodAt('WEEKLY', day('2021-01-03')))).toBe('2020-W53')
    expect(formatPeriod(periodAt('WEEKLY', day('2019-12-30')))).toBe('2020-W01')
    expect(formatPeriod(periodAt('WEEKLY', day('1970-01-01')))).toBe('1970-W01')
    expect(formatPeriod(shift(period('2020-W53'), 1))).toBe('2021-W01')
  })

  test('finds for every day the period that holds it, at every frequency', () => {
    for (const frequency of frequencies)
      for (let at = day('2019-12-20'); at < day('2021-01-20'); at++) {
        const held = periodAt(frequency, at)
        if (firstDayOf(held) > at || lastDayOf(held) < at) expect.fail(`${frequency} ${formatDay(at)}`)
        expect(parsePeriod(formatPeriod(held))).toEqual(held)
      }
  })

  test('shifts by counting', () => {
    expect(formatPeriod(shift(period('2023-11'), 3))).toBe('2024-02')
    expect(formatPeriod(shift(period('2024-Q1'), -1))).toBe('2023-Q4')
    expect(formatPeriod(shift(period('2024-H1'), -1))).toBe('2023-H2')
    expect(formatPeriod(shift(period('2024-02-28'), 2))).toBe('2024-03-01')
  })

  test('goes a year back to the same month, quarter and day, clipped, and by 52 weeks', () => {
    expect(
      ['2024-02', '2024-Q3', '2024-H1', '2024', '2024-02-29', '2024-W10'].map(text =>
        formatPeriod(yearBefore(period(text))),
      ),
    ).toEqual(['2023-02', '2023-Q3', '2023-H1', '2023', '2023-02-28', '2023-W10'])
  })

  test('orders frequencies from fine to coarse and counts them in a year', () => {
    expect(frequencies.map(rankOf)).toEqual([0, 1, 2, 3, 4, 5])
    expect(frequencies.map(periodsPerYear)).toEqual([null, null, 12, 4, 2, 1])
  })
})

describe('containment', () => {
  const inside = (frequency: Parameters<typeof ordinalsWithin>[0], from: string, to: string) => {
    const { first, last } = ordinalsWithin(frequency, day(from), day(to))
    return [first, last].map(ordinal => formatPeriod(periodOf(frequency, ordinal)))
  }

  test('finds the months of a quarter and the quarters of a year', () => {
    expect(inside('MONTHLY', '2023-10-01', '2023-12-31')).toEqual(['2023-10', '2023-12'])
    expect(inside('QUARTERLY', '2023-01-01', '2023-12-31')).toEqual(['2023-Q1', '2023-Q4'])
  })

  test('counts a week to the month it begins in', () => {
    expect(inside('WEEKLY', '2021-02-01', '2021-02-28')).toEqual(['2021-W05', '2021-W08'])
    expect(inside('WEEKLY', '2021-01-01', '2021-01-31')).toEqual(['2021-W01', '2021-W04'])
    expect(inside('WEEKLY', '2024-01-01', '2024-01-31')).toEqual(['2024-W01', '2024-W05'])
  })

  test('leaves out a period that began before the span', () => {
    expect(inside('MONTHLY', '2023-10-02', '2023-12-31')[0]).toBe('2023-11')
  })
})
