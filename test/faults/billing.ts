// F25, long form: what is billed under notes, against an independent book over random histories. A difference is printed with the
// seed of its history.
import { compareBillingSeed } from '../true-up/billing-compare.ts'
import type { Fault, FaultOutcome, FaultRun } from './fault.ts'

const mostFailures = 10
const sayEvery = 10_000

export const billingFault: Fault = {
  id: 'F25',
  words:
    'random histories of lines, notes, corrections and reversals: nothing billed disappears, every difference is named',
  rounds: 100_000,
  run,
}

async function run({ rounds, seed, say }: FaultRun): Promise<FaultOutcome> {
  const failures: string[] = []
  for (let i = 0; i < rounds; i++) {
    const found = compareBillingSeed(seed + i)
    if (found !== null) failures.push(found)
    if (failures.length === mostFailures) return { summary: `given up after ${i + 1} histories`, failures }
    if ((i + 1) % sayEvery === 0) say(`${i + 1} histories`)
  }
  return { summary: `${rounds} histories`, failures }
}
