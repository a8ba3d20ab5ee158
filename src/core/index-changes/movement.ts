// The change from one value of an index to the next, and the text of a share, for comparisons of closeness and suspects.
import { divide, formatFixed, hundred, multiply, one, type Ratio, ratio, subtract } from '../numbers/ratio.ts'

/** Rounded: sums of many exact changes, or of their squares, would have thousands of digits. */
export function roundedChange(before: Ratio, now: Ratio, decimals: number): Ratio {
  return ratio(formatFixed(subtract(divide(now, before), one), decimals))
}

export function percentOf(share: Ratio, decimals: number): string {
  return formatFixed(multiply(share, hundred), decimals)
}
