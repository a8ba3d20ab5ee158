import { describe, expect, test } from 'vitest'
import { parseDay } from './day.ts'
import { findZone } from './local-time.ts'

function at(zone: string, day: string, clock: string): string {
  const [hours, minutes] = clock.split(':').map(part => Number.parseInt(part, 10)) as [number, number]
  return findZone(zone)!.instantAt(parseDay(day)!, hours * 3600 + minutes * 60)
}

describe('a time as the clocks of a place show it', () => {
  test.each([
    ['America/New_York', '2026-11-13', '08:30', '2026-11-13T13:30:00.000000Z'],
    ['America/New_York', '2026-07-14', '08:30', '2026-07-14T12:30:00.000000Z'],
    ['Europe/London', '2026-10-21', '07:00', '2026-10-21T06:00:00.000000Z'],
    ['Europe/London', '2026-11-18', '07:00', '2026-11-18T07:00:00.000000Z'],
    ['Asia/Tokyo', '2026-11-18', '08:50', '2026-11-17T23:50:00.000000Z'],
    ['Pacific/Kiritimati', '2026-11-18', '00:30', '2026-11-17T10:30:00.000000Z'],
    ['Asia/Kathmandu', '2026-11-18', '00:00', '2026-11-17T18:15:00.000000Z'],
    ['UTC', '2026-11-18', '23:59', '2026-11-18T23:59:00.000000Z'],
  ])('%s %s %s', (zone, day, clock, instant) => {
    expect(at(zone, day, clock)).toBe(instant)
  })

  test.each([
    // The last hour before and the first after the change, on the day of the change and around it.
    ['America/New_York', '2026-03-08', '01:59', '2026-03-08T06:59:00.000000Z'],
    ['America/New_York', '2026-03-08', '03:00', '2026-03-08T07:00:00.000000Z'],
    ['America/New_York', '2026-03-07', '23:00', '2026-03-08T04:00:00.000000Z'],
    ['America/New_York', '2026-03-09', '00:30', '2026-03-09T04:30:00.000000Z'],
    ['America/New_York', '2026-11-01', '00:59', '2026-11-01T04:59:00.000000Z'],
    ['America/New_York', '2026-11-01', '02:00', '2026-11-01T07:00:00.000000Z'],
    ['Europe/Luxembourg', '2026-03-29', '11:00', '2026-03-29T09:00:00.000000Z'],
    ['Europe/Luxembourg', '2026-10-25', '11:00', '2026-10-25T10:00:00.000000Z'],
  ])('on a night when clocks change: %s %s %s', (zone, day, clock, instant) => {
    expect(at(zone, day, clock)).toBe(instant)
  })

  test('a skipped time counts by the offset before the change', () => {
    expect(at('America/New_York', '2026-03-08', '02:30')).toBe('2026-03-08T07:30:00.000000Z')
    expect(at('Europe/London', '2026-03-29', '01:30')).toBe('2026-03-29T01:30:00.000000Z')
  })

  test('a time that is shown twice is the first of the two', () => {
    expect(at('America/New_York', '2026-11-01', '01:30')).toBe('2026-11-01T05:30:00.000000Z')
    expect(at('Europe/London', '2026-10-25', '01:30')).toBe('2026-10-25T00:30:00.000000Z')
  })

  test('an unknown place is none', () => {
    expect(findZone('America/Gotham')).toBeNull()
    expect(findZone('')).toBeNull()
  })
})
