// Imitates FRED and ALFRED: every publication is a window of days, at most 2,000 vintages per request, XML unless JSON is
// requested, errors with status 400.
import { formatDay, parseDay } from '../../src/core/time/day.ts'
import {
  type Ask,
  escapeSlashes,
  matchesWords,
  type ProviderStandIn,
  type Told,
  tellJson,
  tellXml,
  wholeParameter,
  writeElement,
} from './exchange.ts'
import { lastPublication, type Row, type ServedSeries } from './model.ts'
import { firstDay, lastDay, localTime, utcDay, writeRow } from './notation.ts'

export const fredStandIn: ProviderStandIn = {
  pageSize: 100_000,
  answer: ask => escapeSlashes(answer(ask)),
  tooMany: () => tellJson({ error_code: 429, error_message: 'Too Many Requests.  Exceeded Rate Limit' }, 429),
}

const vintagesPerRequest = 2000
const earliest = '1776-07-04'
const latest = '9999-12-31'

function answer(ask: Ask): Told {
  const key = ask.query.get('api_key')
  if (key === null) return refuse(ask, 'The variable api_key is not set.')
  if (!/^[a-z0-9]{32}$/.test(key)) {
    return refuse(ask, 'The value for variable api_key is not a 32 character alpha-numeric lower-case string.')
  }
  if (!ask.keys.includes(key)) return refuse(ask, 'The value for variable api_key is not registered.')
  if (ask.path === '/series/search') return search(ask)
  const id = ask.query.get('series_id')
  if (id === null) return refuse(ask, 'The variable series_id is not set.')
  const series = ask.series.find(each => each.code === id)
  if (series === undefined) return refuse(ask, 'The series does not exist.')
  if (ask.path === '/series') return tell(ask, 'seriess', {}, [writeHead(series, ask)])
  if (ask.path === '/series/vintagedates') return tellVintages(ask, series)
  return ask.path === '/series/observations' ? tellObservations(ask, series) : refuse(ask, 'Bad path.')
}

function refuse(ask: Ask, message: string): Told {
  const told = { error_code: 400, error_message: `Bad Request.  ${message}` }
  if (ask.query.get('file_type') === 'json') return tellJson(told, 400)
  return tellXml(writeElement('error', { code: '400', message: told.error_message }), 400)
}

/** The list under its own name in the root object, or the same as XML. */
function tell(ask: Ask, list: string, root: Readonly<Record<string, string | number>>, rows: readonly unknown[]): Told {
  const today = formatDay(utcDay(ask.now))
  const members = { realtime_start: today, realtime_end: today, ...root }
  if (ask.query.get('file_type') === 'json') return tellJson({ ...members, [list]: rows })
  const texts = Object.entries(members).map(([name, value]) => [name, value.toString()] as const)
  const open = writeElement(list, Object.fromEntries(texts)).replace('/>', '>')
  const inner = rows.map(row => writeElement(list.replace(/s$/, ''), row as Record<string, string>))
  return tellXml(`${open}${inner.join('')}</${list}>`, 200)
}

interface Window {
  readonly row: Row
  readonly from: string
  readonly to: string
}

/** What is served stays the same object between two publications. */
const windows = new WeakMap<ServedSeries, readonly Window[]>()

function windowsOf(series: ServedSeries): readonly Window[] {
  const made = windows.get(series) ?? makeWindows(series)
  windows.set(series, made)
  return made
}

/** A publication is valid until the day before the next one of its period; of two on one day the later one counts. */
function makeWindows(series: ServedSeries): readonly Window[] {
  const periods = new Map<number, Row[]>()
  for (const row of series.vintages) {
    const own = periods.get(row.period.ordinal)
    if (own === undefined) periods.set(row.period.ordinal, [row])
    else own.push(row)
  }
  return [...periods.values()].flatMap(windowsOfPeriod)
}

function windowsOfPeriod(rows: readonly Row[]): readonly Window[] {
  const sorted = rows
    .toSorted((a, b) => (a.publishedAt < b.publishedAt ? -1 : a.publishedAt > b.publishedAt ? 1 : 0))
    .map(row => ({ row, from: dayOf(row) }))
  return sorted.flatMap(({ row, from }, at) => {
    let next = at + 1
    while (sorted[next]?.row.publishedAt === row.publishedAt) next += 1
    const following = sorted[next]
    if (following?.from === from) return []
    return [{ row, from, to: following === undefined ? latest : dayBefore(following.from) }]
  })
}

/** A vintage is a day in St. Louis. */
function dayOf(row: Row): string {
  return localTime(row.publishedAt, 'chicago').day
}

function dayBefore(day: string): string {
  return formatDay(parseDay(day)! - 1)
}

interface Span {
  readonly start: string
  readonly end: string
}

