// Imitates the time-series search API of the Bank of Japan: parallel arrays, periods as integers, and a next position if
// an answer is full.
import { type Ask, numberOf, type ProviderStandIn, type Told, tellJson, tellText, wholeParameter } from './exchange.ts'
import { lastPublication, type ServedSeries } from './model.ts'
import { bojPeriod, firstDay, writeRow } from './notation.ts'

export const bojStandIn: ProviderStandIn = {
  pageSize: 250,
  answer,
  // Frequent access is blocked by a web page in front of the service.
  tooMany: seconds => ({
    ...tellText(
      '<html><head><title>Access denied</title></head><body>Too many requests</body></html>',
      429,
      'text/html',
    ),
    headers: { 'Retry-After': seconds.toString() },
  }),
}

function answer(ask: Ask): Told {
  const db = ask.query.get('db') ?? ''
  const code = ask.query.get('code') ?? ''
  if (db === '') return refuse(ask, 'M181004E', 'DB is not specified.')
  const own = ask.series.filter(series => series.code.split('/')[0]!.toUpperCase() === db.toUpperCase())
  if (own.length === 0) return refuse(ask, 'M181005E', 'DB is incorrect.')
  if (ask.path === '/getMetadata') return tellResults(ask, own.map(writeHead), null)
  if (ask.path !== '/getDataCode') return refuse(ask, 'M181001E', 'The API is incorrect.')
  if (code === '') return refuse(ask, 'M181006E', 'CODE is not specified.')
  const wanted = code.split(',').map(each => own.find(series => series.code.split('/')[1] === each))
  if (wanted.includes(undefined)) return refuse(ask, 'M181013E', 'CODE is incorrect.')
  const series = wanted as readonly ServedSeries[]
  if (new Set(series.map(({ frequency }) => frequency)).size > 1) {
    return refuse(ask, 'M181014E', 'Series codes of different frequencies are specified.')
  }
  const start = Math.max(wholeParameter(ask, 'startPosition', 1), 1)
  const page = ask.neverEnds ? series : series.slice(start - 1, start - 1 + ask.pageSize)
  const following = start + page.length
  const isMore = ask.neverEnds || following <= series.length
  return tellResults(ask, page.map(writeSeries), isMore ? following : null)
}

function refuse(ask: Ask, id: string, message: string): Told {
  return tellJson({ STATUS: 400, MESSAGEID: id, MESSAGE: message, DATE: ask.now }, 400)
}

function tellResults(ask: Ask, results: readonly unknown[], following: number | null): Told {
  return tellJson({
    STATUS: 200,
    MESSAGEID: 'M181000I',
    MESSAGE: 'Successfully completed',
    DATE: ask.now,
    PARAMETER: {
      FORMAT: 'JSON',
      LANG: 'EN',
      DB: ask.query.get('db'),
      STARTDATE: '',
      ENDDATE: '',
      STARTPOSITION: ask.query.get('startPosition') ?? '',
    },
    NEXTPOSITION: following,
    RESULTSET: results,
  })
}

function writeHead(series: ServedSeries) {
  return {
    SERIES_CODE: series.code.split('/')[1],
    NAME_OF_TIME_SERIES: series.name,
    UNIT: series.unit,
    FREQUENCY: series.details.boj ?? (series.frequency === 'WEEKLY' ? 'WEEKLY(MONDAY)' : series.frequency),
    CATEGORY: 'Stand-in',
    LAST_UPDATE: lastPublication(series)?.slice(0, 10).replaceAll('-', '') ?? '',
  }
}

function writeSeries(series: ServedSeries): unknown {
  const isDated = series.frequency === 'DAILY' || series.frequency === 'WEEKLY'
  const dates = series.rows.map(row =>
    numberOf(writeRow(row, period => (isDated ? firstDay(period).replaceAll('-', '') : bojPeriod(period)))),
  )
  const head = writeHead(series)
  return {
    ...head,
    LAST_UPDATE: numberOf(head.LAST_UPDATE),
    VALUES: { SURVEY_DATES: dates, VALUES: series.rows.map(row => numberOf(row.value)) },
  }
}
