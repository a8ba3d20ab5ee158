// FRED and ALFRED of the Federal Reserve Bank of St. Louis: the one provider with a history of revisions. Asks for whole
// real-time ranges and reads every window as a vintage. It asks for nothing that FRED computes, and leaves out
// projections.

import { Refusal } from '../core/refusal.ts'
import { isSameValue } from '../core/series/vintage.ts'
import { civilOf, type Day, formatDay, parseDay } from '../core/time/day.ts'
import { dayOfInstant } from '../core/time/instant.ts'
import { type Frequency, firstDayOf, type Period, periodAt } from '../core/time/period.ts'
import { askedFor, getRequest, query, withParameter } from './formats/address.ts'
import { type Body, failureOf, kindOfStatus, openBody, type StatusRules, strange } from './formats/body.ts'
import { itemsOf, literalOf, member, wholeOf, wordsOf } from './formats/lossless.ts'
import { failed, joinAnswers, nothingRead } from './formats/problem.ts'
import { assemble, isMissingMark, type ParsedPoint, readPoint } from './points.ts'
import type { Answer, ParsedAnswer, ProblemKind, Provider, ProviderQuery, ProviderRequest } from './provider.ts'
import { fredReleases } from './releases/fred-releases.ts'

export const fred: Provider = {
  name: 'FRED',
  title: 'FRED and ALFRED, Federal Reserve Bank of St. Louis',
  shortTitle: 'FRED',
  home: 'https://fred.stlouisfed.org/',
  baseUrl: 'https://api.stlouisfed.org/fred',
  hosts: ['api.stlouisfed.org'],
  key: 'required',
  limits: { requestsPerMinute: 120, requestsPerDay: null, seriesPerRequest: 1 },
  askEveryMinutes: 240,
  publishes: "within hours of the source's own release; a vintage is a day, never a time of day",
  calendar: { zone: 'America/Chicago', times: [{ minute: 5, hours: '8,10,16', days: '1-5' }] },
  // Daily series have more vintages than one answer holds.
  delta: { frequencies: ['DAILY'], isPartial: false },
  habits: {
    adjustedCodes: /^(?:CPIAUCSL|CPILFESL|CPI[A-Z]{2}SL|PPIFIS|PPIFES|WPSFD|PCEPI|PCEPILFE|CES\d)/,
    delayDays: { MONTHLY: 16, QUARTERLY: 30 },
  },
  codeNotation: 'the FRED series id',
  codeExample: 'CPIAUCNS',
  terms:
    'Some series belong to third parties and need their permission; the product must say that it is not endorsed by the bank. Keeping and passing on data is restricted: have the API terms read before production.',
  request,
  read,
  next,
  releases: fredReleases,
}

const earliest = '1776-07-04'
const latest = '9999-12-31'
const rowsPerPage = 100_000
const vintagesPerRequest = 2000
/** An unknown series is reported in the message; there is no 404. */
const rules: StatusRules = { notFound: 'bad-request', denied: 'bad-key' }

function request({ codes, from, changedSince, key }: ProviderQuery): readonly ProviderRequest[] {
  return codes.flatMap(code => {
    if (!/^[A-Za-z0-9_.-]{1,60}$/.test(code)) {
      throw new Refusal('invalid', `a FRED code is a series id such as ${fred.codeExample}, got "${code}"`)
    }
    // The day before, because rows whose window begins on the first day of the range may be cut (Quirk FRED-6).
    const since = changedSince === null ? earliest : formatDay(dayOfInstant(changedSince) - 1)
    // Two years more than requested, because the gaps between dates show the frequency.
    const start = from === null ? null : `${civilOf(from).year - 2}-01-01`
    return [ask(code, key, observationsPath(code, start, since, latest)), ask(code, key, seriesPath(code))]
  })
}

// Quirk FRED-13: the key is in the query string. Quirk FRED-1: without `file_type` everything is XML.
function ask(code: string, key: string | null, path: string): ProviderRequest {
  const keyed = key === null ? path : withParameter(path, 'api_key', key)
  return getRequest([code], keyed, { secrets: key === null ? [] : [key] })
}

