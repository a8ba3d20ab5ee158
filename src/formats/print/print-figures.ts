// Figures and days as a reader of a language expects them. Figures keep every digit: only the decimal sign, the spaces between
// thousands and the sign in front are the language's.
import type { Language } from '../../core/billing/languages.ts'

const decimalSign: Readonly<Record<Language, string>> = { en: '.', de: ',', fr: ',' }
const thousandsSpace = '\u202f'

const months: Readonly<Record<Language, readonly string[]>> = {
  en: 'January February March April May June July August September October November December'.split(' '),
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
}

/** A text with the language's decimal sign alone, for texts that other programs read too. */
export function formatPrintedDigits(text: string, language: Language): string {
  return text.replace('.', decimalSign[language])
}

/** `1234.50` → `1 234.50`, in German and French `1 234,50`. Any text but a decimal number stays as it is. */
export function formatPrintedFigure(text: string, language: Language): string {
  const [, sign, whole, rest = ''] = /^(-?)(\d+)((?:\.\d+)?…?)$/.exec(text) ?? []
  if (whole === undefined) return text
  const grouped = whole.length > 3 ? whole.replace(/\B(?=(?:\d{3})+$)/g, thousandsSpace) : whole
  return `${sign === '' ? '' : '−'}${grouped}${rest.replace('.', decimalSign[language])}`
}

/** A change always has its sign. */
export function formatPrintedChange(text: string, language: Language): string {
  const figure = formatPrintedFigure(text, language)
  return /[1-9]/.test(text) && !text.startsWith('-') ? `+${figure}` : figure
}

export function formatPrintedPercent(text: string, language: Language): string {
  return `${formatPrintedFigure(text, language)}${thousandsSpace}%`
}

export function formatPrintedMoney(text: string, currency: string | null, language: Language): string {
  const figure = formatPrintedFigure(text, language)
  return currency === null ? figure : `${figure}\u00a0${currency}`
}

/** `2024-09-01` or an instant, in UTC → `1 September 2024`, `1. September 2024`, `1er septembre 2024`. */
export function formatPrintedDate(iso: string, language: Language): string {
  const [year, month, day] = iso.slice(0, 10).split('-') as [string, string, string]
  const name = months[language][Number.parseInt(month, 10) - 1]!
  const number = Number.parseInt(day, 10)
  const written = language === 'de' ? `${number}.` : language === 'fr' && number === 1 ? '1er' : `${number}`
  return `${written}\u00a0${name}\u00a0${year}`
}

/** An instant in UTC, to the minute. */
export function formatPrintedMoment(iso: string, language: Language): string {
  return `${formatPrintedDate(iso, language)}, ${iso.slice(11, 16)}\u00a0UTC`
}
