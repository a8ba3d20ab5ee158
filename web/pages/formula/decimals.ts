// Differences and sums of figures as they are written: exact, and with the decimals of the figures they come from.
import {
  add,
  compare,
  equal,
  parseRatio,
  type Ratio,
  ratio,
  subtract,
  sum,
  writeFixed,
  zero,
} from '../../../src/core/ratio.ts'

function decimalsOf(text: string): number {
  const point = text.indexOf('.')
  return point < 0 ? 0 : text.length - point - 1
}

/** `after` less `before`: `13.10` and `12.80` give `0.30`. */
export function differenceOf(before: string, after: string): string {
  return writeFixed(subtract(ratio(after), ratio(before)), Math.max(decimalsOf(before), decimalsOf(after)))
}

/** Null where one of them is not there. */
export function differenceIfBoth(before: string | null | undefined, after: string | null | undefined): string | null {
  return before == null || after == null ? null : differenceOf(before, after)
}

export function isNothing(figure: string): boolean {
  return !/[1-9]/.test(figure)
}

/** Whether the parts make the whole to the last digit. */
export function addsUpTo(parts: readonly string[], whole: string): boolean {
  return equal(sum(parts.map(ratio)), ratio(whole))
}

/** The parts one behind the other: each from where the one before ended. */
export interface Stretch {
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

/** For a place on the screen, and nothing else. */
export function pixelsOf({ n, d }: Ratio): number {
  return Number((n * 1_000_000n) / d) / 1_000_000
}
