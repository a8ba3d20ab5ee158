// Bank of Japan, time-series search API. Reads its JSON and its CSV; an integer is a period only together with a frequency.
// It refuses fiscal years, which are not calendar years, and text with lost characters.

import { Refusal } from '../core/refusal.ts'
import { parseDay } from '../core/time/day.ts'
import { type Frequency, type Period, parsePeriod, periodAt } from '../core/time/period.ts'
import { askedFor, askedSpelling, getRequest, query, withParameter } from './formats/address.ts'
import { failureOf, kindOfStatus, openBody, strange, withoutKeys } from './formats/body.ts'
import { splitCsv } from './formats/csv.ts'
import { isRecord, itemsOf, member, wholeOf, wordsOf } from './formats/lossless.ts'
import { failed, joinAnswers, nothingRead } from './formats/problem.ts'
import { assemble, readPoint } from './points.ts'
import type { Answer, ParsedAnswer, Provider, ProviderQuery, ProviderRequest } from './provider.ts'

export const boj: Provider = {
  name: 'BOJ',
  title: 'Bank of Japan',
  shortTitle: 'Bank of Japan',
  home: 'https://www.stat-search.boj.or.jp/',
  baseUrl: 'https://www.stat-search.boj.or.jp/api/v1',
  hosts: ['www.stat-search.boj.or.jp'],
  key: 'none',
  limits: { requestsPerMinute: 10, requestsPerDay: null, seriesPerRequest: 1 },
  askEveryMinutes: 240,
  publishes: 'about 08:50 Japan time on business days',
  calendar: { zone: 'Asia/Tokyo', times: [{ minute: 52, hours: '8', days: '1-5' }] },
  charset: 'shift_jis',
  dataTypeOf: code => (code.startsWith('FM08/FXER') ? 'FX' : null),
  habits: { delayDays: { MONTHLY: 12, QUARTERLY: 30 } },
  codeNotation: 'database and series code',
  codeExample: 'PR01/PRCG20_2200000000',
  terms:
    'Free to use; public services are asked to show the credit line of the Bank of Japan. Frequent access is blocked.',
  request,
  read,
  next,
}

function request({ codes }: ProviderQuery): readonly ProviderRequest[] {
  return codes.map(code => {
    // Quirk BOJ-7: the code is sent without the database prefix.
    const match = /^([A-Za-z0-9]{2,8})\/([A-Za-z0-9_@.&%-]{2,80})$/.exec(code)
    if (!match) throw new Refusal('invalid', `a BOJ code is database/code such as ${boj.codeExample}, got "${code}"`)
    // One code per call, because all codes of a call must share a frequency; the whole range, because the format of a
    // start date depends on that frequency too.
    return getRequest(
      [code],
      `/getDataCode${query([
        ['format', 'json'],
        ['lang', 'en'],
        ['db', match[1]!],
        ['code', match[2]!],
      ])}`,
    )
  })
}

/** An answer of more than 60,000 values says where the next one starts. */
function next(asked: ProviderRequest, answer: Answer): ProviderRequest | null {
  const position = wholeOf(member(documentOf(answer), 'NEXTPOSITION'))
  const before = wholeOf(new URLSearchParams(asked.path.split('?', 2)[1]).get('startPosition')) ?? 0
  if (position === null || position <= before) return null
  return { ...asked, path: withParameter(asked.path, 'startPosition', position.toString()) }
}

/** The JSON document, or the same fields from a CSV table; `null` for anything else. */
function documentOf(answer: Answer): unknown {
  const body = openBody(answer)
  if (body.form === 'json') return body.value
  return body.form === 'text' && /^"?STATUS"?,/.test(body.text) ? readTable(body.text) : null
}

function read(answer: Answer): ParsedAnswer {
  const document = documentOf(answer)
  if (document === null) return failureOf(answer, openBody(answer), withoutKeys)
  if (answer.body.includes('\uFFFD')) {
    return failed('unreadable', 'characters were lost: the body is Shift-JIS and was decoded as UTF-8')
  }
  const status = wholeOf(member(document, 'STATUS'))
  if (status === null) return strange(answer, 'a BOJ answer without a STATUS', withoutKeys)
  // Quirk BOJ-6: errors are JSON even when CSV was requested.
  if (status !== 200) {
    const words = [member(document, 'MESSAGEID'), member(document, 'MESSAGE')].map(wordsOf).filter(Boolean).join(': ')
    const kind = kindOfStatus(status, { ...withoutKeys, notFound: 'bad-request' }) ?? 'provider-error'
    return failed(kind, words === '' ? `status ${status} without a message` : words)
  }
  const results = member(document, 'RESULTSET')
  if (!Array.isArray(results)) return strange(answer, 'a BOJ answer without a RESULTSET', withoutKeys)
  return joinAnswers(results.map(result => readResult(result, document, answer)))
}

