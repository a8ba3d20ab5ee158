// Imitates the web data service of Statistics Canada: replies by vector in any order, figures printed as floats, with the
// published decimals next to them.
import {
  type Ask,
  numberOf,
  type ProviderStandIn,
  parseBody,
  type Told,
  tellJson,
  tellText,
  tellTooMany,
} from './exchange.ts'
import { lastPublication, type Row, type ServedSeries } from './model.ts'
import { firstDay, localTime, writeRow } from './notation.ts'

export const statcanStandIn: ProviderStandIn = { pageSize: 100, answer, tooMany: tellTooMany }

const frequencyCodes = { DAILY: 1, WEEKLY: 2, MONTHLY: 6, QUARTERLY: 9, SEMIANNUAL: 11, ANNUAL: 12 } as const

function answer(ask: Ask): Told {
  if (ask.method === 'GET' && ask.path === '/getAllCubesListLite') return tellCubes(ask)
  if (ask.method === 'GET' && ask.path === '/getChangedSeriesList') return tellChanged(ask)
  const body = parseBody(ask)
  if (ask.method !== 'POST' || body === null) return tellText('Not Acceptable', 406)
  if (ask.path === '/getDataFromVectorsAndLatestNPeriods') return tellLatest(ask, listOf(body))
  if (ask.path === '/getBulkVectorDataByRange') return tellReleased(ask, body as Readonly<Record<string, unknown>>)
  if (ask.path === '/getSeriesInfoFromVector') return tellHeads(ask, listOf(body))
  return tellText('Not Found', 404)
}

function listOf(body: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(body) ? body : []
}

function tellLatest(ask: Ask, items: readonly Readonly<Record<string, unknown>>[]): Told {
  const replies = items.slice(0, ask.pageSize).map(({ vectorId, latestN }) => {
    const count = typeof latestN === 'number' ? latestN : 1
    return writeReply(ask, String(vectorId), series => series.rows.slice(-count))
  })
  return tellJson(replies.toSorted(byCoordinate).map(({ reply }) => reply))
}

/** The points released within a span; Eastern time without a zone. */
function tellReleased(ask: Ask, body: Readonly<Record<string, unknown>>): Told {
  const from = String(body.startDataPointReleaseDate ?? '')
  const to = String(body.endDataPointReleaseDate ?? '9999')
  const vectors = Array.isArray(body.vectorIds) ? body.vectorIds.slice(0, ask.pageSize) : []
  const replies = vectors.map(vector =>
    writeReply(ask, String(vector), series =>
      series.rows.filter(row => {
        const released = releaseTime(row.publishedAt)
        return released >= from && released <= to
      }),
    ),
  )
  return tellJson(replies.toSorted(byCoordinate).map(({ reply }) => reply))
}

interface Reply {
  readonly coordinate: string
  readonly reply: unknown
}

function byCoordinate(a: Reply, b: Reply): number {
  return a.coordinate < b.coordinate ? -1 : a.coordinate > b.coordinate ? 1 : 0
}

function seriesOf(ask: Ask, vector: string): ServedSeries | undefined {
  return ask.series.find(each => each.code.slice(1) === vector || each.code === vector)
}

function writeReply(ask: Ask, vector: string, rowsOf: (series: ServedSeries) => readonly Row[]): Reply {
  const series = seriesOf(ask, vector)
  if (series === undefined) return { coordinate: '', reply: failed(vector) }
  const coordinate = coordinateOf(series)
  const points = rowsOf(series).map(row => writePoint(row, series))
  const object = { responseStatusCode: 0, ...whereOf(series), vectorDataPoint: points }
  return { coordinate, reply: { status: 'SUCCESS', object } }
}

function failed(vector: string): unknown {
  const object = { responseStatusCode: 4, productId: 0, coordinate: null, vectorId: Number.parseInt(vector, 10) || 0 }
  return { status: 'FAILED', object: { ...object, vectorDataPoint: [] } }
}

function coordinateOf(series: ServedSeries): string {
  return series.details.coordinate ?? '1.1.0.0.0.0.0.0.0.0'
}

