import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProviderName, providerNames, type VersionTag } from '../../src/core/series/series.ts'
import type { Instant } from '../../src/core/time/instant.ts'
import { lastDayOf, parsePeriod } from '../../src/core/time/period.ts'
import type { ParsedObservation, ParsedSeries } from '../../src/providers/provider.ts'
import { someOf } from '../support/run/long-form.ts'
import { inquire } from './client.ts'
import { instant, type OpenLog, publish, type Stage, type StandInSeries } from './model.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

type Marked = readonly [VersionTag, string | null]

/** How each provider marks the stage of a figure; stages not listed are FINAL without a flag. */
const told: Readonly<Partial<Record<ProviderName, Partial<Record<Stage, Marked>>>>> = {
  BLS: { PRELIMINARY: ['PRELIMINARY', 'P'], REVISED: ['REVISED', 'R'] },
  ECB: { PRELIMINARY: ['PRELIMINARY', 'P'], FINAL: ['FINAL', 'A'], REVISED: ['FINAL', 'A'] },
  EUROSTAT: { PRELIMINARY: ['PRELIMINARY', 'p'] },
  STATCAN: { PRELIMINARY: ['PRELIMINARY', 'p'], REVISED: ['REVISED', 'r'] },
  ABS: { PRELIMINARY: ['PRELIMINARY', 'p'], REVISED: ['REVISED', 'r'] },
  BIS: { PRELIMINARY: ['PRELIMINARY', 'P'], FINAL: ['FINAL', 'A'], REVISED: ['FINAL', 'A'] },
  OECD: { PRELIMINARY: ['PRELIMINARY', 'P'], FINAL: ['FINAL', 'A'], REVISED: ['FINAL', 'A'] },
}

const zones: Readonly<Partial<Record<ProviderName, Intl.DateTimeFormat>>> = {
  FRED: new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Chicago' }),
  ONS: new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' }),
  STATCAN: new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Toronto' }),
}

function dayIn(zone: Intl.DateTimeFormat | undefined, moment: Instant): string | null {
  return zone?.format(new Date(moment)) ?? null
}

interface Expected {
  readonly observations: readonly ParsedObservation[]
  readonly missing: readonly string[]
}

function byPeriod({ publications: entries, frequency }: StandInSeries, now: Instant): readonly (readonly OpenLog[])[] {
  const periods = new Map<number, OpenLog[]>()
  for (const each of entries.filter(({ publishedAt }) => publishedAt <= now)) {
    const { ordinal } = parsePeriod(each.period)!
    periods.set(ordinal, [...(periods.get(ordinal) ?? []), each])
  }
  expect(frequency).toBeTruthy()
  return [...periods].sort(([a], [b]) => a - b).map(([, own]) => own)
}

/** What must be read at a moment, computed from the model only. */
function expectedAt(series: StandInSeries, now: Instant): Expected {
  const observations: ParsedObservation[] = []
  const missing: string[] = []
  for (const own of byPeriod(series, now)) {
    if (series.provider === 'FRED') {
      observations.push(...vintages(own))
      if (own.some(({ value }) => value === null)) missing.push(own[0]!.period)
      continue
    }
    const { period, stage, value, publishedAt } = own.at(-1)!
    if (stage === 'MISSING') missing.push(period)
    if (value === null) continue
    const [version, flag] = told[series.provider]?.[stage] ?? ['FINAL', null]
    observations.push({ period, value, version, flag, published: dayIn(zones[series.provider], publishedAt) })
  }
  return { observations, missing }
}

/** FRED serves all publications: the first is FINAL, each later one with other digits is REVISED. */
function vintages(own: readonly OpenLog[]): readonly ParsedObservation[] {
  let held: string | null = null
  return own.flatMap(({ period, value, publishedAt }) => {
    if (value === null || value === held) return []
    const version = held === null ? 'FINAL' : 'REVISED'
    held = value
    return [{ period, value, version, flag: null, published: dayIn(zones.FRED, publishedAt) }] as const
  })
}

function seriesOf(series: readonly ParsedSeries[], code: string): ParsedSeries | undefined {
  return series.find(each => each.code === code)
}

let standIn: StandIn

beforeAll(async () => {
  standIn = await startStandIn()
})
afterAll(() => standIn.close())

