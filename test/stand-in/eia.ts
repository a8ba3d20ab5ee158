// Imitates the EIA's API v2: rows of a route by facets, figures as strings, at most 5,000 rows with a warning, and the key
// repeated in every body.

import { type Ask, escapeSlashes, type ProviderStandIn, type Told, tellJson, wholeParameter } from './exchange.ts'
import type { Row, ServedSeries } from './model.ts'
import { dayOfWeek, writeRow } from './notation.ts'

export const eiaStandIn: ProviderStandIn = {
  pageSize: 5000,
  answer: ask => escapeSlashes(answer(ask)),
  tooMany: () => refuseAccess('OVER_RATE_LIMIT', 'You have exceeded your rate limit.  Try again later.'),
}

const frequencyNames = { D: 'daily', W: 'weekly', M: 'monthly', Q: 'quarterly', A: 'annual' } as const
const dateFormats = {
  daily: 'YYYY-MM-DD',
  weekly: 'YYYY-MM-DD',
  monthly: 'YYYY-MM',
  quarterly: 'YYYY-"Q"Q',
  annual: 'YYYY',
} as const
type FrequencyName = keyof typeof dateFormats

interface Place {
  readonly route: string
  /** A series id, or a column with its facets. */
  readonly id: string
  readonly frequency: FrequencyName
}

/** `petroleum/pri/gnd/EMD_EPD2D_PTE_NUS_DPG/W`: a route, an id and a letter. */
function placeOf(code: string): Place {
  const parts = code.split('/')
  const letter = parts.pop() as keyof typeof frequencyNames
  const id = parts.pop()!
  return { route: parts.join('/'), id, frequency: frequencyNames[letter] }
}

function answer(ask: Ask): Told {
  const key = ask.query.get('api_key')
  if (key === null) {
    return refuseAccess(
      'API_KEY_MISSING',
      'No api_key was supplied.  Please register for one at https://www.eia.gov/opendata/register.php',
    )
  }
  if (!ask.keys.includes(key)) {
    return refuseAccess('API_KEY_INVALID', 'An invalid api_key was supplied.  Get one at https://www.eia.gov/opendata/')
  }
  const rows = /^\/(.+)\/data\/?$/.exec(ask.path)
  const route = (rows?.[1] ?? ask.path).replace(/^\/|\/$/g, '')
  const places = ask.series.map(series => ({ series, place: placeOf(series.code) }))
  const below = places.filter(({ place }) => `${place.route}/`.startsWith(route === '' ? '' : `${route}/`))
  if (below.length === 0) return tellJson({ error: 'Not found.', code: 404 }, 404)
  if (rows === null) return tellRoute(ask, route, below)
  return tellRows(ask, route, below)
}

function refuseAccess(code: string, message: string): Told {
  return tellJson({ error: { code, message } }, 403)
}

type Placed = { readonly series: ServedSeries; readonly place: Place }

function tellRows(ask: Ask, route: string, all: readonly Placed[]): Told {
  const own = all.filter(({ place }) => place.route === route)
  const known = [...new Set(own.map(({ place }) => place.frequency))]
  const frequency = ask.query.get('frequency') ?? known[0]!
  if (!known.some(each => each === frequency)) {
    const names = known.map(each => `'${each}'`).join(', ')
    return tellJson(
      { error: `Invalid frequency '${frequency}' provided. The only valid frequencies are ${names}.`, code: 400 },
      400,
    )
  }
  const columns = ask.query.getAll('data[]')
  const start = ask.query.get('start') ?? ''
  const matching = own
    .filter(({ place }) => place.frequency === frequency)
    .filter(({ place }) => hasFacets(place, ask.query))
    .flatMap(({ series, place }) => series.rows.map(row => writePoint(row, series, place, columns)))
    .filter(row => row.period! >= start)
  const sorted = matching.toSorted((a, b) => (a.period! < b.period! ? -1 : a.period! > b.period! ? 1 : 0))
  const ordered = ask.query.get('sort[0][direction]') === 'desc' ? sorted.reverse() : sorted
  const offset = wholeParameter(ask, 'offset', 0)
  const length = Math.min(wholeParameter(ask, 'length', 5000), ask.pageSize)
  const page = ask.neverEnds ? ordered.slice(0, length) : ordered.slice(offset, offset + length)
  const total = ask.neverEnds ? offset + page.length + 1_000_000 : ordered.length
  const isCut = offset + page.length < total
  return tellJson({
    response: {
      warnings: isCut ? [incomplete(ask.pageSize)] : undefined,
      total: total.toString(),
      dateFormat: dateFormats[frequency as FrequencyName],
      frequency,
      data: page,
      description: 'Served by a stand-in.',
    },
    request: { command: `/v2/${route}/data/`, params: writeParams(ask, columns, offset) },
    apiVersion: '2.1.13',
    ExcelAddInVersion: '2.1.0',
  })
}

