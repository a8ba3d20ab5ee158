// Large answers in each provider's own shape, as the stand-in speaks it: cubes of many series where a provider sends cubes,
// and the longest series and largest pages where it does not. Only JSON-stat is written here, because its cube is large.

import type { ProviderName } from '../../src/core/series/series.ts'
import { dayOfInstant } from '../../src/core/time/instant.ts'
import { type Frequency, formatPeriod, ordinalAt, periodOf, rankOf } from '../../src/core/time/period.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import type { Answer, ProviderRequest } from '../../src/providers/provider.ts'
import { defaultSeries } from '../../test/stand-in/data/default-series.ts'
import { instant, type OpenLog, type ServedSeries, type StandInSeries, serve } from '../../test/stand-in/model.ts'
import { speak, standInKeys } from '../../test/stand-in/speakers.ts'

export interface Form {
  readonly name: string
  readonly provider: ProviderName
  /** For cubes: a code of the stand-in whose key is open at one place, and how many series that gives. */
  readonly wide?: {
    readonly code: string
    readonly frequency: Frequency
    readonly part: number
    readonly count: number
  }
}

export const forms: readonly Form[] = [
  wide('SDMX-CSV', 'ECB', 'EXR/D.GBP.EUR.SP00.A', 'DAILY', 1, 7),
  wide('SDMX-CSV', 'EUROSTAT', 'prc_hicp_minr/M.I25.TOTAL.DE', 'MONTHLY', 3, 450),
  wide('SDMX-CSV', 'OECD', 'OECD.SDD.TPS,DSD_PRICES@DF_PRICES_ALL,1.0/GBR.M.N.CPI.IX._T.N._Z', 'MONTHLY', 0, 400),
  wide('SDMX-CSV', 'ABS', 'CPI,2.0.0/1.10001.10.50.Q', 'QUARTERLY', 1, 1_800),
  wide('SDMX-JSON 1.0', 'BIS', 'WS_EER/D.N.B.JP', 'DAILY', 3, 10),
  wide('SDMX-JSON 2.0', 'IMF', 'IMF.RES,PCPS/G001.PCOPP.USD.M', 'MONTHLY', 1, 800),
  { name: 'JSON-stat 2.0', provider: 'EUROSTAT' },
  { name: 'JSON', provider: 'BLS' },
  { name: 'JSON with vintages', provider: 'FRED' },
  { name: 'JSON', provider: 'EIA' },
  { name: 'JSON', provider: 'WORLD_BANK' },
  { name: 'JSON', provider: 'ONS' },
  { name: 'JSON', provider: 'STATCAN' },
  { name: 'JSON', provider: 'BOJ' },
  { name: 'JSON', provider: 'DBNOMICS' },
  { name: 'JSON', provider: 'NASDAQ_DATA_LINK' },
]

function wide(
  name: string,
  provider: ProviderName,
  code: string,
  frequency: Frequency,
  part: number,
  count: number,
): Form {
  return { name, provider, wide: { code, frequency, part, count } }
}

const now = instant('2026-06-10')
const today = dayOfInstant(now)
/** As long as the longest real daily series. */
const years = 54
/** Pages of a provider that returns few rows at a time: enough for some megabytes. */
const mostAnswers = 20

export function bodiesOf(form: Form): readonly Answer[] {
  if (form.name === 'JSON-stat 2.0') return [writeJsonStat()]
  if (form.wide !== undefined) return [writeCube(form.provider, form.wide)]
  const series = modelsOf(form.provider).map(stretch)
  const { request, next } = providers[form.provider]
  const served = series.map(each => serve(each, now))
  const answers: Answer[] = []
  for (const first of request({ ...queryOf(form.provider), codes: series.map(({ code }) => code) }))
    for (let asked: ProviderRequest | null = first; asked !== null && answers.length < mostAnswers; ) {
      const answer = answerOf(form.provider, served, asked)
      // Descriptions next to the figures are small and not measured.
      if (answer.body.length > 10_000) answers.push(answer)
      asked = next?.(asked, answer) ?? null
    }
  return answers
}

function queryOf(provider: ProviderName) {
  return { from: null, changedSince: null, today, key: standInKeys[provider] ?? null }
}

