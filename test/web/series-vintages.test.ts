// The client's cut of a series against cases computed by hand.
import { describe, expect, test } from 'vitest'
import { parseDay } from '../../src/core/time/day.ts'
import type { VersionTag, VintageColumns } from '../../src/views/shapes/series.ts'
import {
  compareCuts,
  countAt,
  cutAt,
  firstPlace,
  lastPlace,
  nearestPlace,
  placesWithin,
  readAsOf,
  readHistory,
  rowsOf,
  stepDay,
} from '../../web/pages/series/series/vintages.ts'

/** Rows of period, value, publication, in the order of the wire. */
function columns(...rows: readonly (readonly [string, string | null, string])[]): VintageColumns {
  const periods = [...new Set(rows.map(([period]) => period))]
  return {
    omitted: 0,
    periods,
    period: rows.map(([period]) => periods.indexOf(period)),
    value: rows.map(([, value]) => value),
    tag: rows.map(([, value]): VersionTag | null => (value === null ? null : 'FINAL')),
    publishedAt: rows.map(([, , at]) => (at.includes('T') ? at : `${at}T00:00:00.000000Z`)),
    recordedAt: rows.map(([, , at]) => `${at.slice(0, 10)}T10:00:00.000000Z`),
    flag: rows.map(() => null),
  }
}

const revised = readHistory(
  columns(
    ['2024-01', '100.0', '2024-02-15'],
    ['2024-01', '100.4', '2024-03-15'],
    ['2024-02', '101.0', '2024-03-15'],
    ['2024-03', '102.0', '2024-04-15T12:30:00.000000Z'],
    ['2024-03', null, '2024-05-02'],
    ['2024-03', '102.3', '2024-05-20'],
    ['2024-04', '103.0', '2024-05-20'],
    ['2024-04', null, '2024-06-01'],
  ),
  'MONTHLY',
)

function standing(asOf: string | undefined): (string | null)[] {
  const cut = cutAt(revised, readAsOf(asOf))
  return [...cut].map(row => (row < 0 ? null : revised.value[row]!))
}

describe('the series as it stood', () => {
  test('before the first publication there is nothing', () => {
    expect(standing('2024-02-14')).toEqual([null, null, null, null])
  })

  test('a publication counts on its own day', () => {
    expect(standing('2024-02-15')).toEqual(['100.0', null, null, null])
  })

  test('a revision replaces the first print from its day on', () => {
    expect(standing('2024-03-14')).toEqual(['100.0', null, null, null])
    expect(standing('2024-03-15')).toEqual(['100.4', '101.0', null, null])
  })

  test('a day counts to its end, an instant to itself', () => {
    expect(standing('2024-04-15')[2]).toBe('102.0')
    expect(standing('2024-04-15T12:29:59Z')[2]).toBe(null)
    expect(standing('2024-04-15T12:30:00Z')[2]).toBe('102.0')
    expect(standing('2024-04-15T14:30:00+02:00')[2]).toBe('102.0')
  })

  test('a withdrawn period vanishes and comes back when it is published again', () => {
    expect(standing('2024-05-01')[2]).toBe('102.0')
    expect(standing('2024-05-02')[2]).toBe(null)
    expect(standing('2024-05-20')[2]).toBe('102.3')
  })

  test('without a cut it is what is known today', () => {
    expect(standing(undefined)).toEqual(['100.4', '101.0', '102.3', null])
  })

  test('it counts the vintages that were out, withdrawals too', () => {
    const count = (asOf: string) => [0, 1, 2, 3].map(i => countAt(revised, cutAt(revised, readAsOf(asOf)), i))
    expect(count('2024-02-14')).toEqual([0, 0, 0, 0])
    expect(count('2024-03-15')).toEqual([2, 1, 0, 0])
    expect(count('2024-06-01')).toEqual([2, 1, 3, 2])
  })

  test('it says what has changed and what has come since', () => {
    const since = (asOf: string) => compareCuts(revised, cutAt(revised, readAsOf(asOf)), cutAt(revised, null))
    expect(since('2024-02-15')).toEqual({ changed: 1, added: 2 })
    expect(since('2024-05-01')).toEqual({ changed: 1, added: 0 })
    expect(since('2024-05-20')).toEqual({ changed: 1, added: 0 })
    expect(since('2024-06-01')).toEqual({ changed: 0, added: 0 })
  })

  test('of two rows of one instant the one recorded later counts', () => {
    const twice = readHistory(columns(['2024', '1.0', '2024-02-01'], ['2024', '1.5', '2024-02-01']), 'ANNUAL')
    expect([...cutAt(twice, readAsOf('2024-02-01'))]).toEqual([1])
  })

  test('an address that is not a day is not a cut', () => {
    expect(readAsOf('2024-02-30')).toBe(null)
    expect(readAsOf('yesterday')).toBe(null)
  })
})

