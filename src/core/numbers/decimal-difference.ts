// The difference between two figures as they are printed, in the decimals they are printed with, so that adding it to
// the first gives the second.
import { formatFixed, ratio, subtract } from './ratio.ts'

/** `b − a`; if a figure was cut (`…`), the difference is marked as cut too. */
export function decimalDifference(a: string, b: string): string {
  const [from, to] = [a.replace('…', ''), b.replace('…', '')]
  const decimals = (text: string) => text.split('.')[1]?.length ?? 0
  const difference = formatFixed(subtract(ratio(to), ratio(from)), Math.max(decimals(from), decimals(to)))
  const isCut = from.length < a.length || to.length < b.length
  return `${difference.replace(/^-(?=0(?:\.0*)?$)/, '')}${isCut ? '…' : ''}`
}
