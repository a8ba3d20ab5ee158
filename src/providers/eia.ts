// US Energy Information Administration, API v2. Builds the address of one series from its code and reads rows of any
// route. It reads nothing from the outlook routes, whose forecasts look like data, and no hourly data.

import { Refusal } from '../core/refusal.ts'
import { formatDay } from '../core/time/day.ts'
import { type Frequency, firstDayOf, formatPeriod, parsePeriod, periodAt } from '../core/time/period.ts'
import { encodeText, getRequest, withParameter } from './formats/address.ts'
import { failureOf, kindOfStatus, openBody, type StatusRules, strange } from './formats/body.ts'
import { isRecord, itemsOf, member, wholeOf, wordsOf } from './formats/lossless.ts'
import { failed, joinAnswers, problem } from './formats/problem.ts'
import { asWeek } from './formats/time-period.ts'
import { assemble, isMissingMark, type ParsedPoint, readPoint, type SeriesHead } from './points.ts'
import type { Answer, ParsedAnswer, ProblemKind, Provider, ProviderQuery, ProviderRequest } from './provider.ts'

export const eia: Provider = {
  name: 'EIA',
  title: 'US Energy Information Administration',
  shortTitle: 'EIA',
  home: 'https://www.eia.gov/opendata/',
  baseUrl: 'https://api.eia.gov/v2',
  hosts: ['api.eia.gov'],
  key: 'required',
  limits: { requestsPerMinute: 120, requestsPerDay: null, seriesPerRequest: 1 },
  askEveryMinutes: 120,
  publishes:
    'on-highway prices late on Monday or on Tuesday, US Eastern; weekly reports within two hours of their release',
  calendar: {
    zone: 'America/New_York',
    times: [
      { minute: 5, hours: '17,19', days: '1' },
      { minute: 5, hours: '10', days: '2' },
      { minute: 35, hours: '10,12', days: '3,4' },
    ],
  },
  dataSetOf: code => code.split('/').slice(0, -2).join('/'),
  dataTypeOf: code => (/\/pri\/|\/retail-sales\//.test(code) ? 'PRICE' : null),
  habits: { delayDays: { DAILY: 3, WEEKLY: 2, MONTHLY: 10 } },
  codeNotation:
    'route, series id and frequency letter; where a route has no series ids, the column and its facets replace the id, as in electricity/retail-sales/price;sectorid=RES;stateid=CO/M',
  codeExample: 'petroleum/pri/gnd/EMD_EPD2D_PTE_NUS_DPG/W',
  terms:
    'Public domain. Name the U.S. Energy Information Administration and the date of retrieval; do not use its logo.',
  request,
  read,
  next,
}

const frequencyOfName: Readonly<Record<string, Frequency>> = {
  daily: 'DAILY',
  weekly: 'WEEKLY',
  monthly: 'MONTHLY',
  quarterly: 'QUARTERLY',
  annual: 'ANNUAL',
}
const rowsPerPage = 5000
/** An unknown path is a route that does not exist; an unknown series gives an answer without rows. */
const rules: StatusRules = { notFound: 'bad-request', denied: 'bad-key' }
// Quirk EIA-12: the outlooks mix history and forecast without a mark.
const outlooks = /^(?:steo|aeo|ieo)(?:\/|$)/

interface Code {
  readonly route: string
  /** A series id, or a column with its facets. */
  readonly id: string
  /** The frequency's name in the API. */
  readonly frequencyName: string
}

// Quirk EIA-11: the same id exists at several frequencies, so route and frequency are part of the code.
function parseCode(code: string): Code {
  const match = /^([a-z0-9-]+(?:\/[a-z0-9-]+)*)\/([^/\s]+)\/([DWMQA])$/.exec(code)
  if (!match) {
    throw new Refusal('invalid', `an EIA code is route/id/letter such as ${eia.codeExample}, got "${code}"`)
  }
  const [, route, id, letter] = match as unknown as [string, string, string, string]
  if (outlooks.test(route)) {
    throw new Refusal('invalid', `${route} holds forecasts that look like data, so its series are not read ("${code}")`)
  }
  const frequencyName = Object.keys(frequencyOfName).find(name => name[0] === letter.toLowerCase())!
  return { route, id, frequencyName }
}

function request({ codes, from, key }: ProviderQuery): readonly ProviderRequest[] {
  return codes.map(code => {
    const { route, id, frequencyName } = parseCode(code)
    // Quirk EIA-8: `start` is compared as text, so it is written like the periods.
    const start = from === null ? [] : [`start=${startText(frequencyOfName[frequencyName]!, from)}`]
    const parameters = [
      ...(key === null ? [] : [`api_key=${encodeURIComponent(key)}`]),
      `frequency=${frequencyName}`,
      ...selection(id, code),
      ...start,
      'sort[0][column]=period',
      'sort[0][direction]=asc',
      'offset=0',
      `length=${rowsPerPage}`,
    ]
    return getRequest([code], `/${route}/data/?${parameters.join('&')}`, { secrets: key === null ? [] : [key] })
  })
}

function startText(frequency: Frequency, from: number): string {
  const period = periodAt(frequency, from)
  return frequency === 'WEEKLY' ? formatDay(firstDayOf(period)) : formatPeriod(period)
}

// Quirk EIA-2: without `data[]`, rows have no values and there is no error.
function selection(id: string, code: string): readonly string[] {
  if (!id.includes(';')) return ['data[]=value', `facets[series][]=${encodeURIComponent(id)}`]
  const [column, ...facets] = id.split(';') as [string, ...string[]]
  return [
    `data[]=${encodeURIComponent(column)}`,
    ...facets.map(facet => {
      const match = /^([\w-]+)=([\w.~%!*'()-]+)$/.exec(facet)
      if (!match) throw new Refusal('invalid', `a facet of an EIA code is name=value, got "${facet}" in "${code}"`)
      return `facets[${match[1]}][]=${match[2]}`
    }),
  ]
}

/** Quirk EIA-4: an answer is cut at 5,000 rows. */
function next(asked: ProviderRequest, answer: Answer): ProviderRequest | null {
  const body = openBody(answer)
  const page = pageOf(body.form === 'json' ? body.value : null)
  if (page === null || !page.incomplete || page.rows === 0) return null
  return { ...asked, path: withParameter(asked.path, 'offset', (page.offset + page.rows).toString()) }
}

interface Page {
  readonly offset: number
  readonly rows: number
  readonly incomplete: boolean
}

function pageOf(document: unknown): Page | null {
  const response = member(document, 'response')
  // Quirk EIA-3: `total` is a number in old answers and a string in new ones.
  const total = wholeOf(member(response, 'total'))
  const offset = wholeOf(member(member(member(document, 'request'), 'params'), 'offset')) ?? 0
  const rows = itemsOf(member(response, 'data')).length
  return total === null ? null : { offset, rows, incomplete: offset + rows < total }
}

function read(answer: Answer): ParsedAnswer {
  const body = openBody(answer)
  if (body.form !== 'json') return failureOf(answer, body, rules)
  const document = body.value
  const error = member(document, 'error')
  if (error !== undefined && error !== null) return refused(document, error, answer)
  const response = member(document, 'response')
  const rows = member(response, 'data')
  // Quirk EIA-13: route metadata has an object here.
  if (!Array.isArray(rows)) return strange(answer, 'an EIA answer without rows', rules)
  const route = routeOf(document, answer)
  if (outlooks.test(route)) {
    return failed('unreadable', `${route} mixes history and forecasts without marking them, so it is not read`)
  }
  const page = pageOf(document)
  if (rows.length === 0) return empty(page, route)
  const warned = itemsOf(member(response, 'warnings')).some(each =>
    /incomplete return/i.test(wordsOf(member(each, 'warning')) ?? ''),
  )
  const cut = warned && page?.incomplete !== false
  const problems = cut ? [problem('too-large', `${rows.length} of ${totalWords(response)} rows were sent`)] : []
  return joinAnswers([readRows(rows, document, route, answer), { series: [], problems }])
}

function totalWords(response: unknown): string {
  return wordsOf(member(response, 'total')) ?? 'more'
}

/** Quirk EIA-5: a facet value that does not exist is an empty success; an empty page past the end is not an error. */
function empty(page: Page | null, route: string): ParsedAnswer {
  if (page !== null && page.offset > 0) return { series: [], problems: [] }
  return failed('unknown-series', `no row of ${route} has the requested facets`)
}

/** Quirk EIA-6: `error` is an object or a string. Quirk EIA-7: the HTTP status may differ from the status in the body. */
function refused(document: unknown, error: unknown, answer: Answer): ParsedAnswer {
  const message = wordsOf(isRecord(error) ? member(error, 'message') : error) ?? 'an error without a message'
  const code = wordsOf(isRecord(error) ? member(error, 'code') : member(document, 'code')) ?? ''
  return failed(kindOfError(code, message, answer.status), message)
}

function kindOfError(code: string, message: string, status: number): ProblemKind {
  if (/RATE_LIMIT|THROTTL/i.test(code)) return 'rate-limited'
  if (/API_KEY/i.test(code) || /api_key/i.test(message)) return 'bad-key'
  const number = wholeOf(code)
  return kindOfStatus(number ?? status, rules) ?? 'bad-request'
}

/** `/v2/petroleum/pri/spt/data/` contains the route `petroleum/pri/spt`. Quirk EIA-14: slashes may be escaped. */
function routeOf(document: unknown, answer: Answer): string {
  const command = wordsOf(member(member(document, 'request'), 'command'))
  const path = command ?? (answer.url !== null && URL.canParse(answer.url) ? new URL(answer.url).pathname : '')
  return path.replace(/^.*\/v2\//, '').replace(/(?:^|\/)data\/?$/, '')
}

interface Group {
  readonly head: SeriesHead
  readonly points: ParsedPoint[]
}

function readRows(rows: readonly unknown[], document: unknown, route: string, answer: Answer): ParsedAnswer {
  const name = wordsOf(member(member(document, 'response'), 'frequency')) ?? ''
  const frequency = Object.hasOwn(frequencyOfName, name) ? frequencyOfName[name] : undefined
  if (frequency === undefined) return failed('unreadable', `the frequency "${name}" is not supported`)
  if (route === '' && answer.codes.length === 0) return failed('unreadable', 'the body does not name its route')
  const columns = columnsOf(document, rows[0])
  if (columns.length === 0)
    return failed('bad-request', 'rows were sent without values: no data[] column was requested')
  const groups = new Map<string, Group>()
  for (const row of rows) {
    for (const column of columns) {
      const code = codeOf(row, column, route, frequency, answer)
      const group = groups.get(code) ?? { head: headOf(row, column, code, frequency), points: [] }
      groups.set(code, group)
      group.points.push(readRow(row, column, frequency))
    }
  }
  return joinAnswers([...groups.values()].map(({ head, points }) => assemble(head, points)))
}

/** The columns with figures: those requested, else those with their own unit, else `value`. */
function columnsOf(document: unknown, row: unknown): readonly string[] {
  const asked = itemsOf(member(member(member(document, 'request'), 'params'), 'data')).map(wordsOf)
  const names = isRecord(row) ? Object.keys(row) : []
  const present = asked.filter(name => name !== null).filter(name => names.includes(name))
  if (present.length > 0) return present
  const measured = names.filter(name => names.includes(`${name}-units`))
  return measured.length > 0 ? measured : names.filter(name => name === 'value')
}

function codeOf(row: unknown, column: string, route: string, frequency: Frequency, answer: Answer): string {
  if (route === '') return answer.codes[0]!
  const id = wordsOf(member(row, 'series')) ?? wordsOf(member(row, 'seriesId')) ?? facetsOf(row, column)
  return `${route}/${id}/${frequency[0]}`
}

/** For routes without series ids: rows are identified by every column that is not a figure, unit, name or period. */
function facetsOf(row: unknown, column: string): string {
  if (!isRecord(row)) return column
  const names = Object.keys(row)
  const measured = names.filter(name => names.includes(`${name}-units`))
  const facets = names.filter(name => !isWord(name) && name !== column && !measured.includes(name)).sort()
  return [
    column,
    ...facets.map(name => `${name}=${encodeText(wordsOf(row[name]) ?? '')}`).filter(facet => !facet.endsWith('=')),
  ].join(';')
}

// Quirk EIA-10: a name may be the text "NA"; only values are checked for marks.
function isWord(column: string): boolean {
  return /^(?:period|units?)$|-units$|name$|description$/i.test(column)
}

function headOf(row: unknown, column: string, code: string, frequency: Frequency): SeriesHead {
  const described = wordsOf(member(row, 'series-description')) ?? wordsOf(member(row, 'seriesDescription'))
  const words = isRecord(row)
    ? Object.keys(row)
        .filter(name => /name$|description$/i.test(name))
        .map(name => wordsOf(row[name]))
    : []
  const unit = [`${column}-units`, 'units', 'unit'].map(name => wordsOf(member(row, name))).find(each => each !== null)
  return {
    code,
    name: described ?? [column, ...words.filter(each => each !== null)].join(', '),
    unit: unit ?? null,
    frequency,
  }
}

function readRow(row: unknown, column: string, frequency: Frequency): ParsedPoint {
  const when = wordsOf(member(row, 'period')) ?? ''
  // Quirk EIA-9: `.1132` gets its leading zero when the digits are read.
  return readPoint({ when, period: asWeek(parsePeriod(when), frequency), value: member(row, column) }, isWithheld)
}

/** Withheld cells contain a short mark such as "w" or "NM". */
function isWithheld(text: string): boolean {
  return isMissingMark(text) || /^(?!inf)\D{1,3}$/i.test(text)
}
