import { describe, expect, test } from 'vitest'
import { areRecordingsAtHand, recordedAnswer, recordingsOf } from '../../../test/support/files/recordings.ts'
import { parseDay } from '../../core/time/day.ts'
import type { Answer, ParsedReleases } from '../provider.ts'
import { fredReleases } from './fred-releases.ts'

const answer = (body: unknown, codes: readonly string[] = ['CPIAUCNS'], status = 200): Answer => ({
  status,
  contentType: 'application/json',
  url: null,
  codes,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const read = (body: unknown, codes?: readonly string[]): ParsedReleases => fredReleases.read(answer(body, codes))

const span = { realtime_start: '2026-11-18', realtime_end: '2026-11-18' }
const release = { id: 10, ...span, name: 'Consumer Price Index', press_release: true, link: 'http://www.bls.gov/cpi/' }
const dates = (...days: readonly string[]) => ({
  realtime_start: '2026-10-01',
  realtime_end: '9999-12-31',
  order_by: 'release_date',
  sort_order: 'asc',
  count: days.length,
  offset: 0,
  limit: 10_000,
  release_dates: days.map(date => ({ release_id: 10, date })),
})

describe('reading release dates of FRED', () => {
  test('a series belongs to the release that FRED names', () => {
    expect(read({ ...span, releases: [release] })).toEqual({
      releases: [],
      series: [{ code: 'CPIAUCNS', release: '10' }],
      unread: [],
      problems: [],
    })
  })

  test('FRED-14: dates are days without a period, each named by its place in its month', () => {
    expect(read(dates('2026-10-14', '2026-11-13', '2026-12-10', '2026-12-31'), [])).toEqual({
      releases: [
        {
          release: '10',
          title: 'Consumer Price Index (FRED 10)',
          period: null,
          at: '2026-10-14',
          zone: 'America/Chicago',
          status: 'DATE_ONLY',
          sourceId: '10/2026-10/1',
        },
        expect.objectContaining({ at: '2026-11-13', sourceId: '10/2026-11/1' }),
        expect.objectContaining({ at: '2026-12-10', sourceId: '10/2026-12/1' }),
        expect.objectContaining({ at: '2026-12-31', sourceId: '10/2026-12/2' }),
      ],
      series: [],
      unread: [],
      problems: [],
    })
  })

  test('a release that has no dates is not a problem', () => {
    expect(read(dates(), [])).toEqual({ releases: [], series: [], unread: [], problems: [] })
  })

  test.each([
    [{ error_code: 400, error_message: 'Bad Request.  The series does not exist.' }, 'unknown-series'],
    [{ error_code: 400, error_message: 'Bad Request.  The value for variable api_key is not registered.' }, 'bad-key'],
    [{ error_code: 429, error_message: 'Too Many Requests.  Exceeded Rate Limit' }, 'rate-limited'],
    [{ error_code: 500, error_message: 'Internal Server Error' }, 'provider-error'],
    [{ ...span, releases: [] }, 'unreadable'],
    [{ ...span, releases: [release, release] }, 'unreadable'],
    [{ ...span, releases: [{ name: 'CPI' }] }, 'unreadable'],
    [{ ...span }, 'unreadable'],
    [{ ...dates(), release_dates: [{ release_id: 10, date: '10/14/2026' }] }, 'unreadable'],
    [{ ...dates(), release_dates: [{ date: '2026-10-14' }] }, 'unreadable'],
    [{ ...dates(), release_dates: ['2026-10-14'] }, 'unreadable'],
  ])('%o is a problem', (body, kind) => {
    expect(read(body)).toMatchObject({ releases: [], series: [], problems: [{ kind }] })
  })
})

describe('asking FRED', () => {
  const today = parseDay('2026-11-18')!

  test('an unknown series is asked for its release, and the answer leads to its dates', () => {
    const [first, ...rest] = fredReleases.requests({ today, key: 'k', codes: ['CPIAUCNS'], known: new Map() })
    expect(first).toMatchObject({
      codes: ['CPIAUCNS'],
      path: '/series/release?series_id=CPIAUCNS&file_type=json&api_key=k',
      secrets: ['k'],
    })
    expect(rest).toEqual([])
    const next = fredReleases.next!(first!, answer({ ...span, releases: [release] }))
    expect(next!.path).toBe(
      '/release/dates?release_id=10&file_type=json&realtime_start=2026-10-01&realtime_end=9999-12-31' +
        '&include_release_dates_with_no_data=true&sort_order=asc&limit=10000&api_key=k',
    )
    expect(fredReleases.next!(next!, answer(dates('2026-12-10')))).toBeNull()
    expect(fredReleases.next!(first!, answer({ error_code: 400, error_message: 'no' }))).toBeNull()
    expect(fredReleases.next!(first!, answer('<html></html>'))).toBeNull()
  })

  test('known releases are asked for their dates once each', () => {
    const known = new Map([
      ['CPIAUCNS', '10'],
      ['CPIAUCSL', '10'],
      ['PPIACO', '46'],
    ])
    const codes = [...known.keys(), 'no/code']
    const paths = fredReleases.requests({ today, key: null, codes, known }).map(({ path }) => path)
    expect(paths).toEqual([
      expect.stringContaining('/release/dates?release_id=10&'),
      expect.stringContaining('/release/dates?release_id=46&'),
    ])
  })
})

describe.skipIf(!areRecordingsAtHand)('shared recordings', () => {
  const recorded = (name: string) => recordedAnswer(recordingsOf('fred').find(path => path.endsWith(name))!, ['GDP'])

  test('the dates of the consumer price index since 1949', () => {
    const parsed = fredReleases.read(recorded('release_dates_10_CPI.json'))
    expect(parsed.problems).toEqual([])
    expect(parsed.unread).toEqual([])
    expect(parsed.releases).toHaveLength(930)
    expect(parsed.releases[0]).toMatchObject({ release: '10', at: '1949-03-24', status: 'DATE_ONLY', period: null })
    expect(new Set(parsed.releases.map(({ sourceId }) => sourceId)).size).toBe(930)
  })

  test('the release of GDP', () => {
    expect(fredReleases.read(recorded('series_release_GDP.json')).series).toEqual([{ code: 'GDP', release: '53' }])
  })
})