/** One answer to a request that leaves a part of the key open. */
function writeCube(provider: ProviderName, { code, frequency, part, count }: NonNullable<Form['wide']>): Answer {
  const slash = code.indexOf('/')
  const key = code.slice(slash + 1).split('.')
  const series = Array.from({ length: count }, (_, at) => {
    const own = key.with(part, `${key[part]!.slice(0, 1)}${String(at).padStart(4, '0')}`)
    const head = { provider, name: `Series ${at + 1}`, unit: 'IX', frequency, details: {}, publications: [] }
    return stretch({ ...head, code: `${code.slice(0, slash)}/${own.join('.')}` })
  })
  const [first] = providers[provider].request({ ...queryOf(provider), codes: [code] })
  const open = key.with(part, '').join('.')
  const path = first!.path.replace(key.join('.'), open)
  return answerOf(
    provider,
    series.map(each => serve(each, now)),
    { ...first!, path, codes: [] },
  )
}

/** The finest series that the provider has; of BLS a request full of them. */
function modelsOf(provider: ProviderName): readonly StandInSeries[] {
  const own = defaultSeries(provider).filter(({ details }) => details.premium === undefined)
  const finest = own.toSorted((a, b) => rankOf(a.frequency) - rankOf(b.frequency))[0]!
  if (provider === 'BLS')
    return Array.from({ length: 50 }, (_, at) => ({ ...finest, code: `WPU9${String(at).padStart(5, '0')}` }))
  return own.filter(({ frequency }) => frequency === finest.frequency)
}

function stretch(series: StandInSeries): StandInSeries {
  const { frequency } = series
  const last = ordinalAt(frequency, today) - 2
  const first = last - Math.floor((years * 366) / daysEach[frequency])
  const entries: OpenLog[] = []
  for (let ordinal = first; ordinal <= last; ordinal++) {
    const period = formatPeriod(periodOf(frequency, ordinal))
    const thousandths = 100_000 + ((ordinal * 7919) % 99_991)
    const value = `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}`
    entries.push({ period, stage: 'FINAL', value, publishedAt: '2026-05-01T12:30:00.000000Z' })
  }
  return { ...series, publications: entries }
}

const daysEach: Readonly<Record<Frequency, number>> = {
  DAILY: 1,
  WEEKLY: 7,
  MONTHLY: 31,
  QUARTERLY: 92,
  SEMIANNUAL: 184,
  ANNUAL: 366,
}

function answerOf(provider: ProviderName, series: readonly ServedSeries[], request: ProviderRequest): Answer {
  const { status, contentType, body } = speak(provider, series, request, now)
  if (status !== 200) throw new Error(`the stand-in of ${provider} answers ${status} to ${request.path}: ${body}`)
  return { status, contentType, url: `http://127.0.0.1${request.path}`, codes: request.codes, body }
}

/** A cube of months by products and countries, as Eurostat's second service sends it. */
function writeJsonStat(): Answer {
  const products = Array.from({ length: 100 }, (_, at) => `CP${String(at).padStart(5, '0')}`)
  const areas = Array.from({ length: 40 }, (_, at) => `A${String(at).padStart(2, '0')}`)
  const months = Array.from(
    { length: 240 },
    (_, at) => `${2006 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`,
  )
  const size = products.length * areas.length * months.length
  const axis = (label: string, codes: readonly string[]) => ({
    label,
    category: {
      index: Object.fromEntries(codes.map((code, at) => [code, at])),
      label: Object.fromEntries(codes.map(code => [code, `${label} ${code}`])),
    },
  })
  const value = Array.from({ length: size }, (_, at) => `"${at}":${100 + (at % 97)}.${(at * 7) % 100}`)
  const head = {
    version: '2.0',
    class: 'dataset',
    label: 'HICP',
    source: 'ESTAT',
    updated: '2026-06-01T11:00:00+0200',
    id: ['freq', 'unit', 'coicop', 'geo', 'time'],
    size: [1, 1, products.length, areas.length, months.length],
    dimension: {
      freq: axis('Time frequency', ['M']),
      unit: axis('Unit of measure', ['I15']),
      coicop: axis('Product', products),
      geo: axis('Area', areas),
      time: axis('Time', months),
    },
    extension: { lang: 'EN', id: 'PRC_HICP_MIDX', agencyId: 'ESTAT', version: '1.0' },
  }
  const body = `${JSON.stringify(head).slice(0, -1)},"value":{${value.join(',')}}}`
  const url = 'http://127.0.0.1/statistics/1.0/data/PRC_HICP_MIDX?lang=EN'
  return { status: 200, contentType: 'application/json', url, codes: [], body }
}
