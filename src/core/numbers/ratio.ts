// Exact fractions: the only way to make and use numbers. Money, index values and weights are Ratios from the published
// digits to the end; nothing here rounds unless the caller says where and how. A number over the size bound is refused,
// so that nothing hangs; an evaluation passes a budget, and work on long numbers is charged to it.

import { Refusal } from '../refusal.ts'
import { greatestCommonDivisor } from './common-divisor.ts'
import { isLong, type WorkBudget, writingCost } from './work-budget.ts'

export interface Ratio {
  readonly n: bigint
  /** Always positive. Not necessarily in lowest terms: see `reduce`. */
  readonly d: bigint
}

export const roundingModes = ['HALF_UP', 'HALF_EVEN', 'HALF_DOWN', 'UP', 'DOWN', 'CEILING', 'FLOOR'] as const
export type RoundingMode = (typeof roundingModes)[number]

/** Rounding to `dp` decimals, or to a multiple of a positive number. */
export type Rounding =
  | { readonly dp: number; readonly mode: RoundingMode }
  | { readonly multiple: Ratio; readonly mode: RoundingMode }

/** Digits a decimal may have when it is written: published values have far fewer. */
export const maxDigits = 60
const bound = 1n << 131_072n
const negativeBound = -bound
const veryLong = 1n << 4096n

export const zero: Ratio = { n: 0n, d: 1n }
export const one: Ratio = { n: 1n, d: 1n }
export const hundred: Ratio = { n: 100n, d: 1n }

const decimalPattern = /^([+-]?)(\d+)(?:\.(\d+))?$/

const tens: bigint[] = [1n]
export function powerOfTen(exponent: number): bigint {
  while (tens.length <= exponent) tens.push(tens[tens.length - 1]! * 10n)
  return tens[exponent]!
}

export function ofInteger(value: number | bigint): Ratio {
  return { n: BigInt(value), d: 1n }
}

/** Reads a plain decimal such as `274.138` or `-0.40`; `null` for anything else (exponents, NaN, separators). */
export function parseRatio(text: string): Ratio | null {
  return text.length <= shortText ? parseShort(text) : parseLong(text)
}

/** Digits of a text this short make a whole number that fits a machine word. */
const shortText = 15
const [plus, minus, point, digitZero, digitNine] = [43, 45, 46, 48, 57] as const

/** Published figures are short, and there are many: digit by digit, without a pattern. */
function parseShort(text: string): Ratio | null {
  const first = text.charCodeAt(0)
  let digits = 0
  let pointAt = -1
  const from = first === plus || first === minus ? 1 : 0
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= digitZero && code <= digitNine) digits = digits * 10 + code - digitZero
    else if (code === point && pointAt < 0 && i > from && i < text.length - 1) pointAt = i
    else return null
  }
  if (from === text.length) return null
  const decimals = pointAt < 0 ? 0 : text.length - 1 - pointAt
  return { n: BigInt(first === minus ? -digits : digits), d: powerOfTen(decimals) }
}

function parseLong(text: string): Ratio | null {
  const match = decimalPattern.exec(text)
  if (!match) return null
  const [, sign, whole, part = ''] = match
  if (whole!.length + part.length > maxDigits) return null
  const digits = BigInt(whole! + part)
  return { n: sign === '-' ? -digits : digits, d: powerOfTen(part.length) }
}

/** The fraction of a decimal that was checked before. */
export function ratio(text: string): Ratio {
  const parsed = parseRatio(text)
  if (parsed === null) throw new Error(`not a decimal: ${text}`)
  return parsed
}

// Fractions are not brought to lowest terms: the denominators met in price clauses stay small, and finding common
// divisors in a chain of them costs more than the longer products do. Only when two very long denominators meet in a
// sum is their common divisor removed; otherwise the parts of one explanation, all over the same price, would outgrow
// the bound.
function make(n: bigint, d: bigint, a: Ratio, b: Ratio, work?: WorkBudget): Ratio {
  if (!isLong(n, d)) return { n, d }
  if (n >= bound || n <= negativeBound || d >= bound)
    throw new Refusal('too-large', 'a number of more than 39,000 digits; round a value that is carried on')
  work?.operate(n, d, isLong(a.n, a.d) && isLong(b.n, b.d))
  return { n, d }
}

/** Lowest terms: the canonical form, for writing out and for comparing as text. */
export function reduce(a: Ratio): Ratio {
  const divisor = greatestCommonDivisor(a.n, a.d)
  return divisor === 1n ? a : { n: a.n / divisor, d: a.d / divisor }
}

export function add(a: Ratio, b: Ratio, work?: WorkBudget): Ratio {
  if (a.d === b.d) return make(a.n + b.n, a.d, a, b, work)
  if (b.d === 1n) return make(a.n + (b.n === 1n ? a.d : b.n * a.d), a.d, a, b, work)
  if (a.d > veryLong && b.d > veryLong) return addVeryLong(a, b, work)
  return make(a.n * b.d + b.n * a.d, a.d * b.d, a, b, work)
}

