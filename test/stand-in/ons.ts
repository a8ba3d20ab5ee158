// Imitates the ONS: a search that finds the address of a time series, and the document there with its years, quarters and
// months.
import {
  type Ask,
  matchesWords,
  type ProviderStandIn,
  type Told,
  tellJson,
  tellText,
  tellTooMany,
  wholeParameter,
} from './exchange.ts'
import type { Row, ServedSeries } from './model.ts'
import { londonMidnight, monthName, onsPeriod, writeRow } from './notation.ts'

export const onsStandIn: ProviderStandIn = { pageSize: 1000, answer, tooMany: tellTooMany }

interface Place {
  readonly cdid: string
  readonly dataset: string
}

/** `D7BT/MM23/M`. */
function placeOf(code: string): Place {
  const [cdid, dataset] = code.split('/') as [string, string]
  return { cdid, dataset }
}

function uriOf(series: ServedSeries): string {
  const { cdid, dataset } = placeOf(series.code)
  const topic = series.details.topic ?? '/economy/inflationandpriceindices'
  return `${topic}/timeseries/${cdid}/${dataset}`.toLowerCase()
}

function answer(ask: Ask): Told {
  if (ask.path === '/search') return tellSearch(ask)
  const uri = ask.query.get('uri')
  const own = ask.series.filter(series => uriOf(series) === uri)
  return ask.path !== '/data' || own.length === 0 ? tellText('resource not found', 404) : tellDocument(ask, own)
}

function tellSearch(ask: Ask): Told {
  const cdids = ask.query.get('cdids')?.toUpperCase().split(',')
  const words = ask.query.get('q') ?? ''
  const found = new Map<string, ServedSeries>()
  for (const series of ask.series) {
    const isNamed = cdids === undefined || cdids.includes(placeOf(series.code).cdid.toUpperCase())
    if (isNamed && matchesWords(words, series.code, series.name)) found.set(uriOf(series), series)
  }
  const offset = wholeParameter(ask, 'offset', 0)
  const limit = Math.min(wholeParameter(ask, 'limit', 10), ask.pageSize)
  const items = [...found.values()].slice(offset, offset + limit).map(series => {
    const { cdid, dataset } = placeOf(series.code)
    return {
      uri: uriOf(series),
      type: 'timeseries',
      cdid,
      dataset_id: dataset,
      title: series.name,
      release_date: ask.now,
    }
  })
  return tellJson({ count: found.size, items, offset, limit, topics: [], suggestions: null })
}

const lists = { years: 'ANNUAL', quarters: 'QUARTERLY', months: 'MONTHLY' } as const

function tellDocument(ask: Ask, own: readonly ServedSeries[]): Told {
  const first = own[0]!
  const { cdid, dataset } = placeOf(first.code)
  const points = Object.fromEntries(
    Object.entries(lists).map(([list, frequency]) => {
      const series = own.find(each => each.frequency === frequency)
      return [list, (series?.rows ?? []).map(row => writePoint(row, dataset))]
    }),
  )
  const stamps = own.flatMap(series => series.rows.map(({ publishedAt }) => publishedAt)).sort()
  const newest = first.rows.at(-1)
  return tellJson({
    ...points,
    sourceDatasets: [dataset],
    relatedDocuments: [],
    versions: [],
    type: 'timeseries',
    uri: uriOf(first),
    description: {
      title: first.name,
      contact: { email: 'office@example.org', name: 'An Officer', telephone: '+44 0000 000000' },
      releaseDate: londonMidnight(stamps.at(-1) ?? ask.now),
      nextRelease: 'to be announced',
      datasetId: dataset,
      cdid,
      unit: first.unit,
      preUnit: first.details.preUnit ?? '',
      source: 'Office for National Statistics',
      date: newest === undefined ? '' : onsPeriod(newest.period),
      number: newest?.value ?? '',
      keyNote: 'Served by a stand-in.',
      sampleSize: '0',
    },
  })
}

function writePoint(row: Row, dataset: string): unknown {
  const date = writeRow(row, onsPeriod)
  return {
    date,
    value: row.value ?? '',
    label: date,
    year: date.slice(0, 4),
    month: row.period.frequency === 'MONTHLY' ? monthName(row.period) : '',
    quarter: row.period.frequency === 'QUARTERLY' ? date.slice(5) : '',
    sourceDataset: dataset,
    updateDate: londonMidnight(row.publishedAt),
  }
}
