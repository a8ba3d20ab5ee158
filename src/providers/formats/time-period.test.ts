import { describe, expect, test } from 'vitest'
import { type Frequency, formatPeriod } from '../../core/time/period.ts'
import { frequencyOfLetter, readTimePeriod } from './time-period.ts'

function read(text: string, frequency: Frequency | null = null): string | null {
  const period = readTimePeriod(text, frequency)
  return period === null ? null : formatPeriod(period)
}

describe('reading periods of providers', () => {
  test.each([
    ['2024', '2024'],
    ['2024-A1', '2024'],
    ['2024-S1', '2024-H1'],
    ['2024-H2', '2024-H2'],
    ['2024-B1', '2024-H1'],
    ['2024-Q1', '2024-Q1'],
    ['2024Q1', '2024-Q1'],
    ['2024 Q1', '2024-Q1'],
    ['2024-01', '2024-01'],
    ['2024-M01', '2024-01'],
    ['2024M01', '2024-01'],
    ['2024 JAN', '2024-01'],
    ['Jan-24', '2024-01'],
    ['Dec-88', '1988-12'],
    ['2024-W05', '2024-W05'],
    ['2024-01-15', '2024-01-15'],
    ['2024-D015', '2024-01-15'],
    ['2024-D366', '2024-12-31'],
  ])('reads %s as %s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  test.each([
    '2024-T1',
    '2024-01-01/P1M',
    '2024-01-15T05',
    '2024-13',
    '2024-Q5',
    '2024-S3',
    '2024-W53',
    '2023-D366',
    '2024-A2',
    '2024 XYZ',
    '0000',
    '',
    'NaN',
  ])('refuses %s', text => {
    expect(read(text)).toBeNull()
  })

  test('reads a day at a weekly frequency as the ISO week that contains it', () => {
    expect(read('2024-01-15', 'WEEKLY')).toBe('2024-W03')
    expect(read('2024-12-30', 'WEEKLY')).toBe('2025-W01')
  })

  test('reads a first day as the period of the frequency', () => {
    expect(read('2024-04-01', 'QUARTERLY')).toBe('2024-Q2')
    expect(read('2024-04-01', 'MONTHLY')).toBe('2024-04')
    expect(read('2024-01-01', 'ANNUAL')).toBe('2024')
  })

  test('refuses a period of another frequency', () => {
    expect(read('2024-03', 'QUARTERLY')).toBeNull()
    expect(read('2024', 'MONTHLY')).toBeNull()
  })

  test('reads plain digits only with a frequency', () => {
    expect(read('202402', 'QUARTERLY')).toBe('2024-Q2')
    expect(read('202402', 'MONTHLY')).toBe('2024-02')
    expect(read('202402', 'SEMIANNUAL')).toBe('2024-H2')
    expect(read('20240215', 'DAILY')).toBe('2024-02-15')
    expect(read('20240215', 'WEEKLY')).toBe('2024-W07')
    expect(read('202405', 'QUARTERLY')).toBeNull()
    expect(read('202402')).toBeNull()
  })
})

describe('frequency letters', () => {
  test('knows the common letters, with business days as days', () => {
    expect([...'ASQMWDB'].map(letter => frequencyOfLetter(letter))).toEqual([
      'ANNUAL',
      'SEMIANNUAL',
      'QUARTERLY',
      'MONTHLY',
      'WEEKLY',
      'DAILY',
      'DAILY',
    ])
    expect(frequencyOfLetter('N')).toBeNull()
    expect(frequencyOfLetter('constructor')).toBeNull()
  })

  test('reads H as a half-year only if told so', () => {
    expect(frequencyOfLetter('H', true)).toBe('SEMIANNUAL')
    expect(frequencyOfLetter('H')).toBeNull()
  })
})
