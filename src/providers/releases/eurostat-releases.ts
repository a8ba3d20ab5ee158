// Eurostat's release calendar: the feed behind the calendar page of its site. It is not a documented service, so whatever does
// not look as expected becomes a problem. An entry belongs to the data sets it names; entries that nobody follows are left out,
// because there are thousands.
import { formatDay, parseDay } from '../../core/time/day.ts'
import { type Instant, parseInstant } from '../../core/time/instant.ts'
import { findZone, type Zone } from '../../core/time/local-time.ts'
import { query } from '../formats/address.ts'
import { failureOf, openBody, strange, withoutKeys } from '../formats/body.ts'
import { isRecord, itemsOf, member, wordsOf } from '../formats/lossless.ts'
import { problem } from '../formats/problem.ts'
import type { Answer, ParsedReleases, ReleasesPart, ReleasesQuery } from '../provider.ts'
import { failedReleases, type ReleaseEntry, readEntries } from './release-entries.ts'

const zone = 'Europe/Luxembourg'
const [daysBack, daysAhead] = [45, 400]

export const eurostatReleases: ReleasesPart = { zone, requests, read, releaseOf: flowOf }

function flowOf(code: string): string | null {
  return /^([A-Za-z0-9_$-]+)\//.exec(code)?.[1]?.toLowerCase() ?? null
}

function requests({ today, codes }: ReleasesQuery) {
  const parameters: readonly (readonly [string, string])[] = [
    ['theme', '0'],
    ['category', '0'],
    ['keywords', ''],
    ['isEuroindicator', ''],
    ['authorInclude', ''],
    ['authorExclude', ''],
    ['start', `${formatDay(today - daysBack)}T00:00:00Z`],
    ['end', `${formatDay(today + daysAhead)}T00:00:00Z`],
    ['timeZone', zone],
  ]
  const path = `/eurostat/o/calendars/eventsJson${query(parameters)}`
  const baseUrl = 'https://ec.europa.eu'
  return [{ codes, method: 'GET', baseUrl, path, headers: {}, body: null, secrets: [] } as const]
}

function read(answer: Answer): ParsedReleases {
  const body = openBody(answer)
  if (body.form !== 'json' || answer.status >= 400) return failedReleases(failureOf(answer, body, withoutKeys).problems)
  const events = itemsOf(body.value)
  if (events.length === 0)
    return failedReleases(strange(answer, 'a calendar without a single entry', withoutKeys).problems)
  // Fields of every entry; if no entry has them, the feed has another shape.
  if (!events.some(event => isRecord(event) && 'start' in event && 'datasetCodes' in event && 'period' in event))
    return failedReleases([problem('unreadable', 'no entry of the calendar has start, datasetCodes and period')])
  const followed = new Set(answer.codes.map(flowOf))
  const luxembourg = findZone(zone)!
  const entries = events.flatMap(event =>
    setsOf(event).flatMap(set => (followed.size === 0 || followed.has(set) ? [entryOf(event, set, luxembourg)] : [])),
  )
  return readEntries(entries, zone)
}

/** `datasetCodes` is a list or a text with commas. */
function setsOf(event: unknown): readonly string[] {
  const codes = member(event, 'datasetCodes')
  const texts = Array.isArray(codes) ? codes.map(wordsOf) : (wordsOf(codes) ?? '').split(/[,;]/)
  return [...new Set(texts.map(text => text?.trim().toLowerCase() ?? '').filter(text => /^[a-z0-9_$-]+$/.test(text)))]
}

function entryOf(event: unknown, release: string, luxembourg: Zone): ReleaseEntry {
  const start = wordsOf(member(event, 'start')) ?? ''
  const id = wordsOf(member(event, 'recordid'))
  return {
    release,
    title: wordsOf(member(event, 'title')) ?? '',
    // An empty text is not the absence of one: every entry of this calendar has a period.
    periodText: wordsOf(member(event, 'period')) ?? '',
    at: readStart(start, luxembourg),
    writtenAt: start,
    status: start.length === 10 ? 'DATE_ONLY' : 'OFFICIAL',
    sourceId: id === null ? null : `${id}/${release}`,
  }
}

const startPattern =
  /^(\d{4}-\d{2}-\d{2})(?:T([01]\d|2[0-3]):([0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/** Quirk EUROSTAT-16: `Z` is written behind what the clocks in Luxembourg show: 11:00Z in winter as in summer. */
function readStart(text: string, luxembourg: Zone): Instant | string | null {
  const match = startPattern.exec(text)
  const day = match === null ? null : parseDay(match[1]!)
  if (match === null || day === null) return null
  const [, written, hours, minutes, offset = 'Z'] = match
  if (hours === undefined) return formatDay(day)
  if (offset === 'Z')
    return luxembourg.instantAt(day, Number.parseInt(hours, 10) * 3600 + Number.parseInt(minutes!, 10) * 60)
  return parseInstant(`${written}T${hours}:${minutes}:00${offset.slice(0, 3)}:${offset.slice(-2)}`)
}
