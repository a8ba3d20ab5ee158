// Sums of amounts as they are written: exact, and with their decimals kept.
import { formatFixed, ratio, sum } from '../../../../src/core/numbers/ratio.ts'

export function sumAmounts(amounts: readonly string[]): string {
  const decimals = Math.max(0, ...amounts.map(amount => amount.split('.')[1]?.length ?? 0))
  return formatFixed(sum(amounts.map(ratio)), decimals)
}