function whereOf(series: ServedSeries) {
  return {
    productId: Number.parseInt(series.details.product ?? '18100004', 10),
    coordinate: coordinateOf(series),
    vectorId: Number.parseInt(series.code.slice(1), 10),
  }
}

function releaseTime(publishedAt: string): string {
  const { day, time } = localTime(publishedAt, 'toronto')
  return `${day}T${time}`
}

function writePoint(row: Row, series: ServedSeries): unknown {
  const day = writeRow(row, firstDay)
  return {
    refPer: day,
    refPer2: '',
    refPerRaw: day,
    refPerRaw2: '',
    value: numberOf(row.value === null ? null : writeFloat(row.value)),
    decimals: decimalsOf(row.value),
    scalarFactorCode: Number.parseInt(series.details.multiplier ?? '0', 10),
    symbolCode: row.stage === 'PRELIMINARY' ? 1 : row.stage === 'REVISED' ? 3 : 0,
    statusCode: row.stage === 'MISSING' ? 1 : 0,
    securityLevelCode: 0,
    releaseTime: releaseTime(row.publishedAt),
    frequencyCode: frequencyCodes[series.frequency],
  }
}

function decimalsOf(value: string | null): number {
  const match = value === null ? null : /^-?\d+(?:\.(\d+))?$/.exec(value)
  return match === null ? 6 : (match[1] ?? '').length
}

/** As their server prints floats: `1277434.0`, `3.9520274E7`; what is not a plain number stays as it is. */
export function writeFloat(value: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value)
  if (match === null) return value
  const [, sign = '', whole = '', part = ''] = match
  const fraction = part.replace(/0+$/, '')
  if (whole.length < 8) return `${sign}${whole}.${fraction === '' ? '0' : fraction}`
  const digits = `${whole.slice(1)}${fraction}`.replace(/0+$/, '')
  return `${sign}${whole[0]}.${digits === '' ? '0' : digits}E${whole.length - 1}`
}

function tellHeads(ask: Ask, items: readonly Readonly<Record<string, unknown>>[]): Told {
  return tellJson(
    items.slice(0, ask.pageSize).map(({ vectorId }) => {
      const series = seriesOf(ask, String(vectorId))
      if (series === undefined) return failed(String(vectorId))
      const object = {
        responseStatusCode: 0,
        ...whereOf(series),
        frequencyCode: frequencyCodes[series.frequency],
        scalarFactorCode: Number.parseInt(series.details.multiplier ?? '0', 10),
        decimals: 1,
        terminated: 0,
        SeriesTitleEn: series.name,
        SeriesTitleFr: series.name,
        memberUomCode: 17,
      }
      return { status: 'SUCCESS', object }
    }),
  )
}

function tellChanged(ask: Ask): Told {
  const today = localTime(ask.now, 'toronto').day
  const changed = ask.series.filter(each => releaseTime(lastPublication(each) ?? '1900-01-01').startsWith(today))
  const object = changed.map(series => ({
    responseStatusCode: 0,
    ...whereOf(series),
    releaseTime: releaseTime(lastPublication(series)!),
  }))
  return tellJson({ status: 'SUCCESS', object })
}

function tellCubes(ask: Ask): Told {
  const cubes = new Map<number, unknown>()
  for (const series of ask.series) {
    const { productId } = whereOf(series)
    if (cubes.has(productId)) continue
    const first = series.rows[0]
    cubes.set(productId, {
      productId,
      cansimId: null,
      cubeTitleEn: series.name,
      cubeTitleFr: series.name,
      cubeStartDate: first === undefined ? '1900-01-01' : firstDay(first.period),
      cubeEndDate: series.rows.at(-1) === undefined ? '1900-01-01' : firstDay(series.rows.at(-1)!.period),
      releaseTime: releaseTime(lastPublication(series) ?? ask.now),
      archived: '2',
      subjectCode: ['18'],
      surveyCode: ['2301'],
      frequencyCode: frequencyCodes[series.frequency],
    })
  }
  return tellJson([...cubes.values()])
}