function spanOf(ask: Ask): Span {
  const today = formatDay(utcDay(ask.now))
  return { start: ask.query.get('realtime_start') ?? today, end: ask.query.get('realtime_end') ?? today }
}

function vintageDays(windows: readonly Window[], { start, end }: Span): readonly string[] {
  return [...new Set(windows.map(({ from }) => from))].filter(day => day >= start && day <= end).sort()
}

function tellVintages(ask: Ask, series: ServedSeries): Told {
  const span = spanOf({ ...ask, query: withUsual(ask.query) })
  const days = vintageDays(windowsOf(series), span)
  const offset = wholeParameter(ask, 'offset', 0)
  const limit = Math.min(wholeParameter(ask, 'limit', 10_000), 10_000)
  return tellJson({
    realtime_start: span.start,
    realtime_end: span.end,
    order_by: 'vintage_date',
    sort_order: 'asc',
    count: days.length,
    offset,
    limit,
    vintage_dates: days.slice(offset, offset + limit),
  })
}

function withUsual(query: URLSearchParams): URLSearchParams {
  const usual = new URLSearchParams(query)
  if (!usual.has('realtime_start')) usual.set('realtime_start', earliest)
  if (!usual.has('realtime_end')) usual.set('realtime_end', latest)
  return usual
}

function tellObservations(ask: Ask, series: ServedSeries): Told {
  const span = spanOf(ask)
  const windows = windowsOf(series)
  const vintages = vintageDays(windows, span).length
  if (vintages > vintagesPerRequest) {
    return refuse(
      ask,
      `There are ${vintages} vintage dates in the real-time period, which exceeds the limit of ${vintagesPerRequest}.`,
    )
  }
  const start = ask.query.get('observation_start') ?? '1600-01-01'
  const rows = windows
    .map(window => writeWindow(window, span, series))
    .filter(row => row.realtime_start <= row.realtime_end && row.date >= start)
  const offset = wholeParameter(ask, 'offset', 0)
  const limit = Math.min(wholeParameter(ask, 'limit', 100_000), ask.pageSize)
  return tell(
    ask,
    'observations',
    {
      realtime_start: span.start,
      realtime_end: span.end,
      observation_start: start,
      observation_end: latest,
      units: 'lin',
      output_type: 1,
      file_type: 'json',
      order_by: 'observation_date',
      sort_order: 'asc',
      count: ask.neverEnds ? offset + 1_000_000 : rows.length,
      offset,
      limit,
    },
    rows.slice(ask.neverEnds ? 0 : offset, (ask.neverEnds ? 0 : offset) + limit),
  )
}

function writeWindow({ row, from, to }: Window, span: Span, series: ServedSeries) {
  return {
    realtime_start: from < span.start ? span.start : from,
    realtime_end: to > span.end ? span.end : to,
    date: writeRow(row, series.frequency === 'WEEKLY' ? lastDay : firstDay),
    value: row.value ?? '.',
  }
}

const frequencyNames = {
  DAILY: ['Daily', 'D'],
  WEEKLY: ['Weekly', 'W'],
  MONTHLY: ['Monthly', 'M'],
  QUARTERLY: ['Quarterly', 'Q'],
  SEMIANNUAL: ['Semiannual', 'SA'],
  ANNUAL: ['Annual', 'A'],
} as const

function writeHead(series: ServedSeries, ask: Ask) {
  const today = formatDay(utcDay(ask.now))
  const [frequency, short] = frequencyNames[series.frequency]
  const last = localTime(lastPublication(series) ?? ask.now, 'chicago')
  return {
    id: series.code,
    realtime_start: today,
    realtime_end: today,
    title: series.name,
    observation_start: series.rows[0] === undefined ? today : firstDay(series.rows[0].period),
    observation_end: series.rows.at(-1) === undefined ? today : firstDay(series.rows.at(-1)!.period),
    frequency,
    frequency_short: short,
    units: series.unit,
    units_short: series.unit,
    seasonal_adjustment: 'Not Seasonally Adjusted',
    seasonal_adjustment_short: 'NSA',
    last_updated: `${last.day} ${last.time}:01-06`,
    popularity: '50',
    notes: 'Served by a stand-in.',
  }
}

function search(ask: Ask): Told {
  const words = ask.query.get('search_text') ?? ''
  const found = ask.series.filter(({ code, name }) => matchesWords(words, code, name))
  const offset = wholeParameter(ask, 'offset', 0)
  const limit = Math.min(wholeParameter(ask, 'limit', 1000), 1000)
  const rows = found.slice(offset, offset + limit).map(series => writeHead(series, ask))
  return tell(ask, 'seriess', { order_by: 'search_rank', sort_order: 'desc', count: found.length, offset, limit }, rows)
}
