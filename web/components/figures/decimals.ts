// Differences and sums of figures as they are written: exact, with the decimals of the original figures.
import { decimalDifference } from '../../../src/core/numbers/decimal-difference.ts'
import { add, compare, equal, parseRatio, type Ratio, ratio, sum, zero } from '../../../src/core/numbers/ratio.ts'

/** Difference; null if one of the figures is missing. */
export function differenceIfBoth(before: string | null | undefined, after: string | null | undefined): string | null {
  return before == null || after == null ? null : decimalDifference(before, after)
}

/** Whether two figures are the same number, whatever their decimals. */
export function isSameFigure(a: string, b: string): boolean {
  return equal(ratio(a), ratio(b))
}

export function isNothing(figure: string): boolean {
  return !/[1-9]/.test(figure)
}

/** Whether the parts add up to the whole, to the last digit. */
export function addsUpTo(parts: readonly string[], whole: string): boolean {
  return equal(sum(parts.map(ratio)), ratio(whole))
}

/** Part that is missing from the whole. */
export function restOf(parts: readonly string[], whole: string): string {
  return parts.reduce((left, part) => decimalDifference(part, left), whole)
}

/** The parts in sequence: each starts where the previous one ended. */
interface Stretch {
  readonly from: Ratio
  readonly to: Ratio
}

export function stretchesOf(parts: readonly string[]): Stretch[] {
  let from = zero
  return parts.map(part => {
    const to = add(from, ratio(part))
    const stretch = { from, to }
    from = to
    return stretch
  })
}

export function compareFigures(a: string, b: string): number {
  const [first, second] = [parseRatio(a), parseRatio(b)]
  return first === null || second === null ? 0 : compare(first, second)
}

/** Only for positions on the screen. */
export function pixelsOf({ n, d }: Ratio): number {
  return Number((n * 1_000_000n) / d) / 1_000_000
}