export function subtract(a: Ratio, b: Ratio, work?: WorkBudget): Ratio {
  if (a.d === b.d) return make(a.n - b.n, a.d, a, b, work)
  if (b.d === 1n) return make(a.n - (b.n === 1n ? a.d : b.n * a.d), a.d, a, b, work)
  if (a.d > veryLong && b.d > veryLong) return addVeryLong(a, { n: -b.n, d: b.d }, work)
  return make(a.n * b.d - b.n * a.d, a.d * b.d, a, b, work)
}

function addVeryLong(a: Ratio, b: Ratio, work?: WorkBudget): Ratio {
  work?.spend(writingCost(a.d, b.d))
  const common = greatestCommonDivisor(a.d, b.d)
  const [restOfA, restOfB] = [a.d / common, b.d / common]
  return make(a.n * restOfB + b.n * restOfA, a.d * restOfB, a, b, work)
}

export function multiply(a: Ratio, b: Ratio, work?: WorkBudget): Ratio {
  return make(a.n * b.n, a.d * b.d, a, b, work)
}

export function divide(a: Ratio, b: Ratio, work?: WorkBudget): Ratio {
  if (b.n === 0n) throw new Refusal('division-by-zero', 'a division by zero')
  if (a.d === b.d) return b.n < 0n ? make(-a.n, -b.n, a, b, work) : { n: a.n, d: b.n }
  return b.n < 0n ? make(-a.n * b.d, a.d * -b.n, a, b, work) : make(a.n * b.d, a.d * b.n, a, b, work)
}

export function negate(a: Ratio, work?: WorkBudget): Ratio {
  work?.operate(a.n, a.d, false)
  return { n: -a.n, d: a.d }
}

export function absolute(a: Ratio, work?: WorkBudget): Ratio {
  return a.n < 0n ? negate(a, work) : a
}

