// US Bureau of Labor Statistics, public data API. Asks in batches that stay within its limits and reads the answers. It
// leaves out annual averages and does not rely on the HTTP status.

import { Refusal } from '../core/refusal.ts'
import type { VersionTag } from '../core/series/series.ts'
import { civilOf } from '../core/time/day.ts'
import { type Frequency, frequencies, type Period, parsePeriod } from '../core/time/period.ts'
import { failureOf, openBody, strange, withKeys } from './formats/body.ts'
import { isRecord, itemsOf, member, wordsOf } from './formats/lossless.ts'
import { failed, joinAnswers, nothingRead, problem } from './formats/problem.ts'
import { assemble, type ParsedPoint, readPoint } from './points.ts'
import type {
  Answer,
  AnswerProblem,
  ParsedAnswer,
  ProblemKind,
  Provider,
  ProviderQuery,
  ProviderRequest,
} from './provider.ts'
import { blsReleases } from './releases/bls-releases.ts'

export const bls: Provider = {
  name: 'BLS',
  title: 'US Bureau of Labor Statistics',
  shortTitle: 'BLS',
  home: 'https://www.bls.gov/data/',
  baseUrl: 'https://api.bls.gov/publicAPI/v2',
  hosts: ['api.bls.gov', 'www.bls.gov'],
  key: 'optional',
  limits: { requestsPerMinute: 30, requestsPerDay: 500, seriesPerRequest: 50 },
  askEveryMinutes: 240,
  publishes: 'CPI, PPI, ECI and the employment report at 08:30 US Eastern on the days of their release calendars',
  calendar: { zone: 'America/New_York', times: [{ minute: 32, hours: '8', days: '1-5' }] },
  habits: {
    // The letter after the survey is S for adjusted, U for unadjusted.
    adjustedCodes: /^(?:CUS|CWS|WPS|CES|LNS|CIS|JTS|SMS|IPS)/,
    delayDays: { MONTHLY: 15, QUARTERLY: 31 },
  },
  codeNotation: 'the BLS series id',
  codeExample: 'CUUR0000SA0',
  terms:
    'US government work, free to use. Name BLS and the date of retrieval, and say that BLS does not vouch for the data after that.',
  looseFields: /\.footnotes\[\]\.|\.catalog\b/,
  request,
  read,
  releases: blsReleases,
}

interface Allowance {
  readonly series: number
  readonly years: number
}

const registered: Allowance = { series: 50, years: 20 }
const unregistered: Allowance = { series: 25, years: 10 }
/** The oldest series, the consumer price index, starts in 1913. */
const firstYear = 1913

