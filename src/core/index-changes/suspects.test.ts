import { describe, expect, test } from 'vitest'
import { Chance } from '../../../test/faults/chance.ts'
import { areRecordingsAtHand, readRecording } from '../../../test/support/files/recordings.ts'
import type { Vintage } from '../series/series.ts'
import { buildHistory } from '../series/vintage.ts'
import { parseDay } from '../time/day.ts'
import { type Frequency, formatPeriod, parsePeriod, shift } from '../time/period.ts'
import { findCandidates } from './candidates.ts'
import { type SeriesEvidence, suspectsOf } from './suspects.ts'

const vintage = (value: string, flag: string | null = null, day = '2026-01-20'): Vintage => ({
  value,
  tag: 'FINAL',
  flag,
  publishedAt: `${day}T00:00:00.000000Z`,
  recordedAt: null,
})

function series(
  reference: string,
  begins: string,
  values: readonly (string | readonly Vintage[])[],
  { name = reference, unit = 'index' } = {},
) {
  const from = parsePeriod(begins)!
  const periods = values.map((value, i) => {
    const vintages = typeof value === 'string' ? [vintage(value)] : value
    return [from.ordinal + i, vintages] as const
  })
  return buildHistory({ reference, name, unit, frequency: from.frequency }, new Map(periods))
}

const ground = (history: SeriesEvidence['history'], given: Partial<SeriesEvidence> = {}): SeriesEvidence => ({
  history,
  statements: [history.name],
  units: [history.unit],
  late: 0,
  siblings: [],
  others: [],
  waiting: null,
  today: parseDay('2026-02-01')!,
  ...given,
})

/** 24 months to December 2025. */
const steady = Array.from({ length: 24 }, (_, i) => `${100 + (i % 3)}.${i % 10}`)
const kindsOf = (asked: SeriesEvidence) => suspectsOf(asked).map(({ kind }) => kind)

describe('an index seems to have ended', () => {
  test('three periods and sixty days after its last one, and not a day earlier', () => {
    const quiet = series('EUROSTAT/prc_hicp_midx/M.I15.CP00.DE', '2024-01', steady)
    // 31 December 2025 + 93 + 60 days
    expect(kindsOf(ground(quiet, { today: parseDay('2026-06-02')! }))).toEqual([])
    const [found] = suspectsOf(ground(quiet, { today: parseDay('2026-06-03')! }))
    expect(found).toMatchObject({ kind: 'ENDED', sentence: 'It seems to have ended with 2025-12.' })
    expect(found!.evidence).toEqual([
      'no period after 2025-12, which ended on 2025-12-31; one was due by 2026-06-02 at the latest',
    ])
  })

  test('when the provider says so, each in its own words', () => {
    const said = (reference: string, ...statements: string[]) =>
      kindsOf(ground(series(reference, '2024-01', steady), { statements }))
    expect(said('FRED/WPU101', 'Producer Price Index: Steel (DISCONTINUED)')).toEqual(['ENDED'])
    expect(said('FRED/WPU101', 'Discontinued models of cars')).toEqual([])
    expect(said('STATCAN/v41690973', 'Consumer prices', 'Archived table')).toEqual(['ENDED'])
    expect(said('ONS/D7BT/MM22/M', 'This is the final release of the data set')).toEqual(['ENDED'])
    expect(said('BLS/WPU101', 'Archived (DISCONTINUED)')).toEqual([])
  })

  test('when it is late twice, or stands still while its data set moves on', () => {
    const quiet = series('OECD/OECD.SDD,DF_PRICES,1.0/DEU.M', '2024-01', steady)
    expect(kindsOf(ground(quiet, { late: 1 }))).toEqual([])
    expect(kindsOf(ground(quiet, { late: 2 }))).toEqual(['ENDED'])
    const [december, january, february] = ['2025-12', '2026-01', '2026-02'].map(text => parsePeriod(text)!)
    expect(kindsOf(ground(quiet, { siblings: [february!, february!, december!] }))).toEqual(['ENDED'])
    expect(kindsOf(ground(quiet, { siblings: [january!, january!, january!] }))).toEqual([])
  })
})

