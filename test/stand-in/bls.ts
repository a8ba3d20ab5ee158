// Imitates the BLS public data API: always HTTP 200, long spans and large batches are cut with a message, newest points
// first.
import { civilOf } from '../../src/core/time/day.ts'
import { firstDayOf } from '../../src/core/time/period.ts'
import { type Ask, type ProviderStandIn, parseBody, type Told, tellJson } from './exchange.ts'
import type { Row, ServedSeries } from './model.ts'
import { blsPeriod, monthName, utcDay, writeRow } from './notation.ts'

export const blsStandIn: ProviderStandIn = {
  pageSize: 50,
  answer,
  tooMany: () =>
    notProcessed(
      'Request could not be serviced, as the daily threshold for total number of requests ' +
        'allocated to the user with registration key ABCDEF0123 has been reached.',
    ),
}

interface Wanted {
  readonly ids: readonly string[]
  readonly startYear: number | null
  readonly endYear: number | null
  readonly key: string | null
}

function answer(ask: Ask): Told {
  const wanted = wantedOf(ask)
  if (wanted === null || wanted.ids.length === 0) return succeeded([], [])
  if (wanted.key !== null && !ask.keys.includes(wanted.key)) {
    return notProcessed(
      `The key:${wanted.key} provided by the User is invalid. Please provide a proper key for the operation to be successful`,
    )
  }
  const most = wanted.key === null ? { series: 25, years: 10 } : { series: ask.pageSize, years: 20 }
  const messages: string[] = []
  const ids = wanted.ids.slice(0, most.series)
  if (ids.length < wanted.ids.length) messages.push(`The number of series exceeds the limit of ${most.series}.`)
  const thisYear = civilOf(utcDay(ask.now)).year
  const end = wanted.endYear ?? thisYear
  const first = wanted.startYear ?? thisYear - 2
  const start = Math.max(first, end - most.years + 1)
  if (start > first) {
    messages.push(`Year range has been reduced to the system-allowed limit of ${most.years} years.`)
  }
  return succeeded(
    ids.map(id => writeSeries(id, ask, start, end, messages)),
    messages,
  )
}

function wantedOf(ask: Ask): Wanted | null {
  const single = /^\/timeseries\/data\/([^/]+)\/?$/.exec(ask.path)
  if (ask.method === 'GET' && single !== null) {
    return {
      ids: [single[1]!],
      startYear: yearOf(ask.query.get('startyear')),
      endYear: yearOf(ask.query.get('endyear')),
      key: ask.query.get('registrationkey'),
    }
  }
  const body = parseBody(ask)
  if (typeof body !== 'object' || body === null || !/^\/timeseries\/data\/?$/.test(ask.path)) return null
  const { seriesid, startyear, endyear, registrationkey } = body as Record<string, unknown>
  return {
    ids: Array.isArray(seriesid) ? seriesid.map(String) : [],
    startYear: yearOf(startyear),
    endYear: yearOf(endyear),
    key: typeof registrationkey === 'string' ? registrationkey : null,
  }
}

function yearOf(value: unknown): number | null {
  return /^\d{4}$/.test(String(value)) ? Number.parseInt(String(value), 10) : null
}

function writeSeries(id: string, ask: Ask, start: number, end: number, messages: string[]): unknown {
  const series = ask.series.find(each => each.code === id)
  if (series === undefined) {
    messages.push(`Invalid Series for Series ${id}`)
    return { seriesID: id, data: [] }
  }
  const held = new Map<number, Row[]>()
  for (const row of series.rows) {
    const year = yearOfRow(row)
    if (year >= start && year <= end) held.set(year, [...(held.get(year) ?? []), row])
  }
  for (let year = end; year >= start; year--) {
    if (!held.has(year)) messages.push(`No Data Available for Series ${id} Year: ${year}`)
  }
  const newest = series.rows.at(-1)
  const rows = [...held.values()].flat().reverse()
  return { seriesID: series.code, data: rows.map(row => writePoint(row, row === newest, series)) }
}

function yearOfRow(row: Row): number {
  return civilOf(firstDayOf(row.period)).year
}

function writePoint(row: Row, isNewest: boolean, series: ServedSeries): unknown {
  return {
    year: yearOfRow(row).toString(),
    period: writeRow(row, blsPeriod),
    periodName: series.frequency === 'MONTHLY' ? monthName(row.period) : blsPeriod(row.period),
    latest: isNewest ? 'true' : undefined,
    value: row.value ?? '-',
    footnotes: [footnoteOf(row)],
  }
}

function footnoteOf(row: Row): unknown {
  if (row.stage === 'PRELIMINARY') return { code: 'P', text: 'preliminary' }
  if (row.stage === 'REVISED') return { code: 'R', text: 'Revised' }
  return row.stage === 'MISSING' ? { code: 'X', text: 'Data unavailable due to the 2025 lapse in appropriations' } : {}
}

function succeeded(series: readonly unknown[], messages: readonly string[]): Told {
  return tellJson({ status: 'REQUEST_SUCCEEDED', responseTime: 91, message: messages, Results: { series } })
}

function notProcessed(message: string): Told {
  return tellJson({ status: 'REQUEST_NOT_PROCESSED', responseTime: 0, message: [message], Results: {} })
}
