import { describe, expect, test } from 'vitest'
import {
  addMonths,
  civilOf,
  dayOf,
  daysInMonth,
  formatDay,
  isLeapYear,
  parseDay,
  weekdayOf,
  wholeMonthsBetween,
} from './day.ts'

const day = (text: string) => parseDay(text)!

describe('days', () => {
  test('counts from 1970', () => {
    expect(dayOf(1970, 1, 1)).toBe(0)
    expect(dayOf(1969, 12, 31)).toBe(-1)
    expect(dayOf(2000, 3, 1)).toBe(11_017)
  })

  test('gives every day of four centuries back as it was written', () => {
    let expected = dayOf(1600, 1, 1)
    for (let year = 1600; year < 2000; year++)
      for (let month = 1; month <= 12; month++)
        for (let date = 1; date <= daysInMonth(year, month); date++) {
          if (dayOf(year, month, date) !== expected) expect.fail(`${year}-${month}-${date}`)
          const civil = civilOf(expected++)
          if (civil.year !== year || civil.month !== month || civil.day !== date)
            expect.fail(`${year}-${month}-${date}`)
        }
    expect(expected).toBe(dayOf(2000, 1, 1))
  })

  test('knows leap years by the hundreds and four hundreds', () => {
    expect([2024, 2023, 1900, 2000, 2100, 4].map(isLeapYear)).toEqual([true, false, false, true, false, true])
  })

  test.each(['2024-02-29', '0001-01-01', '9999-12-31', '2023-12-31'])('reads and writes %s', text => {
    expect(formatDay(day(text))).toBe(text)
  })

  test.each([
    '2023-02-29',
    '1900-02-29',
    '2024-04-31',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '0000-01-01',
    '24-01-01',
    '2024-1-1',
    '2024-01-01T00:00:00Z',
    ' 2024-01-01',
    '2024/01/01',
    '',
  ])('refuses "%s"', text => {
    expect(parseDay(text)).toBeNull()
  })
})

describe('months', () => {
  test.each([
    ['2024-01-31', 1, '2024-02-29'],
    ['2023-01-31', 1, '2023-02-28'],
    ['2024-03-31', -1, '2024-02-29'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 48, '2028-02-29'],
    ['2024-01-15', -13, '2022-12-15'],
    ['2024-12-31', 2, '2025-02-28'],
  ])('adds to %s %i months: %s', (from, months, to) => {
    expect(formatDay(addMonths(day(from), months))).toBe(to)
  })

  test('aims for the day that is kept, not for the clipped one', () => {
    expect(formatDay(addMonths(day('2024-02-29'), 1, 31))).toBe('2024-03-31')
    expect(formatDay(addMonths(day('2024-01-15'), 1, 31))).toBe('2024-02-29')
  })

  test.each([
    ['2024-01-15', '2024-02-14', 0],
    ['2024-01-15', '2024-02-15', 1],
    ['2024-01-31', '2024-02-29', 1],
    ['2024-01-31', '2024-02-28', 0],
    ['2024-01-31', '2024-03-30', 1],
    ['2024-02-29', '2025-02-28', 12],
    ['2024-01-01', '2024-01-01', 0],
  ])('counts whole months from %s to %s: %i', (from, to, months) => {
    expect(wholeMonthsBetween(day(from), day(to))).toBe(months)
  })

  test('knows the day of the week, before 1970 too', () => {
    expect(weekdayOf(day('2024-01-01'))).toBe(0)
    expect(weekdayOf(day('2023-12-31'))).toBe(6)
    expect(weekdayOf(day('1969-12-31'))).toBe(2)
    expect(weekdayOf(day('1900-01-01'))).toBe(0)
  })
})
