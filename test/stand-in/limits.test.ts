import { afterEach, describe, expect, test } from 'vitest'
import { formatDay, parseDay } from '../../src/core/time/day.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import type { ProviderRequest } from '../../src/providers/provider.ts'
import { ask, exchange, inquire } from './client.ts'
import { publish, type StandInSeries } from './model.ts'
import { standInKeys } from './speakers.ts'
import { type StandIn, type StandInOptions, startStandIn } from './stand-in.ts'

const open: StandIn[] = []

async function start(options: StandInOptions = {}): Promise<StandIn> {
  const standIn = await startStandIn({ at: '2026-06-10', ...options })
  open.push(standIn)
  return standIn
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(standIn => standIn.close()))
})

function get(path: string, codes: readonly string[] = []): ProviderRequest {
  return { codes, method: 'GET', path, headers: {}, body: null, secrets: [] }
}

function days(count: number, first: string, figureAt: (at: number) => string) {
  const start = parseDay(first)!
  return Array.from({ length: count }, (_, at) => {
    const day = formatDay(start + at)
    return publish(day, figureAt(at), `${day}T20:00:00Z`)
  })
}

const head = { name: 'A series', unit: '$/BBL', details: {} }

describe('paging', () => {
  test('BLS cuts spans of over twenty years and batches of over fifty series, with a message', async () => {
    const standIn = await start()
    const codes = Array.from({ length: 51 }, (_, at) => (at === 0 ? 'CUUR0000SA0' : `NOTASERIES${at}`))
    const body = { seriesid: codes, startyear: '1990', endyear: '2026', registrationkey: standInKeys.BLS }
    const request = { ...get('/timeseries/data/', codes), method: 'POST', body: JSON.stringify(body) } as const
    const parsed = providers.BLS.read(await ask(standIn.baseOf('BLS'), request))
    expect(parsed.series.map(({ code }) => code)).toEqual(['CUUR0000SA0'])
    expect(parsed.problems.filter(({ kind }) => kind === 'too-large').map(({ message }) => message)).toEqual([
      'The number of series exceeds the limit of 50.',
      'Year range has been reduced to the system-allowed limit of 20 years.',
    ])
  })

  test('the BLS connector stays inside those limits, with a key and without', async () => {
    const standIn = await start()
    const codes = standIn.seriesOf('BLS').map(({ code }) => code)
    for (const key of [standInKeys.BLS!, null]) {
      standIn.forgetRequests()
      const parsed = await inquire(standIn, { provider: 'BLS', codes, key })
      expect(parsed.problems).toEqual([])
      expect(parsed.series).toHaveLength(codes.length)
      expect(standIn.requests).toHaveLength(key === null ? 12 : 6)
    }
  })

  test('EIA gives 5,000 rows and says that there are more', async () => {
    const code = 'petroleum/pri/spt/RWTC/D'
    const entries = days(6001, '2005-01-01', at => `${40 + (at % 60)}.${10 + (at % 90)}`)
    const standIn = await start({
      series: [{ provider: 'EIA', code, frequency: 'DAILY', ...head, publications: entries }],
    })
    const exchanges = await exchange(standIn, { provider: 'EIA', codes: [code] })
    expect(exchanges).toHaveLength(2)
    const [first, second] = exchanges.map(({ answer }) => providers.EIA.read(answer))
    expect(first!.problems.map(({ kind }) => kind)).toEqual(['too-large'])
    expect(first!.series[0]!.observations).toHaveLength(5000)
    expect(second!.series[0]!.observations).toHaveLength(1001)
    expect(second!.problems).toEqual([])
  })

  test('FRED refuses over 2,000 vintages, and the parts add up to the whole history', async () => {
    const entries = Array.from({ length: 2500 }, (_, at) => {
      const day = formatDay(parseDay('2015-01-01')! + at)
      return publish(at % 2 === 0 ? '2014-12' : '2014-11', `${100 + at}.5`, `${day}T15:00:00Z`)
    })
    const series: StandInSeries = {
      provider: 'FRED',
      code: 'LONG',
      frequency: 'MONTHLY',
      ...head,
      publications: entries,
    }
    const standIn = await start({ series: [series] })
    const exchanges = await exchange(standIn, { provider: 'FRED', codes: ['LONG'] })
    expect(exchanges.filter(({ answer }) => answer.status === 400)).toHaveLength(1)
    const found = exchanges.flatMap(({ answer }) => providers.FRED.read(answer).series)
    const values = new Set(found.flatMap(({ observations }) => observations.map(({ value }) => value)))
    expect(values).toEqual(new Set(entries.map(({ value }) => value)))
  })

  test('FRED pages long answers without splitting a period', async () => {
    const standIn = await start({ pageSizes: { FRED: 10 } })
    const whole = await inquire(standIn, { provider: 'FRED', codes: ['GDP'] })
    expect(standIn.requests.length).toBeGreaterThan(3)
    expect(whole.problems).toEqual([])
    expect(whole.series[0]!.observations.map(({ value }) => value).slice(0, 5)).toEqual([
      '26465.865',
      '26486.287',
      '26529.774',
      '26813.601',
      '27164.359',
    ])
    expect(whole.series[0]!.observations).toHaveLength(27)
  })

  test('World Bank pages by number', async () => {
    const standIn = await start({ pageSizes: { WORLD_BANK: 50 } })
    const parsed = await inquire(standIn, { provider: 'WORLD_BANK', codes: ['CPTOTNSXN/CAN/M'] })
    expect(standIn.requests).toHaveLength(3)
    expect(parsed.series[0]!.observations.at(0)!.period).toBe('2015-01')
    expect(parsed.problems).toEqual([])
  })

  test('the Bank of Japan names the position of the next series', async () => {
    const standIn = await start({ pageSizes: { BOJ: 2 } })
    const codes = standIn
      .seriesOf('BOJ')
      .map(({ code }) => code)
      .filter(code => code.startsWith('PR01/') && !code.endsWith('A'))
    const list = codes.map(code => code.split('/')[1]).join(',')
    const first = get(`/getDataCode?format=json&lang=en&db=PR01&code=${list}`, codes)
    const pages = await readPages(standIn, 'BOJ', first)
    expect(pages.map(page => page.length)).toEqual([2, 2])
    expect(pages.flat()).toEqual(codes)
  })

  test('DBnomics pages the series of a mask', async () => {
    const standIn = await start({ pageSizes: { DBNOMICS: 2 } })
    const pages = await readPages(standIn, 'DBNOMICS', get('/series/BIS/cbpol/M.?observations=1&limit=1000&offset=0'))
    expect(pages.map(page => page.length)).toEqual([2, 2])
    expect(pages.flat()).toContain('BIS/cbpol/M.CA')
  })

  test('StatCan accepts a hundred vectors per call and sorts its replies by coordinate', async () => {
    const standIn = await start()
    const codes = standIn.seriesOf('STATCAN').map(({ code }) => code)
    const [only] = await exchange(standIn, { provider: 'STATCAN', codes })
    const order = providers.STATCAN.read(only!.answer).series.map(({ code }) => code)
    expect(order).not.toEqual(codes)
    expect(order.toSorted()).toEqual(codes.toSorted())
  })

  test('OECD returns several series for one key with alternatives', async () => {
    const standIn = await start()
    const codes = ['GBR', 'FRA', 'DEU'].map(
      area => `OECD.SDD.TPS,DSD_PRICES@DF_PRICES_ALL,1.0/${area}.M.N.CPI.IX._T.N._Z`,
    )
    const parsed = await inquire(standIn, { provider: 'OECD', codes })
    expect(standIn.requests).toHaveLength(1)
    expect(parsed.series.map(({ code }) => code).toSorted()).toEqual(codes.toSorted())
  })
})

