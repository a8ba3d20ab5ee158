import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProviderName, providerNames } from '../../src/core/series/series.ts'
import { formatPeriod } from '../../src/core/time/period.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import type { ParsedAnswer, ParsedSeries } from '../../src/providers/provider.ts'
import { someOf } from '../support/run/long-form.ts'
import { type Exchange, exchange, mergeAnswers } from './client.ts'
import { defaultSeries } from './data/default-series.ts'
import { changeSeries, timesNineTenths, writeExponent } from './misbehave-figures.ts'
import { type Misbehaviour, misbehaviourKinds, ruleOf } from './misbehaviour.ts'
import { instant, type Row, type ServedSeries, type StandInSeries, serve } from './model.ts'
import { canonical } from './numbers.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

const moment = '2026-06-10'
const now = instant(moment)

/** Two series per provider, the second to test mix-ups; with revisions, so that a revised history is included. */
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
  const series = providerNames.flatMap(name => defaultSeries(name).map(shorten))
  standIn = await startStandIn({ at: moment, series })
})
afterAll(() => standIn.close())

/** A few years are enough; annual series are short already. */
function shorten(series: StandInSeries): StandInSeries {
  if (series.frequency === 'ANNUAL') return series
  return { ...series, publications: series.publications.filter(({ period }) => period >= '2024') }
}

async function ask(provider: ProviderName, kind: Misbehaviour | null): Promise<readonly Exchange[]> {
  if (kind !== null) standIn.misbehave(provider, kind)
  const exchanges = await exchange(standIn, { provider, codes: [codes[provider]], mostPages: 3 })
  standIn.behave(provider)
  return exchanges
}

function readAll(provider: ProviderName, exchanges: readonly Exchange[]): ParsedAnswer {
  return mergeAnswers(exchanges.map(({ answer }) => providers[provider].read(answer)))
}

function figuresOf(parsed: ParsedAnswer): readonly string[] {
  return parsed.series.flatMap(({ code, observations }: ParsedSeries) =>
    observations.map(({ period, value }) => `${code} ${period} ${canonical(value)}`),
  )
}

/** What a provider serves while it behaves well. */
const served = memo((provider: ProviderName) => standIn.seriesOf(provider).map(series => serve(series, now)))
const rightFigures = memo((provider: ProviderName) => figuresIn(provider, served(provider)))
const countOfRight = memo(
  async (provider: ProviderName) => figuresOf(readAll(provider, await ask(provider, null))).length,
)

function memo<T>(make: (provider: ProviderName) => T): (provider: ProviderName) => T {
  const made = new Map<ProviderName, T>()
  return provider => {
    if (!made.has(provider)) made.set(provider, make(provider))
    return made.get(provider)!
  }
}

/** Every figure the stand-in may correctly send under a kind of misbehaviour; any other is wrong. */
function trueFigures(provider: ProviderName, kind: Misbehaviour): ReadonlySet<string> {
  const changes = served(provider).map(series => changeSeries(kind, series, now))
  if (changes.every(changed => changed === null)) return rightFigures(provider)
  return figuresIn(
    provider,
    served(provider).map((series, at) => changes[at] ?? series),
  )
}

function figuresIn(provider: ProviderName, all: readonly ServedSeries[]): ReadonlySet<string> {
  const truths = all.flatMap(series => {
    const rows = provider === 'FRED' ? series.vintages : series.rows
    return [...groupRows(rows).values()].flatMap(same => trueFigure(series.code, same, provider))
  })
  return new Set(truths)
}

/** Rows for the same period and publication. */
function groupRows(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows.filter(({ writtenPeriod }) => writtenPeriod === undefined)) {
    const key = `${row.period.ordinal} ${row.publishedAt}`
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return groups
}

function trueFigure(code: string, same: readonly Row[], provider: ProviderName): readonly string[] {
  const [row] = same as readonly [Row]
  const value = row.value === null ? null : canonical(row.value)
  const isContested = new Set(same.map(other => other.value)).size > 1
  if (value === null || isContested || (row.stage === 'FORECAST' && marksForecasts.has(provider))) return []
  return [`${code} ${formatPeriod(row.period)} ${value}`]
}

const told = misbehaviourKinds.filter(kind => ruleOf(kind).layer !== 'wire')

test('there are more than forty kinds of misbehaviour', () => {
  expect(misbehaviourKinds.length).toBeGreaterThanOrEqual(40)
  expect(told.length).toBeGreaterThanOrEqual(40)
})

