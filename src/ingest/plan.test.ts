import { describe, expect, test } from 'vitest'
import { formatDay, parseDay } from '../core/time/day.ts'
import { parsePeriod } from '../core/time/period.ts'
import { providers } from '../providers/catalogue/catalogue.ts'
import { describeSeries, stallNotice } from './describe.ts'
import { windowsOf } from './pace.ts'
import { planRefresh, planWhole, type SeriesProgress } from './plan.ts'

const now = '2024-06-15T12:00:00.000000Z'
const recent = '2024-06-14T12:00:00.000000Z'

function standing(code: string, more: Partial<SeriesProgress> = {}): SeriesProgress {
  return {
    code,
    frequency: 'MONTHLY',
    newestPeriod: parsePeriod('2024-05')!.ordinal,
    newestPublished: '2024-06-12T00:00:00.000000Z',
    rangeAskedAt: recent,
    wholeAskedAt: recent,
    ...more,
  }
}

const thorough = { now, isThorough: true }
const cheap = { now, isThorough: false }

describe('a refresh asks', () => {
  test('for the last years, with a request that stays the same for a year', () => {
    const [plan] = planRefresh(providers.ECB, [standing('EXR/M.USD.EUR.SP00.A')], thorough)
    expect([formatDay(plan!.from!), plan!.changedSince]).toEqual(['2022-01-01', null])
  })

  test('for everything from time to time, and if it was never requested', () => {
    for (const wholeAskedAt of [null, '2024-05-01T00:00:00.000000Z'])
      expect(planRefresh(providers.ECB, [standing('X/Y', { wholeAskedAt })], thorough)).toEqual([
        { codes: ['X/Y'], from: null, changedSince: null },
      ])
  })

  test('for changes if a full answer would be long, from the newest date the provider gave', () => {
    const daily = standing('DGS10', { frequency: 'DAILY', newestPeriod: parseDay('2024-06-13')! })
    expect(planRefresh(providers.FRED, [daily], thorough)[0]!.changedSince).toBe('2024-06-09T00:00:00.000000Z')
    expect(planRefresh(providers.FRED, [standing('GDP')], thorough)[0]!.changedSince).toBeNull()
    expect(planRefresh(providers.STATCAN, [standing('v1')], cheap)[0]!.changedSince).toBe('2024-06-09T00:00:00.000000Z')
    expect(planRefresh(providers.STATCAN, [standing('v1')], thorough)[0]!.changedSince).toBeNull()
    const yesterday = standing('v1', { rangeAskedAt: '2024-06-13T12:00:00.000000Z' })
    expect(planRefresh(providers.STATCAN, [yesterday], cheap)[0]!.changedSince).toBeNull()
  })

  test('for similar series together, in batches that the provider accepts', () => {
    const codes = Array.from({ length: 120 }, (_, i) => `WPU${i + 100}`)
    const plans = planRefresh(
      providers.BLS,
      [...codes.map(code => standing(code)), standing('OLD', { newestPeriod: parsePeriod('2015-05')!.ordinal })],
      thorough,
    )
    expect(plans.map(plan => plan.codes.length)).toEqual([50, 50, 20, 1])
    expect(planWhole(providers.FRED, ['B', 'A', 'C']).map(plan => plan.codes)).toEqual([['A'], ['B'], ['C']])
  })
})

describe('limits', () => {
  test('are counted by the minute and the day, and by the hour if a minute allows only one or two', () => {
    expect(windowsOf(providers.BLS.limits)).toEqual([
      { requests: 30, seconds: 60 },
      { requests: 500, seconds: 86_400 },
    ])
    expect(windowsOf({ requestsPerMinute: 1, requestsPerDay: null, seriesPerRequest: 25 })).toEqual([
      { requests: 60, seconds: 3600 },
    ])
  })
})

describe('a description', () => {
  const parsed = {
    code: 'WPU101',
    name: null,
    unit: null,
    frequency: 'MONTHLY',
    observations: [],
    missing: [],
  } as const

  test('is the provider\u2019s, else the built-in list\u2019s, else the code', () => {
    expect(describeSeries('BLS', parsed, null)).toMatchObject({
      name: 'PPI commodity data, iron and steel',
      unit: '1982 = 100',
    })
    expect(describeSeries('BLS', { ...parsed, code: 'WPU999' }, null)).toMatchObject({
      name: 'WPU999',
      unit: '',
      dataType: 'INDEX',
    })
    expect(describeSeries('BLS', { ...parsed, name: 'Iron\n\u0000 and  steel' }, null).name).toBe('Iron and steel')
  })

  test('keeps what is stored if the provider says nothing', () => {
    const stored = describeSeries('BLS', { ...parsed, name: 'Ours', unit: 'Tons' }, null)
    expect(describeSeries('BLS', parsed, stored)).toEqual(stored)
  })

  test('gives the type of data only if it is obvious', () => {
    const kind = (provider: 'ECB' | 'EIA' | 'FRED', code: string, unit: string) =>
      describeSeries(provider, { ...parsed, code, unit }, null).dataType
    expect(kind('ECB', 'EXR/D.AUD.EUR.SP00.A', 'AUD')).toBe('FX')
    expect(kind('EIA', 'petroleum/pri/spt/XYZ/D', '$/BBL')).toBe('PRICE')
    expect(kind('FRED', 'XYZ', 'Percent')).toBe('RATE')
    expect(kind('FRED', 'XYZ', 'Dollars per Barrel')).toBe('PRICE')
    expect(kind('FRED', 'XYZ', 'Percent Change, Index 2017=100')).toBe('INDEX')
  })
})

describe('a series that has not moved', () => {
  test('for a long time is noticed, and one that is merely late is not', () => {
    const today = parseDay('2024-06-15')!
    const may = parsePeriod('2024-05')!.ordinal
    expect([stallNotice('MONTHLY', may, today), stallNotice('MONTHLY', may - 2, today)]).toEqual([null, null])
    expect(stallNotice('MONTHLY', may - 5, today)).toBe(
      'nothing newer than 2023-12: the provider may have stopped publishing it',
    )
    expect(stallNotice('MONTHLY', null, today)).toBeNull()
  })
})
