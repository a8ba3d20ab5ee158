// `/ext/v1/releases` and the kind `calendar` of `/ext/v1/changes`: what providers announced, for the series of a workspace.
import { beforeAll, describe, expect, test } from 'vitest'
import type { Release } from '../../src/core/calendar/release.ts'
import { formatDay } from '../../src/core/time/day.ts'
import { publishReleases, saveSeriesReleases } from '../../src/storage/series/calendar.ts'
import { eventually } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'

interface Row extends Omit<Release, 'sourceId'> {
  readonly number: number | null
  readonly moves: number
  readonly announcedAt: string
  readonly series: readonly string[]
  readonly pams: readonly string[]
}
interface Page<T> {
  readonly data: readonly T[]
  readonly pagination: { readonly hasMore: boolean; readonly nextCursor: string | null }
}

const { api, tenant } = house()
/** Nobody else's. */
const name = `ext-${process.pid}`

const release = (sourceId: string, given: Partial<Release> = {}): Release => ({
  provider: 'FRED',
  release: name,
  title: 'Producer prices',
  period: '2031-01',
  at: '2031-02-14',
  zone: 'America/Chicago',
  status: 'DATE_ONLY',
  sourceId,
  ...given,
})

const document = (slug: string, series: string) => `
slug: ${slug}
status: ACTIVE
contract: { start: 2020-01-01, frequency: QUARTERLY }
inputs: { index: { series: ${series}, weight: 1, base: 2020-01 } }
clause: { fixed: 0 }
`

beforeAll(async () => {
  await tenant.importValues('FRED/PRICES', { '2020-01': '100' })
  await tenant.importValues('FRED/UNREAD', { '2020-01': '100' })
  const [prices, unread] = [await tenant.seriesId('FRED/PRICES'), await tenant.seriesId('FRED/UNREAD')]
  await saveSeriesReleases(api.sql, tenant.id, [
    { seriesId: prices, release: name },
    { seriesId: unread, release: `${name}-unread` },
  ])
  await tenant.apply(document('steel', 'FRED/PRICES'))
  await publishReleases(api.sql, [
    release('1'),
    release('2', { period: '2031-02', at: '2031-03-14T13:30:00.000000Z', status: 'OFFICIAL' }),
    release('3', { period: '2031-02', at: '2031-04-14' }),
    release('4', { release: `${name}-unread`, at: '2031-02-20' }),
    release('5', { release: `${name}-other`, at: '2031-02-21' }),
  ])
})

/** As soon as the server was told. */
const listed = (query: string, isThere: (page: Page<Row>) => boolean = () => true) =>
  eventually(() => tenant.extJson<Page<Row>>(`/releases?from=2031-02-01&to=2031-05-01${query}`), isThere)

describe('/releases', () => {
  test('are what the series of the workspace come with, by date, with the agreements that read them', async () => {
    const { data } = await listed('')
    expect(
      data.map(({ at, period, number, status, series, pams }) => [at, period, number, status, series, pams]),
    ).toEqual([
      ['2031-02-14', '2031-01', 1, 'DATE_ONLY', ['FRED/PRICES'], ['steel']],
      ['2031-02-20', '2031-01', 1, 'DATE_ONLY', ['FRED/UNREAD'], []],
      ['2031-03-14T13:30:00.000000Z', '2031-02', 1, 'OFFICIAL', ['FRED/PRICES'], ['steel']],
      ['2031-04-14', '2031-02', 2, 'DATE_ONLY', ['FRED/PRICES'], ['steel']],
    ])
  })

  test('are narrowed down by days, provider and series, and come page by page', async () => {
    const datesOf = ({ data }: Page<Row>) => data.map(({ at }) => at.slice(0, 10))
    expect(datesOf(await tenant.extJson('/releases?from=2031-03-14&to=2031-03-14'))).toEqual(['2031-03-14'])
    expect(datesOf(await listed('&provider=BLS'))).toEqual([])
    expect(datesOf(await listed('&series=FRED/UNREAD'))).toEqual(['2031-02-20'])
    const first = await listed('&limit=3')
    expect(first.pagination.hasMore).toBe(true)
    const rest = await listed(`&limit=3&cursor=${first.pagination.nextCursor}`)
    expect([...datesOf(first), ...datesOf(rest)]).toEqual(datesOf(await listed('')))
    const { text } = await tenant.ext('/releases?from=2031-02-14&to=2031-02-14&format=csv')
    expect(text.split('\r\n')[0]).toBe(
      'provider,release,title,period,number,at,zone,status,moves,announced_at,series,pams',
    )
  })

  test('a moved date is another one, and knownAt answers what had been announced before', async () => {
    const before = (await listed('')).data[0]!
    await publishReleases(api.sql, [release('1', { at: '2031-02-28' })])
    const { data } = await listed('', page => page.data[1]?.at === '2031-02-28')
    expect(data[1]).toMatchObject({ at: '2031-02-28', moves: 1 })
    expect((await listed(`&knownAt=${before.announcedAt}`)).data[0]).toEqual(before)
  })

  test.each([
    ['from=2031-03-01&to=2031-02-01', 'from must not lie after to'],
    ['from=2031-03-01&to=2032-03-02', 'at most 366 days apart'],
    ['to=2020-01-01', 'from must not lie after to'],
    ['from=tomorrow', 'from must be a day that exists'],
    ['provider=NOBODY', 'provider must be'],
    ['cursor=abc', 'cursor'],
  ])('%s is refused', async (query, why) => {
    const { status, text } = await tenant.ext(`/releases?${query}`)
    expect([status, text]).toEqual([400, expect.stringContaining(why)])
  })

  test('a series that is not there is 404, and without days it is the quarter ahead', async () => {
    expect((await tenant.ext('/releases?series=FRED/NOTHING')).status).toBe(404)
    const day = (ahead: number) => formatDay(Math.floor(Date.now() / 86_400_000) + ahead)
    await publishReleases(api.sql, [
      release('soon', { at: day(80), period: null }),
      release('later', { at: day(100), period: null }),
      release('past', { at: day(-2), period: null }),
    ])
    const read = () => tenant.extJson<Page<Row>>('/releases')
    const { data } = await eventually(read, page => page.data.length > 0)
    expect(data.map(({ at }) => at)).toEqual([day(80)])
  })
})

test('changes tell what is announced where an agreement reads a series of the release, and nothing else', async () => {
  const walk = () =>
    tenant.extJson<Page<{ kind: string; subject: string; periods: string[]; pams: string[] }>>(
      '/changes?from=start&kinds=calendar',
    )
  const { data } = await walk()
  expect(data[0]).toMatchObject({ subject: `FRED/${name}`, periods: ['2031-01', '2031-02'], pams: ['steel'] })
  expect(new Set(data.map(({ kind, subject }) => `${kind} ${subject}`))).toEqual(new Set([`calendar FRED/${name}`]))
  const { pagination } = await walk()
  await publishReleases(api.sql, [release('4', { release: `${name}-unread`, at: '2031-02-22' })])
  await publishReleases(api.sql, [release('2', { period: '2031-02', at: '2031-03-20', status: 'POSTPONED' })])
  const next = await tenant.extJson<Page<unknown>>(`/changes?kinds=calendar&cursor=${pagination.nextCursor}`)
  expect(next.data).toMatchObject([{ subject: `FRED/${name}`, periods: ['2031-02'], pams: ['steel'] }])
})
