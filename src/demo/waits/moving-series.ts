// Invented figures that go up to the day on which the demo is made, so that something is late and something is awaited on any
// day. A month always has the same figure and the same day of publication; only the number of months depends on that day.
import type { Release } from '../../core/calendar/release.ts'
import { addMonths, type Day, formatDay, weekdayOf } from '../../core/time/day.ts'
import { dayOfInstant, type Instant, startOfDay } from '../../core/time/instant.ts'
import { firstDayOf, formatPeriod, type Period, parsePeriod, periodAt, shift } from '../../core/time/period.ts'
import type { DemoSeries } from '../vintages.ts'
import { monthWords } from './announcements.ts'

interface Course {
  readonly reference: string
  readonly name: string
  readonly unit: string
  readonly description: string
  /** The provider's name of the release, and a title in words. */
  readonly release: string
  readonly title: string
  /** Day of the next month on which it is published, or the Monday after. */
  readonly dayOfMonth: number
  /** Tenths: the first month, the rise of each month, and how far a season moves it. */
  readonly first: number
  readonly rise: number
  readonly swing: number
  /** Whether the newest release brought nothing. */
  readonly isLate: boolean
}

const courses = {
  truckload: {
    reference: 'FRED/DEMO-TRUCKLOAD',
    name: 'Truckload rates, long haul, contract (illustrative)',
    unit: '2021=100',
    description: 'Invented figures, published on the twelfth of the next month; the newest one did not come.',
    release: 'demo-truckload',
    title: 'Truckload Rates',
    dayOfMonth: 12,
    first: 1214,
    rise: 4,
    swing: 11,
    isLate: true,
  },
  storage: {
    reference: 'FRED/DEMO-STORAGE',
    name: 'Cold storage, cost of operation (illustrative)',
    unit: '2021=100',
    description: 'Invented figures, published on the twenty-fourth of the next month.',
    release: 'demo-storage',
    title: 'Cost of Warehousing',
    dayOfMonth: 24,
    first: 1156,
    rise: 3,
    swing: 7,
    isLate: false,
  },
} as const satisfies Readonly<Record<string, Course>>

export type MovingName = keyof typeof courses

const firstMonth = parsePeriod('2024-01')!
const seasons = [0, 2, 4, 5, 3, 1, -1, -3, -5, -4, -2, 1]
const announcedAhead = 6
/** Days without its figure after which a release is late. */
const lateAfterDays = 2

export function movingSeries(now: Instant): readonly DemoSeries[] {
  return Object.values(courses).map(course => seriesOf(course, dayOfInstant(now)))
}

/** The newest month with a figure. */
export function newestMonth(name: MovingName, now: Instant): Period {
  return newestOf(courses[name], dayOfInstant(now))
}

/** The release that each series comes with. */
export const releaseNames: readonly { readonly reference: string; readonly release: string }[] = Object.values(
  courses,
).map(({ reference, release }) => ({ reference, release }))

/** Releases from the newest month on: earlier ones have happened. */
export function movingReleases(now: Instant): readonly Release[] {
  return Object.values(courses).flatMap(course => {
    const newest = newestOf(course, dayOfInstant(now))
    return Array.from({ length: announcedAhead }, (_, i) => announce(course, shift(newest, i + 1)))
  })
}

function announce(course: Course, month: Period): Release {
  const period = formatPeriod(month)
  return {
    provider: 'FRED',
    release: course.release,
    period,
    status: 'DATE_ONLY',
    zone: 'America/Chicago',
    title: `${course.title} for ${monthWords(period)} (illustrative)`,
    at: formatDay(publishedOn(course, month)),
    sourceId: `${course.release}-${period}`,
  }
}

function newestOf(course: Course, today: Day): Period {
  const granted = course.isLate ? lateAfterDays : 0
  let month = shift(periodAt('MONTHLY', today), -1)
  while (publishedOn(course, month) + granted > today) month = shift(month, -1)
  return course.isLate ? shift(month, -1) : month
}

function publishedOn({ dayOfMonth }: Pick<Course, 'dayOfMonth'>, month: Period): Day {
  const day = addMonths(firstDayOf(month), 1) + dayOfMonth - 1
  const weekday = weekdayOf(day)
  return weekday > 4 ? day + 7 - weekday : day
}

function seriesOf(course: Course, today: Day): DemoSeries {
  const { reference, name, unit, description, first, rise, swing } = course
  const count = newestOf(course, today).ordinal - firstMonth.ordinal + 1
  const vintages = Array.from({ length: count }, (_, i) => {
    const period = shift(firstMonth, i)
    const tenths = first + rise * i + Math.trunc((swing * seasons[i % seasons.length]!) / 5)
    const value = `${Math.trunc(tenths / 10)}.${tenths % 10}`
    return { period, value, tag: null, flag: null, publishedAt: startOfDay(publishedOn(course, period)) }
  })
  return { reference, name, unit, dataType: 'INDEX', frequency: 'MONTHLY', description, vintages }
}
