// Calendar files as two independent readers understand them: one of npm, and the one that reads calendars of providers.
import ical, { type VEvent } from 'node-ical'
import { describe, expect, test } from 'vitest'
import { findZone } from '../../src/core/time/local-time.ts'
import { type CalendarEvent, type CalendarFile, formatICalendar, uidOf } from '../../src/formats/icalendar.ts'
import { eventsOf, openCalendar } from '../../src/providers/formats/icalendar.ts'

const released: CalendarEvent = {
  subject: 'release BLS/CPI 2026-10',
  time: { at: '2026-11-13T13:30:00.000000Z' },
  status: 'CONFIRMED',
  title: 'BLS: Consumer Price Index for October 2026',
  description: 'Announced by BLS; its dates are in America/New_York.\nRead by Steel brackets, Copper wire.',
  changedAt: '2026-01-05T04:17:00.000000Z',
  url: 'https://prices.example/w/acme/agreements/steel',
  categories: ['Release'],
}
const expected: CalendarEvent = {
  ...released,
  subject: 'figure ser_1 2026-10',
  time: { from: '2026-12-30', to: '2027-01-02' },
  status: 'TENTATIVE',
  title:
    'ECB: Prix à la production; “énergie”, 2026-10 (expected) – a title that is longer than one line of a calendar holds',
  description: 'A back\\slash, a semicolon; and\nanother line.',
  url: null,
  categories: ['Expected release', 'With, comma'],
}
const cancelled: CalendarEvent = {
  ...released,
  subject: 'release ONS/MM22 2026-09',
  time: { from: '2026-10-21', to: '2026-10-21' },
  status: 'CANCELLED',
  title: 'Cancelled: ONS: Producer price inflation, UK: September 2026 🏭🏭🏭🏭🏭🏭🏭🏭🏭🏭🏭🏭🏭🏭',
}
const file: CalendarFile = {
  name: 'Prices; what is due',
  description: 'Releases and adjustment dates of Acme, Inc.',
  source: 'https://prices.example/feeds/asz_feed_0123456789.ics',
  events: [released, expected, cancelled],
}

/** What an independent reader of npm makes of it. */
function readElsewhere(text: string) {
  const events = Object.values(ical.sync.parseICS(text)).filter((each): each is VEvent => each?.type === 'VEVENT')
  // Days are read at midnight of this machine.
  const dayOf = (at: Date) =>
    [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(n => String(n).padStart(2, '0')).join('-')
  const write = (at: Date | undefined, isDay: boolean) =>
    at === undefined ? null : isDay ? dayOf(at) : at.toISOString().replace('Z', '000Z')
  return events.map(({ uid, summary, description, start, end, status, sequence, datetype }) => ({
    uid,
    summary: textOf(summary),
    description: textOf(description),
    status,
    sequence: Number(sequence),
    start: write(start, datetype === 'date'),
    end: datetype === 'date' ? write(end, true) : null,
  }))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : String((value as { val: string }).val)
}

/** What our own reader of calendars makes of it. */
function readHere(text: string) {
  const opened = openCalendar(text)
  if ('fault' in opened) throw new Error(opened.fault)
  return eventsOf(opened.calendar, findZone('UTC')!).map(
    ({ uid, summary, description, start, end, status, sequence }) => {
      return { uid, summary, description, status, sequence, start, end }
    },
  )
}

describe('a calendar file', () => {
  test('is read alike by two independent readers, as it was meant', () => {
    const text = formatICalendar(file)
    const byUid = (a: { uid: string | null }, b: { uid: string | null }) => ((a.uid ?? '') < (b.uid ?? '') ? -1 : 1)
    const here = readHere(text).sort(byUid)
    expect(here).toEqual(readElsewhere(text).sort(byUid))
    expect(here).toHaveLength(3)
    expect(here.find(({ uid }) => uid === uidOf(released.subject))).toMatchObject({
      summary: released.title,
      description: released.description,
      start: '2026-11-13T13:30:00.000000Z',
      status: 'CONFIRMED',
    })
    expect(here.find(({ uid }) => uid === uidOf(expected.subject))).toMatchObject({
      summary: expected.title,
      description: expected.description,
      start: '2026-12-30',
      end: '2027-01-03',
      status: 'TENTATIVE',
    })
    expect(here.find(({ uid }) => uid === uidOf(cancelled.subject))).toMatchObject({
      summary: cancelled.title,
      start: '2026-10-21',
      status: 'CANCELLED',
    })
  })

  test('has lines of at most 75 octets that end with CRLF, and cuts no character', () => {
    const text = formatICalendar(file)
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
    const lines = text.slice(0, -2).split('\r\n')
    expect(Math.max(...lines.map(line => Buffer.byteLength(line)))).toBe(75)
    expect(lines.every(line => line.isWellFormed() && !line.includes('\n'))).toBe(true)
  })

  test('says what it is called, how often to come back, and where it is', () => {
    const lines = formatICalendar(file).split('\r\n')
    expect(lines).toContain('NAME:Prices\\; what is due')
    expect(lines).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT6H')
    expect(lines).toContain('X-PUBLISHED-TTL:PT6H')
    expect(lines).toContain('SOURCE;VALUE=URI:https://prices.example/feeds/asz_feed_0123456789.ics')
  })

  test('has the same bytes whatever the order of its events', () => {
    expect(formatICalendar({ ...file, events: [cancelled, released, expected] })).toBe(formatICalendar(file))
  })

  test('changes in one event alone when a date moves, and its sequence grows', () => {
    const moved = { ...released, time: { at: '2026-11-20T13:30:00.000000Z' }, changedAt: '2026-11-02T04:17:00.000000Z' }
    const before = readHere(formatICalendar(file))
    const after = readHere(formatICalendar({ ...file, events: [moved, expected, cancelled] }))
    const changed = after.filter(each => !before.some(one => JSON.stringify(one) === JSON.stringify(each)))
    expect(changed).toMatchObject([{ uid: uidOf(released.subject), start: '2026-11-20T13:30:00.000000Z' }])
    const held = before.find(({ uid }) => uid === changed[0]!.uid)!
    expect(changed[0]!.sequence).toBeGreaterThan(held.sequence)
  })
})

test('a calendar without events has a component all the same, which is no event', () => {
  const text = formatICalendar({ ...file, events: [] })
  expect(text.match(/^BEGIN:(?!VCALENDAR).*$/gm)).toEqual(['BEGIN:VTIMEZONE', 'BEGIN:STANDARD'])
  expect(Object.values(ical.sync.parseICS(text)).filter(each => each?.type === 'VEVENT')).toEqual([])
})

test('a date that moves again within a minute has another sequence', () => {
  const [first, then] = ['12:00:01', '12:00:02'].map(time => {
    const text = formatICalendar({ ...file, events: [{ ...released, changedAt: `2026-01-05T${time}.000000Z` }] })
    return Number(/^SEQUENCE:(\d+)/m.exec(text)![1])
  })
  expect(then!).toBe(first! + 1)
})
