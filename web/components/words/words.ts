// Figures, dates and labels as pages write them. Figures are strings and stay strings: signs and spaces are added, no digit is
// ever changed.
import { stopped } from '../../../src/core/text/sentence-end.ts'
import { formatDate } from '../../../src/core/text/words.ts'

/** A narrow no-break space between thousands: `1 234 567.8`. */
const thousandsSpace = '\u202f'

/** Groups decimals only: hashes, labels and days keep their digits together. */
function groupThousands(figure: string): string {
  return figure.replace(/^[+−-]?\d{4,}(?=$|[.,…\s%])/, whole => whole.replace(/\B(?=(?:\d{3})+$)/g, thousandsSpace))
}

/**
 * A sentence with spaces between the thousands of its figures: those that are known, and every one with decimals. Other
 * digits may be a code or a label and stay together, as does what is in quotes.
 */
export function groupFiguresIn(sentence: string, known: readonly string[]): string {
  return sentence.replace(/"[^"]*"|(?<![\w.,-])\d{4,}(?:\.\d+)?(?![\w-]|[.,]\d)/g, found =>
    found.includes('.') || known.includes(found) ? groupThousands(found) : found,
  )
}

/** A true minus instead of a hyphen, and spaces between thousands; the digits stay the same. */
export function formatFigure(value: string): string {
  return groupThousands(value.startsWith('-') ? `−${value.slice(1)}` : value)
}

/** A count, with spaces between thousands. */
export function formatCount(count: number): string {
  return groupThousands(String(count))
}

/** A change always has its sign: `+2.35`, `−0.40`, `0`. A change from a price of 0 is undefined: `–`. */
export function formatSigned(value: string | null): string {
  if (value === null) return '–'
  if (value.startsWith('-')) return formatFigure(value)
  return formatFigure(/[1-9]/.test(value) ? `+${value.replace(/^\+/, '')}` : value)
}

/** `+2.35 %`, with a narrow no-break space. */
export function formatPct(value: string | null): string {
  return value === null ? '–' : `${formatSigned(value)}\u202f%`
}

/** A figure with endless decimals that was cut (`…`) is shortened to its first six; others keep every digit. */
export function shortenCut(value: string): string {
  return value.replace(/(\.\d{6})\d*…$/, '$1…')
}

export function formatMoney(amount: string, currency: string | null | undefined): string {
  const read = formatFigure(shortenCut(amount))
  return currency ? `${read}\u00a0${currency}` : read
}

/** `13.30 EUR / piece`, with narrow no-break spaces. */
export function formatPrice(
  amount: string,
  currency: string | null | undefined,
  unit: string | null | undefined,
): string {
  return `${formatMoney(amount, currency)}${unit ? `\u202f/\u202f${unit}` : ''}`
}

const figureSpace = '\u2007'
const pointSpace = '\u2008'

export function decimalsOf(text: string): number {
  return text.includes('.') ? text.length - text.indexOf('.') - 1 : 0
}

/** Pads a figure on the right as if it had this many decimals, so that the decimal points in a long column line up. */
export function fillToPoint(value: string, decimals: number): string {
  const own = decimalsOf(value)
  const point = own === 0 && decimals > 0 ? pointSpace : ''
  return `${formatFigure(value)}${point}${figureSpace.repeat(Math.max(0, decimals - own))}`
}

/**
 * The figures of one column, padded on the right with spaces so that their decimal points line up. No zero is added: a figure has
 * one form, in a column as in a sentence.
 */
export function alignOnPoint(values: readonly (string | null)[]): string[] {
  const most = Math.max(0, ...values.map(value => (value === null ? 0 : decimalsOf(value))))
  return values.map(value => (value === null ? '' : fillToPoint(value, most)))
}

/** A sentence of the server with its days as people write them. */
export function formatDaysIn(sentence: string): string {
  return sentence.replace(/\b\d{4}-\d{2}-\d{2}\b/g, formatDate)
}

/** `1 Apr 2024, 14:05 UTC`; midnight is written as the day alone. */
export function formatInstant(iso: string): string {
  const time = iso.slice(11, 16)
  return /T00:00:00(?:\.0+)?Z$/.test(iso) ? formatDate(iso) : `${formatDate(iso)}, ${time}\u00a0UTC`
}

/** Time since then if it was recent, otherwise the day. */
export function formatAgo(iso: string, nowMs: number): string {
  const seconds = Math.floor((nowMs - Date.parse(iso)) / 1000)
  if (seconds < 60) return 'just now'
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  if (seconds < 7 * 86_400) return `${Math.floor(seconds / 86_400)} d ago`
  return formatDate(iso)
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A fragment of a program's message, as a sentence. */
export function asSentence(text: string): string {
  return sentenceCase(stopped(text))
}

const frequencyWords: Readonly<Record<string, string>> = {
  DAILY: 'daily',
  WEEKLY: 'weekly',
  MONTHLY: 'monthly',
  QUARTERLY: 'quarterly',
  SEMIANNUAL: 'half-yearly',
  ANNUAL: 'yearly',
  ONCE: 'once',
}

/** `QUARTERLY` → `quarterly`, `EVERY_4_MONTHS` → `every 4 months`. */
export function formatFrequency(frequency: string): string {
  return frequencyWords[frequency] ?? frequency.toLowerCase().replaceAll('_', ' ')
}

const partyWords = { buyer: 'buyer', supplier: 'supplier' } as const

export function formatParties(parties: readonly (keyof typeof partyWords)[]): string {
  return parties.map(party => partyWords[party]).join(' and ')
}

/** The first and last characters of a hash, enough to compare by eye. */
export function formatHash(hash: string): string {
  return `${hash.slice(0, 8)} … ${hash.slice(-8)}`
}
