// The oracle's arithmetic: fraction.js, and the seven rounding modes written out from docs/FORMULA.md. It shares no code with
// src/core, so that an error there is not repeated here.
import { Fraction } from 'fraction.js'

export { Fraction }

export const modes = ['HALF_UP', 'HALF_EVEN', 'HALF_DOWN', 'UP', 'DOWN', 'CEILING', 'FLOOR'] as const
export type Mode = (typeof modes)[number]

/** A rounding as a document writes it; `NONE` says that nothing is rounded. */
export type RoundingChoice = RoundingText | 'NONE'

/** `{ dp: 4, mode: DOWN }` or `{ multiple: '0.05' }`. */
export interface RoundingText {
  readonly dp?: number
  readonly multiple?: string
  readonly mode?: Mode
}

export const zero = new Fraction(0n)
export const one = new Fraction(1n)
export const hundred = new Fraction(100n)

const read = new Map<string, Fraction>()

/** A decimal as written. Cached, because the same few numbers come again and again. */
export function decimal(text: string): Fraction {
  let value = read.get(text)
  if (value === undefined) {
    if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error(`not a decimal: ${text}`)
    if (read.size > 50_000) read.clear()
    value = new Fraction(text)
    read.set(text, value)
  }
  return value
}

/** n / d with the sign in n. */
export function numeratorOf(value: Fraction): bigint {
  return value.s * value.n
}

export function isZero(value: Fraction): boolean {
  return value.n === 0n
}

export function isNegative(value: Fraction): boolean {
  return value.s < 0n && value.n !== 0n
}

/** The greatest whole number that is not above. */
function wholeBelow(value: Fraction): bigint {
  const n = numeratorOf(value)
  const cut = n / value.d
  return n < 0n && cut * value.d !== n ? cut - 1n : cut
}

export function roundWhole(value: Fraction, mode: Mode): bigint {
  const below = wholeBelow(value)
  const rest = value.sub(new Fraction(below))
  if (isZero(rest)) return below
  const above = below + 1n
  const negative = isNegative(value)
  const [toward, away] = negative ? [above, below] : [below, above]
  if (mode === 'CEILING') return above
  if (mode === 'FLOOR') return below
  if (mode === 'UP') return away
  if (mode === 'DOWN') return toward
  const side = rest.compare(new Fraction(1n, 2n))
  if (side !== 0) return side < 0 ? below : above
  if (mode === 'HALF_UP') return away
  if (mode === 'HALF_DOWN') return toward
  return below % 2n === 0n ? below : above
}

export function unitOf(rounding: RoundingText): Fraction {
  if (rounding.multiple !== undefined) return decimal(rounding.multiple)
  const places = rounding.dp!
  return places < 0 ? new Fraction(10n ** BigInt(-places)) : new Fraction(1n, 10n ** BigInt(places))
}

export function roundAs(value: Fraction, rounding: RoundingChoice | undefined, mode?: Mode): Fraction {
  if (rounding === undefined || rounding === 'NONE') return value
  const unit = unitOf(rounding)
  return new Fraction(roundWhole(value.div(unit), mode ?? rounding.mode ?? 'HALF_UP')).mul(unit)
}

export function smaller(a: Fraction, b: Fraction): Fraction {
  return a.compare(b) <= 0 ? a : b
}

export function larger(a: Fraction, b: Fraction): Fraction {
  return a.compare(b) >= 0 ? a : b
}

export function total(values: readonly Fraction[]): Fraction {
  return values.reduce((sum, value) => sum.add(value), zero)
}

/** A finite decimal with idle zeros dropped: how a rounded percentage is printed. */
export function print(value: Fraction): string {
  let [n, decimals] = [value.n, 0]
  let d = value.d
  while (d !== 1n) {
    if (decimals > 200) throw new Error(`not a short finite decimal: ${value.toFraction()}`)
    decimals++
    n *= 10n
    const common = gcd(n, d)
    n /= common
    d /= common
  }
  const digits = n.toString().padStart(decimals + 1, '0')
  const sign = isNegative(value) ? '-' : ''
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b)
}