async function readPages(
  standIn: StandIn,
  name: 'BOJ' | 'DBNOMICS',
  first: ProviderRequest,
): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = []
  let request: ProviderRequest | null = first
  while (request !== null && pages.length < 9) {
    const answer = await ask(standIn.baseOf(name), request)
    pages.push(providers[name].read(answer).series.map(({ code }) => code))
    request = providers[name].next!(request, answer)
  }
  return pages
}

describe('keys', () => {
  test.each([
    ['FRED', 'GDP', null, 'bad-key'],
    ['FRED', 'GDP', 'short', 'bad-key'],
    ['FRED', 'GDP', 'ffffffffffffffffffffffffffffffff', 'bad-key'],
    ['EIA', 'petroleum/pri/spt/RBRTE/M', null, 'bad-key'],
    ['EIA', 'petroleum/pri/spt/RBRTE/M', 'wrong', 'bad-key'],
    ['BLS', 'CUUR0000SA0', 'wrong', 'bad-key'],
    ['NASDAQ_DATA_LINK', 'ECONOMIST/BIGMAC_USA/dollar_price', 'wrong', 'bad-key'],
    ['NASDAQ_DATA_LINK', 'PREMIUM/STEEL/Value', null, 'bad-key'],
  ] as const)('%s %s refuses the key %s', async (provider, code, key, kind) => {
    const standIn = await start()
    const parsed = await inquire(standIn, { provider, codes: [code], key })
    expect(parsed.series).toEqual([])
    expect([...new Set(parsed.problems.map(problem => problem.kind))]).toEqual([kind])
    if (key !== null) expect(JSON.stringify(parsed.problems)).not.toContain(key)
  })

  test('BLS and Nasdaq answer without a key', async () => {
    const standIn = await start()
    const bls = await inquire(standIn, { provider: 'BLS', codes: ['CUUR0000SA0'], key: null })
    const nasdaq = await inquire(standIn, {
      provider: 'NASDAQ_DATA_LINK',
      codes: ['ECONOMIST/BIGMAC_USA/dollar_price'],
      key: null,
    })
    expect([...bls.problems, ...nasdaq.problems]).toEqual([])
    expect([bls, nasdaq].map(({ series }) => series.length)).toEqual([1, 1])
  })
})

