import { describe, expect, test } from 'vitest'
import { formatDay, parseDay } from '../time/day.ts'
import { checkDocument } from './check/check.ts'
import type { Formula } from './formula.ts'
import {
  adjustmentDates,
  goBack,
  isLabelOf,
  labelOf,
  nextDateAfter,
  periodsSinceStart,
  type ScheduledVersion,
  schedule,
  yearsSinceStart,
} from './schedule.ts'

const day = (text: string) => parseDay(text)!

function formula(contract: string, effectiveFrom = ''): Formula {
  const text = `
slug: schedule
contract: ${contract}
${effectiveFrom === '' ? '' : `effectiveFrom: ${effectiveFrom}`}
steps: [{ name: factor, expr: "1" }]
result: { kind: FACTOR, step: factor }`
  const checked = checkDocument(text)
  if (checked.formula === null) throw new Error(JSON.stringify(checked.problems))
  return checked.formula
}

const contractOf = (contract: string) => formula(contract).contract
const datesOf = (contract: string, until: string) => adjustmentDates(contractOf(contract), day(until)).map(formatDay)

describe('adjustment dates', () => {
  test('begin one period after the start and stop at the requested day', () => {
    expect(datesOf('{ start: 2024-01-15, frequency: MONTHLY }', '2024-04-14')).toEqual(['2024-02-15', '2024-03-15'])
    expect(datesOf('{ start: 2024-01-15, frequency: MONTHLY }', '2024-04-15')).toHaveLength(3)
  })

  test('stop at the end of the contract', () => {
    expect(datesOf('{ start: 2024-01-15, end: 2024-03-20, frequency: MONTHLY }', '2030-01-01')).toHaveLength(2)
  })

  test('come back to the day of the month after a short month', () => {
    expect(datesOf('{ start: 2023-11-30, frequency: QUARTERLY }', '2024-12-31')).toEqual([
      '2024-02-29',
      '2024-05-30',
      '2024-08-30',
      '2024-11-30',
    ])
  })

  test('are one with ONCE, and none when its day has not come', () => {
    const once = '{ start: 2024-01-01, frequency: ONCE, firstAdjustment: 2024-06-15 }'
    expect(datesOf(once, '2030-01-01')).toEqual(['2024-06-15'])
    expect(datesOf(once, '2024-06-14')).toEqual([])
  })

  test('are bounded in number', () => {
    expect(datesOf('{ start: 1500-01-01, frequency: MONTHLY }', '9999-12-31')).toHaveLength(2400)
  })
})

describe('labels', () => {
  test.each([
    ['MONTHLY', '2024-05'],
    ['QUARTERLY', '2024-Q2'],
    ['SEMIANNUAL', '2024-H1'],
    ['ANNUAL', '2024'],
    ['4 months', '2024-05'],
    ['ONCE, firstAdjustment: 2024-05-20', '2024-05'],
  ])('name the calendar period of %s that holds the date: %s', (frequency, label) => {
    const contract = contractOf(`{ start: 2023-05-20, frequency: ${frequency} }`)
    expect(labelOf(contract, day('2024-05-20'))).toBe(label)
    expect(isLabelOf(contract, label)).toBe(true)
    expect(isLabelOf(contract, '2024-05-20')).toBe(false)
  })
})

describe('which version governs', () => {
  const monthly = '{ start: 2024-01-01, end: 2024-12-31, frequency: MONTHLY }'
  const quarterly = '{ start: 2024-01-01, end: 2024-12-31, frequency: QUARTERLY }'
  const governed = (versions: readonly Formula[]) =>
    schedule(
      versions.map((version, i) => ({ number: i + 1, formula: version })),
      day('2024-12-31'),
    ).map(({ date, label, version }) => `${formatDay(date)} ${label} ${version.number}`)

  test('is the highest whose effectiveFrom has come, each on its own calendar', () => {
    expect(governed([formula(monthly), formula(quarterly, '2024-04-01')])).toEqual([
      '2024-02-01 2024-02 1',
      '2024-03-01 2024-03 1',
      '2024-04-01 2024-Q2 2',
      '2024-07-01 2024-Q3 2',
      '2024-10-01 2024-Q4 2',
    ])
  })

  test('is never one that a higher version overtakes', () => {
    const versions = [formula(quarterly), formula(quarterly, '2024-10-01'), formula(quarterly, '2024-07-01')]
    expect(governed(versions)).toEqual(['2024-04-01 2024-Q2 1', '2024-07-01 2024-Q3 3', '2024-10-01 2024-Q4 3'])
  })

  test('does not exist before the first effectiveFrom', () => {
    expect(governed([formula(quarterly, '2024-06-30')])).toEqual(['2024-07-01 2024-Q3 1', '2024-10-01 2024-Q4 1'])
  })
})

