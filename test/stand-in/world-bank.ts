// Imitates the World Bank's Indicators API v2: `[header, rows]` newest first, errors as a one-element array with HTTP 200.
import {
  type Ask,
  matchesWords,
  numberOf,
  type ProviderStandIn,
  type Told,
  tellJson,
  tellTooMany,
  tellXml,
  wholeParameter,
} from './exchange.ts'
import { lastPublication, type ServedSeries } from './model.ts'
import { worldBankPeriod, writeRow } from './notation.ts'

export const worldBankStandIn: ProviderStandIn = { pageSize: 32_500, answer, tooMany: tellTooMany }

interface Place {
  readonly indicator: string
  readonly country: string
  readonly letter: 'Y' | 'Q' | 'M'
}

/** `FP.CPI.TOTL/CAN`, `CPTOTNSXN/CAN/M`. */
function placeOf(code: string): Place {
  const [indicator, country, letter] = code.split('/') as [string, string, string?]
  return { indicator, country, letter: letter === 'M' || letter === 'Q' ? letter : 'Y' }
}

function answer(ask: Ask): Told {
  if (ask.query.get('format') !== 'json') return tellXml('<wb:data xmlns:wb="http://www.worldbank.org"/>', 200)
  const match = /^\/country\/([^/]+)\/indicator\/([^/]+)$/.exec(ask.path)
  if (match === null) return ask.path === '/indicator' ? tellCatalogue(ask) : invalid(1)
  const countries = match[1]!.toUpperCase().split(';')
  const indicator = match[2]!.toUpperCase()
  const letter = ask.query.get('frequency') ?? 'Y'
  const found = ask.series.filter(series => {
    const place = placeOf(series.code)
    const names = [place.country.toUpperCase(), (series.details.iso2 ?? '').toUpperCase()]
    return place.indicator.toUpperCase() === indicator && names.some(name => countries.includes(name))
  })
  if (found.length === 0) return invalid(countries.length)
  return tellRows(
    ask,
    found.filter(series => placeOf(series.code).letter === letter),
  )
}

function invalid(count: number): Told {
  const message = { id: '120', key: 'Invalid value', value: 'The provided parameter value is not valid' }
  return tellJson([{ message: Array.from({ length: count }, () => message) }])
}

function tellRows(ask: Ask, series: readonly ServedSeries[]): Told {
  const [first = '', last = '9999'] = (ask.query.get('date') ?? '').split(':')
  const rows = series.flatMap(each =>
    each.rows
      .map(row => ({ when: writeRow(row, worldBankPeriod), row }))
      .filter(({ when }) => when >= first && when.slice(0, last.length) <= last)
      .reverse()
      .map(({ when, row }) => writePoint(when, row.value, each)),
  )
  const perPage = Math.min(wholeParameter(ask, 'per_page', 50), ask.pageSize)
  const page = Math.max(wholeParameter(ask, 'page', 1), 1)
  const stamps = series.map(lastPublication).filter(stamp => stamp !== null)
  const header = {
    page,
    pages: ask.neverEnds ? page + 1000 : Math.ceil(rows.length / perPage),
    per_page: perPage,
    total: rows.length,
    sourceid: '2',
    lastupdated: stamps.toSorted().at(-1)?.slice(0, 10) ?? null,
  }
  const from = ask.neverEnds ? 0 : (page - 1) * perPage
  return tellJson([header, rows.length === 0 ? null : rows.slice(from, from + perPage)])
}

function writePoint(date: string, value: string | null, series: ServedSeries): unknown {
  const { indicator, country } = placeOf(series.code)
  return {
    indicator: { id: indicator, value: series.name },
    country: { id: series.details.iso2 ?? country.slice(0, 2), value: series.details.country ?? country },
    countryiso3code: country,
    date,
    value: numberOf(value),
    unit: series.unit,
    obs_status: '',
    decimal: 1,
  }
}

function tellCatalogue(ask: Ask): Told {
  const words = ask.query.get('q') ?? ''
  const found = new Map(
    ask.series
      .filter(({ code, name }) => matchesWords(words, code, name))
      .map(({ code, name }) => [placeOf(code).indicator, name]),
  )
  const rows = [...found].map(([id, name]) => ({ id, name, unit: '', source: { id: '2', value: 'Stand-in' } }))
  return tellJson([{ page: 1, pages: 1, per_page: '50', total: rows.length }, rows])
}