test.skipIf(!areRecordingsAtHand)('recorded titles of FRED: those that end with it are suspected, and no other', () => {
  const { seriess } = JSON.parse(readRecording('fred/release_series_page.json')) as { seriess: { title: string }[] }
  const isSuspected = (title: string) =>
    kindsOf(ground(series('FRED/DTP', '2024-01', steady), { statements: [title] })).length > 0
  const [ended, living] = [true, false].map(is => seriess.filter(({ title }) => isSuspected(title) === is))
  expect(ended!.length).toBeGreaterThan(0)
  expect(living!.length).toBeGreaterThan(0)
  for (const { title } of ended!) expect(title).toContain('DISCONTINUED')
  for (const { title } of living!) expect(title).not.toContain('DISCONTINUED')
})

describe('an index seems to be on another base', () => {
  test('when its unit names another year', () => {
    const history = series('ABS/CPI,2.0.0/1.10001.10.50.Q', '2024-01', steady)
    const [found] = suspectsOf(ground(history, { units: ['Index, base 2011-12=100', 'Index, base 2025 = 100'] }))
    expect(found).toMatchObject({
      kind: 'REBASED',
      evidence: ['its unit says 2025 = 100, and said 2011-12 = 100 before'],
    })
  })

  test('when its whole history was multiplied by one constant, which is computed', () => {
    // Statistics Austria, 2024: VPI 2015 and VPI 2020, January to August.
    const old = ['132.5', '133.2', '133.8', '134.0', '134.0', '134.2', '134.2', '133.8']
    const now = ['122.5', '123.1', '123.7', '123.8', '123.8', '124.0', '124.0', '123.7']
    const rewritten = old.map((before, i) => ({ period: `2024-0${i + 1}`, before, after: now[i]! }))
    const history = series('CUSTOM/vpi', '2024-01', old)
    const [found] = suspectsOf(ground(history, { waiting: rewritten, today: parseDay('2024-10-01')! }))
    // 988.6 ÷ 1069.7; the office prints 1.082 for the other direction.
    expect(found).toMatchObject({ kind: 'REBASED', constant: '0.924184' })
    expect(found!.evidence[0]).toContain('8 values were multiplied by 0.924184')
    const both = old.map((before, i) => [vintage(before, null, '2024-09-01'), vintage(now[i]!, null, '2024-09-20')])
    const stored = series('CUSTOM/vpi', '2024-01', both)
    expect(suspectsOf(ground(stored, { today: parseDay('2024-10-01')! }))).toMatchObject([
      { kind: 'REBASED', constant: '0.924184' },
    ])
  })

  test('and not when values were only revised', () => {
    const revised = steady.map((value, i) => [
      vintage(value, null, '2025-01-01'),
      vintage(`${Number.parseFloat(value) + (i % 2)}`),
    ])
    expect(kindsOf(ground(series('BLS/WPU101', '2024-01', revised)))).toEqual([])
  })
})

test('an index seems to be replaced when its data set has a newer version', () => {
  const history = series('ABS/CPI,1.1.0/1.10001.10.50.Q', '2024-01', steady)
  const others = ['ABS/CPI,2.0.0/1.10001.10.50.Q', 'ABS/CPI,1.0.0/1.10001.10.50.Q', 'ABS/PPI,9.0.0/1']
  expect(suspectsOf(ground(history, { others }))).toEqual([
    {
      series: history.reference,
      kind: 'SUPERSEDED',
      sentence: 'There is a newer version of its data set.',
      evidence: ['CPI has version 2.0.0, and this is 1.1.0'],
      constant: null,
      successor: 'ABS/CPI,2.0.0/1.10001.10.50.Q',
    },
  ])
  const newest = series('ABS/CPI,2.0.0/1.10001.10.50.Q', '2024-01', steady)
  expect(kindsOf(ground(newest, { others: [history.reference] }))).toEqual([])
})

