// Periods as release calendars write them: `June 2026`, `Second quarter 2026`, `2026-M06`, `July to September 2026 (flash)`. It
// is strict, because a wrong period makes a wrong date: an unknown word makes the whole text unreadable.
// `core/time/loose-period.ts` reads the periods of people's tables and is more forgiving.
import { formatPeriod, monthsIn, type Period, parsePeriod, shift } from '../time/period.ts'

/** The label of the period in our notation, `2026-06`; null if the text is not exactly one period. */
export function readPeriodText(text: string): string | null {
  if (text.length > longest) return null
  const words = plainWords(text)
  const label = ownNotation(words) ?? readMonth(words) ?? readPart(words) ?? readSpan(words)
  const period = label === null ? null : parsePeriod(label)
  return period === null || !isLikelyYear(label!.slice(0, 4)) ? null : label
}

const longest = 200

const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const monthWord = `${monthNames.map(name => `${name}|${name.slice(0, 3)}`).join('|')}|sept`
const ordinals = ['first|1st', 'second|2nd', 'third|3rd', 'fourth|4th']
const ordinalWord = ordinals.join('|')

/** A note at the end, such as `(flash)`, as long as it names no other period. */
const note = / \([a-z ,.'-]{1,60}\)$/
const namesPeriod = new RegExp(`\\b(?:${monthWord}|quarter|half|week|year)\\b`)

/** The text in lower case, with single spaces and plain hyphens, without the note at its end. */
function plainWords(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[‐‑‒–—]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
  const noted = note.exec(words)?.[0]
  return noted === undefined || namesPeriod.test(noted) ? words : words.slice(0, -noted.length)
}

/** A number of four digits before 1900 or after 2199 is no year. */
function isLikelyYear(year: string): boolean {
  return year >= '1900' && year <= '2199'
}

/** `2026-06`, `2026-Q2`, `2026`, and with a letter for the kind: `2026-M06`, `2026M6`, `2026 Q2`, `2026-S1`. */
function ownNotation(words: string): string | null {
  const upper = words.toUpperCase()
  if (parsePeriod(upper) !== null) return upper
  const match = /^(\d{4})[- ]?([mqshw])(\d{1,2})$/.exec(words)
  if (match === null) return null
  const [, year, letter, number] = match as unknown as [string, string, string, string]
  if (letter === 'm') return `${year}-${number.padStart(2, '0')}`
  if (letter === 'w') return `${year}-W${number.padStart(2, '0')}`
  return `${year}-${letter === 'q' ? 'Q' : 'H'}${number}`
}

const nameAndYear = new RegExp(`^(${monthWord})\\.?,? (\\d{4})$`)
const yearAndName = new RegExp(`^(\\d{4}),? (${monthWord})\\.?$`)

function readMonth(words: string): string | null {
  const forward = nameAndYear.exec(words)
  if (forward !== null) return monthLabel(forward[1]!, forward[2]!)
  const backward = yearAndName.exec(words)
  return backward === null ? null : monthLabel(backward[2]!, backward[1]!)
}

function monthLabel(name: string, year: string): string {
  const month = monthNames.findIndex(each => each.startsWith(name.slice(0, 3))) + 1
  return `${year}-${month.toString().padStart(2, '0')}`
}

const lettered = /^([qsh])([1-4])[ /-]?(\d{4})$/
const numbered = /^([1-4])([qsh]) ?(\d{4})$/
const wordedPart = new RegExp(`^(${ordinalWord}) (quarter|half)(?: of)?,? (\\d{4})$`)
const yearFirst = new RegExp(`^(\\d{4}),? (${ordinalWord}) (quarter|half)$`)

/** Quarters and half-years: `Q2 2026`, `Q2/2026`, `2Q 2026`, `Second quarter 2026`, `1st half of 2026`. */
function readPart(words: string): string | null {
  const short = lettered.exec(words)
  if (short !== null) return partLabel(short[1]!, short[2]!, short[3]!)
  const digits = numbered.exec(words)
  if (digits !== null) return partLabel(digits[2]!, digits[1]!, digits[3]!)
  const worded = wordedPart.exec(words)
  if (worded !== null) return partLabel(worded[2]!, ordinalNumber(worded[1]!), worded[3]!)
  const turned = yearFirst.exec(words)
  return turned === null ? null : partLabel(turned[3]!, ordinalNumber(turned[2]!), turned[1]!)
}

function ordinalNumber(word: string): string {
  return (ordinals.findIndex(each => each.split('|').includes(word)) + 1).toString()
}

function partLabel(kind: string, number: string, year: string): string {
  return `${year}-${kind.startsWith('q') ? 'Q' : 'H'}${number}`
}

const span = new RegExp(`^(${monthWord})\\.?(?: (\\d{4}))? ?(?:to|-) ?(${monthWord})\\.? (\\d{4})$`)

/** `July to September 2026` is a quarter; a span that is no calendar quarter, half-year or year is no period. */
function readSpan(words: string): string | null {
  const match = span.exec(words)
  if (match === null) return null
  const lastYear = match[4]!
  const first = parsePeriod(monthLabel(match[1]!, match[2] ?? lastYear))!
  const last = parsePeriod(monthLabel(match[3]!, lastYear))!
  for (const frequency of ['QUARTERLY', 'SEMIANNUAL', 'ANNUAL'] as const) {
    const months = monthsIn(frequency)!
    const whole: Period = { frequency, ordinal: Math.floor(first.ordinal / months) }
    if (first.ordinal === whole.ordinal * months && last.ordinal === shift(whole, 1).ordinal * months - 1)
      return formatPeriod(whole)
  }
  return null
}
