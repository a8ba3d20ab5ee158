import { describe, expect, test } from 'vitest'
import { parseDay } from '../../core/time/day.ts'
import type { ParsedReleases } from '../provider.ts'
import { statcanReleases } from './statcan-releases.ts'

const read = (body: unknown, codes: readonly string[] = []): ParsedReleases =>
  statcanReleases.read({
    status: 200,
    contentType: 'application/json',
    url: null,
    codes,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const entry = (title: string, description: unknown, date: unknown) => ({ date, type: 'meeting', title, description })
const cpi = entry('Consumer Price Index', 'October 2026', '2026-11-16 00:00:01')

describe('reading the schedule of Statistics Canada', () => {
  test('STATCAN-14, STATCAN-15: known titles have their day and their period, which name them', () => {
    expect(
      read([
        cpi,
        entry('Gross domestic product, income and expenditure', 'Third quarter 2026', '2026-11-27 00:00:01'),
        entry('Travel between Canada and other countries', 'September 2026', '2026-11-24 00:00:01'),
      ]),
    ).toEqual({
      releases: [
        {
          release: 'Consumer Price Index',
          title: 'Consumer Price Index',
          period: '2026-10',
          at: '2026-11-16',
          zone: 'America/Toronto',
          status: 'DATE_ONLY',
          sourceId: 'Consumer Price Index/October 2026',
        },
        expect.objectContaining({ period: '2026-Q3', at: '2026-11-27' }),
      ],
      series: [],
      unread: [],
      problems: [],
    })
  })

  test('a time of day is one in Toronto', () => {
    expect(read([{ ...cpi, date: '2026-11-16 08:30:00' }]).releases).toMatchObject([
      { at: '2026-11-16T13:30:00.000000Z', status: 'OFFICIAL' },
    ])
  })

  test('a moved date keeps its id', () => {
    const [first] = read([cpi]).releases
    const [moved] = read([{ ...cpi, date: '2026-11-18 00:00:01' }]).releases
    expect(moved).toEqual({ ...first, at: '2026-11-18' })
  })

  test('a vector belongs to the release of its table', () => {
    const reply = (vectorId: number, productId: unknown) => ({
      status: 'SUCCESS',
      object: { responseStatusCode: 0, productId, coordinate: '2.2.0.0.0.0.0.0.0.0', vectorId, frequencyCode: 6 },
    })
    const failed = { status: 'FAILED', object: { responseStatusCode: 4, vectorId: 7 } }
    const codes = ['V41690973', 'v1', 'v7']
    expect(read([reply(41690973, 18100004), reply(1, 1), failed, reply(9, 18100004)], codes)).toEqual({
      releases: [],
      series: [{ code: 'V41690973', release: 'Consumer Price Index' }],
      unread: [],
      problems: [],
    })
  })

  test.each([
    ['an object', { schedule: [cpi] }],
    ['an empty list', []],
    ['other titles only', [{ ...cpi, title: 'CPI' }]],
    ['a date in words', [{ ...cpi, date: 'November 16, 2026' }]],
    ['a day that does not exist', [{ ...cpi, date: '2026-11-31 00:00:01' }]],
    ['a number', [{ ...cpi, date: 1_795_000_000 }]],
    ['no period', [{ ...cpi, description: null }]],
    ['a period in French', [{ ...cpi, description: 'octobre 2026' }]],
    ['a date before its period', [{ ...cpi, date: '2026-01-16 00:00:01' }]],
    ['two dates for one', [cpi, { ...cpi, date: '2026-11-18 00:00:01' }]],
  ])('%s: a problem and no date', (_, body) => {
    const parsed = read(body)
    expect(parsed.releases).toEqual([])
    expect(parsed.problems).toMatchObject([{ kind: 'unreadable' }])
  })
})

test('the schedule is asked for, and the tables of vectors that are not known', () => {
  const codes = Array.from({ length: 101 }, (_, at) => `v${at + 1}`)
  const known = new Map([['v1', 'Retail trade']])
  const today = parseDay('2026-11-18')!
  const [schedule, ...asked] = statcanReleases.requests({ today, key: null, codes: [...codes, 'x'], known })
  expect(`${schedule!.baseUrl}${schedule!.path}`).toBe(
    'https://www150.statcan.gc.ca/n1/dai-quo/ssi/homepage/schedule-key_indicators-eng.json',
  )
  expect(asked.map(request => request.codes.length)).toEqual([100])
  expect(asked[0]).toMatchObject({ method: 'POST', path: '/getSeriesInfoFromVector' })
  expect(asked[0]!.body).toContain('{"vectorId":2}')
})
