// Statistics Canada, web data service. Reads points by vector and writes each figure with its published decimals. It does
// not apply scales and reads only spans that are calendar periods.

import { formatFixed, parseRatio } from '../core/numbers/ratio.ts'
import { Refusal } from '../core/refusal.ts'
import type { VersionTag } from '../core/series/series.ts'
import { type Day, formatDay, parseDay } from '../core/time/day.ts'
import { dayOfInstant } from '../core/time/instant.ts'
import { type Frequency, firstDayOf, type Period, periodAt } from '../core/time/period.ts'
import { failureOf, kindOfStatus, openBody, strange, withoutKeys } from './formats/body.ts'
import { plainDecimal } from './formats/figure.ts'
import { isRecord, literalOf, member, wholeOf, wordsOf } from './formats/lossless.ts'
import { failed, joinAnswers, nothingRead } from './formats/problem.ts'
import { assemble, type ParsedPoint, readPoint } from './points.ts'
import type { Answer, ParsedAnswer, ProblemKind, Provider, ProviderQuery, ProviderRequest } from './provider.ts'
import { statcanReleases } from './releases/statcan-releases.ts'

export const statcan: Provider = {
  name: 'STATCAN',
  title: 'Statistics Canada',
  shortTitle: 'Statistics Canada',
  home: 'https://www.statcan.gc.ca/',
  baseUrl: 'https://www150.statcan.gc.ca/t1/wds/rest',
  hosts: ['www150.statcan.gc.ca'],
  key: 'none',
  limits: { requestsPerMinute: 60, requestsPerDay: null, seriesPerRequest: 100 },
  askEveryMinutes: 120,
  publishes: 'business days at 08:30 Eastern; before that, an empty or locked answer is normal',
  calendar: { zone: 'America/Toronto', times: [{ minute: 32, hours: '8', days: '1-5' }] },
  // The service can report releases since a day, but not every change.
  delta: { frequencies: null, isPartial: true },
  habits: { delayDays: { MONTHLY: 20, QUARTERLY: 60 } },
  codeNotation: 'the vector, with its v',
  codeExample: 'v41690973',
  terms: 'Statistics Canada Open Licence. Name the source.',
  request,
  read,
  releases: statcanReleases,
}

const vectorsPerRequest = 100
/** Public clients request as many periods; the service returns those it has. */
const mostPeriods = 6000

function request({ codes, from, changedSince, today }: ProviderQuery): readonly ProviderRequest[] {
  const vectors = codes.map(code => {
    const match = /^v(\d{1,12})$/i.exec(code)
    if (!match) throw new Refusal('invalid', `a StatCan code is a vector such as ${statcan.codeExample}, got "${code}"`)
    return { code, vector: match[1]! }
  })
  const requests: ProviderRequest[] = []
  for (let start = 0; start < vectors.length; start += vectorsPerRequest) {
    const batch = vectors.slice(start, start + vectorsPerRequest)
    const numbers = batch.map(({ vector }) => vector)
    const asked = changedSince === null ? byPeriods(numbers, from, today) : byRelease(numbers, changedSince, today)
    requests.push({ ...asked, codes: batch.map(({ code }) => code) })
  }
  return requests
}

function byPeriods(vectors: readonly string[], from: Day | null, today: Day) {
  // No period is shorter than a day, so the number of days is always enough.
  const latestN = from === null ? mostPeriods : Math.min(Math.max(today - from + 31, 24), mostPeriods)
  const body = vectors.map(vector => ({ vectorId: Number.parseInt(vector, 10), latestN }))
  return post('/getDataFromVectorsAndLatestNPeriods', body)
}

/** Quirk STATCAN-12: revised points carry no mark, so all points released since that day are requested, a day to spare. */
function byRelease(vectors: readonly string[], since: string, today: Day) {
  return post('/getBulkVectorDataByRange', {
    vectorIds: vectors,
    startDataPointReleaseDate: `${formatDay(dayOfInstant(since) - 1)}T00:00`,
    endDataPointReleaseDate: `${formatDay(today + 1)}T23:59`,
  })
}

function post(path: string, body: unknown) {
  const headers = { 'content-type': 'application/json' }
  return { method: 'POST', path, headers, body: JSON.stringify(body), secrets: [] } as const
}

