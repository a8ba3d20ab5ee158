// Closeness of two series: spread of their ratios, correlation of their changes, mean absolute difference. Computed with whole
// numbers, and rounded once, where it is written.
import {
  absolute,
  compare,
  divide,
  formatFixed,
  ofInteger,
  one,
  powerOfTen,
  type Ratio,
  subtract,
  sum,
} from '../numbers/ratio.ts'
import { percentOf, roundedChange } from './movement.ts'

/** Two values of one period. */
export interface Pair {
  readonly old: Ratio
  readonly new: Ratio
  readonly isNext: boolean
}

interface Closeness {
  readonly spreadPct: string | null
  readonly correlation: string | null
  readonly differencePct: string | null
}

const decimals = 4
const leastChanges = 3

/** `coefficient` puts an old value on the level of the new series. */
export function closenessOf(pairs: readonly Pair[], coefficient: Ratio | null): Closeness {
  const ratios = pairs.map(pair => divide(pair.new, pair.old))
  return {
    spreadPct: ratios.length < 2 ? null : percentOf(spreadOf(ratios), decimals),
    correlation: correlationOfChanges(pairs),
    differencePct:
      ratios.length === 0 || coefficient === null
        ? null
        : percentOf(mean(ratios.map(each => absolute(subtract(divide(each, coefficient), one)))), decimals),
  }
}

export function mean(values: readonly Ratio[]): Ratio {
  return divide(sum(values), ofInteger(values.length))
}

/** The place of the ratio that is furthest from the coefficient; the first of several. */
export function furthest(ratios: readonly Ratio[], coefficient: Ratio): number {
  const distances = ratios.map(each => absolute(subtract(divide(each, coefficient), one)))
  return distances.reduce((worst, distance, i) => (compare(distance, distances[worst]!) > 0 ? i : worst), 0)
}

function spreadOf(ratios: readonly Ratio[]): Ratio {
  const sorted = ratios.toSorted(compare)
  return subtract(divide(sorted.at(-1)!, sorted[0]!), one)
}

/** The correlation of changes between neighbouring periods, rounded to twelve decimals first: no more of them shows in four. */
function correlationOfChanges(pairs: readonly Pair[]): string | null {
  const changes = pairs.flatMap((pair, i) => {
    const before = pairs[i - 1]
    if (before === undefined || !pair.isNext) return []
    return [{ old: tinyChange(before.old, pair.old), new: tinyChange(before.new, pair.new) }]
  })
  if (changes.length < leastChanges) return null
  const [x, y] = [deviations(changes.map(each => each.old)), deviations(changes.map(each => each.new))]
  const [xx, yy, xy] = [product(x, x), product(y, y), product(x, y)]
  if (xx === 0n || yy === 0n) return null
  const scaled = roundedRoot(xy * xy * powerOfTen(2 * decimals), xx * yy)
  return formatFixed({ n: xy < 0n ? -scaled : scaled, d: powerOfTen(decimals) }, decimals)
}

/** A change in units of the twelfth decimal. */
function tinyChange(before: Ratio, now: Ratio): bigint {
  return roundedChange(before, now, 12).n
}

/** Distances from the mean, times their number: whole numbers. */
function deviations(values: readonly bigint[]): readonly bigint[] {
  const total = values.reduce((all, value) => all + value, 0n)
  return values.map(value => value * BigInt(values.length) - total)
}

function product(a: readonly bigint[], b: readonly bigint[]): bigint {
  return a.reduce((total, value, i) => total + value * b[i]!, 0n)
}

/** The square root of a fraction as a whole number, rounded half up. */
function roundedRoot(n: bigint, d: bigint): bigint {
  // Twice the root, cut: its half, rounded up where a half is left, is the rounded root.
  return (wholeRoot((4n * n) / d) + 1n) / 2n
}

function wholeRoot(square: bigint): bigint {
  if (square < 2n) return square
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2))
  for (;;) {
    const next = (root + square / root) / 2n
    if (next >= root) return root
    root = next
  }
}
