import { describe, expect, test } from 'vitest'
import { parseDay } from '../../core/time/day.ts'
import type { ParsedReleases } from '../provider.ts'
import { eurostatReleases } from './eurostat-releases.ts'

const followed = ['prc_hicp_minr/M.I25.TOTAL.AT']
const read = (body: unknown, codes: readonly string[] = followed, status = 200): ParsedReleases =>
  eurostatReleases.read({
    status,
    contentType: 'application/json',
    url: null,
    codes,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const entry = (more: Readonly<Record<string, unknown>> = {}) => ({
  recordid: '4871',
  title: 'Inflation (HICP)',
  period: 'October 2026',
  start: '2026-11-18T11:00Z',
  end: '2026-11-18T11:00Z',
  allDay: false,
  datasetCodes: 'prc_hicp_minr,prc_hicp_fpd',
  preliminary: false,
  euroind: true,
  theme: 'Economy and finance',
  ...more,
})
const flash = entry({
  recordid: '4790',
  title: 'Flash estimate inflation euro area',
  start: '2026-10-30T11:00Z',
  preliminary: true,
})

describe('reading the calendar of Eurostat', () => {
  test('EUROSTAT-16: an entry counts for the followed sets it names, at the time of Luxembourg', () => {
    expect(read([flash, entry(), entry({ recordid: '9', datasetCodes: 'une_rt_m' })])).toEqual({
      releases: [
        expect.objectContaining({ at: '2026-10-30T10:00:00.000000Z', sourceId: '4790/prc_hicp_minr' }),
        {
          release: 'prc_hicp_minr',
          title: 'Inflation (HICP)',
          period: '2026-10',
          at: '2026-11-18T10:00:00.000000Z',
          zone: 'Europe/Luxembourg',
          status: 'OFFICIAL',
          sourceId: '4871/prc_hicp_minr',
        },
      ],
      series: [],
      unread: [],
      problems: [],
    })
    expect(read([entry({ start: '2026-07-17T11:00:00Z', period: 'June 2026' })]).releases[0]!.at).toBe(
      '2026-07-17T09:00:00.000000Z',
    )
  })

  test.each([
    ['2026-11-18T11:00:00+01:00', '2026-11-18T10:00:00.000000Z', 'OFFICIAL'],
    ['2026-11-18T11:00:00.000+0100', '2026-11-18T10:00:00.000000Z', 'OFFICIAL'],
    ['2026-11-18T11:00', '2026-11-18T10:00:00.000000Z', 'OFFICIAL'],
    ['2026-11-18', '2026-11-18', 'DATE_ONLY'],
  ])('a start written %s', (start, at, status) => {
    expect(read([entry({ start })]).releases).toMatchObject([{ at, status }])
  })

  test.each([
    ['Q3/2026', '2026-Q3'],
    ['2025', '2025'],
    ['S1/2026', '2026-H1'],
  ])('the period %s', (period, label) => {
    expect(read([entry({ period, start: '2026-12-18T11:00Z' })]).releases).toMatchObject([{ period: label }])
  })

  test('sets may be a list, in any case; without followed codes every set counts', () => {
    const listed = entry({ datasetCodes: ['PRC_HICP_MINR', ' prc_hicp_fpd '] })
    expect(read([listed], []).releases.map(({ release }) => release)).toEqual(['prc_hicp_minr', 'prc_hicp_fpd'])
    expect(read([listed]).releases).toHaveLength(1)
  })

  test('nothing followed is announced: no releases, and no problem', () => {
    expect(read([entry({ datasetCodes: 'une_rt_m' })])).toMatchObject({ releases: [], unread: [], problems: [] })
  })

  test.each([
    ['another shape', { events: [entry()] }],
    ['an empty list', []],
    ['no start', [{ ...entry(), start: undefined, begin: '2026-11-18' }]],
    ['sets under another name', [{ ...entry(), datasetCodes: undefined, datasets: 'prc_hicp_minr' }]],
    ['periods under another name', [{ ...entry(), period: undefined, refPeriod: 'October 2026' }]],
    ['dates as numbers', [entry({ start: 1_795_000_000_000 })]],
    ['dates the American way', [entry({ start: '11/18/2026 11:00' })]],
    ['a day that does not exist', [entry({ start: '2026-11-31T11:00Z' })]],
    ['periods in another language', [entry({ period: 'Oktober 2026' })]],
    ['an empty period', [entry({ period: '' })]],
    ['a date before its period', [entry({ start: '2025-11-18T11:00Z' })]],
    ['no id', [entry({ recordid: null })]],
    ['no title', [entry({ title: {} })]],
  ])('%s: a problem and no date', (_, body) => {
    const parsed = read(body)
    expect(parsed.releases).toEqual([])
    expect(parsed.problems).toHaveLength(1)
    expect(parsed.problems[0]!.kind).toBe('unreadable')
  })
})

test('it is asked for a little of the past and a year ahead', () => {
  const today = parseDay('2026-11-18')!
  const [request] = eurostatReleases.requests({ today, key: null, codes: followed, known: new Map() })
  expect(request!.baseUrl).toBe('https://ec.europa.eu')
  expect(request!.path).toContain('/eurostat/o/calendars/eventsJson?theme=0&')
  expect(request!.path).toContain('&start=2026-10-04T00%3A00%3A00Z&end=2027-12-23T00%3A00%3A00Z&')
})

test('a series belongs to its set', () => {
  expect(eurostatReleases.releaseOf('PRC_HICP_MINR/M.I25.TOTAL.AT')).toBe('prc_hicp_minr')
  expect(eurostatReleases.releaseOf('nonsense')).toBeNull()
})