describe('what is new', () => {
  test('the ECB says when data changed and answers 304 to callers who have it', async () => {
    const standIn = await start()
    const url = `${standIn.baseOf('ECB')}/data/ICP/M.U2.N.000000.4.INX?format=csvdata&detail=full`
    const first = await fetch(url)
    const changed = first.headers.get('last-modified')!
    expect(changed).toBe('Sun, 18 Jan 2026 12:30:00 GMT')
    expect((await fetch(url, { headers: { 'If-Modified-Since': changed } })).status).toBe(304)
    expect((await fetch(url, { headers: { 'If-Modified-Since': 'Sat, 17 Jan 2026 12:30:00 GMT' } })).status).toBe(200)
  })

  test('a provider that tags its answers answers 304 to the same tag, until something is published', async () => {
    const standIn = await start({ tagged: ['ONS'] })
    const url = `${standIn.baseOf('ONS')}/data?uri=/economy/inflationandpriceindices/timeseries/d7bt/mm23`
    const tag = (await fetch(url)).headers.get('etag')!
    expect((await fetch(url, { headers: { 'If-None-Match': tag } })).status).toBe(304)
    standIn.publish('ONS', 'D7BT/MM23/M', publish('2026-05', '199.9', '2026-06-09'))
    expect((await fetch(url, { headers: { 'If-None-Match': tag } })).status).toBe(200)
  })

  test('StatCan returns the points released since a day', async () => {
    const standIn = await start()
    const inquiry = { provider: 'STATCAN', codes: ['v41690914'], changedSince: '2026-05-01T00:00:00.000000Z' } as const
    const { series } = await inquire(standIn, inquiry)
    expect(series[0]!.observations.every(({ published }) => published! >= '2026-04-30')).toBe(true)
    expect(series[0]!.observations.length).toBeGreaterThan(1)
  })

  test('FRED returns the vintages since a day', async () => {
    const standIn = await start({ at: '2024-12-24' })
    const inquiry = { provider: 'FRED', codes: ['GDP'], changedSince: '2024-11-01T00:00:00.000000Z' } as const
    const { series } = await inquire(standIn, inquiry)
    expect(series[0]!.observations.map(({ period, value }) => `${period} ${value}`)).toEqual([
      '2024-Q3 29354.321',
      '2024-Q3 29374.914',
    ])
  })

  test('an SDMX service leaves out what has not changed', async () => {
    const standIn = await start()
    const base = `${standIn.baseOf('ECB')}/data/ICP/M.U2.N.000000.4.INX?format=csvdata&detail=full`
    const body = await (await fetch(`${base}&updatedAfter=2025-12-31T00:00:00Z`)).text()
    expect(body.trimEnd().split('\n').slice(1)).toHaveLength(1)
    expect(body).toContain('2025-12,129.54')
  })
})