describe.each(providerNames)('%s', provider => {
  test.each(
    someOf(
      'stand-in',
      'moments at which all series of a provider are read',
      ['2025-06-15', '2026-02-03T12:45:00Z', '2026-11-10'],
      { oneIn: 3, from: providerNames.indexOf(provider) },
    ),
  )('at %s all its series read as the model has them, with their tags', async moment => {
    standIn.at(moment)
    const now = instant(moment)
    const known = standIn.seriesOf(provider).filter(series => byPeriod(series, now).length > 1)
    const parsed = await inquire(standIn, { provider, codes: known.map(({ code }) => code) })
    expect(parsed.problems).toEqual([])
    expect(known.length).toBeGreaterThanOrEqual(12)
    for (const series of known) {
      const read = seriesOf(parsed.series, series.code)
      const { observations, missing } = expectedAt(series, now)
      expect(read?.frequency, series.code).toBe(series.frequency)
      expect(read?.observations, series.code).toEqual(observations)
      // A table of dates has a gap wherever a neighbouring column has a figure.
      const holes = read?.missing.map(({ period }) => period)
      if (provider === 'NASDAQ_DATA_LINK') expect(holes).toEqual(expect.arrayContaining([...missing]))
      else expect(holes, series.code).toEqual(missing)
    }
  })

  test('a figure is preliminary, final, revised and withdrawn as the clock advances', async () => {
    const model = standIn.seriesOf(provider).find(({ details }) => details.premium === undefined)!
    const own = lifeOf(model)
    standIn.put(own)
    for (const moment of ['2024-02-20', '2024-03-20', '2025-03-20', '2025-06-20']) {
      standIn.at(moment)
      const { series, problems } = await inquire(standIn, { provider, codes: [own.code] })
      const read = seriesOf(series, own.code)
      const { observations, missing } = expectedAt(own, instant(moment))
      expect(problems).toEqual([])
      expect(read?.observations).toEqual(observations)
      expect(read?.missing.map(({ period }) => period)).toEqual(missing)
    }
    standIn.put(model)
  })

  test('what was published before a day may be left out, but never what was published after it', async () => {
    standIn.at('2026-06-10')
    const model = standIn.seriesOf(provider).at(-1)!
    const from = lastDayOf(parsePeriod('2025-06')!) + 1
    const whole = seriesOf((await inquire(standIn, { provider, codes: [model.code] })).series, model.code)!
    const { series, problems } = await inquire(standIn, { provider, codes: [model.code], from })
    const part = seriesOf(series, model.code)!
    const wanted = whole.observations.filter(({ period }) => lastDayOf(parsePeriod(period)!) >= from)
    expect(problems).toEqual([])
    const written = (observations: readonly ParsedObservation[]) => observations.map(each => JSON.stringify(each))
    expect(new Set(written(part.observations)).isSupersetOf(new Set(written(wanted)))).toBe(true)
    expect(new Set(written(whole.observations)).isSupersetOf(new Set(written(part.observations)))).toBe(true)
  })

  test('an unknown series is reported in its own way', async () => {
    const parsed = await inquire(standIn, { provider, codes: [unknownCodes[provider]] })
    const kinds = parsed.problems.map(({ kind }) => kind)
    expect(parsed.series).toEqual([])
    expect([...new Set(kinds)]).toEqual(unknownKinds[provider] ?? ['unknown-series'])
  })

  test('callers who ask too often are refused in its own way', async () => {
    standIn.limit(provider, { requests: 0, perSeconds: 60 })
    const { code } = standIn.seriesOf(provider)[0]!
    const parsed = await inquire(standIn, { provider, codes: [code], mostPages: 1 })
    standIn.limit(provider, null)
    expect(parsed.series).toEqual([])
    expect([...new Set(parsed.problems.map(({ kind }) => kind))]).toEqual(['rate-limited'])
  })
})

/** A series of three periods, the second of which goes through every stage. */
function lifeOf(model: StandInSeries): StandInSeries {
  const periods = {
    DAILY: ['2024-02-01', '2024-02-02', '2024-02-05'],
    WEEKLY: ['2024-W03', '2024-W04', '2024-W05'],
    MONTHLY: ['2023-11', '2023-12', '2024-01'],
    QUARTERLY: ['2023-Q2', '2023-Q3', '2023-Q4'],
    SEMIANNUAL: ['2022-H2', '2023-H1', '2023-H2'],
    ANNUAL: ['2021', '2022', '2023'],
  } as const
  const [first, second, third] = periods[model.frequency]
  return {
    ...model,
    publications: [
      publish(first, '101.10', '2024-02-06T13:30:00Z'),
      publish(second, '102.40', '2024-02-15T13:30:00Z', 'PRELIMINARY'),
      publish(second, '102.40', '2024-03-15T13:30:00Z', 'FINAL'),
      publish(second, '102.70', '2025-03-15T13:30:00Z', 'REVISED'),
      publish(second, null, '2025-06-15T13:30:00Z', 'WITHDRAWN'),
      publish(third, '103.05', '2024-02-15T13:30:00Z'),
    ],
  }
}

const unknownCodes: Readonly<Record<ProviderName, string>> = {
  BLS: 'NOTASERIES1',
  FRED: 'NOTASERIES',
  EIA: 'petroleum/pri/gnd/NOT_A_SERIES/W',
  ECB: 'EXR/D.ZZZ.EUR.SP00.A',
  WORLD_BANK: 'NO.SUCH.ID/CAN',
  IMF: 'IMF.RES,NOTAFLOW/G001.PCOPP.USD.M',
  EUROSTAT: 'not_a_set/M.I25.TOTAL.AT',
  ONS: 'ZZZZ/MM23/M',
  STATCAN: 'v999',
  ABS: 'NOTAFLOW,1.0.0/1.10001.10.50.Q',
  BIS: 'WS_EER/M.N.B.ZZ',
  BOJ: 'PR01/NOT_A_CODE',
  OECD: 'OECD.SDD.TPS,NOT@A_FLOW,1.0/GBR.M',
  DBNOMICS: 'BIS/cbpol/M.ZZ',
  NASDAQ_DATA_LINK: 'ECONOMIST/BIGMAC_ZZZ/dollar_price',
}

/** BIS does not report it, and the Bank of Japan calls it a bad request. */
const unknownKinds: Readonly<Partial<Record<ProviderName, readonly string[]>>> = { BIS: [], BOJ: ['bad-request'] }