describe('an index may be computed differently', () => {
  test('from a period with a flag for a break', () => {
    const flagged = steady.map((value, i) => [vintage(value, i === 20 ? 'bp' : null)])
    expect(suspectsOf(ground(series('EUROSTAT/sts_inppd_m/M.PRC_PRR.DE', '2024-01', flagged)))).toMatchObject([
      { kind: 'METHOD', evidence: ['2025-09 has the flag "bp", a break in the series'] },
    ])
    expect(kindsOf(ground(series('BLS/WPU101', '2024-01', flagged)))).toEqual([])
  })

  test('after a step over six times the usual one, unless it was revised or is the newest', () => {
    const level = (at: number, value: (old: string) => readonly Vintage[] | string) =>
      steady.map((each, i) => (i < at ? each : i === at ? value(each) : `${Number.parseFloat(each) * 2}`))
    const step = series(
      'BLS/WPU101',
      '2024-01',
      level(18, each => `${Number.parseFloat(each) * 2}`),
    )
    const [found] = suspectsOf(ground(step))
    expect(found).toMatchObject({ kind: 'METHOD', sentence: 'Was a month computed differently from the one before?' })
    expect(found!.evidence[0]).toMatch(
      /^the step to 2025-07 is .* %, the usual one .* %, and it was not revised since$/,
    )
    const revised = level(18, each => [vintage('99', null, '2025-08-01'), vintage(`${Number.parseFloat(each) * 2}`)])
    expect(kindsOf(ground(series('BLS/WPU101', '2024-01', revised)))).toEqual([])
    const last = level(23, each => `${Number.parseFloat(each) * 2}`)
    expect(kindsOf(ground(series('BLS/WPU101', '2024-01', last)))).toEqual([])
  })
})

test('none among 500 healthy series', () => {
  const chance = new Chance(4_012_024)
  const providers = ['BLS/WPU', 'FRED/PCU', 'EUROSTAT/prc/M.I', 'ONS/D7BT/MM23/', 'ABS/CPI,2.0.0/1.', 'STATCAN/v']
  const lengths: Readonly<Partial<Record<Frequency, string>>> = {
    MONTHLY: '2022-01',
    QUARTERLY: '2016-Q1',
    ANNUAL: '1990',
    WEEKLY: '2025-W02',
  }
  for (let i = 0; i < 500; i++) {
    const begins = parsePeriod(chance.pick(Object.values(lengths)))!
    const newest = { MONTHLY: '2025-12', QUARTERLY: '2025-Q3', ANNUAL: '2024', WEEKLY: '2026-W03' }[
      begins.frequency as string
    ]!
    const count = parsePeriod(newest)!.ordinal - begins.ordinal + 1
    let value = chance.int(5_000, 30_000)
    const spread = chance.int(20, 300)
    const values = Array.from({ length: count }, (_, at) => {
      value = Math.max(1_000, value + chance.int(-spread, spread))
      const digits = (value / 100).toFixed(chance.pick([1, 2]))
      // First prints are revised a little, as they are.
      const isRevised = at > count - 5 && chance.chance(50)
      return isRevised ? [vintage(((value + 3) / 100).toFixed(2), 'p', '2026-01-01'), vintage(digits)] : digits
    })
    const reference = `${chance.pick(providers)}${i}`
    const siblings = Array.from({ length: 4 }, () => shift(parsePeriod(newest)!, chance.int(-1, 1)))
    const others = [`ABS/CPI,1.1.0/1.${i}`, `${reference}X`]
    expect(
      suspectsOf(ground(series(reference, formatPeriod(begins), values), { siblings, others, late: chance.int(0, 1) })),
    ).toEqual([])
  }
})

test('candidates are named with the reason, the likeliest first', () => {
  const named = (reference: string, name: string) => ({ reference, name })
  const pool = [
    named('BLS/WPU1017', 'Steel mill products'),
    named('BLS/WPU101', 'Iron and steel (DISCONTINUED)'),
    named('BLS/WPU05', 'Fuels'),
    named('FRED/WPU101', 'Producer Price Index by Commodity: Iron and Steel'),
    named('DBNOMICS/BLS/wp/WPU101', 'wp'),
    named('BLS/PCU33111', 'Iron and steel, 2015 = 100'),
  ]
  const found = findCandidates(named('BLS/WPU101', 'Iron and steel (DISCONTINUED)'), pool)
  expect(found.map(({ series: { reference }, why }) => [reference, why])).toEqual([
    ['BLS/PCU33111', 'the same provider and name'],
    ['DBNOMICS/BLS/wp/WPU101', 'the same item at another source'],
    ['FRED/WPU101', 'the same item at another source'],
    ['BLS/WPU1017', 'a series with a broader or narrower code'],
  ])
  const keys = ['M.I15.CP01.DE', 'M.I25.CP00.DE', 'M.I15.CP00.FR', 'Q.I15.CP01.DE'].map(key =>
    named(`EUROSTAT/set/${key}`, key),
  )
  expect(findCandidates(named('EUROSTAT/set/M.I15.CP00.DE', 'x'), keys).map(({ series }) => series.name)).toEqual([
    'M.I15.CP00.FR',
    'M.I15.CP01.DE',
    'M.I25.CP00.DE',
  ])
})
