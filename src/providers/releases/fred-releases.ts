// Release dates of FRED: a series belongs to a release, which only FRED can say, and a release has dates, future ones
// included. They are days: FRED has neither the time of day nor the period of a release.
import { civilOf, type Day, dayOf, formatDay, parseDay } from '../../core/time/day.ts'
import { getRequest, query, withParameter } from '../formats/address.ts'
import { failureOf, openBody, type StatusRules, strange } from '../formats/body.ts'
import { member, wholeOf, wordsOf } from '../formats/lossless.ts'
import { problem } from '../formats/problem.ts'
import type { Answer, ParsedReleases, ProblemKind, ProviderRequest, ReleasesPart, ReleasesQuery } from '../provider.ts'
import { failedReleases, noReleases, readEntries } from './release-entries.ts'

const zone = 'America/Chicago'
const rules: StatusRules = { notFound: 'bad-request', denied: 'bad-key' }

export const fredReleases: ReleasesPart = { zone, requests, read, next, releaseOf: () => null }

function requests({ today, key, codes, known }: ReleasesQuery): readonly ProviderRequest[] {
  const readable = codes.filter(code => /^[A-Za-z0-9_.-]{1,60}$/.test(code))
  const asked = readable.filter(code => !known.has(code))
  const releases = new Set(readable.flatMap(code => known.get(code) ?? []))
  const since = firstOfMonthBefore(today)
  return [
    ...asked.map(code => {
      const path = `/series/release${query([
        ['series_id', code],
        ['file_type', 'json'],
      ])}`
      return withKey(getRequest([code], path), key)
    }),
    ...[...releases].map(release => datesOf(release, since, key)),
  ]
}

/** Begins on the first day of a month, because dates are numbered within their month. */
function firstOfMonthBefore(today: Day): string {
  const { year, month } = civilOf(today - 45)
  return formatDay(dayOf(year, month, 1))
}

function withKey(request: ProviderRequest, key: string | null): ProviderRequest {
  return key === null ? request : { ...request, path: withParameter(request.path, 'api_key', key), secrets: [key] }
}

function datesOf(release: string, since: string, key: string | null): ProviderRequest {
  const path = `/release/dates${query([
    ['release_id', release],
    ['file_type', 'json'],
    ['realtime_start', since],
    ['realtime_end', '9999-12-31'],
    ['include_release_dates_with_no_data', 'true'],
    ['sort_order', 'asc'],
    ['limit', '10000'],
  ])}`
  return withKey(getRequest([], path), key)
}

/** The dates of the release to which a series belongs; the answer says on which day it was given. */
function next(asked: ProviderRequest, answer: Answer): ProviderRequest | null {
  if (!asked.path.startsWith('/series/release?')) return null
  const [found] = read(answer).series
  const body = openBody(answer)
  const askedOn = body.form === 'json' ? parseDay(wordsOf(member(body.value, 'realtime_end')) ?? '') : null
  if (found === undefined || askedOn === null) return null
  const key = new URLSearchParams(asked.path.split('?', 2)[1]).get('api_key')
  return datesOf(found.release, firstOfMonthBefore(askedOn), key)
}

function read(answer: Answer): ParsedReleases {
  const body = openBody(answer)
  if (body.form !== 'json') return failedReleases(failureOf(answer, body, rules).problems)
  const message = wordsOf(member(body.value, 'error_message'))
  if (message !== null) return failedReleases([problem(kindOfError(body.value, message), message)])
  if (answer.status >= 400) return failedReleases(strange(answer, 'an error without a message', rules).problems)
  const dates = member(body.value, 'release_dates')
  if (Array.isArray(dates)) return readDates(dates)
  const releases = member(body.value, 'releases')
  return Array.isArray(releases)
    ? readRelease(releases, answer)
    : failedReleases(strange(answer, 'an answer without releases and without their dates', rules).problems)
}

function kindOfError(value: unknown, message: string): ProblemKind {
  if (/api_key/i.test(message)) return 'bad-key'
  if (/does not exist/i.test(message)) return 'unknown-series'
  const code = wholeOf(member(value, 'error_code'))
  return code === 429 ? 'rate-limited' : code !== null && code >= 500 ? 'provider-error' : 'bad-request'
}

function readRelease(releases: readonly unknown[], answer: Answer): ParsedReleases {
  const [code] = answer.codes
  const ids = releases.map(release => wholeOf(member(release, 'id')))
  // A series has one release; another number of releases does not answer the request.
  if (ids.length !== 1 || ids[0] === null || code === undefined)
    return failedReleases(strange(answer, `${ids.length} releases for one series`, rules).problems)
  return { ...noReleases, series: [{ code, release: ids[0]!.toString() }] }
}

/** Names of releases, which their dates lack: the ones that price clauses use most. */
const names: ReadonlyMap<string, string> = new Map([
  ['10', 'Consumer Price Index'],
  ['11', 'Employment Cost Index'],
  ['46', 'Producer Price Index'],
  ['50', 'Employment Situation'],
  ['53', 'Gross Domestic Product'],
  ['188', 'U.S. Import and Export Price Indexes'],
])

/**
 * Quirk FRED-14: a date has no id of its own, and a moved date disappears. Its place in its month names it, so that a monthly
 * release keeps its name when it moves within the month.
 */
function readDates(dates: readonly unknown[]): ParsedReleases {
  const counts = new Map<string, number>()
  const entries = dates.map(date => {
    const release = wholeOf(member(date, 'release_id'))?.toString() ?? ''
    const text = wordsOf(member(date, 'date')) ?? ''
    const month = `${release}/${text.slice(0, 7)}`
    const place = (counts.get(month) ?? 0) + 1
    counts.set(month, place)
    const name = wordsOf(member(date, 'release_name')) ?? names.get(release) ?? 'Release'
    const day = parseDay(text)
    return {
      release,
      title: `${name} (FRED ${release})`,
      periodText: null,
      at: day === null ? null : formatDay(day),
      writtenAt: text,
      status: 'DATE_ONLY' as const,
      sourceId: release === '' ? null : `${month}/${place}`,
    }
  })
  return readEntries(entries, zone)
}
