// Imitates Nasdaq Data Link v3: a data set is a table of dates in which every other column is a series; errors have a code,
// and a wrong key is repeated in the message.
import { type Ask, numberOf, type ProviderStandIn, type Told, tellJson } from './exchange.ts'
import { lastPublication, type ServedSeries } from './model.ts'
import { firstDay, writeRow } from './notation.ts'

export const nasdaqDataLinkStandIn: ProviderStandIn = {
  pageSize: 1,
  answer,
  tooMany: seconds => ({
    ...refuse('QELx04', 'You have exceeded the API speed limit for your account. Please try again later.', 429),
    headers: { 'Retry-After': seconds.toString() },
  }),
}

function refuse(code: string, message: string, status: number): Told {
  return tellJson({ quandl_error: { code, message } }, status)
}

function answer(ask: Ask): Told {
  const key = ask.query.get('api_key') ?? ask.headers['x-api-token'] ?? null
  if (key !== null && !ask.keys.includes(key)) {
    const advice = 'Please check your API key and try again. You can find your API key under your account settings.'
    return refuse('QEAx01', `We could not recognize your API key: ${key}. ${advice}`, 400)
  }
  const match = /^\/datasets\/([^/]+)\/([^/]+?)(\/data)?\.json$/.exec(ask.path)
  const own = match === null ? [] : ask.series.filter(series => series.code.startsWith(`${match[1]}/${match[2]}/`))
  if (match === null || own.length === 0) {
    return refuse(
      'QECx02',
      'You have submitted an incorrect Dataset code. Please check your Dataset codes and try again.',
      404,
    )
  }
  if (key === null && own[0]!.details.premium === 'yes') {
    return refuse(
      'QEPx05',
      'You have attempted to view a premium database in anonymous mode. Please use your API key.',
      403,
    )
  }
  const set = writeSet(ask, own)
  if (match[3] !== undefined) return tellJson({ dataset_data: set })
  return tellJson({ dataset: { ...headOf(own[0]!, ask), ...set } })
}

function headOf(series: ServedSeries, ask: Ask) {
  const [database, code] = series.code.split('/')
  return {
    id: 9_776_656,
    dataset_code: code,
    database_code: database,
    name: series.details.set ?? series.name,
    description: 'Served by a stand-in.',
    refreshed_at: lastPublication(series) ?? ask.now,
    newest_available_date: series.rows.at(-1) === undefined ? null : firstDay(series.rows.at(-1)!.period),
    oldest_available_date: series.rows[0] === undefined ? null : firstDay(series.rows[0].period),
    type: 'Time Series',
    premium: series.details.premium === 'yes',
  }
}

function writeSet(ask: Ask, own: readonly ServedSeries[]) {
  const start = ask.query.get('start_date') ?? ''
  const columns = own.map(cellsOf)
  const dates = [...new Set(columns.flatMap(column => [...column.keys()]))].filter(when => when >= start).sort()
  const data = dates.flatMap(when => {
    const cells = columns.map(column => column.get(when) ?? [null])
    const depth = Math.max(...cells.map(values => values.length))
    return Array.from({ length: depth }, (_, at) => [when, ...cells.map(values => numberOf(values[at] ?? values[0]!))])
  })
  return {
    limit: null,
    transform: null,
    column_index: null,
    column_names: ['Date', ...own.map(series => series.code.split('/').slice(2).join('/'))],
    start_date: dates[0] ?? null,
    end_date: dates.at(-1) ?? null,
    frequency: 'daily',
    data: ask.query.get('order') === 'asc' ? data : data.reverse(),
    collapse: null,
    order: ask.query.get('order'),
  }
}

/** By date; several rows if a date is repeated. */
function cellsOf(series: ServedSeries): ReadonlyMap<string, readonly (string | null)[]> {
  const cells = new Map<string, (string | null)[]>()
  for (const row of series.rows) {
    const when = writeRow(row, firstDay)
    const held = cells.get(when)
    if (held === undefined) cells.set(when, [row.value])
    else held.push(row.value)
  }
  return cells
}