function read(answer: Answer): ParsedAnswer {
  const body = openBody(answer)
  // Quirk STATCAN-13: before 08:30 Eastern an answer may be empty, which means "try later".
  if (body.form !== 'json') return failureOf(answer, body, withoutKeys)
  const replies = Array.isArray(body.value) ? body.value : [body.value]
  if (replies.length === 0) return failed('provider-error', 'an empty answer: try again after 08:30 Eastern')
  // Quirk STATCAN-10: replies come in any order; each names its vector.
  return joinAnswers(replies.map(reply => readReply(reply, answer)))
}

const kindOfCode: Readonly<Record<number, ProblemKind>> = {
  1: 'bad-request',
  2: 'unknown-series',
  3: 'provider-error',
  4: 'unknown-series',
  5: 'unknown-series',
  6: 'provider-error',
  7: 'unknown-series',
  8: 'bad-request',
}
const wordsOfCode: Readonly<Record<number, string>> = {
  1: 'invalid date',
  2: 'invalid cube and series combination',
  3: 'request failed',
  4: 'vector is invalid',
  5: 'cube product id is invalid',
  6: 'cube is being published, try again later',
  7: 'cube is not available',
  8: 'invalid number of reference periods',
}

function readReply(reply: unknown, answer: Answer): ParsedAnswer {
  const status = wordsOf(member(reply, 'status'))
  const object = status === null ? reply : member(reply, 'object')
  const code = wholeOf(member(object, 'responseStatusCode'))
  // Quirk STATCAN-1: SUCCESS outside can hide another code inside.
  if (code !== null && code !== 0) {
    return failed(
      kindOfCode[code] ?? 'provider-error',
      `${whose(object)}: ${wordsOfCode[code] ?? `response code ${code}`}`,
    )
  }
  if (status !== null && status !== 'SUCCESS') {
    const words = wordsOf(object) ?? wordsOf(member(object, 'message')) ?? wordsOf(member(reply, 'message'))
    return failed(kindOfWords(words ?? ''), `${status}: ${words ?? whose(object)}`)
  }
  const vector = wholeOf(member(object, 'vectorId'))
  const message = wordsOf(member(object, 'message'))
  if (message !== null) return failed(kindOfStatus(answer.status, withoutKeys) ?? kindOfWords(message), message)
  if (!isRecord(object) || vector === null) return strange(answer, 'a StatCan answer without a vector', withoutKeys)
  // Quirk STATCAN-2: a coordinate without a series has vector 0.
  if (vector === 0) return failed('unknown-series', `${whose(object)} does not name a series`)
  return Array.isArray(object.vectorDataPoint)
    ? readVector(`v${vector}`, object.vectorDataPoint, answer)
    : readHead(object)
}

function whose(object: unknown): string {
  const vector = wholeOf(member(object, 'vectorId'))
  const place = [member(object, 'productId'), member(object, 'coordinate')].map(wordsOf).filter(Boolean).join(' ')
  return vector !== null && vector !== 0 ? `v${vector}` : place === '' ? 'a reply' : place
}

function kindOfWords(text: string): ProblemKind {
  if (/vector|product|cube|coordinate/i.test(text) && /invalid|not (?:found|exist|available)/i.test(text)) {
    return 'unknown-series'
  }
  return /syntax|invalid|malformed/i.test(text) ? 'bad-request' : 'provider-error'
}

// Quirk STATCAN-8: 9 is quarterly and 12 annual. Two-weekly and two-monthly series are not supported.
const frequencyOfCode: Readonly<Record<number, Frequency>> = {
  1: 'DAILY',
  2: 'WEEKLY',
  6: 'MONTHLY',
  9: 'QUARTERLY',
  11: 'SEMIANNUAL',
  12: 'ANNUAL',
  13: 'ANNUAL',
  14: 'ANNUAL',
  15: 'ANNUAL',
  16: 'ANNUAL',
  17: 'ANNUAL',
  19: 'QUARTERLY',
  20: 'MONTHLY',
  21: 'DAILY',
}

function frequencyOf(value: unknown): Frequency | null {
  return frequencyOfCode[wholeOf(member(value, 'frequencyCode')) ?? 0] ?? null
}

/** Series information: a title and a frequency without figures. */
function readHead(object: unknown): ParsedAnswer {
  const code = whose(object)
  const frequency = frequencyOf(object)
  if (frequency === null) return failed('unreadable', `${code}: neither points nor a supported frequency`)
  return assemble({ code, name: wordsOf(member(object, 'SeriesTitleEn')), unit: null, frequency }, [])
}

