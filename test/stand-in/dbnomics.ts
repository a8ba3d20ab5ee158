// Imitates DBnomics v22: parallel arrays of periods and numbers, "NA" where a figure is missing, pages of series.
import {
  type Ask,
  matchesWords,
  numberOf,
  type ProviderStandIn,
  type Told,
  tellJson,
  tellTooMany,
  wholeParameter,
} from './exchange.ts'
import { lastPublication, type ServedSeries } from './model.ts'
import { firstDay, sdmxPeriod, writeRow } from './notation.ts'

export const dbnomicsStandIn: ProviderStandIn = { pageSize: 1000, answer, tooMany: tellTooMany }

const frequencyNames = {
  ANNUAL: 'annual',
  SEMIANNUAL: 'bi-annual',
  QUARTERLY: 'quarterly',
  MONTHLY: 'monthly',
  WEEKLY: 'weekly',
  DAILY: 'daily',
} as const

function answer(ask: Ask): Told {
  if (ask.path === '/search') return tellSearch(ask)
  const match = /^\/series\/([^/]+)\/([^/]+)\/(.+)$/.exec(ask.path)
  if (match === null) return tellJson({ message: 'Not Found' }, 404)
  const [, provider, dataset, mask] = match as unknown as [string, string, string, string]
  const own = ask.series.filter(series => series.code.startsWith(`${provider}/${dataset}/`))
  if (own.length === 0) {
    return tellJson({ message: `Could not find dataset "${dataset}" of provider "${provider}"` }, 404)
  }
  const found = own.filter(series => isUnder(series, mask))
  if (found.length === 0) {
    return tellJson({ message: `Could not find series "${mask}" of dataset "${dataset}"` }, 404)
  }
  return tellSeries(ask, found)
}

function partsOf(series: ServedSeries): readonly [string, string, string] {
  const [provider, dataset, ...code] = series.code.split('/') as [string, string, ...string[]]
  return [provider, dataset, code.join('/')]
}

/** An empty part of a mask matches anything. */
function isUnder(series: ServedSeries, mask: string): boolean {
  const code = partsOf(series)[2]
  if (code === mask) return true
  const parts = code.split('.')
  const wanted = mask.split('.')
  return wanted.length === parts.length && wanted.every((part, at) => part === '' || part === parts[at])
}

function tellSeries(ask: Ask, found: readonly ServedSeries[]): Told {
  const offset = wholeParameter(ask, 'offset', 0)
  const limit = Math.min(wholeParameter(ask, 'limit', 100), ask.pageSize)
  const page = ask.neverEnds ? found.slice(0, limit) : found.slice(offset, offset + limit)
  const hasFigures = ask.query.get('observations') === '1'
  return tellJson({
    _meta: { args: { limit, offset, observations: hasFigures, format: 'json' }, version: '22.1.17' },
    errors: null,
    series: {
      docs: page.map(series => writeSeries(series, hasFigures)),
      limit,
      num_found: ask.neverEnds ? offset + 1_000_000 : found.length,
      offset,
    },
  })
}

function writeSeries(series: ServedSeries, hasFigures: boolean): unknown {
  const [provider, dataset, code] = partsOf(series)
  const figures = {
    period: series.rows.map(row => writeRow(row, sdmxPeriod)),
    period_start_day: series.rows.map(row => firstDay(row.period)),
    value: series.rows.map(row => numberOf(row.value ?? 'NA')),
  }
  return {
    '@frequency': frequencyNames[series.frequency],
    dataset_code: dataset,
    dataset_name: 'Stand-in',
    dimensions: {},
    indexed_at: lastPublication(series),
    provider_code: provider,
    series_code: code,
    series_name: series.unit === '' ? series.name : `${series.name} (${series.unit})`,
    ...(hasFigures ? figures : {}),
  }
}

function tellSearch(ask: Ask): Told {
  const words = ask.query.get('q') ?? ''
  const sets = new Map<string, ServedSeries[]>()
  for (const series of ask.series) {
    const [provider, dataset] = partsOf(series)
    if (!matchesWords(words, series.code, series.name)) continue
    const id = `${provider}/${dataset}`
    sets.set(id, [...(sets.get(id) ?? []), series])
  }
  const offset = wholeParameter(ask, 'offset', 0)
  const limit = wholeParameter(ask, 'limit', 10)
  const docs = [...sets].slice(offset, offset + limit).map(([id, own]) => {
    const [provider, dataset] = id.split('/')
    return { code: dataset, name: own[0]!.name, provider_code: provider, nb_series: own.length, type: 'dataset' }
  })
  return tellJson({ errors: null, results: { docs, limit, num_found: sets.size, offset } })
}
