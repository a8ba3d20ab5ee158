// Powers of exact fractions. Whole exponents are exact; a root is rounded half up to the true power, decided by comparing
// whole numbers. Both are bounded, so that no call takes long.

import { Refusal } from '../refusal.ts'
import { divide, formatCarried, isWhole, multiply, one, powerOfTen, type Ratio, reduce } from './ratio.ts'
import type { WorkBudget } from './work-budget.ts'

export const maxExponent = 400
const maxRoot = 366

/** The most bits of a number to compare, which takes a few milliseconds. */
const maxBits = 200_000
/** Counted in units of work. */
const unitsPerPower = 200

/** x to a whole power from -400 to 400, exactly. */
export function power(x: Ratio, exponent: Ratio, work?: WorkBudget): Ratio {
  const whole = isWhole(exponent) ? exponent.n / exponent.d : null
  if (whole === null || whole > BigInt(maxExponent) || whole < -BigInt(maxExponent))
    throw new Refusal(
      'not-computable',
      `pow takes a whole exponent from -${maxExponent} to ${maxExponent}, got ${formatCarried(exponent)}; pow(x, y, dp) takes fractions`,
    )
  const times = numberOf(whole)
  const { n, d } = reduce(x)
  charge(times * Math.max(bitsOf(n), bitsOf(d)), work)
  const raised = { n: n ** BigInt(times), d: d ** BigInt(times) }
  // Through `divide`, which checks the bound and refuses division by zero.
  return whole < 0n ? divide(one, raised, work) : multiply(raised, one, work)
}

/**
 * x to the power of a fraction, rounded half up to `dp` decimals. A guess is computed with enough digits and then
 * checked with whole numbers: R is right if (2R − 1)ⁿ ≤ 2ⁿ · xᵖ · 10ⁿᵈᵖ < (2R + 1)ⁿ for the exponent p/n.
 */
export function powerRounded(x: Ratio, exponent: Ratio, dp: number, work?: WorkBudget): Ratio {
  if (x.n <= 0n) throw new Refusal('not-computable', `pow(x, y, dp) takes a positive x, got ${formatCarried(x)}`)
  const { n: p, d: root } = reduce(exponent)
  if (root > BigInt(maxRoot))
    throw new Refusal(
      'not-computable',
      `pow takes an exponent whose denominator is at most ${maxRoot}, got ${formatFraction(p, root)}`,
    )
  const base = reduce(p < 0n ? divide(one, x) : x)
  const times = numberOf(p)
  const degree = numberOf(root)
  // The longest numbers that are compared: the fraction itself, scaled, and the guess to the same power.
  charge(times * (bitsOf(base.n) + bitsOf(base.d)) + degree * (4 * Math.abs(dp) + 8), work)
  const raised: Ratio = { n: base.n ** BigInt(times), d: base.d ** BigInt(times) }
  const scale = powerOfTen(Math.abs(dp))
  // The true power times 10^dp is the root of this fraction.
  const wanted: Ratio =
    dp >= 0 ? { n: raised.n * scale ** root, d: raised.d } : { n: raised.n, d: raised.d * scale ** root }
  const rounded = nearest(wanted, degree)
  return dp >= 0 ? { n: rounded, d: scale } : { n: rounded * scale, d: 1n }
}

/** last × (last ÷ before)^(ahead ÷ over), rounded half up once, as one root of a fraction. Both values are positive. */
export function onTrend(last: Ratio, before: Ratio, ahead: number, over: number, dp: number, work?: WorkBudget): Ratio {
  const { n: times, d: degree } = reduce({ n: BigInt(ahead), d: BigInt(over) })
  const whole = (n: bigint): Ratio => ({ n, d: 1n })
  const moved = power(divide(last, before, work), whole(times), work)
  return powerRounded(multiply(power(last, whole(degree), work), moved, work), { n: 1n, d: degree }, dp, work)
}

function formatFraction(n: bigint, d: bigint): string {
  const text = `${n}/${d}`
  return text.length > 40 ? `one of ${d.toString().length} digits` : text
}