function readVector(code: string, points: readonly unknown[], answer: Answer): ParsedAnswer {
  if (points.length === 0) {
    const nothingNew = answer.url?.includes('getBulkVectorDataByRange') ?? false
    return nothingNew
      ? nothingRead
      : failed('provider-error', `${code} was sent without points: try again after 08:30 Eastern`)
  }
  const frequencies = new Set(points.map(frequencyOf))
  const [frequency] = frequencies
  if (frequency === undefined || frequency === null || frequencies.size > 1) {
    return failed('unreadable', `${code}: no single supported frequency`)
  }
  // Quirk STATCAN-5: the figures do not include the scale. One unit cannot have two scales.
  const scales = new Set(points.map(point => wholeOf(member(point, 'scalarFactorCode')) ?? 0))
  if (scales.size > 1) return failed('unreadable', `${code}: points of ${scales.size} different scales`)
  const [scale] = scales
  const unit = scale === 0 ? null : `(x10^${scale})`
  return assemble(
    { code, name: null, unit, frequency },
    points.map(point => readRow(point, frequency)),
  )
}

// Quirk STATCAN-7: status 3 means quality A, not preliminary.
const letterOfStatus: readonly (string | null)[] = [null, '..', '0s', 'A', 'B', 'C', 'D', 'E', 'F', '...', '<LOD']
const letterOfSymbol: Readonly<Record<number, string>> = { 1: 'p', 3: 'r' }
const versionOfSymbol: Readonly<Record<number, VersionTag>> = { 1: 'PRELIMINARY', 3: 'REVISED' }
const missingWords: Readonly<Record<string, string>> = {
  '..': 'not available for a specific reference period',
  F: 'too unreliable to be published',
  '...': 'not applicable',
  '<LOD': 'less than the limit of detection',
  x: 'suppressed to meet the confidentiality requirements of the Statistics Act',
}

function readRow(point: unknown, frequency: Frequency): ParsedPoint {
  // Quirk STATCAN-6: `refPerRaw` of a quarter is its last month.
  const when = wordsOf(member(point, 'refPer')) ?? ''
  const symbol = wholeOf(member(point, 'symbolCode')) ?? 0
  const status = letterOfStatus[wholeOf(member(point, 'statusCode')) ?? 0] ?? null
  const secret = wholeOf(member(point, 'securityLevelCode')) === 1 ? 'x' : null
  const why = [secret, status].find(letter => letter !== null && Object.hasOwn(missingWords, letter)) ?? null
  const letters = why === null ? [letterOfSymbol[symbol] ?? null, status].filter(letter => letter !== null) : [why]
  return readPoint({
    when,
    period: periodOf(when, wordsOf(member(point, 'refPer2')), frequency),
    value: why === null ? publishedDigits(member(point, 'value'), wholeOf(member(point, 'decimals'))) : null,
    version: versionOfSymbol[symbol] ?? 'FINAL',
    flag: letters.length === 0 ? null : letters.join(','),
    published: releaseDay(wordsOf(member(point, 'releaseTime'))),
    reason: why === null ? null : missingWords[why]!,
  })
}

/**
 * Quirks STATCAN-3 and STATCAN-4: the literal is a printed float, `3.9520274E7` or `1277434.0`; `decimals` says what was
 * published. Anything that is not a number is left for `readPoint` to refuse.
 */
function publishedDigits(value: unknown, decimals: number | null): unknown {
  const literal = literalOf(value)
  const plain = literal === null ? null : plainDecimal(literal)
  const figure = plain === null ? null : parseRatio(plain)
  if (figure === null) return value
  return decimals !== null && decimals >= 0 && decimals <= 20 ? formatFixed(figure, decimals) : plain
}

/** `refPer2` ends a span; only a span that is exactly a calendar period can be read. */
function periodOf(first: string, last: string | null, frequency: Frequency): Period | null {
  const day = parseDay(first)
  if (day === null) return null
  const period = periodAt(frequency, day)
  const calendar = frequency !== 'DAILY' && frequency !== 'WEEKLY'
  if (calendar && firstDayOf(period) !== day) return null
  const end = last === null ? day : parseDay(last)
  return end !== null && (!calendar || periodAt(frequency, end).ordinal === period.ordinal) ? period : null
}

/** Quirk STATCAN-9: Eastern time without a zone, so its date is used as it is. */
function releaseDay(text: string | null): string | null {
  const day = text === null ? null : parseDay(text.slice(0, 10))
  return day === null ? null : formatDay(day)
}
