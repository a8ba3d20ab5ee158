// Reads periods in every notation of the providers. Several notations are ambiguous without the frequency of the series (a
// first day, `202401`), so it is a parameter; thirds of a year, ranges and hours are refused.
import { dayOf, isLeapYear, parseDay } from '../../core/time/day.ts'
import { type Frequency, type Period, parsePeriod, periodAt } from '../../core/time/period.ts'

const frequencyLetters: Readonly<Record<string, Frequency>> = {
  A: 'ANNUAL',
  S: 'SEMIANNUAL',
  Q: 'QUARTERLY',
  M: 'MONTHLY',
  W: 'WEEKLY',
  D: 'DAILY',
  B: 'DAILY',
}

/** `H` means half-years at the ECB and hours, which are not supported, everywhere else: the caller says which. */
export function frequencyOfLetter(letter: string, hMeansHalfYear = false): Frequency | null {
  if (letter === 'H') return hMeansHalfYear ? 'SEMIANNUAL' : null
  return Object.hasOwn(frequencyLetters, letter) ? frequencyLetters[letter]! : null
}

/**
 * Reads a period as a provider writes it. With a frequency, a day means the period of that frequency that contains it, and
 * any other period must have that frequency. `null` if it is not a period or has another frequency.
 */
export function readTimePeriod(text: string, frequency: Frequency | null): Period | null {
  const period = parsePeriod(text) ?? readLettered(text) ?? readMonthName(text) ?? readDigits(text, frequency)
  if (period === null || frequency === null || period.frequency === frequency) return period
  return period.frequency === 'DAILY' ? periodAt(frequency, period.ordinal) : null
}

const letteredPattern = /^(\d{4})[- ]?([ASHBQMWD])(\d{1,3})$/

/** `2024-A1`, `2024-S1`, `2024Q1`, `2024 Q1`, `2024-M01`, `2024W05`, `2024-D015`. */
function readLettered(text: string): Period | null {
  const match = letteredPattern.exec(text)
  if (!match) return null
  const year = match[1]!
  const number = Number.parseInt(match[3]!, 10)
  switch (match[2]) {
    case 'A':
      return number === 1 ? parsePeriod(year) : null
    case 'S':
    case 'H':
    case 'B':
      return parsePeriod(`${year}-H${number}`)
    case 'Q':
      return parsePeriod(`${year}-Q${number}`)
    case 'M':
      return parsePeriod(`${year}-${twoDigits(number)}`)
    case 'W':
      return parsePeriod(`${year}-W${twoDigits(number)}`)
    default:
      return readDayOfYear(Number.parseInt(year, 10), number)
  }
}

function twoDigits(number: number): string {
  return number.toString().padStart(2, '0')
}

function readDayOfYear(year: number, number: number): Period | null {
  if (year < 1 || number < 1 || number > (isLeapYear(year) ? 366 : 365)) return null
  return { frequency: 'DAILY', ordinal: dayOf(year, 1, 1) + number - 1 }
}

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const yearAndNamePattern = /^(\d{4})[ -]([A-Za-z]{3})$/
const nameAndYearPattern = /^([A-Za-z]{3})-(\d{2})$/

/** `2024 JAN` and `Jan-24`; two digits from 50 up mean 19xx. */
function readMonthName(text: string): Period | null {
  const long = yearAndNamePattern.exec(text)
  if (long) return monthOf(long[1]!, long[2]!)
  const short = nameAndYearPattern.exec(text)
  return short ? monthOf(`${short[2]! >= '50' ? '19' : '20'}${short[2]}`, short[1]!) : null
}

function monthOf(year: string, name: string): Period | null {
  const month = monthNames.indexOf(name.toUpperCase()) + 1
  return month === 0 ? null : parsePeriod(`${year}-${twoDigits(month)}`)
}

const digitsPattern = /^(\d{4})(\d{2})(\d{2})?$/

/** `202401` and `20240115`: only the frequency distinguishes a quarter from a month. */
function readDigits(text: string, frequency: Frequency | null): Period | null {
  const match = frequency === null ? null : digitsPattern.exec(text)
  if (!match) return null
  const [, year, part, dayOfMonth] = match
  if (dayOfMonth !== undefined) {
    const day = parseDay(`${year}-${part}-${dayOfMonth}`)
    return day === null ? null : { frequency: 'DAILY', ordinal: day }
  }
  const number = Number.parseInt(part!, 10)
  if (frequency === 'MONTHLY') return parsePeriod(`${year}-${part}`)
  if (frequency === 'QUARTERLY') return parsePeriod(`${year}-Q${number}`)
  return frequency === 'SEMIANNUAL' ? parsePeriod(`${year}-H${number}`) : null
}

/** The period of a weekly series that is named by a day. */
export function asWeek(period: Period | null, frequency: Frequency): Period | null {
  return period !== null && period.frequency === 'DAILY' && frequency === 'WEEKLY'
    ? periodAt('WEEKLY', period.ordinal)
    : period
}
