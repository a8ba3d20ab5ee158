import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findZone } from '../../core/time/local-time.ts'
import { type CalendarEvent, eventsOf, openCalendar, readText } from './icalendar.ts'

const eastern = findZone('America/New_York')!

function eventsIn(lines: readonly string[], end = '\r\n'): readonly CalendarEvent[] {
  const opened = openCalendar(`${['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join(end)}${end}`)
  if ('fault' in opened) throw new Error(opened.fault)
  return eventsOf(opened.calendar, eastern)
}

const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']
const startOf = (line: string) => eventsIn(event(line))[0]!.start

describe('lines', () => {
  test.each([
    ['CRLF', '\r\n'],
    ['LF', '\n'],
    ['CR', '\r'],
  ])('may end with %s', (_, end) => {
    const [only] = eventsIn(event('UID:a', 'SUMMARY:Consumer Price Ind', ' ex', 'DTSTART:20261113T133000Z'), end)
    expect(only).toMatchObject({ uid: 'a', summary: 'Consumer Price Index', start: '2026-11-13T13:30:00.000000Z' })
  })

  test('folded ones are joined, at a space or a tab, which is not part of the text', () => {
    expect(eventsIn(event('SUMMARY:Producer', '  Price', '\t Index'))[0]!.summary).toBe('Producer Price Index')
    expect(eventsIn(event('DTSTA', ' RT:2026111', ' 3'))[0]!.start).toBe('2026-11-13')
  })

  test('a byte order mark and empty lines do not matter', () => {
    const opened = openCalendar('\uFEFFBEGIN:VCALENDAR\n\nEND:VCALENDAR\n\n')
    expect(opened).toMatchObject({ calendar: { name: 'VCALENDAR' } })
  })

  test('names are read in any case, parameters may be quoted', () => {
    expect(startOf('dtstart;tzid="US-Eastern";x-note="a;b:c,d":20261113T083000')).toBe('2026-11-13T13:30:00.000000Z')
  })

  test('one that cannot be read marks its event', () => {
    const [damaged, sound] = eventsIn([...event('UID:a', 'DTSTART'), ...event('UID:b')])
    expect([damaged!.isDamaged, sound!.isDamaged]).toEqual([true, false])
  })
})

test('text is unescaped', () => {
  const [only] = eventsIn(event('SUMMARY:a\\, b\\; c\\\\n\\nd\\N', 'DESCRIPTION:x\\'))
  expect(only!.summary).toBe('a, b; c\\n\nd')
  expect(only!.description).toBe('x\\')
})

describe('times', () => {
  test.each([
    ['DTSTART;VALUE=DATE:20261113', '2026-11-13'],
    ['DTSTART:20261113', '2026-11-13'],
    ['DTSTART:20261113T133000Z', '2026-11-13T13:30:00.000000Z'],
    ['DTSTART;VALUE=DATE-TIME:20261113T133000Z', '2026-11-13T13:30:00.000000Z'],
    ['DTSTART;TZID=US-Eastern:20261113T083000', '2026-11-13T13:30:00.000000Z'],
    ['DTSTART;TZID=US-Eastern:20260714T083000', '2026-07-14T12:30:00.000000Z'],
    ['DTSTART;TZID=Europe/Berlin:20261113T083000', '2026-11-13T07:30:00.000000Z'],
    // Floating: by the clocks of the calendar's own place.
    ['DTSTART:20261113T083000', '2026-11-13T13:30:00.000000Z'],
    // Skipped in spring, and shown twice in autumn.
    ['DTSTART;TZID=US-Eastern:20260308T023000', '2026-03-08T07:30:00.000000Z'],
    ['DTSTART;TZID=US-Eastern:20261101T013000', '2026-11-01T05:30:00.000000Z'],
  ])('%s', (line, start) => {
    expect(startOf(line)).toBe(start)
  })

  test.each([
    'DTSTART;TZID=Gotham:20261113T083000',
    'DTSTART;TZID=US-Eastern:20261113T083000Z',
    'DTSTART;VALUE=DATE:20261113T083000',
    'DTSTART;VALUE=DATE-TIME:20261113',
    'DTSTART;VALUE=PERIOD:20261113T083000Z/PT1H',
    'DTSTART:20260230',
    'DTSTART:20261113T250000',
    'DTSTART:20261113T086000',
    'DTSTART:20261113T083060',
    'DTSTART:2026-11-13',
    'DTSTART:20261113,20261114',
    'DTSTART:',
  ])('no guess is made for %s', line => {
    expect(startOf(line)).toBeNull()
  })

  test('two starts are none', () => {
    expect(eventsIn(event('DTSTART:20261113', 'DTSTART:20261114'))[0]!.start).toBeNull()
  })
})

