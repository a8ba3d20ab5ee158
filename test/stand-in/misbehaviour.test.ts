import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parsePeriod } from '../../src/core/period.ts'
import { type ProviderName, providerNames } from '../../src/core/series.ts'
import { providers } from '../../src/providers/catalogue.ts'
import type { Reading, SeriesReading } from '../../src/providers/provider.ts'
import { type Exchange, exchange, mergeReadings } from './client.ts'
import { changeSeries, timesNineTenths, writeExponent } from './misbehave-figures.ts'
import { type Misbehaviour, misbehaviourKinds, ruleOf } from './misbehaviour.ts'
import { instant, type Row, serve } from './model.ts'
import { canonical } from './numbers.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

const moment = '2026-06-10'
const now = instant(moment)

/** Two series a provider, the second for confusions; with revisions, so that a revised history is among them. */
const codes: Readonly<Record<ProviderName, string>> = {
  BLS: 'WPU101',
  FRED: 'PPIACO',
  EIA: 'petroleum/pri/gnd/EMM_EPM0_PTE_NUS_DPG/W',
  ECB: 'HICP/M.U2.N.000000.4D0.INX',
  WORLD_BANK: 'FP.CPI.TOTL/DEU',
  IMF: 'IMF.RES,PCPS/G001.PZINC.USD.M',
  EUROSTAT: 'prc_hicp_minr/M.I25.TOTAL.FR',
  ONS: 'D7BT/MM23/M',
  STATCAN: 'v1230996007',
  ABS: 'CPI_M,1.2.0/1.10001.10.50.M',
  BIS: 'WS_EER/M.N.B.XM',
  BOJ: 'PR01/PRCG20_2400000000',
  OECD: 'OECD.SDD.TPS,DSD_PRICES@DF_PRICES_ALL,1.0/FRA.M.N.CPI.IX._T.N._Z',
  DBNOMICS: 'INSEE/IPC-2015/M.IPC.00.FE',
  NASDAQ_DATA_LINK: 'LBMA/SILVER/USD',
}

const marksForecasts: ReadonlySet<ProviderName> = new Set(['ECB', 'EUROSTAT', 'BIS', 'OECD'])

let standIn: StandIn

beforeAll(async () => {
  standIn = await startStandIn({ at: moment })
})
afterAll(() => standIn.close())

async function ask(provider: ProviderName, kind: Misbehaviour | null): Promise<readonly Exchange[]> {
  if (kind !== null) standIn.misbehave(provider, kind)
  const exchanges = await exchange(standIn, { provider, codes: [codes[provider]], mostPages: 3 })
  standIn.behave(provider)
  return exchanges
}

function readAll(provider: ProviderName, exchanges: readonly Exchange[]): Reading {
  return mergeReadings(exchanges.map(({ answer }) => providers[provider].read(answer)))
}

function figuresOf(reading: Reading): readonly string[] {
  return reading.series.flatMap(({ code, observations }: SeriesReading) =>
    observations.map(({ period, value }) => `${code} ${period} ${canonical(value)}`),
  )
}

/** Everything the stand-in could truly say under a kind of misbehaviour: what is not here is a wrong figure. */
function trueFigures(provider: ProviderName, kind: Misbehaviour): ReadonlySet<string> {
  const truths = standIn.seriesOf(provider).flatMap(series => {
    const served = serve(series, now)
    const changed = changeSeries(kind, served, now) ?? served
    return [...changed.rows, ...changed.vintages].flatMap(row =>
      trueFigure(series.code, row, provider, changed.vintages),
    )
  })
  return new Set(truths)
}

function trueFigure(code: string, row: Row, provider: ProviderName, all: readonly Row[]): readonly string[] {
  const value = row.value === null ? null : canonical(row.value)
  if (value === null || row.writtenPeriod !== undefined) return []
  if (row.stage === 'FORECAST' && marksForecasts.has(provider)) return []
  const isSame = (other: Row) => other.period.ordinal === row.period.ordinal && other.publishedAt === row.publishedAt
  const isAlone = new Set(all.filter(isSame).map(other => other.value)).size <= 1
  return isAlone ? [`${code} ${writeOf(row)} ${value}`] : []
}

function writeOf(row: Row): string {
  return JSON.stringify(row.period)
}

function withOrdinals(figures: readonly string[]): readonly string[] {
  return figures.map(figure => {
    const [value, period, ...code] = figure.split(' ').reverse() as [string, string, ...string[]]
    return `${code.reverse().join(' ')} ${JSON.stringify(parsePeriod(period))} ${value}`
  })
}

const told = misbehaviourKinds.filter(kind => ruleOf(kind).layer !== 'wire')

test('there are some forty kinds of misbehaviour and more', () => {
  expect(misbehaviourKinds.length).toBeGreaterThanOrEqual(40)
  expect(told.length).toBeGreaterThanOrEqual(40)
})

