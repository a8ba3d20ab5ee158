import { describe, expect, test } from 'vitest'
import { parseDay } from './day.ts'
import {
  dayOfInstant,
  endOfDay,
  formatPublished,
  instantOfMicros,
  microsOf,
  parseCut,
  parseDayOrInstant,
  parseInstant,
  startOfDay,
} from './instant.ts'

describe('instants', () => {
  test.each([
    ['2024-04-11T12:30:00Z', '2024-04-11T12:30:00.000000Z'],
    ['2024-04-11t12:30:00z', '2024-04-11T12:30:00.000000Z'],
    ['2024-04-11T12:30:00.5Z', '2024-04-11T12:30:00.500000Z'],
    ['2024-04-11T12:30:00.123456789Z', '2024-04-11T12:30:00.123456Z'],
    ['2024-01-01T00:30:00+02:00', '2023-12-31T22:30:00.000000Z'],
    ['2024-02-29T23:30:00-05:45', '2024-03-01T05:15:00.000000Z'],
  ])('writes %s in one form: %s', (text, expected) => {
    expect(parseInstant(text)).toBe(expected)
  })

  test.each([
    '2024-04-11',
    '2024-04-11T12:30:00',
    '2024-04-11T12:30Z',
    '2024-04-11 12:30:00Z',
    '2024-04-11T24:00:00Z',
    '2024-04-11T12:60:00Z',
    '2024-04-11T12:30:60Z',
    '2024-02-30T12:30:00Z',
    '2024-04-11T12:30:00+24:00',
    '2024-04-11T12:30:00+0200',
    '2024-04-11T12:30:00.Z',
    '',
  ])('refuses "%s"', text => {
    expect(parseInstant(text)).toBeNull()
  })

  test('refuses an instant whose zone moves it outside the years with four digits', () => {
    expect(parseInstant('9999-12-31T23:30:00-01:00')).toBeNull()
    expect(parseInstant('0001-01-01T00:30:00+01:00')).toBeNull()
  })

  test('sorts as it reads', () => {
    const instants = ['2024-04-11T12:30:00.5Z', '2024-04-11T12:30:00Z', '2023-12-31T23:59:59.999999Z']
    expect(instants.map(text => parseInstant(text)!).sort()).toEqual([
      '2023-12-31T23:59:59.999999Z',
      '2024-04-11T12:30:00.000000Z',
      '2024-04-11T12:30:00.500000Z',
    ])
  })

  test('counts a publication from the first instant of its day and cuts at the last', () => {
    expect(parseDayOrInstant('2024-04-11')).toBe('2024-04-11T00:00:00.000000Z')
    expect(parseCut('2024-04-11')).toBe('2024-04-11T23:59:59.999999Z')
    expect(parseCut('2024-04-11T12:00:00Z')).toBe('2024-04-11T12:00:00.000000Z')
    expect(parseDayOrInstant('tomorrow')).toBeNull()
    expect(parseCut('2024-02-30')).toBeNull()
    const day = parseDay('2024-04-11')!
    expect([startOfDay(day), endOfDay(day)].map(dayOfInstant)).toEqual([day, day])
  })

  test('writes a publication that is known to the day only as that day', () => {
    expect(formatPublished('2024-04-11T00:00:00.000000Z')).toBe('2024-04-11')
    expect(formatPublished('2024-04-11T12:30:00.000000Z')).toBe('2024-04-11T12:30:00Z')
    expect(formatPublished('2024-04-11T12:30:00.120000Z')).toBe('2024-04-11T12:30:00.12Z')
    expect(formatPublished('2024-04-11T10:20:30.000000Z')).toBe('2024-04-11T10:20:30Z')
    expect(formatPublished('2024-04-11T00:00:00.000001Z')).toBe('2024-04-11T00:00:00.000001Z')
  })

  test.each(['1970-01-01T00:00:00.000000Z', '1969-12-31T23:59:59.999999Z', '2024-02-29T12:34:56.789012Z'])(
    'gives %s back from its microseconds',
    instant => {
      expect(instantOfMicros(microsOf(instant))).toBe(instant)
    },
  )
})
