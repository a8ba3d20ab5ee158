// Periods as people write them in tables: `Jan 2024`, `31.01.2024`, `2024M01`, `1. Quartal 2024`. It returns the label
// of the period, or null. The caller says what a whole date stands for and which of its numbers is the month.
import { parseDay } from './day.ts'
import { type Frequency, formatPeriod, ordinalAt, parsePeriod } from './period.ts'

export const dateOrders = ['DMY', 'MDY'] as const
export type DateOrder = (typeof dateOrders)[number]

interface PeriodReading {
  /** The number of 01/02/2024 that is the month. */
  readonly dateOrder: DateOrder
  /** The period that a whole date stands for: the day itself, or its month, quarter or year. */
  readonly dates: Frequency
}

/** The label of a period, `2024-03`; null if the text is not a period. */
export function readLoosePeriod(text: string, { dateOrder, dates }: PeriodReading): string | null {
  const written = text.trim()
  const date = readDate(written, dateOrder)
  if (date !== null) return dates === 'DAILY' ? date : labelOfDay(date, dates)
  if (parsePeriod(written) !== null) return written
  return readMonth(written) ?? readPart(written)
}

function labelOfDay(date: string, frequency: Frequency): string {
  return formatPeriod({ frequency, ordinal: ordinalAt(frequency, parseDay(date)!) })
}

/** Whether 01/02/2024 could be a day of January or of February. */
export function isOpenDate(text: string): boolean {
  const match = numericDate.exec(text.trim())
  if (match === null || match[2] === '.') return false
  const [first, second] = [match[1]!, match[3]!].map(part => Number.parseInt(part, 10))
  return first! <= 12 && second! <= 12 && first !== second
}

const numericDate = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/
const isoDate = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T]00:00(?::00(?:\.0+)?)?Z?)?$/
const wordedDate = /^(\d{1,2})\.?[ -]([\p{L}.]+)[ -](\d{4})$/u

/** A whole date as `2024-01-31`. With points between its numbers the day always comes first. */
export function readDate(text: string, order: DateOrder): string | null {
  const iso = isoDate.exec(text)
  if (iso !== null) return formatDate(iso[1]!, iso[2]!, iso[3]!)
  const numeric = numericDate.exec(text)
  if (numeric !== null) {
    const [, first, mark, second, year] = numeric
    const isDayFirst = mark === '.' || order === 'DMY'
    return isDayFirst ? formatDate(year!, second!, first!) : formatDate(year!, first!, second!)
  }
  const worded = wordedDate.exec(text)
  const month = worded === null ? null : monthOf(worded[2]!)
  return worded === null || month === null ? null : formatDate(worded[3]!, month, worded[1]!)
}

function formatDate(year: string, month: string, day: string): string | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return parseDay(text) === null ? null : text
}

/** The first letters of the names of months, in the most common languages. */
const monthBeginnings: readonly RegExp[] = [
  /^(?:jan|ene|gen)/,
  /^(?:feb|fév|fev)/,
  /^(?:mar|mär|mrz|maa|mrt)/,
  /^(?:apr|avr|abr)/,
  /^(?:may|mai|mei|mag)/,
  /^(?:jun|juin|giu)/,
  /^(?:jul|juil|lug)/,
  /^(?:aug|aoû|aou|ago)/,
  /^(?:sep|set)/,
  /^(?:oct|okt|ott|out)/,
  /^nov/,
  /^(?:dec|dez|déc|dic)/,
]

function monthOf(word: string): string | null {
  const lower = word.toLowerCase()
  const place = monthBeginnings.findIndex(pattern => pattern.test(lower))
  return place < 0 ? null : String(place + 1).padStart(2, '0')
}

function readMonth(text: string): string | null {
  const numbers =
    /^(?<year>\d{4})[ ]?M(?<month>\d{1,2})$/i.exec(text) ??
    /^(?<year>\d{4})[-/](?<month>\d{1,2})$/.exec(text) ??
    // A decimal point would let it be a price as well.
    /^(?<year>(?:19|20)\d{2})\.(?<month>\d{2})$/.exec(text) ??
    /^(?<month>\d{1,2})[-/.](?<year>\d{4})$/.exec(text)
  if (numbers !== null) return monthLabel(numbers.groups!.year!, numbers.groups!.month!.padStart(2, '0'))
  const worded =
    /^(?<word>\p{L}{3,}\.?)[ \-/.]*(?<year>\d{4}|\d{2})$/u.exec(text) ??
    /^(?<year>\d{4})[ \-/.]*(?<word>\p{L}{3,}\.?)$/u.exec(text)
  if (worded === null) return null
  const month = monthOf(worded.groups!.word!)
  const year = worded.groups!.year!
  return month === null ? null : monthLabel(year.length === 2 ? `20${year}` : year, month)
}

function monthLabel(year: string, month: string): string | null {
  const label = `${year}-${month}`
  return parsePeriod(label) === null ? null : label
}

/** Quarters and half-years. */
function readPart(text: string): string | null {
  const quarter =
    /^(?:Q|T)(?<part>[1-4])[ \-/.]?(?<year>\d{4})$/i.exec(text) ??
    /^(?<year>\d{4})[ \-/.]?(?:Q|T|K)(?<part>[1-4])$/i.exec(text) ??
    /^(?<part>[1-4])\.?(?:st|nd|rd|th|er|e)? ?(?:Q|Quartal|quarter|trimestre|kwartaal)\.?[ \-/.]?(?<year>\d{4})$/i.exec(
      text,
    )
  if (quarter !== null) return `${quarter.groups!.year}-Q${quarter.groups!.part}`
  const half =
    /^(?:H|S|HJ)(?<part>[12])[ \-/.]?(?<year>\d{4})$/i.exec(text) ??
    /^(?<year>\d{4})[ \-/.]?(?:H|S|HJ)(?<part>[12])$/i.exec(text) ??
    /^(?<part>[12])\. ?(?:Halbjahr|half)[ \-/.]?(?<year>\d{4})$/i.exec(text)
  return half === null ? null : `${half.groups!.year}-H${half.groups!.part}`
}

/** The smallest number of days between any two of the dates; null if there are fewer than two. */
export function smallestGap(dates: readonly string[]): number | null {
  const days = [...new Set(dates)].map(date => parseDay(date)!).sort((a, b) => a - b)
  const gaps = days.slice(1).map((day, i) => day - days[i]!)
  return gaps.length === 0 ? null : Math.min(...gaps)
}
