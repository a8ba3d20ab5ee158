// The series of a demo with many agreements: invented, as their names say, monthly, first preliminary and final three months
// later, so that prices signed on a preliminary figure are revised. Whole numbers of tenths: no figure passes through a float.

import { type Day, formatDay } from '../../core/time/day.ts'
import { formatPeriod, type Period, parsePeriod, shift } from '../../core/time/period.ts'
import { type DemoSeries, daysLater, histories } from '../vintages.ts'

interface Course {
  readonly code: string
  readonly name: string
  readonly unit: string
  readonly dataType: DemoSeries['dataType']
  /** Tenths: the first month, and the rise of each month. */
  readonly first: number
  readonly rise: number
  /** Tenths by which a season and a revision move a figure. */
  readonly swing: number
  readonly revision: number
  /** Whether the newest figure has not come. */
  readonly isLate?: boolean
}

const courses: readonly Course[] = [
  {
    code: 'hot-rolled-coil',
    name: 'Hot-rolled steel coil',
    unit: 'EUR/t',
    dataType: 'PRICE',
    first: 6240,
    rise: 19,
    swing: 150,
    revision: 35,
  },
  {
    code: 'aluminium-billet',
    name: 'Aluminium billet',
    unit: 'EUR/t',
    dataType: 'PRICE',
    first: 23_180,
    rise: 64,
    swing: 420,
    revision: 90,
  },
  {
    code: 'polypropylene',
    name: 'Polypropylene, film grade',
    unit: 'EUR/t',
    dataType: 'PRICE',
    first: 12_450,
    rise: -28,
    swing: 260,
    revision: 55,
    isLate: true,
  },
  {
    code: 'wire-rod',
    name: 'Wire rod, drawing quality',
    unit: '2021=100',
    dataType: 'INDEX',
    first: 1084,
    rise: 3,
    swing: 21,
    revision: 6,
  },
  {
    code: 'grey-iron',
    name: 'Grey iron castings, producer prices',
    unit: '2021=100',
    dataType: 'INDEX',
    first: 1172,
    rise: 4,
    swing: 9,
    revision: 5,
  },
  {
    code: 'electricity-industry',
    name: 'Electricity, industrial users',
    unit: '2021=100',
    dataType: 'INDEX',
    first: 1461,
    rise: -4,
    swing: 64,
    revision: 11,
  },
  {
    code: 'road-freight',
    name: 'Road freight, long distance',
    unit: '2021=100',
    dataType: 'INDEX',
    first: 1123,
    rise: 3,
    swing: 12,
    revision: 4,
  },
  {
    code: 'wages-industry',
    name: 'Agreed wages, manufacturing',
    unit: '2021=100',
    dataType: 'WAGE',
    first: 1136,
    rise: 5,
    swing: 0,
    revision: 3,
  },
]

/** Least number of months: up to the last signatures and the figures that correct them; more as time goes on. */
const leastMonths = 33
/** Days without its figure after which a month is late. */
const lateAfterDays = 7
const seasons = [0, 2, 4, 5, 3, 1, -1, -3, -5, -4, -2, 1]
const revisions = [1, -1, 2, 0, -2, 1, 3, -1]

/** The middle of the month after, and of the third one after that. */
const publishedOn = (month: Period, later: number): Day => daysLater(14)(shift(month, later))
const start = parsePeriod('2024-01')!

function monthsBy(today: Day): number {
  let months = leastMonths
  while (publishedOn(shift(start, months), 0) <= today) months++
  return months
}

function vintagesOf(
  { first, rise, swing, revision, isLate = false }: Course,
  place: number,
  today: Day,
): DemoSeries['vintages'] {
  const months = isLate ? monthsBy(today - lateAfterDays) - 1 : monthsBy(today)
  const lines = Array.from({ length: months }, (_, i) => {
    const month = shift(start, i)
    const final = first + rise * i + Math.trunc((swing * seasons[(i + place) % seasons.length]!) / 5)
    const preliminary = final + Math.trunc((revision * revisions[(i + place) % revisions.length]!) / 2)
    // The newest ones are not final yet.
    const later = i < months - 3 ? ` ${formatDay(publishedOn(month, 3))} ${tenths(final)}` : ''
    return `${formatPeriod(month)} ${formatDay(publishedOn(month, 0))} ${tenths(preliminary)}p${later}`
  })
  return histories(lines.join('\n'))
}

function tenths(value: number): string {
  return `${Math.trunc(value / 10)}.${value % 10}`
}

/** Series up to a day. A month has the same figures on any of them. */
export const portfolioSeries = (today: Day): readonly DemoSeries[] =>
  courses.map((course, place) => ({
    reference: `CUSTOM/${course.code}`,
    name: `${course.name} (illustrative)`,
    unit: course.unit,
    dataType: course.dataType,
    frequency: 'MONTHLY',
    description: 'Invented figures with a preliminary stage and a final one three months later.',
    vintages: vintagesOf(course, place, today),
  }))