describe('publication days', () => {
  test('are in order, and distinguish revisions from first prints', () => {
    expect(revised.days.map(({ day, isRevision }) => [day, isRevision])).toEqual(
      [
        ['2024-02-15', false],
        ['2024-03-15', true],
        ['2024-04-15', false],
        ['2024-05-02', true],
        ['2024-05-20', true],
        ['2024-06-01', true],
      ].map(([day, isRevision]) => [parseDay(day as string), isRevision]),
    )
  })

  test('stepping goes from day to day, and past the last to today', () => {
    const day = (text: string) => parseDay(text)!
    expect(stepDay(revised.days, null, -1)).toBe(day('2024-06-01'))
    expect(stepDay(revised.days, day('2024-04-01'), -1)).toBe(day('2024-03-15'))
    expect(stepDay(revised.days, day('2024-03-15'), -1)).toBe(day('2024-02-15'))
    expect(stepDay(revised.days, day('2024-02-15'), -1)).toBe(day('2024-02-15'))
    expect(stepDay(revised.days, day('2024-02-15'), 1)).toBe(day('2024-03-15'))
    expect(stepDay(revised.days, day('2024-06-01'), 1)).toBe(null)
    expect(stepDay(revised.days, null, 1)).toBe(null)
  })
})

describe('places of periods', () => {
  test('a range of days takes the periods that begin inside it', () => {
    const within = (from: string, to: string) => placesWithin(revised, parseDay(from)!, parseDay(to)!)
    expect(within('2024-01-01', '2024-03-31')).toEqual([0, 3])
    expect(within('2024-01-02', '2024-03-01')).toEqual([1, 3])
    expect(within('2025-01-01', '2025-12-31')).toEqual([4, 4])
  })

  test('the first and the last are those that have a value', () => {
    const cut = cutAt(revised, null)
    expect([firstPlace(revised, cut), lastPlace(revised, cut), lastPlace(revised, cut, 2)]).toEqual([0, 2, 1])
    expect(lastPlace(revised, cutAt(revised, readAsOf('2020-01-01')))).toBe(-1)
  })

  test('the nearest period to a day skips those without a value', () => {
    const cut = cutAt(revised, null)
    expect(nearestPlace(revised, parseDay('2024-01-10')!, [cut])).toBe(0)
    expect(nearestPlace(revised, parseDay('2024-01-25')!, [cut])).toBe(1)
    expect(nearestPlace(revised, parseDay('2024-12-01')!, [cut])).toBe(2)
    expect(nearestPlace(revised, parseDay('2000-12-01')!, [cut])).toBe(0)
  })

  test('a year before is the same month; on days it looks back to the last one within a week', () => {
    const monthly = readHistory(
      columns(['2023-03', '1', '2023-04-01'], ['2024-02', '1', '2024-03-01'], ['2024-03', '1', '2024-04-01']),
      'MONTHLY',
    )
    expect([...monthly.yearAgo]).toEqual([-1, -1, 0])
    const daily = readHistory(
      columns(['2023-03-03', '1', '2023-03-03'], ['2024-03-04', '1', '2024-03-04'], ['2024-03-11', '1', '2024-03-11']),
      'DAILY',
    )
    expect([...daily.yearAgo]).toEqual([-1, 0, -1])
  })

  test('the rows of a period are its vintages, oldest first', () => {
    expect(rowsOf(revised, 2).map(row => revised.value[row])).toEqual(['102.0', null, '102.3'])
  })
})
