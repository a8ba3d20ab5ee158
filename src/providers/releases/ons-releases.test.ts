import { describe, expect, test } from 'vitest'
import { parseDay } from '../../core/time/day.ts'
import type { ParsedReleases } from '../provider.ts'
import { onsReleases } from './ons-releases.ts'

const base = 'https://api.beta.ons.gov.uk/v1'
const upcoming = `${base}/search/releases?release-type=type-upcoming&offset=0`
const read = (body: unknown, url = upcoming, status = 200): ParsedReleases =>
  onsReleases.read({
    status,
    contentType: 'application/json',
    url,
    codes: [],
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const item = (title: string, date: string, more: Readonly<Record<string, unknown>> = {}) => ({
  uri: `/releases/${title.toLowerCase().replace(/[^a-z0-9]/g, '')}`,
  date_changes: null,
  description: {
    title,
    summary: 'Price indices, percentage changes and weights for the different measures of consumer price inflation.',
    release_date: date,
    published: false,
    cancelled: false,
    finalised: true,
    postponed: false,
    census: false,
    ...more,
  },
})
const page = (...releases: readonly unknown[]) => ({ took: 4, breakdown: { total: releases.length }, releases })

describe('reading the calendar of the ONS', () => {
  test('ONS-15: releases of our table have their date and the period of their title, once', () => {
    expect(
      read(
        page(
          item('Consumer price inflation, UK: October 2026', '2026-11-18T07:00:00.000Z'),
          item('Producer price inflation, UK: September 2026', '2026-10-21T06:00:00.000Z'),
          item('Services producer price inflation, UK: July to September 2026', '2026-11-25T09:30:00.000Z'),
          item('Consumer price inflation, UK: October 2026 time series', '2026-11-18T07:00:00.000Z'),
          item('Business insights and impact on the UK economy: 19 November 2026', '2026-11-19T09:30:00.000Z'),
        ),
      ),
    ).toEqual({
      releases: [
        {
          release: 'MM23',
          title: 'Consumer price inflation, UK: October 2026',
          period: '2026-10',
          at: '2026-11-18T07:00:00.000000Z',
          zone: 'Europe/London',
          status: 'OFFICIAL',
          sourceId: '/releases/consumerpriceinflationukoctober2026',
        },
        expect.objectContaining({ release: 'MM22', period: '2026-09', at: '2026-10-21T06:00:00.000000Z' }),
        expect.objectContaining({ release: 'SPPI', period: '2026-Q3' }),
      ],
      series: [],
      unread: [],
      problems: [],
    })
  })

  test('ONS-13: where the title ends with the month of publication, no period is named', () => {
    const parsed = read(page(item('Labour market overview, UK: November 2026', '2026-11-17T07:00:00.000Z')))
    expect(parsed).toMatchObject({ releases: [{ release: 'LMS', period: null }], unread: [] })
  })

  test('ONS-14: a date that is not final is no date', () => {
    const open = { finalised: false, provisional_date: 'December 2026' }
    const parsed = read(page(item('Consumer price inflation, UK: November 2026', '2026-12-16T09:30:00.000Z', open)))
    expect(parsed.releases).toEqual([])
    expect(parsed.unread).toEqual([
      '"Consumer price inflation, UK: November 2026" is left out: its date is provisional (December 2026)',
    ])
    expect(parsed.problems).toEqual([])
  })

  test.each([
    [{ cancelled: true, finalised: false }, 'CANCELLED'],
    [{ cancelled: true }, 'CANCELLED'],
    [{ postponed: true, finalised: false }, 'POSTPONED'],
    // Postponed, with a new date.
    [{ postponed: true }, 'OFFICIAL'],
    [{ published: true }, 'OFFICIAL'],
  ])('%o is %s', (more, status) => {
    const parsed = read(page(item('Producer price inflation, UK: October 2026', '2026-11-18T07:00:00.000Z', more)))
    expect(parsed.releases).toMatchObject([{ status }])
  })

  test('nothing cancelled is not a problem, nothing upcoming is', () => {
    expect(read(page(), `${base}/search/releases?release-type=type-cancelled&offset=0`).problems).toEqual([])
    expect(read(page()).problems).toMatchObject([{ kind: 'unreadable' }])
  })

  test.each([
    ['no breakdown', { releases: [item('Consumer price inflation, UK: October 2026', '2026-11-18T07:00:00.000Z')] }],
    ['items instead', { breakdown: { total: 1 }, items: [] }],
    ['no descriptions', page({ uri: '/releases/a', title: 'Consumer price inflation, UK: October 2026' })],
    ['a list', []],
    ['a date without an offset', page(item('Consumer price inflation, UK: October 2026', '2026-11-18T07:00:00'))],
    ['a day in words', page(item('Consumer price inflation, UK: October 2026', '18 November 2026'))],
    ['a date before its period', page(item('Consumer price inflation, UK: October 2026', '2026-01-18T07:00:00Z'))],
    ['numbers', page(item('Consumer price inflation, UK: October 2026', 1 as never))],
  ])('%s: a problem and no date', (_, body) => {
    const parsed = read(body)
    expect(parsed.releases).toEqual([])
    expect(parsed.problems).toMatchObject([{ kind: 'unreadable' }])
  })
})

test('ONS-12: pages follow until the total of the breakdown', () => {
  const today = parseDay('2026-11-18')!
  const [first, cancelled] = onsReleases.requests({ today, key: null, codes: [], known: new Map() })
  expect(first!.path).toContain('release-type=type-upcoming&sort=release_date_asc&highlight=false&fromDate=2026-11-18&')
  expect(cancelled!.path).toContain('release-type=type-cancelled')
  const one = item('Consumer price inflation, UK: October 2026', '2026-11-18T07:00:00.000Z')
  const answer = (body: unknown) => ({
    status: 200,
    contentType: null,
    url: null,
    codes: [],
    body: JSON.stringify(body),
  })
  const second = onsReleases.next!(first!, answer({ breakdown: { total: 3 }, releases: [one, one] }))
  expect(second!.path).toContain('offset=2')
  expect(onsReleases.next!(second!, answer({ breakdown: { total: 3 }, releases: [one] }))).toBeNull()
  expect(onsReleases.next!(first!, answer({ breakdown: { total: 3 }, releases: [] }))).toBeNull()
  expect(onsReleases.next!(first!, answer({ breakdown: {}, releases: [one] }))).toBeNull()
})

test('a series belongs to the release of its data set', () => {
  expect(['D7BT/MM23/M', 'GB7S/PPI/M', 'KAB9/emp/M', 'X/NONE/M', 'D7BT'].map(onsReleases.releaseOf)).toEqual([
    'MM23',
    'MM22',
    'LMS',
    null,
    null,
  ])
})
