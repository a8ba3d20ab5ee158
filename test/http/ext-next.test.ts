// When the next figures of a series are expected: announced, learned, usual, or not known.
import { expect, test } from 'vitest'
import type { Release } from '../../src/core/calendar/release.ts'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import { publishReleases, saveSeriesReleases } from '../../src/storage/series/calendar.ts'
import { house } from '../support/houses/house.ts'

const { api, tenant } = house()

type Next = ExtWire<'NextDates'>

/** Months of a year, each published so many days into the next month. */
function monthsOf(series: string, year: number, day: string, tag = 'FINAL'): string {
  const rows = Array.from({ length: 12 }, (_, i) => {
    const month = `${year}-${String(i + 1).padStart(2, '0')}`
    const next = i === 11 ? `${year + 1}-01` : `${year}-${String(i + 2).padStart(2, '0')}`
    return `${series},${month},${100 + i},${tag},${next}-${day}\n`
  })
  return `series,period,value,version,published\n${rows.join('')}`
}

const next = (id: string, query = '') => tenant.extJson<Next>(`/series/${id}/next${query}`)

test('is learned from first publications, with how many they are and how often the rule was right', async () => {
  await tenant.import(monthsOf('FRED/NEXT-LEARNED', 2023, '12'))
  const id = await tenant.seriesId('FRED/NEXT-LEARNED')
  const answer = await next(id)
  expect(answer).toMatchObject({ id, series: 'FRED/NEXT-LEARNED', frequency: 'MONTHLY', newest: '2023-12' })
  expect(answer.data).toHaveLength(12)
  // 12 February 2024 is a Monday, on which one of twelve came: the Tuesday is the nearest day of use.
  expect(answer.data.slice(0, 2)).toEqual([
    {
      period: '2024-01',
      expectedAt: '2024-02-13',
      latestAt: '2024-02-13',
      basis: 'LEARNED',
      known: 12,
      hitRate: '1.00',
      status: null,
      final: null,
    },
    expect.objectContaining({ period: '2024-02', expectedAt: '2024-03-12' }),
  ])
  const csv = await tenant.ext(`/series/${id}/next?format=csv`)
  const [head, first] = csv.text.split('\r\n')
  expect(head).toBe(
    'period,expected_at,latest_at,basis,known,hit_rate,status,final_expected_at,final_latest_at,final_known,final_hit_rate',
  )
  expect(first).toBe('2024-01,2024-02-13,2024-02-13,LEARNED,12,1.00,,,,,')
})

test('is the announced date where the provider has a calendar, and none where it cancelled the release', async () => {
  await tenant.importValues('FRED/NEXT-OFFICIAL', { '2025-08': '100', '2025-09': '101' })
  const id = await tenant.seriesId('FRED/NEXT-OFFICIAL')
  await saveSeriesReleases(api.sql, tenant.id, [{ seriesId: id, release: 'next-official' }])
  const release = (period: string, at: string, status: Release['status']): Release => ({
    provider: 'FRED',
    release: 'next-official',
    title: 'Prices',
    zone: 'America/Chicago',
    period,
    at,
    status,
    sourceId: period,
  })
  await publishReleases(api.sql, [
    release('2025-10', '2025-11-13', 'CANCELLED'),
    release('2025-11', '2025-12-18T13:30:00.000000Z', 'OFFICIAL'),
  ])
  const { data } = await next(id)
  expect(data[0]).toMatchObject({ period: '2025-10', expectedAt: null, basis: null, status: 'CANCELLED' })
  expect(data[1]).toMatchObject({ period: '2025-11', expectedAt: '2025-12-18T13:30:00.000000Z', basis: 'OFFICIAL' })
  // Beyond the calendar the usual delay of the provider counts: sixteen days, and at most twice as many.
  expect(data[2]).toMatchObject({ expectedAt: '2026-01-16', latestAt: '2026-02-01', basis: 'USUAL', known: null })
})

test('tells the day of the final figure where first figures are preliminary', async () => {
  const series = 'FRED/NEXT-FINAL'
  await tenant.import(monthsOf(series, 2023, '12', 'PRELIMINARY'))
  // Each becomes final three months later; those of the last quarter are not yet.
  const finals = Array.from({ length: 9 }, (_, i) => {
    const published =
      i + 5 > 12 ? `2024-${String(i + 5 - 12).padStart(2, '0')}` : `2023-${String(i + 5).padStart(2, '0')}`
    return `${series},2023-${String(i + 1).padStart(2, '0')},${100 + i},FINAL,${published}-12\n`
  })
  await tenant.import(`series,period,value,version,published\n${finals.join('')}`)
  const { data } = await next(await tenant.seriesId(series))
  // Of 89, 92, 91, 92, 92, 92, 92, 91 and 92 days the middle is 92: from 13 February 2024 that is 15 May.
  expect(data[0]).toMatchObject({ expectedAt: '2024-02-13', final: { expectedAt: '2024-05-15', known: 9 } })
})

test('says what was known at an instant', async () => {
  const before = await tenant.importValues('FRED/NEXT-KNOWN', { '2024-01': '100' })
  await tenant.importValues('FRED/NEXT-KNOWN', { '2024-02': '101' }, '2024-03-12')
  const id = await tenant.seriesId('FRED/NEXT-KNOWN')
  expect((await next(id)).newest).toBe('2024-02')
  const then = await next(id, `?knownAt=${before}`)
  expect([then.newest, then.data[0]!.period]).toEqual(['2024-01', '2024-02'])
})

test('is not answered for a series of somebody else, nor for one that does not exist', async () => {
  await tenant.importValues('FRED/NEXT-OURS', { '2024-01': '100' })
  const id = await tenant.seriesId('FRED/NEXT-OURS')
  const other = await api.tenant()
  const refused = [await other.ext(`/series/${id}/next`), await tenant.ext('/series/ser_none/next')]
  expect(refused.map(({ status, text }) => [status, text])).toEqual([
    [404, '{"error":"there is no such series"}'],
    [404, '{"error":"there is no such series"}'],
  ])
  expect((await tenant.ext(`/series/${id}/next?limit=1`)).status).toBe(400)
})