describe.each(providerNames)('%s', provider => {
  test.each(told)('%s gives no wrong figure', async kind => {
    const { layer, outcome } = ruleOf(kind)
    const exchanges = await ask(provider, kind)
    const reading = readAll(provider, exchanges)
    const figures = withOrdinals(figuresOf(reading))
    const truths = trueFigures(provider, kind)
    expect(figures.filter(figure => !truths.has(figure))).toEqual([])
    if (outcome === 'nothing' && kind !== 'other-code') expect(figures).toEqual([])
    if (outcome === 'nothing' && (layer === 'status' || layer === 'body')) expect(reading.problems).not.toEqual([])
    if (outcome === 'all') {
      const whole = figuresOf(readAll(provider, await ask(provider, null)))
      expect(figures).toHaveLength(whole.length)
      expect(reading.problems).toEqual([])
    }
  })

  test('another series comes under its own name, where answers have names', async () => {
    const reading = readAll(provider, await ask(provider, 'other-code'))
    const own = reading.series.filter(({ code }) => code === codes[provider])
    // The body of FRED's observations does not say whose they are (Quirk FRED-2).
    if (provider !== 'FRED') expect(own).toEqual([])
  })

  test('a rebased history reads as it was sent, for others to look at', async () => {
    const before = readAll(provider, await ask(provider, null)).series[0]!
    const after = readAll(provider, await ask(provider, 'rebased')).series[0]!
    const rebased = before.observations.map(({ value }) => canonical(timesNineTenths(value)))
    expect(after.observations.map(({ value }) => canonical(value))).toEqual(rebased)
  })
})

test('figures are changed without a float', () => {
  expect(['123.45', '0.05', '100', '-7.5'].map(timesNineTenths)).toEqual(['111.105', '0.045', '90.0', '-6.75'])
  expect(['123.45', '7', '-0.5'].map(writeExponent)).toEqual(['1.2345E2', '7.0E0', '-0.5E0'])
})

const limitMs = 200

async function fetchFrom(kind: Misbehaviour, options: RequestInit = {}): Promise<Response> {
  standIn.misbehave('EUROSTAT', kind, 1)
  return fetch(`${standIn.baseOf('EUROSTAT')}/sdmx/2.1/data/prc_hicp_minr/M.I25.TOTAL.FR?format=SDMX-CSV`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(20_000),
    ...options,
  })
}

/** Reads until so many bytes have come, and hangs up. */
async function readUntil(response: Response, bytes: number): Promise<number> {
  const reader = response.body!.getReader()
  let count = 0
  while (count < bytes) {
    const { done, value } = await reader.read()
    if (done) break
    count += value.byteLength
  }
  await reader.cancel()
  return count
}

describe('on the wire', () => {
  test.each(['slow-headers', 'slow-body'] as const)('%s outlasts the patience of a caller', async kind => {
    await expect(
      fetchFrom(kind, { signal: AbortSignal.timeout(limitMs) }).then(response => response.text()),
    ).rejects.toThrow(/timeout|aborted/)
  })

  test.each(['connection-reset', 'garbage-status-line', 'huge-headers'] as const)('%s is no answer', async kind => {
    await expect(fetchFrom(kind)).rejects.toThrow('fetch failed')
  })

  test.each(['cut-body', 'cut-chunks', 'truncated-gzip', 'false-gzip'] as const)('%s breaks the body', async kind => {
    const response = await fetchFrom(kind)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })

  test('endless-body goes on for as long as it is read', async () => {
    expect(await readUntil(await fetchFrom('endless-body'), 20_000_000)).toBeGreaterThanOrEqual(20_000_000)
  })

  test.each(['gzip-bomb', 'deflate-bomb'] as const)('%s unpacks to more than may be', async kind => {
    const bound = 200 * 1024 * 1024
    expect(await readUntil(await fetchFrom(kind), bound)).toBeGreaterThanOrEqual(bound)
  })

  test('http-1.0 is read in full', async () => {
    const body = await (await fetchFrom('http-1.0')).text()
    const right = await fetch(
      `${standIn.baseOf('EUROSTAT')}/sdmx/2.1/data/prc_hicp_minr/M.I25.TOTAL.FR?format=SDMX-CSV`,
    )
    expect(body).toBe(await right.text())
  })

  test('redirects lead off the host, to forbidden addresses and in circles', async () => {
    const [away, inside, circle] = await Promise.all(
      [
        fetchFrom('redirect-off-host').then(response => response.headers.get('location')),
        fetchFrom('redirect-to-link-local').then(response => response.headers.get('location')),
        fetchFrom('redirect-loop').then(response => response.headers.get('location')),
      ].map(async location => (await location)!),
    )
    expect([away, inside, circle].every(location => location !== undefined)).toBe(true)
  })

  test('who follows a redirect off the host is counted', async () => {
    const before = standIn.trapped
    const response = await fetchFrom('redirect-off-host', { redirect: 'follow' })
    expect(response.status).toBe(200)
    expect(standIn.trapped).toBe(before + 1)
  })

  test('after all of it the stand-in behaves', async () => {
    const reading = readAll('EUROSTAT', await ask('EUROSTAT', null))
    expect(reading.problems).toEqual([])
  })
})
