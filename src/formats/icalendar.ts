// Calendar files for calendar programs: RFC 5545, with the properties of RFC 7986 that name and refresh a feed. Equal events
// give equal bytes: nothing here asks for the time, and an event says itself when it was last changed. Pure.
import { sha256 } from '../core/text/sha256.ts'
import { formatDay, parseDay } from '../core/time/day.ts'

/** The time of an event: an instant, or whole days, the last included. */
type EventTime = { readonly at: string } | { readonly from: string; readonly to: string }

export interface CalendarEvent {
  /** The subject alone, by which a program knows an event again. */
  readonly subject: string
  readonly time: EventTime
  /** CONFIRMED: official. TENTATIVE: an expectation. */
  readonly status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED'
  readonly title: string
  readonly description: string
  /** The instant at which its content was recorded; later for each date that it had. */
  readonly changedAt: string
  /** A page about the event; null where there is none. */
  readonly url: string | null
  readonly categories: readonly string[]
}

export interface CalendarFile {
  readonly name: string
  readonly description: string
  /** The address that programs fetch; null where that is nobody's business. */
  readonly source: string | null
  readonly events: readonly CalendarEvent[]
}

const refreshInterval = 'PT6H'

/** A calendar has at least one component (RFC 5545, 3.6). A time zone is one that no program shows. */
const emptyLines = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
]
const lineOctets = 75

/** Events are sorted by time and subject. */
export function formatICalendar({ name, description, source, events }: CalendarFile): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Assize//Calendar feed//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    `DESCRIPTION:${escapeText(description)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${refreshInterval}`,
    `X-PUBLISHED-TTL:${refreshInterval}`,
    ...(source === null ? [] : [`SOURCE;VALUE=URI:${source}`]),
    ...(events.length === 0 ? emptyLines : events.toSorted(byTime).flatMap(eventLines)),
    'END:VCALENDAR',
  ]
  return lines.map(line => `${fold(line)}\r\n`).join('')
}

function byTime(a: CalendarEvent, b: CalendarEvent): number {
  const [first, second] = [a, b].map(({ time, subject }) => `${startOf(time)} ${subject}`) as [string, string]
  return first < second ? -1 : first > second ? 1 : 0
}

function startOf(time: EventTime): string {
  return 'at' in time ? time.at : time.from
}

function eventLines(event: CalendarEvent): readonly string[] {
  const { subject, time, status, title, description, changedAt, url, categories } = event
  return [
    'BEGIN:VEVENT',
    `UID:${uidOf(subject)}`,
    `DTSTAMP:${formatInstant(changedAt)}`,
    ...timeLines(time),
    `SUMMARY:${escapeText(title)}`,
    ...(description === '' ? [] : [`DESCRIPTION:${escapeText(description)}`]),
    `STATUS:${status}`,
    `SEQUENCE:${sequenceOf(changedAt)}`,
    ...(categories.length === 0 ? [] : [`CATEGORIES:${categories.map(escapeText).join(',')}`]),
    // Nobody is busy because an office publishes something.
    'TRANSP:TRANSPARENT',
    ...(url === null ? [] : [`URL:${url}`]),
    `LAST-MODIFIED:${formatInstant(changedAt)}`,
    'END:VEVENT',
  ]
}

/** A day that ends an event does not belong to it in iCalendar. */
function timeLines(time: EventTime): readonly string[] {
  if ('at' in time) return [`DTSTART:${formatInstant(time.at)}`]
  return [`DTSTART;VALUE=DATE:${formatDate(time.from)}`, `DTEND;VALUE=DATE:${formatDate(dayAfter(time.to))}`]
}

export function uidOf(subject: string): string {
  return `${sha256(subject).slice(0, 32)}@assize`
}

/** Seconds since 2020: it grows whenever the date moves, also where a learned date becomes an announced one. */
function sequenceOf(changedAt: string): number {
  return Math.max(0, Math.floor((Date.parse(changedAt) - Date.parse('2020-01-01T00:00:00Z')) / 1_000))
}

/** `2026-11-13T13:30:00.000000Z` as `20261113T133000Z`. */
function formatInstant(at: string): string {
  return `${at.slice(0, 19).replaceAll('-', '').replaceAll(':', '')}Z`
}

function formatDate(day: string): string {
  return day.replaceAll('-', '')
}

function dayAfter(day: string): string {
  return formatDay(parseDay(day)! + 1)
}

/** Escapes a text, without characters that no calendar may hold. */
function escapeText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/(?!\n)\p{Cc}/gu, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\;')
    .replaceAll(',', '\\,')
    .replaceAll('\n', '\\n')
}

const encoder = new TextEncoder()

/** Lines of at most 75 octets; those after the first begin with a space. No character is cut in two. */
function fold(line: string): string {
  if (encoder.encode(line).length <= lineOctets) return line
  let folded = ''
  let used = 0
  for (const character of line) {
    const octets = encoder.encode(character).length
    if (used + octets > lineOctets) {
      folded += '\r\n '
      used = 1
    }
    folded += character
    used += octets
  }
  return folded
}
