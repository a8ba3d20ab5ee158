import { expect, test } from 'vitest'
import { parseDay } from '../../core/time/day.ts'
import { seriesStructure } from '../../formats/sdmx/structures.ts'
import { limits } from '../../limits.ts'
import { readComponentTest, readKey, readSpan, readTimeTest } from './filter.ts'
import { ObservationCount } from './requested-data.ts'

const { dimensions } = seriesStructure('BLS')

test('keys name values, any value, or alternatives, and say which series can match at all', () => {
  const matches = (key: string, ...values: string[]) => readKey(key, dimensions).matches(values)
  expect([matches('A.M', 'A', 'M'), matches('A.M', 'A', 'Q'), matches('A', 'A', 'Q')]).toEqual([true, false, true])
  expect([matches('*.M', 'X', 'M'), matches('.M', 'X', 'M'), matches('*.M', 'X', 'Q')]).toEqual([true, true, false])
  expect([matches('A+B.M+Q', 'B', 'Q'), matches('A.M,B.Q', 'B', 'M'), matches('A.M,B.Q', 'B', 'Q')]).toEqual([
    true,
    false,
    true,
  ])
  expect(readKey('A.M,B+C', dimensions).firsts).toEqual(new Set(['A', 'B', 'C']))
  expect(readKey('A,*.Q', dimensions).firsts).toBeNull()
  expect(readKey('', dimensions).matches(['A', 'M'])).toBe(true)
  expect(() => readKey('A.M.2024', dimensions)).toThrow('a key has 2 parts here (SERIES.FREQ)')
})

test('values of components are compared as the standard says', () => {
  const keep = (text: string) => ['A', 'AB', 'B', 'C'].filter(readComponentTest(text)).join(' ')
  expect(
    ['A', 'A,B', 'ne:A', 'ge:AB+le:B', 'sw:A', 'ew:B', 'co:B', 'nc:A', 'ne:A+ne:B', 'lt:AB', 'gt:B'].map(keep),
  ).toEqual(['A', 'A B', 'AB B C', 'AB B', 'A AB', 'AB B', 'AB B', 'B C', 'AB C', 'A', 'C'])
})

test('periods are spans of days, however they are written', () => {
  const span = (text: string) => {
    const found = readSpan(text)
    return found === null ? null : found.last - found.first + 1
  }
  expect(
    [
      '2024',
      '2024-A1',
      '2024-S1',
      '2024-H1',
      '2024-Q1',
      '2024-02',
      '2024-M02',
      '2024-W05',
      '2024-02-29',
      '2024-02-29T10:00:00',
    ].map(span),
  ).toEqual([366, 366, 182, 182, 91, 29, 29, 7, 1, 1])
  expect(['', '24', '2024-13', '2024-Q5', '2023-02-29', 'now'].map(span)).toEqual([null, null, null, null, null, null])
})

test('time is compared by the first day of a period', () => {
  const keep = (text: string) =>
    ['2023-12-01', '2024-01-01', '2024-02-01', '2024-04-01'].filter(day => readTimeTest(text)(parseDay(day)!)).join(' ')
  expect(keep('2024-Q1')).toBe('2024-01-01 2024-02-01')
  expect(keep('ge:2024-01+lt:2024-02')).toBe('2024-01-01')
  expect(keep('le:2023,gt:2024-Q1')).toBe('2023-12-01 2024-04-01')
  expect(keep('ne:2024')).toBe('2023-12-01')
  expect(() => readTimeTest('sw:2024')).toThrow('c[TIME_PERIOD] takes periods')
})

test('an answer that would be longer than answers are is refused while it is counted', () => {
  const count = new ObservationCount()
  count.add(limits.sdmx.observations)
  expect(() => count.add(1)).toThrow(`at most ${limits.sdmx.observations} observations`)
})
