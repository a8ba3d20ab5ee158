// The building blocks of the lines of a clause: numbers and params as expressions, limits, brackets.
import { add, compare, divide, formatShort, hundred, one, type Ratio, type Rounding } from '../../numbers/ratio.ts'
import type { ClauseNumber, StepSource } from '../terms.ts'

/** The last applied factor, in an expression. */
export const previousApplied = 'prev(applied, 1)'

export function line(
  name: string,
  expr: string,
  note: string | null = null,
  round: Rounding | null = null,
): StepSource {
  return { name, expr, round, show: null, note }
}

export function number({ text, param }: ClauseNumber): string {
  return param ?? text
}

/** A percentage as a fraction: a literal where it is known, else `name / 100`. */
export function percent({ value, param }: ClauseNumber): string {
  return param === null ? literal(divide(value!, hundred)) : `${param} / 100`
}

export function onePlusPercent({ value, param }: ClauseNumber): string {
  return param === null ? literal(add(one, divide(value!, hundred))) : `(1 + ${param} / 100)`
}

/** Exact: the numbers of a document are decimals, and stay so when a hundredth of them is taken. */
function literal(value: Ratio): string {
  return formatShort(value, value.d.toString().length - 1)
}

export function group(expr: string): string {
  return /^(?:[\p{L}\p{N}_.]+|\([^()]*\)|[a-z]+\([^()]*\))$/u.test(expr) ? expr : `(${expr})`
}

/** The value kept between the highest lower limit and the lowest upper limit; if they cross, the cap wins. */
export function within(value: string, lows: readonly string[], highs: readonly string[]): string {
  const one = (call: 'min' | 'max', list: readonly string[]) => (list.length === 1 ? list[0] : call + inCall(list))
  if (lows.length > 0 && highs.length > 0) return `clamp(${value}, ${one('max', lows)}, ${one('min', highs)})`
  if (highs.length > 0) return `min${inCall([value, ...highs])}`
  return lows.length > 0 ? `max${inCall([value, ...lows])}` : value
}

function inCall(list: readonly string[]): string {
  return `(${list.join(', ')})`
}

export function isOne({ value }: ClauseNumber): boolean {
  return value !== null && compare(value, one) === 0
}
