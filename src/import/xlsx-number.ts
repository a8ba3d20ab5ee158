// The text of a numeric cell of a workbook: its digits as they are written in the XML, or, under a date format, the date it
// stands for. Dates are whole numbers of days here; no float is used. A date format without a day is a month, one with only the
// year is a year: that is what people see in the cell.
import { type Day, dayOf, formatDay, pad } from '../core/time/day.ts'

/** The form in which a format shows a number. `time`: a date with a time of day, or a time alone. */
export type NumberForm = 'number' | 'day' | 'month' | 'year' | 'time'

const builtInForms: ReadonlyMap<number, NumberForm> = new Map([
  ...[14, 15, 16].map(id => [id, 'day'] as const),
  [17, 'month'],
  ...[18, 19, 20, 21, 22, 45, 46, 47].map(id => [id, 'time'] as const),
  // The dates of East Asian versions.
  ...[27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map(id => [id, 'day'] as const),
  ...[32, 33, 34, 35, 55, 56].map(id => [id, 'time'] as const),
])

export function formOfFormat(id: number, code: string | undefined): NumberForm {
  if (code === undefined) return builtInForms.get(id) ?? 'number'
  // Only the first section counts; quoted, escaped or bracketed text is not part of the date.
  const marks = code
    .replace(/"[^"]*"|\\.|[_*].|\[[^\]]*\]/g, '')
    .replace(/AM\/PM|A\/P|General/gi, '')
    .split(';')[0]!
    .toLowerCase()
  if (/[hs]/.test(marks)) return 'time'
  if (marks.includes('d')) return 'day'
  if (marks.includes('y')) return marks.includes('m') ? 'month' : 'year'
  return marks.includes('m') ? 'day' : 'number'
}

const numberPattern = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

/** Moves the point of `1.5E-5` without touching a digit; texts without an exponent stay as they are. */
export function formatPlain(text: string): string {
  const match = numberPattern.exec(text)
  if (match === null || match[4] === undefined) return text
  const [, sign, whole = '', part = ''] = match
  const digits = whole + part
  const point = whole.length + Number.parseInt(match[4], 10)
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0')
  const at = Math.max(point, 1)
  const before = padded.slice(0, at).replace(/^0+(?=\d)/, '')
  return padded.length === at ? `${sign}${before}` : `${sign}${before}.${padded.slice(at)}`
}

const epoch1904 = dayOf(1904, 1, 1)
// Spreadsheets count a 29 February 1900 that did not exist: serial 60. Days before it are shifted by one.
const epoch1900 = dayOf(1899, 12, 30)
const neverWas = 60

function dayOfSerial(serial: number, isFrom1904: boolean): Day | null {
  if (isFrom1904) return epoch1904 + serial
  if (serial < 1 || serial === neverWas) return null
  return epoch1900 + serial + (serial < neverWas ? 1 : 0)
}

/** The text of a numeric cell in a format; `null` for a number that is not a calendar date. */
export function formatNumber(text: string, form: NumberForm, isFrom1904: boolean): string | null {
  if (form === 'number') return formatPlain(text)
  const match = /^(\d{1,7})(?:\.(\d+))?$/.exec(formatPlain(text))
  const day = match === null ? null : dayOfSerial(Number.parseInt(match[1]!, 10), isFrom1904)
  if (match === null || day === null) return null
  const date = formatDay(day)
  if (date.length !== 10) return null
  const seconds = secondsOf(match[2] ?? '')
  if (seconds > 0) return `${date} ${formatClock(seconds)}`
  if (form === 'month' && date.endsWith('-01')) return date.slice(0, 7)
  if (form === 'year' && date.endsWith('-01-01')) return date.slice(0, 4)
  return date
}

/** The part of a day as seconds, to the nearest: spreadsheets write 12:30 as 0.520833333333333. */
function secondsOf(fraction: string): number {
  if (/^0*$/.test(fraction)) return 0
  const scale = 10n ** BigInt(fraction.length)
  return Number((BigInt(fraction) * 86_400n * 2n + scale) / (scale * 2n))
}

function formatClock(seconds: number): string {
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(part => pad(part, 2)).join(':')
}
