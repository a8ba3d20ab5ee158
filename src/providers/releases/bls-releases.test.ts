import { describe, expect, test } from 'vitest'
import { bls } from '../bls.ts'
import type { ParsedReleases } from '../provider.ts'
import { blsReleases } from './bls-releases.ts'

const read = (body: string, status = 200): ParsedReleases =>
  blsReleases.read({ status, contentType: 'text/calendar', url: null, codes: [], body })

const calendar = (...events: readonly string[][]) =>
  [
    'BEGIN:VCALENDAR',
    'PRODID:-//Department of Labor//Bureau of Labor Statistics//EN',
    'VERSION:2.0',
    'X-WR-TIMEZONE:US-Eastern',
    'BEGIN:VTIMEZONE',
    'TZID:US-Eastern',
    'BEGIN:DAYLIGHT',
    'DTSTART:20070311T020000',
    'RRULE:FREQ=YEARLY',
    'TZOFFSETFROM:-0500',
    'TZOFFSETTO:-0400',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
    ...events.flatMap(lines => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

const event = (uid: string, start: string, summary: string, ...more: readonly string[]) => [
  'SEQUENCE:1',
  `UID:${uid}`,
  `DTSTART;TZID=US-Eastern:${start}`,
  'DURATION:PT0M',
  `SUMMARY:${summary}`,
  'LOCATION:Washington\\, DC',
  ...more,
]

const cpi = event(
  'f65741ec-4080-474c-b2e3-1349fe430963',
  '20261113T083000',
  'Consumer Price Index for Octo\r\n ber 2026',
)

describe('reading the calendar of the BLS', () => {
  test('each release has its date, in Eastern time, and its period', () => {
    const parsed = read(
      calendar(
        cpi,
        event('a1', '20260714T083000', 'Producer Price Index for June 2026'),
        event('a2', '20261030T083000', 'Employment Cost Index for Third Quarter 2026'),
        event('a3', '20261106T083000', 'Employment Situation for October 2026'),
        event('a4', '20261117T083000', 'U.S. Import and Export Price Indexes for October 2026'),
        event('a5', '20261202T100000', 'Job Openings and Labor Turnover Survey for October 2026'),
        event('a6', '20261203T100000', 'Metropolitan Area Employment and Unemployment for October 2026'),
        event('a7', '20261203T100000', 'State Job Openings and Labor Turnover for September 2026'),
      ),
    )
    expect(parsed).toEqual({
      releases: [
        {
          release: 'CPI',
          title: 'Consumer Price Index for October 2026',
          period: '2026-10',
          at: '2026-11-13T13:30:00.000000Z',
          zone: 'America/New_York',
          status: 'OFFICIAL',
          sourceId: 'f65741ec-4080-474c-b2e3-1349fe430963',
        },
        expect.objectContaining({ release: 'PPI', period: '2026-06', at: '2026-07-14T12:30:00.000000Z' }),
        expect.objectContaining({ release: 'ECI', period: '2026-Q3', at: '2026-10-30T12:30:00.000000Z' }),
        expect.objectContaining({ release: 'EMPSIT', period: '2026-10' }),
        expect.objectContaining({ release: 'XIMPIM', period: '2026-10' }),
        expect.objectContaining({ release: 'JOLTS', at: '2026-12-02T15:00:00.000000Z' }),
      ],
      series: [],
      unread: [],
      problems: [],
    })
  })

  test('BLS-14: a title without a period is one whose source names none', () => {
    const parsed = read(calendar(event('a', '20261113T083000', 'Consumer Price Index')))
    expect(parsed).toMatchObject({ releases: [{ release: 'CPI', period: null }], unread: [], problems: [] })
  })

  test('a period that cannot be read is kept without it, and counted', () => {
    const parsed = read(calendar(cpi, event('b', '20261210T083000', 'Consumer Price Index for Novembre 2026')))
    expect(parsed.releases.map(({ period }) => period)).toEqual(['2026-10', null])
    expect(parsed.unread).toEqual([
      '"Consumer Price Index for Novembre 2026" has no period: "Novembre 2026" is not one',
    ])
  })

  test('a release of which no period can be read is left out with a problem', () => {
    const parsed = read(calendar(cpi, event('b', '20261112T083000', 'Producer Price Index for 10/26')))
    expect(parsed.releases.map(({ release }) => release)).toEqual(['CPI'])
    expect(parsed.problems).toEqual([{ kind: 'unreadable', message: 'no period of PPI can be read, such as "10/26"' }])
  })

  test('a cancelled one is cancelled, a day without a time is a day', () => {
    const parsed = read(
      calendar(
        [...cpi, 'STATUS:CANCELLED'],
        ['UID:d', 'DTSTART;VALUE=DATE:20261112', 'SUMMARY:Producer Price Index for October 2026'],
      ),
    )
    expect(parsed.releases).toMatchObject([{ status: 'CANCELLED' }, { status: 'DATE_ONLY', at: '2026-11-12' }])
  })

  test('of two versions of an event the one with the higher number counts', () => {
    const moved = cpi.map(line => line.replace('SEQUENCE:1', 'SEQUENCE:2').replace('20261113', '20261120'))
    expect(read(calendar(moved, cpi)).releases).toMatchObject([{ at: '2026-11-20T13:30:00.000000Z' }])
  })

  test.each([
    [
      'two dates under one id',
      calendar(
        cpi,
        cpi.map(line => line.replace('20261113', '20261120')),
      ),
    ],
    ['a zone that is not known', calendar(cpi.map(line => line.replace('US-Eastern', 'Gotham')))],
    ['no id', calendar(cpi.filter(line => !line.startsWith('UID')))],
    ['a day that does not exist', calendar(cpi.map(line => line.replace('20261113', '20261331')))],
    ['a date before its period', calendar(cpi.map(line => line.replace('20261113', '20250113')))],
    ['a rule to repeat', calendar([...cpi, 'RRULE:FREQ=MONTHLY'])],
    ['a line that cannot be read', calendar([...cpi, 'DTEND'])],
    ['no start', calendar(cpi.filter(line => !line.startsWith('DTSTART')))],
  ])('%s: left out, with a sentence', (_, body) => {
    const parsed = read(body)
    expect(parsed.releases).toEqual([])
    expect(parsed.unread).toHaveLength(1)
    expect(parsed.problems).toHaveLength(1)
  })

  test('other events only: the titles changed', () => {
    expect(read(calendar(event('a', '20261113T083000', 'CPI')))).toMatchObject({
      releases: [],
      problems: [{ kind: 'unreadable' }],
    })
  })
})

test('a series belongs to the release of its survey', () => {
  const codes = [
    'CUUR0000SA0',
    'CWUR0000SA0',
    'WPUFD4',
    'PCU325---325---',
    'CIU2010000000000I',
    'CES0500000003',
    'EIUIR',
  ]
  expect(codes.map(blsReleases.releaseOf)).toEqual(['CPI', 'CPI', 'PPI', 'PPI', 'ECI', 'EMPSIT', 'XIMPIM'])
  expect(blsReleases.releaseOf('OEUM003')).toBeNull()
})

test('the calendar is asked for at its own host, which is one of the provider', () => {
  const [request] = blsReleases.requests({ today: 20_000, key: 'a-key', codes: [], known: new Map() })
  expect(`${request!.baseUrl}${request!.path}`).toBe('https://www.bls.gov/schedule/news_release/bls.ics')
  expect(bls.hosts).toContain('www.bls.gov')
  expect(JSON.stringify(request)).not.toContain('a-key')
})