/** Negative, zero or positive, as `a` is below, at or above `b`. */
export function compare(a: Ratio, b: Ratio, work?: WorkBudget): number {
  if (work !== undefined && isLong(a.n, a.d)) work.operate(a.n, a.d, isLong(b.n, b.d))
  if (work !== undefined && isLong(b.n, b.d)) work.operate(b.n, b.d, isLong(a.n, a.d))
  const difference = a.d === b.d ? a.n - b.n : a.n * b.d - b.n * a.d
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

export function equal(a: Ratio, b: Ratio): boolean {
  return a.d === b.d ? a.n === b.n : a.n * b.d === b.n * a.d
}

export function least(a: Ratio, b: Ratio, work?: WorkBudget): Ratio {
  return compare(a, b, work) <= 0 ? a : b
}

export function greatest(a: Ratio, b: Ratio, work?: WorkBudget): Ratio {
  return compare(a, b, work) >= 0 ? a : b
}

export function sum(values: readonly Ratio[], work?: WorkBudget): Ratio {
  return values.reduce((total, value) => add(total, value, work), zero)
}

/** The rest of a after whole multiples of b; it has the sign of b. */
export function modulo(a: Ratio, b: Ratio, work?: WorkBudget): Ratio {
  const times = divide(a, b, work)
  work?.operate(times.n, times.d, true)
  return subtract(a, multiply(b, ofInteger(divideRounding(times.n, times.d, 'FLOOR')), work), work)
}

export function isWhole(a: Ratio): boolean {
  return a.n % a.d === 0n
}

/** n / d as a whole number, by the mode. `d` is positive. */
function divideRounding(n: bigint, d: bigint, mode: RoundingMode): bigint {
  const cut = n / d
  const rest = n - cut * d
  if (rest === 0n) return cut
  const away = n < 0n ? cut - 1n : cut + 1n
  if (mode === 'DOWN') return cut
  if (mode === 'UP') return away
  if (mode === 'CEILING') return n < 0n ? cut : away
  if (mode === 'FLOOR') return n < 0n ? away : cut
  const twice = (rest < 0n ? -rest : rest) * 2n
  if (twice !== d) return twice > d ? away : cut
  if (mode === 'HALF_UP') return away
  if (mode === 'HALF_DOWN') return cut
  return cut % 2n === 0n ? cut : away
}

/** Rounds to `dp` decimals; a negative `dp` rounds to tens, hundreds, thousands. */
export function roundTo(a: Ratio, dp: number, mode: RoundingMode = 'HALF_UP', work?: WorkBudget): Ratio {
  work?.operate(a.n, a.d, true)
  if (dp >= 0) {
    const scale = powerOfTen(dp)
    return { n: divideRounding(a.n * scale, a.d, mode), d: scale }
  }
  const scale = powerOfTen(-dp)
  return { n: divideRounding(a.n, a.d * scale, mode) * scale, d: 1n }
}

export function round(a: Ratio, rounding: Rounding, work?: WorkBudget): Ratio {
  if ('dp' in rounding) return roundTo(a, rounding.dp, rounding.mode, work)
  const times = divide(a, rounding.multiple, work)
  work?.operate(times.n, times.d, true)
  return multiply(ofInteger(divideRounding(times.n, times.d, rounding.mode)), rounding.multiple, work)
}

function formatScaled(scaled: bigint, decimals: number): string {
  const sign = scaled < 0n ? '-' : ''
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0')
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

function dropIdleZeros(text: string): string {
  if (!text.includes('.')) return text
  let end = text.length
  while (text.charCodeAt(end - 1) === digitZero) end--
  if (text.charCodeAt(end - 1) === point) end--
  const short = end === text.length ? text : text.slice(0, end)
  return short === '-0' ? '0' : short
}

/** A number with exactly `dp` decimals, rounded half up unless another mode is given. */
export function formatFixed(a: Ratio, dp: number, mode: RoundingMode = 'HALF_UP'): string {
  const scaled = divideRounding(a.n * powerOfTen(dp), a.d, mode)
  return formatScaled(scaled, dp)
}

/** Rounded to at most `dp` decimals, idle zeros dropped: `7.25`, `0`, `-1.8763`. */
export function formatShort(a: Ratio, dp: number, mode: RoundingMode = 'HALF_UP'): string {
  return dropIdleZeros(formatFixed(a, dp, mode))
}

/** The most decimals of a value rounded like this. */
function decimalsOf(rounding: Rounding): number {
  return 'dp' in rounding ? Math.max(rounding.dp, 0) : rounding.multiple.d.toString().length - 1
}

/** A number by a rounding, with the decimals that the rounding implies: `1.7970` for four decimals. */
export function formatRounded(a: Ratio, rounding: Rounding): string {
  if ('dp' in rounding && rounding.dp >= 0) return formatFixed(a, rounding.dp, rounding.mode)
  return formatFixed(round(a, rounding), decimalsOf(rounding))
}

/**
 * Whether a figure that was written by a rounding is this one. A multiple of 0.50 is stored as 0.5, and the zeros behind a
 * figure are then lost.
 */
export function isSameRounded(written: string | null, figure: string | null, rounding: Rounding | null): boolean {
  if (written === figure) return true
  if (rounding === null || 'dp' in rounding || written === null || figure === null) return false
  const [a, b] = [parseRatio(written), parseRatio(figure)]
  return a !== null && b !== null && equal(a, b)
}

/** A number by a rounding, idle zeros dropped: `1.797`. */
export function formatRoundedShort(a: Ratio, rounding: Rounding): string {
  return dropIdleZeros(formatRounded(a, rounding))
}

const significantDigits = 30

/**
 * The carried value: exact when it is a finite decimal of at most 30 digits, else cut (not rounded) at 30 significant
 * digits with a trailing `…`.
 */
export function formatCarried(a: Ratio): string {
  if (a.n === 0n) return '0'
  const magnitude = a.n < 0n ? -a.n : a.n
  const whole = magnitude / a.d
  let decimals: number
  if (whole > 0n) {
    const wholeDigits = whole.toString().length
    if (wholeDigits > significantDigits) {
      const dropped = powerOfTen(wholeDigits - significantDigits)
      return `${a.n < 0n ? '-' : ''}${(whole / dropped) * dropped}…`
    }
    decimals = significantDigits - wholeDigits
  } else {
    // Leading zeros after the point are not significant digits.
    const gap = a.d.toString().length - magnitude.toString().length
    const leading = magnitude * powerOfTen(gap) >= a.d ? gap - 1 : gap
    decimals = significantDigits + leading
  }
  const shifted = magnitude * powerOfTen(decimals)
  const scaled = shifted / a.d
  const exact = scaled * a.d === shifted
  const text = formatScaled(a.n < 0n ? -scaled : scaled, decimals)
  return exact ? dropIdleZeros(text) : `${text}…`
}

/** Exact and canonical, for hashing and replay: a decimal if it is one of reasonable length, else `n/d`. */
export function formatExact(a: Ratio): string {
  const carried = formatCarried(a)
  if (!carried.endsWith('…')) return carried
  const { n, d } = reduce(a)
  return d === 1n ? n.toString() : `${n}/${d}`
}

const fractionPattern = /^(-?\d+)\/([1-9]\d*)$/

/** Reads what `formatExact` wrote; `null` for anything else. */
export function parseExact(text: string): Ratio | null {
  if (text.length > 80_000) return null
  const match = fractionPattern.exec(text)
  if (match) return { n: BigInt(match[1]!), d: BigInt(match[2]!) }
  return /^-?\d+$/.test(text) ? { n: BigInt(text), d: 1n } : parseRatio(text)
}
