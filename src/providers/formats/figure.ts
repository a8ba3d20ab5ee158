// Reads a figure in an answer: a plain decimal, or a marker for a missing one. Digits are kept as text throughout; NaN and
// Infinity are never values, and a marker is never zero.
import { maxDigits } from '../../core/numbers/ratio.ts'

const markers = new Set([':', '..', '...', '.', '-', 'NaN', 'nan', 'NAN', 'NA', 'N/A', 'n/a', 'null'])

/** The reason for a missing value, in words; `null` if the text should be a value. */
export function missingMarker(text: string | null): string | null {
  if (text === null) return 'null'
  const first = text.charCodeAt(0)
  if (first >= 48 && first <= 57) return null
  const trimmed = text.trim()
  if (trimmed === '') return 'empty value'
  return markers.has(trimmed) ? `marker "${trimmed}"` : null
}

const numberPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/

/**
 * The literal of a number as a plain decimal: `.5` gets its leading zero, `3.9520274E7` is written out; no digit changes.
 * `null` for NaN, Infinity, grouped digits and numbers too long to be published figures.
 */
export function plainDecimal(literal: string): string | null {
  const match = numberPattern.exec(literal)
  if (!match) return null
  const [, sign, whole = '', part = '', exponent] = match
  if (whole + part === '') return null
  const shift = exponent === undefined ? 0 : Number.parseInt(exponent, 10)
  if (whole.length + part.length + Math.abs(shift) > maxDigits) return null
  const digits = whole + part
  const point = whole.length + shift
  const left = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0')
  const right = point >= digits.length ? '' : point < 0 ? '0'.repeat(-point) + digits : digits.slice(point)
  const trimmed = shift === 0 ? left : left.replace(/^0+(?=\d)/, '')
  return `${sign === '-' ? '-' : ''}${trimmed}${right === '' ? '' : `.${right}`}`
}

const plainPattern = /^[+-]?\d+(?:\.\d+)?$/

/** The provider's literal if it is a plain decimal already; else as `plainDecimal` writes it. */
export function readFigure(text: string): string | null {
  if (!plainPattern.test(text)) return plainDecimal(text.trim())
  return text.length <= maxDigits || text.replace(/[+.-]/g, '').length <= maxDigits ? text : null
}