/** The absolute value of a small whole number; of a long one, more than any bound. */
function numberOf(n: bigint): number {
  const digits = (n < 0n ? -n : n).toString()
  return digits.length > 15 ? Infinity : Number.parseInt(digits, 10)
}

function bitsOf(n: bigint): number {
  return (n < 0n ? -n : n).toString(16).length * 4
}

function charge(bits: number, work: WorkBudget | undefined): void {
  if (bits > maxBits)
    throw new Refusal('not-computable', 'pow of numbers this long takes too long; round x or the exponent first')
  // Measured cost: by the length, and a little more for the longest.
  const words = Math.ceil(bits / 64)
  work?.spend(unitsPerPower + 4 * words * (32 - Math.clz32(words)))
}

/** The whole number nearest to the root of a fraction; halves go up. */
function nearest({ n, d }: Ratio, degree: number): bigint {
  const exponent = BigInt(degree)
  const doubled = n << exponent
  const isTooHigh = (r: bigint) => r > 0n && (2n * r - 1n) ** exponent * d > doubled
  const isTooLow = (r: bigint) => (2n * r + 1n) ** exponent * d <= doubled
  let guess = guessRoot(n, d, degree)
  while (isTooHigh(guess)) guess--
  while (isTooLow(guess)) guess++
  return guess
}

/** A root of n / d that is right except for its last digit, computed with numbers cut to the bits that matter. */
function guessRoot(n: bigint, d: bigint, degree: number): bigint {
  const exponentBits = bitsOf(n) - bitsOf(d)
  const rootBits = Math.max(Math.ceil(exponentBits / degree), 0) + 2
  const precision = rootBits + 64
  const value = cut({ m: (n << BigInt(precision + bitsOf(d))) / d, e: -(precision + bitsOf(d)) }, precision)
  if (value.m === 0n) return 0n
  const isAtMost = (r: bigint) => compareCut(powerCut({ m: r, e: 0 }, degree, precision), value) <= 0
  // Bit by bit, until each of Newton's steps doubles the digits.
  let root = 0n
  let bit = rootBits
  for (let found = 0; bit >= 0 && (root === 0n || found < 24); bit--) {
    const candidate = root + (1n << BigInt(bit))
    if (isAtMost(candidate)) root = candidate
    if (root > 0n) found++
  }
  if (bit < 0) return root
  for (let right = 16; right < precision; right *= 2) root = newton(root, value, degree, precision)
  return root
}

/** A number of limited length: m · 2^e. */
interface Cut {
  readonly m: bigint
  readonly e: number
}

function cut({ m, e }: Cut, precision: number): Cut {
  const spare = bitsOf(m) - precision
  return spare <= 0 ? { m, e } : { m: m >> BigInt(spare), e: e + spare }
}

function powerCut(base: Cut, exponent: number, precision: number): Cut {
  let result: Cut = { m: 1n, e: 0 }
  let square = base
  for (let left = exponent; left > 0; left >>= 1) {
    if (left & 1) result = cut({ m: result.m * square.m, e: result.e + square.e }, precision)
    if (left > 1) square = cut({ m: square.m * square.m, e: 2 * square.e }, precision)
  }
  return result
}

function compareCut(a: Cut, b: Cut): number {
  const shift = a.e - b.e
  const [x, y] = shift >= 0 ? [a.m << BigInt(shift), b.m] : [a.m, b.m << BigInt(-shift)]
  return x < y ? -1 : x > y ? 1 : 0
}

/** root + (value / root^(degree − 1) − root) / degree */
function newton(root: bigint, value: Cut, degree: number, precision: number): bigint {
  const lower = powerCut({ m: root, e: 0 }, degree - 1, precision)
  const shift = value.e - lower.e
  const quotient = shift >= 0 ? (value.m << BigInt(shift)) / lower.m : value.m / (lower.m << BigInt(-shift))
  return root + (quotient - root) / BigInt(degree)
}
