import { describe, expect, test } from 'vitest'
import { parseDay } from '../time/day.ts'
import { type Frequency, formatPeriod, parsePeriod, shift } from '../time/period.ts'
import type { KnownRelease } from './announcements.ts'
import { nextPeriods, type SeriesRhythm, seriesDates } from './expected-dates.ts'
import type { FirstPrint } from './publications.ts'

const period = (label: string) => parsePeriod(label)!
const day = (text: string) => parseDay(text)!

/** `2024-01 2024-02-13`, or with the day of the final figure behind it. */
function published(...lines: readonly string[]): FirstPrint[] {
  return lines.map(line => {
    const [label, first, final] = line.split(' ')
    return { ordinal: period(label!).ordinal, day: day(first!), finalDay: final === undefined ? null : day(final) }
  })
}

/** Periods one after the other, each so many days after its end. */
function delayed(from: string, delays: readonly number[]): FirstPrint[] {
  return delays.map((delay, i) => {
    const at = shift(period(from), i)
    const end = day(lastDays(formatPeriod(at)))
    return { ordinal: at.ordinal, day: end + delay, finalDay: null }
  })
}

/** Last days by the calendar on the wall, not by the tested code. */
function lastDays(label: string): string {
  const [year, month] = label.split('-')
  const lengths = [31, Number(year) % 4 === 0 ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return `${label}-${lengths[Number(month) - 1]}`
}

const known = (parts: Partial<SeriesRhythm> & { frequency?: Frequency }): SeriesRhythm => ({
  frequency: 'MONTHLY',
  releases: [],
  published: [],
  newest: parts.published?.at(-1) ?? null,
  usualDelayDays: null,
  ...parts,
})

const release = (parts: Partial<KnownRelease>): KnownRelease => ({
  provider: 'BLS',
  release: 'CPI',
  title: 'Consumer Price Index',
  period: null,
  at: '2026-11-13',
  zone: 'America/New_York',
  status: 'DATE_ONLY',
  sourceId: parts.at ?? 'an entry',
  ...parts,
})

describe('an announced date', () => {
  test('is the one of the entry for that period, to the instant, in summer and in winter', () => {
    const dates = seriesDates(
      known({
        releases: [
          release({ period: '2026-09', at: '2026-10-14T12:30:00.000000Z', status: 'OFFICIAL' }),
          release({ period: '2026-10', at: '2026-11-13T13:30:00.000000Z', status: 'OFFICIAL' }),
          release({ period: '2026-11', at: '2026-12-10' }),
        ],
        usualDelayDays: 15,
      }),
    )
    expect(dates.expected(period('2026-10'))).toEqual({
      period: '2026-10',
      expectedAt: '2026-11-13T13:30:00.000000Z',
      latestAt: '2026-11-13T13:30:00.000000Z',
      basis: 'OFFICIAL',
      known: null,
      hitRate: null,
    })
    expect(dates.expected(period('2026-09'))?.expectedAt).toBe('2026-10-14T12:30:00.000000Z')
    expect(dates.expected(period('2026-11'))).toMatchObject({ expectedAt: '2026-12-10', basis: 'DATE_ONLY' })
    expect(dates.expected(period('2026-12'))?.basis).toBe('USUAL')
  })

  test('is the first of several for one period: later ones are revisions', () => {
    const releases = [
      release({ period: '2026-Q3', at: '2026-11-25' }),
      release({ period: '2026-Q3', at: '2026-10-29' }),
      release({ period: '2026-Q3', at: '2026-12-22' }),
    ]
    const dates = seriesDates(known({ frequency: 'QUARTERLY', releases }))
    expect(dates.expected(period('2026-Q3'))?.expectedAt).toBe('2026-10-29')
  })

  test('moves with its entry: the newest form of it counts', () => {
    const before = { ...release({ period: '2026-10', at: '2026-11-13' }), recordedAt: '2026-01-10T00:00:00.000000Z' }
    const moved = [release({ period: '2026-10', at: '2026-11-20', earlier: [before] })]
    expect(seriesDates(known({ releases: moved })).expected(period('2026-10'))?.expectedAt).toBe('2026-11-20')
  })

  test('of a coarser release is that of every period inside; of a finer one that of the period it ends', () => {
    const quarterly = known({ releases: [release({ period: '2026-Q3', at: '2026-11-20' })] })
    expect(['2026-06', '2026-07', '2026-09', '2026-10'].map(at => seriesDates(quarterly).expected(period(at)))).toEqual(
      [null, expect.anything(), expect.anything(), null],
    )
    const monthly = known({
      frequency: 'QUARTERLY',
      releases: [release({ period: '2026-08', at: '2026-09-20' }), release({ period: '2026-09', at: '2026-10-20' })],
    })
    expect(seriesDates(monthly).expected(period('2026-Q3'))?.expectedAt).toBe('2026-10-20')
  })

  test('is none for a release that is cancelled or postponed, and the calendar says which', () => {
    const releases = [
      release({ period: '2025-10', at: '2025-11-13', status: 'CANCELLED' }),
      release({ period: '2025-11', at: '2025-12-10', status: 'POSTPONED' }),
      release({ period: '2025-12', at: '2026-01-02', status: 'CANCELLED', sourceId: 'advance' }),
      release({ period: '2025-12', at: '2026-01-13', sourceId: 'full' }),
    ]
    const dates = seriesDates(known({ releases, published: delayed('2024-01', new Array(20).fill(13)) }))
    expect(dates.expected(period('2025-10'))).toBeNull()
    expect(dates.announced(period('2025-10'))?.status).toBe('CANCELLED')
    expect(dates.expected(period('2025-11'))).toBeNull()
    expect(dates.announced(period('2025-11'))?.status).toBe('POSTPONED')
    expect(dates.expected(period('2025-12'))).toMatchObject({ expectedAt: '2026-01-13', basis: 'DATE_ONLY' })
    expect(dates.announced(period('2026-01'))).toBeNull()
    expect(dates.expected(period('2026-01'))?.basis).toBe('LEARNED')
  })
})

describe('entries without a period', () => {
  const dated = (...days: readonly string[]) => days.map(at => release({ provider: 'FRED', at }))

  test('are taken in turn, each period the first after its end that is not used', () => {
    // Forty days after the end of a month: the entry after the end of October belongs to September.
    const dates = seriesDates(
      known({
        releases: dated('2026-10-09', '2026-11-10', '2026-12-10', '2027-01-08'),
        published: published('2026-08 2026-10-09'),
      }),
    )
    const expected = ['2026-09', '2026-10', '2026-11', '2026-12'].map(at => dates.expected(period(at))?.expectedAt)
    expect(expected).toEqual(['2026-11-10', '2026-12-10', '2027-01-08', undefined])
  })

  test('are revisions where they come before the end of the next period', () => {
    const gdp = known({
      frequency: 'QUARTERLY',
      releases: dated('2026-07-30', '2026-08-26', '2026-09-25', '2026-10-29', '2026-11-25', '2026-12-22', '2027-01-28'),
      published: published('2026-Q2 2026-07-30'),
    })
    expect(seriesDates(gdp).expected(period('2026-Q3'))?.expectedAt).toBe('2026-10-29')
    expect(seriesDates(gdp).expected(period('2026-Q4'))?.expectedAt).toBe('2027-01-28')
  })

  test('are used up by a history that has arrived, though it teaches nothing', () => {
    const newest = published('2026-08 2026-10-20')[0]!
    const dates = seriesDates(known({ releases: dated('2026-10-09', '2026-11-10'), newest }))
    expect(dates.expected(period('2026-09'))?.expectedAt).toBe('2026-11-10')
  })

  test('are not used where the source names the periods of others: they could not be read', () => {
    const releases = [...dated('2026-11-02'), release({ period: '2026-09', at: '2026-10-14' })]
    expect(seriesDates(known({ releases })).expected(period('2026-10'))).toBeNull()
  })
})

describe('a learned date', () => {
  test('needs eight publications', () => {
    const seven = known({ published: delayed('2025-01', new Array(7).fill(12)), usualDelayDays: 15 })
    expect(seriesDates(seven).expected(period('2025-08'))?.basis).toBe('USUAL')
    const eight = known({ published: delayed('2025-01', new Array(8).fill(12)), usualDelayDays: 15 })
    expect(seriesDates(eight).expected(period('2025-09'))).toMatchObject({ basis: 'LEARNED', known: 8 })
  })

  test('is the middle delay, and the latest the one that nine of ten keep', () => {
    // Sorted 10 10 11 11 12 13 14 16 17 25: the fifth is 12, the ninth 17. No figure came on a Wednesday, which 12 November
    // 2025 is: the Thursday is as near as the Tuesday, and later.
    const tenMonths = delayed('2024-12', [12, 10, 25, 11, 13, 10, 17, 11, 16, 14])
    expect(seriesDates(known({ published: tenMonths })).expected(period('2025-10'))).toMatchObject({
      expectedAt: '2025-11-13',
      latestAt: '2025-11-17',
      known: 10,
    })
  })

  test('is that of the same month of other years where three are known and differ', () => {
    const january = ['2023-01 2023-02-14', '2024-01 2024-02-13', '2025-01 2025-02-12']
    const others = delayed('2025-02', new Array(9).fill(25))
    const dates = seriesDates(known({ published: [...published(...january), ...others] }))
    // 14, 13 and 12 days: 13 is the middle, 14 the latest; 14 February 2026 is a Saturday, and Tuesday the next day of use.
    expect(dates.expected(period('2026-01'))).toMatchObject({
      expectedAt: '2026-02-13',
      latestAt: '2026-02-17',
      known: 3,
    })
    expect(dates.expected(period('2026-02'))).toMatchObject({ expectedAt: '2026-03-25', known: 12 })
  })

  test('never falls on a weekend, over the end of a year either', () => {
    const dates = seriesDates(known({ published: delayed('2022-01', new Array(24).fill(34)) }))
    // 30 November 2024 + 34 days is Friday 3 January 2025; 31 December 2024 + 34 days is Monday 3 February.
    expect(dates.expected(period('2024-11'))?.expectedAt).toBe('2025-01-03')
    expect(dates.expected(period('2024-12'))?.expectedAt).toBe('2025-02-03')
    // 30 November 2025 + 34 days is Saturday 3 January 2026: Friday is nearer than Monday; a late figure is late after it.
    expect(dates.expected(period('2025-11'))).toMatchObject({ expectedAt: '2026-01-02', latestAt: '2026-01-05' })
  })

  test('is the nearest day of the week on which an office publishes', () => {
    // The third Wednesday of the next month, all of 2023.
    const wednesdays = [
      '02-15',
      '03-15',
      '04-19',
      '05-17',
      '06-21',
      '07-19',
      '08-16',
      '09-20',
      '10-18',
      '11-15',
      '12-20',
    ]
    const published2023 = published(...wednesdays.map((at, i) => `2023-${String(i + 1).padStart(2, '0')} 2023-${at}`))
    const dates = seriesDates(known({ published: published2023 }))
    // The middle of the delays is 18 days: Sunday 18 February 2024, and the Wednesdays around it are the 14th and the 21st.
    expect(dates.expected(period('2024-01'))?.expectedAt).toBe('2024-02-21')
    expect(dates.expected(period('2024-02'))?.expectedAt).toBe('2024-03-20')
  })

  test('counts from the last day of February in leap years and others', () => {
    const dates = seriesDates(known({ published: delayed('2022-03', new Array(23).fill(12)) }))
    expect(dates.expected(period('2024-02'))?.expectedAt).toBe('2024-03-12')
    expect(dates.expected(period('2025-02'))?.expectedAt).toBe('2025-03-12')
    expect(dates.expected(period('2027-02'))?.expectedAt).toBe('2027-03-12')
  })

  test('of a quarter is learned from the same quarter, which may come later than the others', () => {
    const years = [2021, 2022, 2023, 2024]
    const quarters = years.flatMap(year => [
      `${year}-Q1 ${year}-04-28`,
      `${year}-Q2 ${year}-07-28`,
      `${year}-Q3 ${year}-10-28`,
      `${year}-Q4 ${year + 1}-02-27`,
    ])
    const dates = seriesDates(known({ frequency: 'QUARTERLY', published: published(...quarters) }))
    // No figure came on a Tuesday, which 28 October 2025 is. The fourth quarters do not make a third one any later.
    expect(dates.expected(period('2025-Q3'))).toMatchObject({
      expectedAt: '2025-10-29',
      latestAt: '2025-11-05',
      known: 16,
    })
    expect(dates.expected(period('2025-Q4'))).toMatchObject({ expectedAt: '2026-02-27', known: 4 })
  })

  test('forgets what is older than thirty-six periods', () => {
    const dates = seriesDates(
      known({ published: delayed('2020-01', [...new Array(24).fill(40), ...new Array(36).fill(10)]) }),
    )
    expect(dates.expected(period('2025-03'))).toMatchObject({
      expectedAt: '2025-04-10',
      latestAt: '2025-04-10',
      known: 36,
    })
  })

  test('of a weekly series falls on its day of the week, a late one or two left aside', () => {
    // Weeks end on Sunday; four days later is Thursday. One figure came on Friday.
    const weeks = Array.from({ length: 10 }, (_, i) => {
      const { ordinal } = shift(period('2026-W20'), i)
      return { ordinal, day: ordinal * 7 + 3 + (i === 4 ? 5 : 4), finalDay: null }
    })
    const dates = seriesDates(known({ frequency: 'WEEKLY', published: weeks }))
    // 2026-W30 ends on Sunday 26 July.
    expect(dates.expected(period('2026-W30'))).toMatchObject({ expectedAt: '2026-07-30', latestAt: '2026-07-30' })
  })

  test('of a daily series that comes in weekly bundles is the next day of the bundles', () => {
    // Ten working days, two bundles on Wednesdays: 7 October brings 29 September to 5 October.
    const bundle = (at: string, ...days: readonly string[]) => published(...days.map(each => `${each} ${at}`))
    const daily = [
      ...bundle('2026-10-07', '2026-09-29', '2026-09-30', '2026-10-01', '2026-10-02', '2026-10-05'),
      ...bundle('2026-10-14', '2026-10-06', '2026-10-07', '2026-10-08', '2026-10-09', '2026-10-12'),
    ]
    const dates = seriesDates(known({ frequency: 'DAILY', published: daily }))
    const expected = ['2026-10-13', '2026-10-14', '2026-10-19', '2026-10-20'].map(
      at => dates.expected(period(at))?.expectedAt,
    )
    expect(expected).toEqual(['2026-10-21', '2026-10-21', '2026-10-21', '2026-10-28'])
  })

  test('of a daily series that comes the day after is Monday for Friday', () => {
    const workdays = ['05', '06', '07', '08', '12', '13', '14', '15', '19', '20'].map(at => `2026-10-${at}`)
    const daily = workdays.map(at => ({ ordinal: day(at), day: day(at) + 1, finalDay: null }))
    const dates = seriesDates(known({ frequency: 'DAILY', published: daily }))
    expect(dates.expected(period('2026-10-22'))?.expectedAt).toBe('2026-10-23')
    expect(dates.expected(period('2026-10-23'))?.expectedAt).toBe('2026-10-26')
  })
})

describe('the usual delay', () => {
  test('counts where nothing else is known, its window twice as wide', () => {
    expect(seriesDates(known({ usualDelayDays: 15 })).expected(period('2026-10'))).toEqual({
      period: '2026-10',
      expectedAt: '2026-11-15',
      latestAt: '2026-11-30',
      basis: 'USUAL',
      known: null,
      hitRate: null,
    })
  })

  test('is no guess: without one no date can be said', () => {
    expect(seriesDates(known({})).expected(period('2026-10'))).toBeNull()
    expect(seriesDates(known({})).expectedFinal(period('2026-10'))).toBeNull()
  })
})

describe('how often the rule was right', () => {
  test('is the share of the last twelve periods, each with what was known when it ended', () => {
    // Twenty months after 12 days, three of the last twelve after 30. At the third, two of seventeen had been as late, which
    // is more than one in ten: the latest was 30 days by then.
    const delays = [...new Array(8).fill(12), 12, 30, 12, 12, 12, 30, 12, 12, 12, 12, 30, 12]
    const dates = seriesDates(known({ published: delayed('2024-01', delays) }))
    expect(dates.expected(period('2025-09'))?.hitRate).toBe('0.83')
  })

  test('counts only periods for which the rule could say something then', () => {
    // Eight months were known when the ninth ended: it is the first that can be checked.
    const dates = seriesDates(known({ published: delayed('2024-01', [...new Array(9).fill(12), 12, 12, 40]) }))
    expect(dates.expected(period('2025-01'))?.hitRate).toBe('0.75')
    const eight = seriesDates(known({ published: delayed('2024-01', new Array(8).fill(12)) }))
    expect(eight.expected(period('2024-09'))?.hitRate).toBeNull()
  })

  test('is no better for a figure that came long before', () => {
    const early = delayed('2024-01', [...new Array(10).fill(30), 2])
    // The ninth and tenth were right, the eleventh was not.
    expect(seriesDates(known({ published: early })).expected(period('2024-12'))?.hitRate).toBe('0.67')
  })

  test('of a calendar is measured by what it said then, not by what it says now', () => {
    const announcedAt = '2025-01-01T00:00:00.000000Z'
    const september = release({ period: '2026-09', at: '2026-10-14', sourceId: 'september' })
    const releases = [
      release({ period: '2026-07', at: '2026-08-12', announcedAt }),
      release({ period: '2026-08', at: '2026-09-11', announcedAt }),
      // Moved after the day had passed.
      {
        ...september,
        at: '2026-10-24',
        announcedAt: '2026-10-15T00:00:00.000000Z',
        earlier: [{ ...september, recordedAt: announcedAt }],
      },
      release({ period: '2026-10', at: '2026-11-13', announcedAt }),
    ]
    const out = published('2026-06 2026-07-14', '2026-07 2026-08-12', '2026-08 2026-09-12', '2026-09 2026-10-24')
    // June was in no calendar then; July and August came within a day, September did not.
    expect(seriesDates(known({ releases, published: out })).expected(period('2026-10'))?.hitRate).toBe('0.67')
  })

  test('of the usual delay is measured as well', () => {
    const dates = seriesDates(known({ published: delayed('2026-01', [12, 14, 29, 31]), usualDelayDays: 15 }))
    expect(dates.expected(period('2026-05'))).toMatchObject({ basis: 'USUAL', hitRate: '0.75' })
  })
})

describe('the final figure', () => {
  const months = Array.from({ length: 10 }, (_, i) => shift(period('2025-01'), i))
  // First after 14 days, final 120 days after that; the last two are not final yet.
  const tagged = months.map((at, i) => {
    const first = day(lastDays(formatPeriod(at))) + 14
    return { ordinal: at.ordinal, day: first, finalDay: i < 8 ? first + 120 : null }
  })

  test('is expected after the usual delay between the tags', () => {
    const dates = seriesDates(known({ published: tagged }))
    // 2025-10 came on 14 November 2025; 120 days later is Saturday 14 March 2026.
    expect(dates.expectedFinal(period('2025-10'))).toMatchObject({
      expectedAt: '2026-03-16',
      latestAt: '2026-03-16',
      basis: 'LEARNED',
      known: 8,
    })
    // 2025-11 is expected on Monday 15 December (the 14th is a Sunday); 120 days later is Tuesday 14 April.
    expect(dates.expectedFinal(period('2025-11'))?.expectedAt).toBe('2026-04-14')
  })

  test('is the first one where figures are final when they come', () => {
    const atOnce = tagged.map(publication => ({ ...publication, finalDay: publication.day }))
    const releases = [release({ period: '2025-11', at: '2025-12-10' })]
    const dates = seriesDates(known({ published: atOnce, releases }))
    expect(dates.expectedFinal(period('2025-11'))).toEqual(dates.expected(period('2025-11')))
  })

  test('has no day where too few were seen to become final', () => {
    const dates = seriesDates(known({ published: tagged.slice(0, 7), usualDelayDays: 15 }))
    expect(dates.expectedFinal(period('2025-11'))).toBeNull()
  })
})

describe('the periods that come next', () => {
  const labels = (parts: Partial<SeriesRhythm>, count: number) => nextPeriods(known(parts), count).map(formatPeriod)

  test('follow the newest with a value, over the end of a year', () => {
    expect(labels({ published: published('2026-11 2026-12-10') }, 3)).toEqual(['2026-12', '2027-01', '2027-02'])
    expect(labels({ frequency: 'QUARTERLY', published: published('2026-Q4 2027-01-28') }, 1)).toEqual(['2027-Q1'])
    expect(labels({}, 3)).toEqual([])
  })

  test('of a daily series are working days, unless it has values at weekends', () => {
    const friday = published('2026-10-22 2026-10-23', '2026-10-23 2026-10-26')
    expect(labels({ frequency: 'DAILY', published: friday }, 2)).toEqual(['2026-10-26', '2026-10-27'])
    const everyDay = published('2026-10-17 2026-10-18', '2026-10-23 2026-10-24')
    expect(labels({ frequency: 'DAILY', published: everyDay }, 2)).toEqual(['2026-10-24', '2026-10-25'])
  })
})