function incomplete(rows: number) {
  return {
    warning: 'incomplete return',
    description:
      `The API can only return ${rows} rows in JSON format.  Please consider constraining your request with facet, ` +
      'start, or end, or using offset to paginate results.',
  }
}

function writeParams(ask: Ask, columns: readonly string[], offset: number) {
  const facets = facetsOf(ask.query)
  return {
    api_key: ask.query.get('api_key'),
    frequency: ask.query.get('frequency') ?? undefined,
    data: columns,
    facets: Object.fromEntries(facets.map(([name, value]) => [name, [value]])),
    sort: [{ column: 'period', direction: ask.query.get('sort[0][direction]') ?? 'desc' }],
    offset: offset.toString(),
    length: ask.query.get('length') ?? '5000',
  }
}

function facetsOf(query: URLSearchParams): readonly (readonly [string, string])[] {
  return [...query].flatMap(([name, value]) => {
    const match = /^facets\[([^\]]+)\]\[\]$/.exec(name)
    return match === null ? [] : [[match[1]!, value] as const]
  })
}

/** The names and values that identify a series. */
function ownFacets(place: Place): ReadonlyMap<string, string> {
  if (!place.id.includes(';')) return new Map([['series', place.id]])
  const pairs = place.id.split(';').slice(1)
  return new Map(pairs.map(pair => pair.split('=').map(decodeURIComponent) as [string, string]))
}

function hasFacets(place: Place, query: URLSearchParams): boolean {
  const own = ownFacets(place)
  const names = new Set(facetsOf(query).map(([name]) => name))
  const isAllowed = (name: string) => query.getAll(`facets[${name}][]`).includes(own.get(name) ?? '')
  return [...names].every(isAllowed)
}

function writePoint(
  row: Row,
  series: ServedSeries,
  place: Place,
  columns: readonly string[],
): Readonly<Record<string, string | null>> {
  const period = writeRow(row, dayOfWeek(Number.parseInt(series.details.weekday ?? '0', 10)))
  if (place.id.includes(';')) {
    const column = place.id.split(';', 1)[0]!
    const facets = [...ownFacets(place)].flatMap(([name, value]) => [
      [name, value],
      [`${name.replace(/id$/, '')}Description`, `${value} in words`],
    ])
    const figures = columns.includes(column) ? { [column]: row.value, [`${column}-units`]: series.unit } : {}
    return { period, ...Object.fromEntries(facets), ...figures }
  }
  const figures = columns.includes('value') ? { value: row.value, units: series.unit } : {}
  return {
    period,
    duoarea: 'NUS',
    'area-name': 'NA',
    product: series.details.product ?? 'EPD2D',
    'product-name': series.details.productName ?? 'No 2 Diesel',
    process: 'PTE',
    'process-name': 'Retail Sales',
    series: place.id,
    'series-description': series.name,
    ...figures,
  }
}

/** The metadata of a route: its child routes, or its frequencies, facets and columns. */
function tellRoute(ask: Ask, route: string, below: readonly Placed[]): Told {
  const depth = route === '' ? 0 : route.split('/').length
  const children = [...new Set(below.map(({ place }) => place.route.split('/')[depth]))].filter(Boolean)
  const id = route.split('/').at(-1) ?? ''
  const frequencies = [...new Set(below.map(({ place }) => place.frequency))]
  const leaf = {
    id,
    description: 'Served by a stand-in.',
    frequency: frequencies.map(name => ({ id: name, query: name[0]!.toUpperCase(), format: dateFormats[name] })),
    facets: [...new Set(below.flatMap(({ place }) => [...ownFacets(place).keys()]))].map(name => ({
      id: name,
      description: name,
    })),
    data: { value: [] },
    defaultFrequency: frequencies[0],
  }
  const branch = { id, name: id, routes: children.map(name => ({ id: name, name, description: `${name} in words` })) }
  return tellJson({
    response: children.length === 0 ? leaf : branch,
    request: { command: `/v2/${route}/`, params: { api_key: ask.query.get('api_key') } },
    apiVersion: '2.1.13',
    ExcelAddInVersion: '2.1.0',
  })
}
