// How providers write periods, days and times: converts our notation to theirs.
import { civilOf, type Day, formatDay, pad, parseDay } from '../../src/core/time/day.ts'
import { dayOfInstant, type Instant } from '../../src/core/time/instant.ts'
import { firstDayOf, formatPeriod, lastDayOf, type Period } from '../../src/core/time/period.ts'
import type { Row } from './model.ts'

/** The period in a provider's notation, unless the row has its own text. */
export function writeRow(row: Row, write: (period: Period) => string): string {
  return row.writtenPeriod ?? write(row.period)
}

/** `2024-S1` for half-years; the rest as we write it. */
export function sdmxPeriod(period: Period): string {
  return formatPeriod(period).replace('-H', '-S')
}

export function firstDay(period: Period): string {
  return formatDay(firstDayOf(period))
}

export function lastDay(period: Period): string {
  return formatDay(lastDayOf(period))
}

/** A week as one of its days, counted from Monday; anything else as we write it. */
export function dayOfWeek(weekday: number): (period: Period) => string {
  return period => (period.frequency === 'WEEKLY' ? formatDay(firstDayOf(period) + weekday) : formatPeriod(period))
}

/** `2024Q1`, `2024M03`. */
export function worldBankPeriod(period: Period): string {
  return formatPeriod(period).replace('-', period.frequency === 'MONTHLY' ? 'M' : '')
}

export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

export function monthName(period: Period): string {
  return monthNames[civilOf(firstDayOf(period)).month - 1]!
}

/** `2024 MAR`, `2024 Q1`. */
export function onsPeriod(period: Period): string {
  const year = pad(civilOf(firstDayOf(period)).year, 4)
  if (period.frequency === 'MONTHLY') return `${year} ${monthName(period).slice(0, 3).toUpperCase()}`
  return formatPeriod(period).replace('-', ' ')
}

/** `202403` for a month and, of the first quarter, `202401`. */
export function bojPeriod(period: Period): string {
  return formatPeriod(period)
    .replace(/-(?:Q|H)?(\d)(?!\d)/g, '0$1')
    .replaceAll('-', '')
}

/** `M03`, `Q01`, `S01`, `A01`. */
export function blsPeriod(period: Period): string {
  const { month } = civilOf(firstDayOf(period))
  if (period.frequency === 'MONTHLY') return `M${pad(month, 2)}`
  if (period.frequency === 'QUARTERLY') return `Q${pad((month + 2) / 3, 2)}`
  return period.frequency === 'SEMIANNUAL' ? `S${pad((month + 5) / 6, 2)}` : 'A01'
}

interface LocalTime {
  /** `2024-04-10`. */
  readonly day: string
  /** `08:30`. */
  readonly time: string
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
}

const clocks = {
  chicago: clockOf('America/Chicago'),
  london: clockOf('Europe/London'),
  luxembourg: clockOf('Europe/Luxembourg'),
  toronto: clockOf('America/Toronto'),
} as const

/** The local date and time in a time zone. */
export function localTime(moment: string, place: keyof typeof clocks): LocalTime {
  // `2024-04-10, 08:30`.
  const [day, time] = clocks[place].format(new Date(moment)).split(', ') as [string, string]
  return { day, time }
}

/** Midnight of a moment's day in London, written in UTC. */
export function londonMidnight(moment: Instant): string {
  const { day } = localTime(moment, 'london')
  const midnight = `${day}T00:00:00.000Z`
  const isSummer = localTime(midnight, 'london').time === '01:00'
  return isSummer ? `${formatDay(parseDay(day)! - 1)}T23:00:00.000Z` : midnight
}

/** `02/10/26 11:00:00`, in the local time of the data set. */
export function luxembourgStamp(moment: Instant): string {
  const { day, time } = localTime(moment, 'luxembourg')
  const [year, month, date] = day.split('-') as [string, string, string]
  return `${date}/${month}/${year.slice(2)} ${time}:00`
}

export function utcDay(moment: Instant): Day {
  return dayOfInstant(moment)
}
