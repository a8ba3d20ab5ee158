// What a figure in an answer says: a plain decimal, or that there is none. Digits stay text from the wire on; NaN and
// Infinity are never a value, and a marker is never zero.
import { maxDigits } from '../../core/ratio.ts'

const markers = new Set([':', '..', '...', '.', '-', 'NaN', 'nan', 'NAN', 'NA', 'N/A', 'n/a', 'null'])

/** Why there is no value: the marker in words. `null` where the text claims to be one. */
export function missingMarker(text: string | null): string | null {
  if (text === null) return 'null'
  const first = text.charCodeAt(0)
  if (first >= 48 && first <= 57) return null
  const trimmed = text.trim()
  if (trimmed === '') return 'empty value'
  return markers.has(trimmed) ? `marker "${trimmed}"` : null
}

const plainPattern = /^[+-]?\d+(?:\.\d+)?$/
const looseParts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/

/**
 * The provider's literal where it is a plain decimal. `.5`, `5.` and `1.2E3` are written out plainly, digit for digit.
 * `null` for anything else.
 */
export function readFigure(text: string): string | null {
  if (plainPattern.test(text)) return text.length <= maxDigits || countDigits(text) <= maxDigits ? text : null
  const match = looseParts.exec(text.trim())
  if (!match) return null
  const [, sign, whole = '', part = '', exponent = '0'] = match
  if (whole + part === '') return null
  const written = sign + shiftPoint(whole, part, Number.parseInt(exponent, 10))
  return countDigits(written) <= maxDigits ? written : null
}

function countDigits(text: string): number {
  return text.length - (/^[+-]/.test(text) ? 1 : 0) - (text.includes('.') ? 1 : 0)
}

function shiftPoint(whole: string, part: string, by: number): string {
  const digits = whole + part
  const point = whole.length + by
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  const before = digits
    .slice(0, point)
    .padEnd(point, '0')
    .replace(/^0+(?=\d)/, '')
  const after = digits.slice(point)
  return after === '' ? before : `${before}.${after}`
}
