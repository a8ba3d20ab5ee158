import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import type { ProviderName } from '../../src/core/series/series.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import { searchOf } from '../../src/providers/search/search-catalogue.ts'
import { ask, inquire } from './client.ts'
import { illustrateMany } from './data/illustrative.ts'
import { standInKeys } from './speakers.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

let standIn: StandIn

beforeAll(async () => {
  standIn = await startStandIn({ at: '2026-06-10' })
})
afterAll(() => standIn.close())

async function post(path: string, fields: unknown): Promise<Response> {
  return fetch(`${standIn.url}/stand-in/${path}`, { method: 'POST', body: JSON.stringify(fields) })
}

describe('over HTTP', () => {
  test('it shows its clock, its series and how it can misbehave', async () => {
    const told = (await (await fetch(`${standIn.url}/stand-in`)).json()) as Record<string, Record<string, unknown>>
    expect(told.now).toBe('2026-06-10T00:00:00.000000Z')
    expect(told.series!.BLS).toContain('CUUR0000SA0')
    expect(told.misbehaviours!['html-200']).toMatchObject({ layer: 'body', outcome: 'nothing' })
  })

  test('the clock can be moved, a figure published, and misbehaviour switched on and off', async () => {
    const inquiry = { provider: 'BLS', codes: ['CUUR0000SA0'] } as const
    expect((await post('at', { moment: '2026-12-01' })).status).toBe(200)
    await post('publish', { provider: 'BLS', code: 'CUUR0000SA0', period: '2026-08', value: '334.100' })
    expect((await inquire(standIn, inquiry)).series[0]!.observations.at(-1)!.value).toBe('334.100')
    await post('misbehave', { provider: 'BLS', kind: 'html-200' })
    expect((await inquire(standIn, inquiry)).problems[0]!.kind).toBe('provider-error')
    await post('behave', {})
    expect((await inquire(standIn, inquiry)).problems).toEqual([])
    await post('limit', { provider: 'BLS', requests: 1, perSeconds: 60 })
    expect((await inquire(standIn, inquiry)).problems.map(({ kind }) => kind)).toContain('rate-limited')
    standIn.limit('BLS', null)
  })

  test.each([
    ['misbehave', { provider: 'BLS', kind: 'politely' }, 400],
    ['misbehave', { provider: 'NASA', kind: 'html-200' }, 400],
    ['at', {}, 400],
    ['at', { moment: 'noon' }, 400],
    ['publish', { provider: 'BLS', code: 'NOTASERIES1', period: '2026-08', value: '1' }, 400],
    ['dance', {}, 404],
  ])('%s %o is refused', async (path, fields, status) => {
    const response = await post(path, fields)
    expect(response.status).toBe(status)
    expect(await response.json()).toHaveProperty('error')
  })

  test('its clock can run ahead', async () => {
    standIn.run('2026-06-10', 86_400_000)
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(standIn.now > '2026-06-20').toBe(true)
    standIn.at('2026-06-10')
  })
})

test('Assize accepts its environment', () => {
  const { config, mistakes } = readConfig(standIn.environment)
  expect(mistakes).toEqual([])
  expect(config!.providerBases.get('ONS')).toBe(`${standIn.url}/ONS/v1`)
  expect(config!.providerKeys.get('FRED')).toBe(standInKeys.FRED)
})

test('a misbehaviour lasts as long as requested', async () => {
  standIn.misbehave('ECB', 'status-503', 2)
  const url = `${standIn.baseOf('ECB')}/data/ICP/M.U2.N.000000.4.INX?format=csvdata&detail=full`
  const statuses = [await fetch(url), await fetch(url), await fetch(url)].map(({ status }) => status)
  expect(statuses).toEqual([503, 503, 200])
})

describe('searching', () => {
  test.each([
    ['FRED', 'steel', 'WPU101'],
    ['ONS', 'earnings', 'KAB9/EMP'],
    ['DBNOMICS', 'canada', 'BIS/cbpol'],
    ['EIA', 'petroleum', 'petroleum/pri'],
    ['EIA', 'petroleum/pri/gnd', 'petroleum/pri/gnd'],
    ['EIA', 'gas', 'natural-gas'],
    ['ECB', 'exchange', 'EXR'],
    ['EUROSTAT', 'labour', 'lc_lci_r2_q'],
    ['ABS', 'earnings', 'AWE,1.0.0'],
    ['BIS', 'exchange', 'WS_EER'],
    ['OECD', 'consumer', 'OECD.SDD.TPS,DSD_PRICES@DF_PRICES_ALL,1.0'],
    ['IMF', 'commodity', 'IMF.RES,PCPS'],
    ['STATCAN', 'retail', '20-10-0008'],
  ] as const)('%s finds %s', async (provider, text, code) => {
    const search = searchOf(provider)!
    const query = { text, key: standInKeys[provider] ?? null, limit: 20 }
    const answer = await ask(standIn.baseOf(provider), search.searchRequest(query))
    const { found, problems } = search.readSearch(answer, query)
    expect(problems).toEqual([])
    expect(found.map(each => each.code)).toContain(code)
  })

  test.each([
    ['EUROSTAT', '/catalogue/toc/txt', '"prc_hicp_minr"'],
    ['WORLD_BANK', '/indicator?format=json', '"id":"FP.CPI.TOTL"'],
  ] as const)('%s answers %s', async (provider, path, found) => {
    const response = await fetch(`${standIn.baseOf(provider)}${path}`)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(found)
  })
})

test.each([
  ['EUROSTAT', '/statistics/1.0/data/prc_hicp_minr?geo=DE&lang=EN', 'prc_hicp_minr/M.I25.TOTAL.DE'],
  ['FRED', `/series/observations?series_id=GDPDEF&api_key=${standInKeys.FRED}`, 'GDPDEF'],
  ['BLS', '/timeseries/data/WPU101', 'WPU101'],
  ['NASDAQ_DATA_LINK', '/datasets/LBMA/SILVER/data.json', 'LBMA/SILVER/USD'],
] as const)('%s reads the same from %s', async (provider: ProviderName, path, code) => {
  const request = { codes: [code], method: 'GET', path, headers: {}, body: null, secrets: [] } as const
  const parsed = providers[provider].read(await ask(standIn.baseOf(provider), request))
  const usual = await inquire(standIn, { provider, codes: [code] })
  const own = parsed.series.find(each => each.code === code)!
  const newest = usual.series.find(each => each.code === code)!.observations.at(-1)!
  expect(own.observations.at(-1)).toMatchObject({ period: newest.period, value: newest.value })
})

test('a benchmark gets as many series as it asks for', async () => {
  const series = illustrateMany('BLS', 120, at => `WPU9${at.toString().padStart(5, '0')}`)
  const many = await startStandIn({ series, at: '2026-06-10' })
  const parsed = await inquire(many, { provider: 'BLS', codes: series.map(({ code }) => code) })
  await many.close()
  expect(parsed.problems).toEqual([])
  expect(parsed.series).toHaveLength(120)
})