// Quirks FRED-4 and FRED-11: unknown parameters are ignored and some return computed figures, so only these are sent.
function observationsPath(code: string, start: string | null, since: string | null, until: string | null): string {
  return `/series/observations${query([
    ['series_id', code],
    ['file_type', 'json'],
    ['realtime_start', since],
    ['realtime_end', until],
    ['observation_start', start],
    ['output_type', '1'],
    ['units', 'lin'],
    ['sort_order', 'asc'],
    ['limit', rowsPerPage.toString()],
    ['offset', '0'],
  ])}`
}

function seriesPath(code: string): string {
  return `/series${query([
    ['series_id', code],
    ['file_type', 'json'],
  ])}`
}

/**
 * Quirk FRED-5: a request for more than 2,000 vintages is refused. The list of vintages then says where to split the range: a
 * part ends on a vintage and the next part begins on it, so that every window that matters is complete in one part. Long
 * answers are paged so that no period is split.
 */
function next(asked: ProviderRequest, answer: Answer): ProviderRequest | null {
  const document = documentOf(openBody(answer))
  const range = new URLSearchParams(asked.path.split('?', 2)[1] ?? '')
  if (asked.path.startsWith('/series/vintagedates')) return observationsAfter(asked, range, document)
  if (!asked.path.startsWith('/series/observations')) return null
  const error = errorOf(document)
  if (error !== null) return afterError(asked, range, error)
  const page = nextOffset(document)
  if (page !== null) return { ...asked, path: withParameter(asked.path, 'offset', page.toString()) }
  const end = range.get('realtime_end')
  return end === null || end === latest ? null : vintagesFrom(asked, end)
}

/** A series without a history "does not exist in ALFRED"; its newest values are requested, without a range. */
function afterError(asked: ProviderRequest, range: URLSearchParams, error: FredError): ProviderRequest | null {
  const since = range.get('realtime_start')
  if (since === null) return null
  if (error.kind === 'too-large') return vintagesFrom(asked, since)
  if (!/does not exist in ALFRED/i.test(error.message)) return null
  const path = observationsPath(range.get('series_id')!, range.get('observation_start'), null, null)
  const key = range.get('api_key')
  return { ...asked, path: key === null ? path : withParameter(path, 'api_key', key) }
}

function vintagesFrom(asked: ProviderRequest, since: string): ProviderRequest {
  const parameters = new URLSearchParams(asked.path.split('?', 2)[1])
  return {
    ...asked,
    path: `/series/vintagedates${query([
      ['series_id', parameters.get('series_id')],
      ['file_type', 'json'],
      ['realtime_start', since],
      ['realtime_end', latest],
      ['sort_order', 'asc'],
      ['limit', vintagesPerRequest.toString()],
      ['observation_start', parameters.get('observation_start')],
      ['api_key', parameters.get('api_key')],
    ])}`,
  }
}

function observationsAfter(asked: ProviderRequest, range: URLSearchParams, document: unknown): ProviderRequest | null {
  const dates = itemsOf(member(document, 'vintage_dates')).map(wordsOf)
  const last = dates.at(-1)
  const code = range.get('series_id')
  const since = range.get('realtime_start')
  if (code === null || since === null || last === undefined || last === null || last <= since) return null
  const until = dates.length < vintagesPerRequest ? latest : last
  const path = observationsPath(code, range.get('observation_start'), since, until)
  const key = range.get('api_key')
  return { ...asked, path: key === null ? path : withParameter(path, 'api_key', key) }
}

/** The index of the last date's first row: the next page repeats that date with all its rows. */
function nextOffset(document: unknown): number | null {
  const rows = itemsOf(member(document, 'observations'))
  const count = wholeOf(member(document, 'count'))
  const offset = wholeOf(member(document, 'offset'))
  if (count === null || offset === null || offset + rows.length >= count || rows.length === 0) return null
  const date = wordsOf(member(rows.at(-1), 'date'))
  const first = rows.findIndex(row => wordsOf(member(row, 'date')) === date)
  return offset + (first > 0 ? first : rows.length)
}

function read(answer: Answer): ParsedAnswer {
  const body = openBody(answer)
  if (body.form !== 'json' && body.form !== 'xml') return failureOf(answer, body, rules)
  const document = documentOf(body)
  const error = errorOf(document)
  if (error !== null) return failed(error.kind, error.message)
  if (Array.isArray(member(document, 'observations'))) return readObservations(document, answer)
  if (Array.isArray(member(document, 'seriess'))) {
    return joinAnswers(itemsOf(member(document, 'seriess')).map(readHead))
  }
  if (Array.isArray(member(document, 'vintage_dates'))) return nothingRead
  return strange(answer, 'a FRED answer without observations', rules)
}

