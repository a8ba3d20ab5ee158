// The release calendar of the US Bureau of Labor Statistics: one iCalendar file of all its news releases. A series belongs
// to the release of its survey, which the first two letters of its id name.
import { findZone } from '../../core/time/local-time.ts'
import { failureOf, openBody, withoutKeys } from '../formats/body.ts'
import { type CalendarEvent, eventsOf, openCalendar } from '../formats/icalendar.ts'
import { problem, quoted } from '../formats/problem.ts'
import type { Answer, ParsedReleases, ReleasesPart } from '../provider.ts'
import { failedReleases, type ReleaseEntry, readEntries } from './release-entries.ts'

const zone = 'America/New_York'

/** The bureau's own abbreviations by title; the titles are those of its calendar. */
const titles: ReadonlyMap<string, string> = new Map([
  ['consumer price index', 'CPI'],
  ['producer price index', 'PPI'],
  ['employment cost index', 'ECI'],
  ['employment situation', 'EMPSIT'],
  ['u.s. import and export price indexes', 'XIMPIM'],
  ['job openings and labor turnover survey', 'JOLTS'],
])

const surveys: ReadonlyMap<string, string> = new Map([
  ['CU', 'CPI'],
  ['CW', 'CPI'],
  ['SU', 'CPI'],
  ['AP', 'CPI'],
  ['WP', 'PPI'],
  ['PC', 'PPI'],
  ['CI', 'ECI'],
  ['CE', 'EMPSIT'],
  ['LN', 'EMPSIT'],
  ['EI', 'XIMPIM'],
  ['JT', 'JOLTS'],
])

export const blsReleases: ReleasesPart = {
  zone,
  requests: ({ codes }) => [
    {
      codes,
      method: 'GET',
      baseUrl: 'https://www.bls.gov',
      path: '/schedule/news_release/bls.ics',
      headers: { Accept: 'text/calendar' },
      body: null,
      secrets: [],
    },
  ],
  read,
  releaseOf: code => surveys.get(code.slice(0, 2).toUpperCase()) ?? null,
}

function read(answer: Answer): ParsedReleases {
  const body = openBody(answer)
  if (body.form !== 'text' || answer.status >= 400) return failedReleases(failureOf(answer, body, withoutKeys).problems)
  const opened = openCalendar(answer.body)
  if ('fault' in opened)
    return failedReleases([problem('unreadable', `${quoted(body.text)} is not a calendar: ${opened.fault}`)])
  const events = eventsOf(opened.calendar, findZone(zone)!)
  const entries = newest(events).flatMap(entryOf)
  if (entries.length === 0)
    return failedReleases([
      problem('unreadable', `none of the ${events.length} events of the calendar is a release that is known`),
    ])
  return readEntries(entries, zone)
}

/** The version of each event with the highest number. */
function newest(events: readonly CalendarEvent[]): readonly CalendarEvent[] {
  const highest = new Map<string, number>()
  for (const { uid, sequence } of events) if (uid !== null) highest.set(uid, Math.max(highest.get(uid) ?? 0, sequence))
  return events.filter(({ uid, sequence }) => uid === null || sequence === highest.get(uid))
}

/** Quirk BLS-14: the title names the period, `Consumer Price Index for August 2026`, or none at all. */
function entryOf(event: CalendarEvent): readonly ReleaseEntry[] {
  const title = event.summary?.replace(/\s+/g, ' ') ?? ''
  const [, name, periodText] = /^(.*?)(?: for (.*))?$/.exec(title)!
  const release = titles.get(name!.toLowerCase())
  if (release === undefined) return []
  const isClear = !event.isDamaged && !event.repeats
  return [
    {
      release,
      title,
      periodText: periodText ?? null,
      at: isClear ? event.start : null,
      writtenAt: event.writtenStart,
      status: event.status === 'CANCELLED' ? 'CANCELLED' : event.start?.length === 10 ? 'DATE_ONLY' : 'OFFICIAL',
      sourceId: event.uid,
    },
  ]
}