function readResult(result: unknown, document: unknown, answer: Answer): ParsedAnswer {
  // Quirk BOJ-5: headings have no code.
  const series = wordsOf(member(result, 'SERIES_CODE'))
  if (series === null) return isRecord(result) ? nothingRead : failed('unreadable', 'a result that is not a series')
  const code = codeOf(series, document, answer)
  if (code === null) return failed('unreadable', `${series}: the body does not name its database`)
  const text = wordsOf(member(result, 'FREQUENCY')) ?? ''
  const frequency = frequencyOf(text)
  if (frequency === null) {
    return failed('unreadable', `${code}: "${text}" is not a calendar frequency, so the series is not read`)
  }
  // Quirk BOJ-8: the base year is part of the code and the unit, so both are kept as they are.
  const head = { code, name: english(result, 'NAME_OF_TIME_SERIES'), unit: english(result, 'UNIT'), frequency }
  const values = member(result, 'VALUES')
  // Quirk BOJ-3: metadata has no values, and an update date in another format, which is not read.
  if (values === undefined) return assemble(head, [])
  const dates = itemsOf(member(values, 'SURVEY_DATES'))
  const figures = itemsOf(member(values, 'VALUES'))
  if (dates.length !== figures.length) {
    return failed('unreadable', `${code}: ${dates.length} dates and ${figures.length} values`)
  }
  // Quirk BOJ-2: "no data" is a success with rows of nulls: a series with missing periods only.
  return assemble(
    head,
    dates.map((date, index) => {
      const when = wordsOf(date) ?? ''
      return readPoint({ when, period: periodOf(when, frequency), value: figures[index] })
    }),
  )
}

function english(result: unknown, name: string): string | null {
  return wordsOf(member(result, name)) ?? wordsOf(member(result, `${name}_J`))
}

/** Quirk BOJ-9: the database is echoed in the caller's upper or lower case. */
function codeOf(series: string, document: unknown, answer: Answer): string | null {
  const named = wordsOf(member(member(document, 'PARAMETER'), 'DB')) ?? wordsOf(member(document, 'DB'))
  const base = named ?? askedFor(answer, 'db')
  if (base !== null) return askedSpelling(answer, [`${base.toUpperCase()}/${series}`])
  return answer.codes.find(code => code.toLowerCase().endsWith(`/${series.toLowerCase()}`)) ?? null
}

/** Quirk BOJ-10: ANNUAL(MAR) and SEMIANNUAL(SEP) are fiscal periods, not calendar periods. */
function frequencyOf(text: string): Frequency | null {
  const match = /^(ANNUAL|SEMIANNUAL|QUARTERLY|MONTHLY|WEEKLY|DAILY)(?:\((\w+)\))?$/.exec(text.toUpperCase())
  if (!match) return null
  const [, name, end] = match as unknown as [string, Frequency, string | undefined]
  if (end === undefined || name === 'WEEKLY') return name
  if (name === 'ANNUAL') return end === 'DEC' ? name : null
  return name === 'SEMIANNUAL' && (end === 'JUN' || end === 'DEC') ? name : null
}

/** Quirk BOJ-1: `202404` is a month or a quarter, depending on the frequency. */
function periodOf(text: string, frequency: Frequency): Period | null {
  if (!/^\d+$/.test(text)) return null
  const year = text.slice(0, 4)
  const rest = text.slice(4)
  if (frequency === 'ANNUAL') return parsePeriod(text)
  if (frequency === 'DAILY' || frequency === 'WEEKLY') {
    const day = text.length === 8 ? parseDay(`${year}-${rest.slice(0, 2)}-${rest.slice(2)}`) : null
    return day === null ? null : periodAt(frequency, day)
  }
  if (text.length !== 6) return null
  if (frequency === 'MONTHLY') return parsePeriod(`${year}-${rest}`)
  return parsePeriod(`${year}-${frequency === 'QUARTERLY' ? 'Q' : 'H'}${Number.parseInt(rest, 10)}`)
}

/** Turns the CSV form (lines of key and value, then a table with one line per date) into the fields of the JSON form. */
function readTable(text: string): unknown {
  const lines = splitTable(text)
  if (lines === null) return null
  const start = lines.findIndex(line => line[0] === 'SERIES_CODE')
  const preamble = start < 0 ? lines : lines.slice(0, start)
  const parameters = preamble
    .filter(line => line[0] === 'PARAMETER')
    .map(line => [line[1] ?? '', line[2] ?? ''] as const)
  const others = preamble.filter(line => line.length >= 2).map(line => [line[0]!, line[1]!] as const)
  const document = { ...Object.fromEntries(others), PARAMETER: Object.fromEntries(parameters) }
  return start < 0 ? document : { ...document, RESULTSET: readResults(lines[start]!, lines.slice(start + 1)) }
}

interface TableResult {
  readonly head: Readonly<Record<string, string>>
  readonly dates: string[]
  readonly values: (string | null)[]
}

function readResults(names: readonly string[], lines: readonly (readonly string[])[]): readonly unknown[] {
  const results = new Map<string, TableResult>()
  for (const line of lines) {
    const cells = Object.fromEntries(names.map((name, index) => [name, line[index] ?? '']))
    const result = results.get(line[0]!) ?? { head: cells, dates: [], values: [] }
    results.set(line[0]!, result)
    result.dates.push(cells.SURVEY_DATES ?? '')
    result.values.push(cells.VALUES === '' ? null : (cells.VALUES ?? null))
  }
  const hasValues = names.includes('SURVEY_DATES')
  return [...results.values()].map(({ head, dates, values }) => {
    return hasValues ? { ...head, VALUES: { SURVEY_DATES: dates, VALUES: values } } : head
  })
}

function splitTable(text: string): readonly (readonly string[])[] | null {
  const lines: (readonly string[])[] = []
  try {
    splitCsv([text], cells => lines.push(cells))
  } catch {
    return null
  }
  return lines
}