interface FredError {
  readonly kind: ProblemKind
  readonly message: string
}

/** Quirk FRED-1: in the XML form the fields of the JSON form are attributes. */
function documentOf(body: Body): unknown {
  if (body.form === 'json') return body.value
  if (body.form !== 'xml') return null
  const root = body.elements.at(-1)
  const rows = body.elements.slice(0, -1).map(each => each.attributes)
  if (root?.name === 'error') {
    return { error_code: root.attributes.code ?? '400', error_message: root.attributes.message ?? root.text }
  }
  return root === undefined ? null : { ...root.attributes, [root.name]: rows }
}

function errorOf(document: unknown): FredError | null {
  const code = wholeOf(member(document, 'error_code'))
  if (code === null) return null
  const message = wordsOf(member(document, 'error_message')) ?? `error ${code}`
  if (/vintage dates?.*(?:exceed|maximum|limit)|(?:exceed|maximum|limit).*vintage dates?/i.test(message)) {
    return { kind: 'too-large', message }
  }
  if (/api_key/i.test(message)) return { kind: 'bad-key', message }
  // Quirk FRED-12: a series whose licence ended "does not exist", as if it never had.
  if (/does not exist/i.test(message)) return { kind: 'unknown-series', message }
  return { kind: kindOfStatus(code, rules) ?? 'provider-error', message }
}

export const frequencyOfLetter: Readonly<Record<string, Frequency>> = {
  D: 'DAILY',
  W: 'WEEKLY',
  BW: 'WEEKLY',
  M: 'MONTHLY',
  Q: 'QUARTERLY',
  SA: 'SEMIANNUAL',
  A: 'ANNUAL',
}

/** Quirk FRED-9: the array is spelled `seriess`. Names, units and frequencies are only here. */
function readHead(value: unknown): ParsedAnswer {
  const code = wordsOf(member(value, 'id'))
  const letter = wordsOf(member(value, 'frequency_short')) ?? ''
  const frequency = Object.hasOwn(frequencyOfLetter, letter) ? frequencyOfLetter[letter] : undefined
  if (code === null) return failed('unreadable', 'a series without an id')
  if (frequency === undefined) return failed('unreadable', `${code}: the frequency "${letter}" is not supported`)
  const name = wordsOf(member(value, 'title'))
  return assemble({ code, name, unit: wordsOf(member(value, 'units')), frequency }, [])
}

interface FredRow {
  readonly date: Day
  readonly value: unknown
  readonly windowStart: string
  readonly windowEnd: string
}

function readObservations(document: unknown, answer: Answer): ParsedAnswer {
  const list = itemsOf(member(document, 'observations'))
  // Quirk FRED-2: the body does not say which series it is.
  const code = answer.codes[0] ?? askedFor(answer, 'series_id')
  if (code === null) return failed('unreadable', 'the body does not name its series: the code must be given')
  const rows = list.map(readRow)
  const sound = rows.filter(row => row !== null)
  if (sound.length === 0) {
    return list.length === 0 ? nothingRead : failed('unreadable', `${code}: none of ${list.length} rows could be read`)
  }
  const frequency = frequencyOf(sound)
  if (frequency === null) return failed('unreadable', `${code}: a single date does not show the frequency`)
  const broken: readonly ParsedPoint[] = rows
    .filter(row => row === null)
    .map(() => ({ kind: 'unreadable', what: 'a row without a date or a window' }))
  const points = readWindows(sound, frequency, spanOf(document, sound), askedFor(answer, 'realtime_start'))
  return assemble({ code, name: null, unit: null, frequency }, [...points, ...broken])
}

function readRow(value: unknown): FredRow | null {
  const date = parseDay(wordsOf(member(value, 'date')) ?? '')
  const windowStart = wordsOf(member(value, 'realtime_start'))
  const windowEnd = wordsOf(member(value, 'realtime_end'))
  if (date === null || !isDay(windowStart) || !isDay(windowEnd)) return null
  return { date, value: member(value, 'value'), windowStart, windowEnd }
}

