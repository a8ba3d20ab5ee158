// Calendar days of the proleptic Gregorian calendar as whole numbers (days since 1970-01-01), without any time zone.
// Nothing here asks what day it is.

/** Days since 1970-01-01. */
export type Day = number

interface CivilDate {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

export const firstYear = 1

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : monthLengths[month - 1]!
}

// Both directions count in eras of 400 years that begin on 1 March, so that the leap day comes last.
export function dayOf(year: number, month: number, day: number): Day {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

export function civilOf(day: Day): CivilDate {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  }
}

const [hyphen, digitZero] = [45, 48] as const

/** Reads `2024-02-29`; `null` for another form and for a day that does not exist. Digit by digit: files have many of them. */
export function parseDay(text: string): Day | null {
  if (text.length !== 10 || text.charCodeAt(4) !== hyphen || text.charCodeAt(7) !== hyphen) return null
  const [year, month, day] = [digitsIn(text, 0, 4), digitsIn(text, 5, 7), digitsIn(text, 8, 10)]
  if (year < firstYear || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null
  return dayOf(year, month, day)
}

/** The whole number that a part of a text writes; -1 where anything but a digit is in it. */
function digitsIn(text: string, from: number, to: number): number {
  let value = 0
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - digitZero
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

export function pad(value: number, width: number): string {
  return value.toString().padStart(width, '0')
}

export function formatDay(day: Day): string {
  const { year, month, day: dayOfMonth } = civilOf(day)
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(dayOfMonth, 2)}`
}

/** The day in another month, clipped to that month's length. `keepDay` is the day to aim for. */
export function addMonths(day: Day, months: number, keepDay?: number): Day {
  return monthsAfter(civilOf(day), months, keepDay)
}

/** The day in another month, from a date already split into year, month and day. */
export function monthsAfter(date: CivilDate, months: number, keepDay?: number): Day {
  const count = date.year * 12 + (date.month - 1) + months
  const year = Math.floor(count / 12)
  const month = count - year * 12 + 1
  return dayOf(year, month, Math.min(keepDay ?? date.day, daysInMonth(year, month)))
}

/** Whole months from one day to a later one; a month counts as whole at a clipped month end. */
export function wholeMonthsBetween(from: Day, to: Day): number {
  const a = civilOf(from)
  const b = civilOf(to)
  const months = (b.year - a.year) * 12 + b.month - a.month
  return b.day < Math.min(a.day, daysInMonth(b.year, b.month)) ? months - 1 : months
}

/** 0 for Monday to 6 for Sunday. */
export function weekdayOf(day: Day): number {
  return (((day + 3) % 7) + 7) % 7
}