function request({ codes, from, today, key }: ProviderQuery): readonly ProviderRequest[] {
  for (const code of codes) {
    if (!/^[A-Z0-9_#-]{3,40}$/.test(code)) {
      throw new Refusal('invalid', `a BLS code is a series id such as ${bls.codeExample}, got "${code}"`)
    }
  }
  const allowance = key === null ? unregistered : registered
  const spans = yearSpans(from === null ? firstYear : civilOf(from).year, civilOf(today).year, allowance.years)
  return batches(codes, allowance.series).flatMap(batch => spans.map(span => ask(batch, span, key)))
}

function ask(codes: readonly string[], span: YearSpan, key: string | null): ProviderRequest {
  // Quirk BLS-4: one bad id can fail a whole batch that asks for the catalogue, so it is never requested.
  const body = {
    seriesid: codes,
    startyear: span.first.toString(),
    endyear: span.last.toString(),
    ...(key === null ? {} : { registrationkey: key }),
  }
  return {
    codes,
    method: 'POST',
    path: '/timeseries/data/',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    secrets: key === null ? [] : [key],
  }
}

interface YearSpan {
  readonly first: number
  readonly last: number
}

/** Newest first: if the daily allowance runs out, only the old years are missing. */
function yearSpans(first: number, last: number, years: number): readonly YearSpan[] {
  const spans: YearSpan[] = []
  for (let end = last; end >= first; end -= years) spans.push({ first: Math.max(first, end - years + 1), last: end })
  return spans
}

function batches(codes: readonly string[], size: number): readonly (readonly string[])[] {
  const parts: (readonly string[])[] = []
  for (let start = 0; start < codes.length; start += size) parts.push(codes.slice(start, start + size))
  return parts
}

function read(answer: Answer): ParsedAnswer {
  const body = openBody(answer)
  if (body.form !== 'json') return failureOf(answer, body, withKeys)
  const status = wordsOf(member(body.value, 'status'))
  const messages = messagesOf(body.value)
  // Quirks BLS-1 and BLS-2: the HTTP status is always 200, and `Results` may be an object, empty or null.
  const results = member(body.value, 'Results')
  if (status === null && !isRecord(results))
    return strange(answer, 'a body without a status and without results', withKeys)
  const list = itemsOf(member(results, 'series'))
  if (list.length === 0) return refused(status, messages)
  const told = messages.flatMap(problemOf)
  return joinAnswers([...list.map(each => readSeries(each, messages)), { series: [], problems: told }])
}

function messagesOf(value: unknown): readonly string[] {
  const messages = member(value, 'message')
  return (Array.isArray(messages) ? messages : [messages]).map(wordsOf).filter(words => words !== null)
}

function refused(status: string | null, messages: readonly string[]): ParsedAnswer {
  const kind = messages.map(kindOf).find(each => each !== null) ?? 'bad-request'
  return failed(kind, messages.length > 0 ? messages.join('; ') : `${status ?? 'no status'} without any series`)
}

// Quirk BLS-11: the message repeats a bad key; keys are blanked when a message becomes a problem.
function kindOf(message: string): ProblemKind | null {
  if (/invalid series|series does not exist/i.test(message)) return 'unknown-series'
  if (/database is locked|internal (?:server )?error|unavailable at this time|maintenance/i.test(message)) {
    return 'provider-error'
  }
  if (/threshold|too many requests|number of requests|rate limit/i.test(message)) return 'rate-limited'
  if (/\bkey\b.*\binvalid\b|\binvalid\b.*\bkey\b/i.test(message)) return 'bad-key'
  return /year range has been reduced|exceed/i.test(message) ? 'too-large' : null
}

function problemOf(message: string): readonly AnswerProblem[] {
  const kind = kindOf(message)
  return kind === null ? [] : [problem(kind, message)]
}

function readSeries(value: unknown, messages: readonly string[]): ParsedAnswer {
  const code = wordsOf(member(value, 'seriesID'))
  if (code === null) return failed('unreadable', 'a series without a seriesID')
  const data = itemsOf(member(value, 'data'))
  if (data.length === 0) return withoutData(code, messages)
  const points = data.map(readRow)
  const frequency = finest(points)
  if (frequency === null) return failed('unreadable', `${code}: no period of its ${data.length} points could be read`)
  const name = wordsOf(member(member(value, 'catalog'), 'series_title'))
  // Averages are dropped, and so are half-years or years next to months, which are averages under another name.
  const own = points.filter(point => point.kind === 'unreadable' || point.period.frequency === frequency)
  return assemble({ code, name, unit: null, frequency }, own.filter(isNoAverage))
}

// Quirk BLS-3: an unknown series is a success with a message and no data. "No Data Available" is an empty range.
function withoutData(code: string, messages: readonly string[]): ParsedAnswer {
  const about = messages.filter(message => message.includes(code))
  const explained = about.some(message => kindOf(message) !== null || /no data available/i.test(message))
  return explained ? nothingRead : failed('unknown-series', `${code} was sent without data and without an explanation`)
}

type BlsPoint = ParsedPoint & { readonly average: boolean }

function readRow(value: unknown): BlsPoint {
  const year = wordsOf(member(value, 'year')) ?? ''
  const period = wordsOf(member(value, 'period')) ?? ''
  const average = /^(?:M13|Q05|S03)$/.test(period)
  const footnotes = itemsOf(member(value, 'footnotes'))
  const codes = footnotes.map(each => wordsOf(member(each, 'code'))).filter(words => words !== null)
  const texts = footnotes.map(each => wordsOf(member(each, 'text'))).filter(words => words !== null)
  const point = readPoint({
    when: `${year} ${period}`,
    // Quirk BLS-8: an annual average is given the first period, only so that its frequency is known before it is dropped.
    period: periodOf(year, average ? `${period[0]}01` : period),
    // Quirks BLS-5 and BLS-6: "-" means missing. Quirk BLS-9: trailing zeros are digits.
    value: member(value, 'value'),
    version: versionOf(codes),
    // Quirk BLS-7: the code is the survey's own; its text is used only where it explains why there is no figure.
    flag: codes.length === 0 ? null : codes.join(','),
    reason: texts.length === 0 ? null : texts.join('; '),
  })
  return { ...point, average }
}

function isNoAverage(row: BlsPoint): boolean {
  return !row.average
}

function versionOf(codes: readonly string[]): VersionTag {
  if (codes.includes('P')) return 'PRELIMINARY'
  return codes.includes('R') ? 'REVISED' : 'FINAL'
}

function periodOf(year: string, period: string): Period | null {
  const match = /^([MQSA])(\d{2})$/.exec(period)
  if (!match) return null
  const [, letter, number] = match as unknown as [string, string, string]
  if (letter === 'M') return parsePeriod(`${year}-${number}`)
  if (letter === 'A') return number === '01' ? parsePeriod(year) : null
  return parsePeriod(`${year}-${letter === 'S' ? 'H' : 'Q'}${Number.parseInt(number, 10)}`)
}

function finest(points: readonly ParsedPoint[]): Frequency | null {
  const present = points.flatMap(point => (point.kind === 'unreadable' ? [] : [point.period.frequency]))
  return frequencies.find(each => present.includes(each)) ?? null
}