function isDay(text: string | null): text is string {
  return text !== null && parseDay(text) !== null
}

/** The frequency by the smallest gap between dates; larger gaps are missing periods. */
function frequencyOf(rows: readonly FredRow[]): Frequency | null {
  const dates = [...new Set(rows.map(row => row.date))].sort((a, b) => a - b)
  const gap = dates.slice(1).reduce((least, date, index) => Math.min(least, date - dates[index]!), Infinity)
  if (gap === Infinity) return null
  if (gap < 7) return 'DAILY'
  if (gap < 28) return 'WEEKLY'
  if (gap < 89) return 'MONTHLY'
  if (gap < 181) return 'QUARTERLY'
  return gap <= 184 ? 'SEMIANNUAL' : 'ANNUAL'
}

interface Span {
  readonly start: string
  readonly end: string
}

function spanOf(document: unknown, rows: readonly FredRow[]): Span {
  const start = wordsOf(member(document, 'realtime_start'))
  const end = wordsOf(member(document, 'realtime_end'))
  if (isDay(start) && isDay(end)) return { start, end }
  const starts = rows.map(row => row.windowStart).sort()
  return { start: earliest, end: starts[0] === starts.at(-1) ? earliest : latest }
}

function readWindows(
  rows: readonly FredRow[],
  frequency: Frequency,
  span: Span,
  askedFrom: string | null,
): readonly ParsedPoint[] {
  const sorted = rows.toSorted((a, b) => a.date - b.date || (a.windowStart < b.windowStart ? -1 : 1))
  const severalVintages = span.start < span.end
  if (!severalVintages) {
    return sorted.flatMap(row => {
      const period = periodAt(frequency, row.date)
      const point = readPoint({ when: formatDay(row.date), period, value: row.value })
      return isForecast(row, period, row.windowStart) ? [] : [point]
    })
  }
  // An open range does not contain the day of the request; the newest vintage is the last certain day.
  const newest = rows.reduce((last, row) => (row.windowStart > last ? row.windowStart : last), earliest)
  const seenOn = span.end === latest ? newest : span.end
  const points: ParsedPoint[] = []
  let date: Day | null = null
  let held: string | null = null
  for (const row of sorted) {
    if (row.date !== date) held = null
    date = row.date
    const period = periodAt(frequency, row.date)
    if (isForecast(row, period, seenOn)) continue
    const point = readVintage(row, period, span)
    if (isCarriedOver(row, period, askedFrom)) {
      if (point.kind === 'value') held = point.value
    } else if (point.kind !== 'value') points.push(point)
    else if (!isSameValue(point.value, held)) {
      // A repeated value after a gap is not a new vintage.
      points.push(held === null ? point : { ...point, version: 'REVISED' })
      held = point.value
    }
  }
  return points
}

/** A caller that asks for changes since a day already has the values of that day; only later changes count. */
function isCarriedOver(row: FredRow, period: Period, askedFrom: string | null): boolean {
  if (askedFrom === null || askedFrom === earliest || row.windowStart !== askedFrom) return false
  return formatDay(firstDayOf(period)) <= askedFrom
}

/** Quirk FRED-10: a figure that was replaced before its period began is a projection. */
function isForecast(row: FredRow, period: Period, seenOn: string): boolean {
  const lastInForce = row.windowEnd < seenOn ? row.windowEnd : seenOn
  return formatDay(firstDayOf(period)) > lastInForce
}

function readVintage(row: FredRow, period: Period, span: Span): ParsedPoint {
  // Quirk FRED-6: a window that begins with the range may be cut, so its first day is not a publication day. Quirk FRED-7: all
  // other windows have a publication day, without a time.
  const clipped = row.windowStart === span.start && span.start !== earliest
  const literal = literalOf(row.value)
  // Quirk FRED-3: "." has many reasons; the window is all that is known.
  const words = `from ${row.windowStart} to ${row.windowEnd}`
  const reason = literal !== null && isMissingMark(literal) ? `marker "${literal}" ${words}` : null
  const window = { from: row.windowStart, to: row.windowEnd === latest ? null : row.windowEnd }
  const published = clipped ? null : row.windowStart
  return readPoint({ when: formatDay(row.date), period, value: row.value, published, reason, window })
}