describe.each(providerNames)('%s', provider => {
  // A twelfth of the kinds by turn, each by one provider at least; the same rules make all of them.
  test.each(
    someOf('stand-in', 'bad answers of the stand-in for each provider', told, {
      oneIn: 12,
      from: providerNames.indexOf(provider),
    }),
  )('%s gives no wrong figure', async kind => {
    const { layer, outcome } = ruleOf(kind)
    const exchanges = await ask(provider, kind)
    const parsed = readAll(provider, exchanges)
    const figures = figuresOf(parsed)
    const truths = trueFigures(provider, kind)
    // FRED's observations do not name their series (Quirk FRED-2); its metadata does.
    const isNameless = provider === 'FRED' && kind === 'other-code'
    if (!isNameless) expect(figures.filter(figure => !truths.has(figure))).toEqual([])
    if (outcome === 'nothing' && kind !== 'other-code') expect(figures).toEqual([])
    if (outcome === 'nothing' && (layer === 'status' || layer === 'body')) expect(parsed.problems).not.toEqual([])
    if (outcome === 'all') {
      expect(figures).toHaveLength(await countOfRight(provider))
      expect(parsed.problems).toEqual([])
    }
  })

  test('another series is reported under its own name, if answers contain names', async () => {
    const parsed = readAll(provider, await ask(provider, 'other-code'))
    const found = parsed.series.map(({ code }) => code)
    expect(found.filter(code => code !== codes[provider])).not.toEqual([])
    if (provider !== 'FRED') expect(found).not.toContain(codes[provider])
  })

  test('a rebased history is read as sent, for the comparison to judge', async () => {
    const before = readAll(provider, await ask(provider, null)).series[0]!
    const after = readAll(provider, await ask(provider, 'rebased')).series[0]!
    const rebased = before.observations.map(({ value }) => canonical(timesNineTenths(value)))
    expect(after.observations.map(({ value }) => canonical(value))).toEqual(rebased)
  })
})

test('figures are changed without using floats', () => {
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

/** Reads a number of bytes and disconnects. */
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
  test.each(['slow-headers', 'slow-body'] as const)('%s exceeds the time limit of the caller', async kind => {
    await expect(
      fetchFrom(kind, { signal: AbortSignal.timeout(limitMs) }).then(response => response.text()),
    ).rejects.toThrow(/timeout|aborted/)
  })

  test.each(['connection-reset', 'garbage-status-line', 'huge-headers'] as const)('%s gives no answer', async kind => {
    await expect(fetchFrom(kind)).rejects.toThrow('fetch failed')
  })

  test.each(['cut-body', 'cut-chunks', 'false-gzip'] as const)('%s breaks the body', async kind => {
    const response = await fetchFrom(kind)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })

  test('truncated-gzip unpacks only in part, which fetch accepts and a strict reader refuses', async () => {
    const right = await (await fetchFrom('http-1.0')).text()
    const half = await (await fetchFrom('truncated-gzip')).text()
    expect(right.startsWith(half)).toBe(true)
    expect(half.length).toBeLessThan(right.length)
    expect(() => gunzipSync(gzipSync(right).subarray(0, -20))).toThrow('unexpected end of file')
  })

  test('endless-body continues as long as it is read', async () => {
    expect(await readUntil(await fetchFrom('endless-body'), 20_000_000)).toBeGreaterThanOrEqual(20_000_000)
  })

  test.each(
    someOf('stand-in', 'answers that unpack to very much', ['gzip-bomb', 'deflate-bomb'] as const, { oneIn: 2 }),
  )('%s unpacks to more than allowed', async kind => {
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

  test.each([
    ['redirect-off-host', /^http:\/\/localhost:\d+\/stand-in\/trap\/EUROSTAT\//],
    ['redirect-to-link-local', /^http:\/\/169\.254\.169\.254\//],
    ['redirect-loop', /^\/EUROSTAT\/.*turn=1$/],
  ] as const)('%s leads to a forbidden address', async (kind, place) => {
    const response = await fetchFrom(kind)
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toMatch(place)
  })

  test('callers that follow a redirect to another host are counted', async () => {
    const before = standIn.trapped
    const response = await fetchFrom('redirect-off-host', { redirect: 'follow' })
    expect(response.status).toBe(200)
    expect(standIn.trapped).toBe(before + 1)
  })

  test('afterwards the stand-in behaves well', async () => {
    const parsed = readAll('EUROSTAT', await ask('EUROSTAT', null))
    expect(parsed.problems).toEqual([])
  })
})
