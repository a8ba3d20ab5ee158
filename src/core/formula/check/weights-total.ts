// The sum of weights that misses 1, in the unit in which people write shares.
import type { WeightsTotal } from '../../refusal.ts'

export function formatWeights({ moving, fixed, from, total }: WeightsTotal, write: (share: string) => string): string {
  const since = from === null ? '' : ` from ${from} on`
  return `the weights make ${write(moving)} and fixed is ${write(fixed)}${since}: together ${write(total)}, not ${write('1')}; correct them, or write clause.tolerance if the contract has it so`
}