describe('the dates of many versions', () => {
  const contracts = [
    '{ start: 2023-01-31, frequency: MONTHLY }',
    '{ start: 2023-02-28, frequency: MONTHLY, firstAdjustment: 2023-03-31 }',
    '{ start: 2023-01-01, end: 2024-02-15, frequency: QUARTERLY }',
    '{ start: 2023-01-01, frequency: WEEKLY }',
    '{ start: 2023-03-01, frequency: 2 weeks }',
    '{ start: 2023-01-01, end: 2023-12-01, frequency: DAILY }',
    '{ start: 2023-01-01, frequency: ONCE, firstAdjustment: 2023-08-20 }',
    '{ start: 2023-01-01, dates: [2023-02-01, 2023-05-05, 2024-01-01] }',
  ].map(contractOf)
  const from = day('2023-01-01')
  const until = day('2024-06-30')

  /** Governing versions by the rule itself: all versions, day by day. */
  function governedDays(versions: readonly ScheduledVersion[]): string[] {
    const found: string[] = []
    for (let date = from; date <= until; date++) {
      const governing = versions
        .filter(({ formula: { effectiveFrom } }) => effectiveFrom <= date)
        .sort((a, b) => b.number - a.number)[0]
      if (governing !== undefined && adjustmentDates(governing.formula.contract, until).includes(date))
        found.push(`${formatDay(date)} ${governing.number}`)
    }
    return found
  }

  test('are those of the one that governs each day, and the next is the first after today', () => {
    let state = 7
    const draw = (most: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % most
    }
    for (let round = 0; round < 60; round++) {
      const versions = Array.from({ length: 1 + draw(6) }, (_, i) => {
        const contract = contracts[draw(contracts.length)]!
        return { number: i + 1, formula: { contract, effectiveFrom: contract.start + draw(500) } }
      })
      const dates = schedule(versions, until)
      expect(dates.map(({ date, version }) => `${formatDay(date)} ${version.number}`)).toEqual(governedDays(versions))
      const today = from + draw(400)
      const next = dates.find(({ date }) => date > today)
      if (next !== undefined) expect(formatDay(nextDateAfter(versions, today)!)).toBe(formatDay(next.date))
    }
  })

  test('are found with one look at a version for each date, however many versions a calendar of days has', () => {
    let looks = 0
    const contract = contractOf('{ start: 1990-01-01, frequency: DAILY }')
    const versions = Array.from({ length: 500 }, (_, i) => ({
      number: i + 1,
      formula: {
        get contract() {
          looks++
          return contract
        },
        effectiveFrom: contract.start + 20 * i,
      },
    }))
    expect(schedule(versions, day('2030-01-01'))).toHaveLength(14_610)
    expect(formatDay(nextDateAfter(versions, day('2025-01-01'))!)).toBe('2025-01-02')
    // Asking every version about every date would take seven million.
    expect(looks).toBeLessThan(20_000)
  })
})

describe('counting', () => {
  test('goes back days, weeks and months, clipped to the month', () => {
    const back = (from: string, count: number, unit: 'day' | 'week' | 'month' | 'quarter' | 'year') =>
      formatDay(goBack(day(from), { count, unit }))
    expect(back('2024-03-01', 1, 'day')).toBe('2024-02-29')
    expect(back('2024-03-01', 2, 'week')).toBe('2024-02-16')
    expect(back('2024-03-31', 1, 'month')).toBe('2024-02-29')
    expect(back('2024-05-31', 2, 'quarter')).toBe('2023-11-30')
    expect(back('2024-02-29', 1, 'year')).toBe('2023-02-28')
    expect(back('2024-02-29', 0, 'day')).toBe('2024-02-29')
  })

  test('counts whole periods and years from the start', () => {
    const contract = contractOf('{ start: 2023-08-31, frequency: SEMIANNUAL }')
    expect(periodsSinceStart(contract, day('2024-02-29'))).toBe(1)
    expect(periodsSinceStart(contract, day('2024-02-28'))).toBe(0)
    expect(periodsSinceStart(contract, day('2024-08-31'))).toBe(2)
    expect(yearsSinceStart(contract, day('2024-08-30'))).toBe(0)
    expect(yearsSinceStart(contract, day('2024-08-31'))).toBe(1)
  })
})