test('an event says its end, its status, its number and whether it repeats', () => {
  const [only] = eventsIn(event('DTEND:20261114', 'STATUS:cancelled', 'SEQUENCE:3', 'RRULE:FREQ=MONTHLY'))
  expect(only).toMatchObject({ end: '2026-11-14', status: 'CANCELLED', sequence: 3, repeats: true })
})

test('parts inside an event and zones beside it are not events', () => {
  const zone = ['BEGIN:VTIMEZONE', 'TZID:US-Eastern', 'BEGIN:DAYLIGHT', 'DTSTART:20070311T020000', 'END:DAYLIGHT']
  const alarm = ['BEGIN:VALARM', 'TRIGGER:-PT15M', 'DTSTART:19990101', 'END:VALARM']
  const events = eventsIn([...zone, 'END:VTIMEZONE', ...event('DTSTART:20261113', ...alarm)])
  expect(events.map(({ start }) => start)).toEqual(['2026-11-13'])
})

test('the properties of the calendar itself can be read', () => {
  const opened = openCalendar('BEGIN:VCALENDAR\nNAME:Due\\, all\nEND:VCALENDAR\n')
  expect('calendar' in opened && readText(opened.calendar, 'NAME')).toBe('Due, all')
})

describe('a file that is not a whole calendar gives nothing', () => {
  test.each([
    ['', 'it does not begin with BEGIN:VCALENDAR'],
    ['<html><body>Access denied</body></html>', 'it does not begin with BEGIN:VCALENDAR'],
    ['{"error":"none"}', 'it does not begin with BEGIN:VCALENDAR'],
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:2026', 'it breaks off before END:VCALENDAR'],
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT', 'it breaks off before END:VCALENDAR'],
    ['BEGIN:VCALENDAR\nEND:VEVENT\nEND:VCALENDAR', 'END:VEVENT closes nothing'],
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR', 'END:VCALENDAR closes nothing'],
    ['BEGIN:VCALENDAR\nEND:VCALENDAR\nUID:a', 'it has lines outside of its calendar'],
    ['BEGIN:VCALENDAR\nEND:VCALENDAR\nBEGIN:VCALENDAR\nEND:VCALENDAR', 'it has more than one calendar'],
    [`BEGIN:VCALENDAR\n${'BEGIN:VEVENT\n'.repeat(100_000)}`, 'its parts are nested more than 8 deep'],
  ])('%.60s', (text, fault) => {
    expect(openCalendar(text)).toEqual({ fault })
  })
})

test('no text makes it throw', () => {
  const pieces = fc.constantFrom(
    'BEGIN:VCALENDAR\n',
    'END:VCALENDAR\n',
    'BEGIN:VEVENT\n',
    'END:VEVENT\n',
    'DTSTART',
    ';TZID=',
    '"',
    ':',
    '\n ',
    '20261113T083000',
    'SUMMARY:',
    '\\',
    '\r',
    ';',
    '=',
    'Z',
  )
  const text = fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 30 })
  fc.assert(
    fc.property(text, parts => {
      const opened = openCalendar(`BEGIN:VCALENDAR\n${parts.join('')}\nEND:VCALENDAR\n`)
      if ('fault' in opened) return
      for (const { start } of eventsOf(opened.calendar, eastern))
        expect(start === null || start.length >= 10).toBe(true)
    }),
    { numRuns: 300 },
  )
})
