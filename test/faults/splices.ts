// Long form of the splices that must move no price. A difference is printed with the seed of its agreement.
import { compareSplice } from '../properties/spliced-prices.ts'
import type { Fault, FaultOutcome, FaultRun } from './fault.ts'

const mostFailures = 10

export const spliceFault: Fault = {
  id: 'long form',
  words: 'random agreements whose index is replaced by itself on another level: every later price stays as it was',
  rounds: 100_000,
  run,
}

async function run({ rounds, seed, say }: FaultRun): Promise<FaultOutcome> {
  const failures: string[] = []
  for (let i = 0; i < rounds && failures.length < mostFailures; i++) {
    const found = compareSplice(seed + i)
    if (found !== null) failures.push(found)
    if ((i + 1) % 10_000 === 0) say(`${i + 1} agreements`)
  }
  return { summary: `${rounds} agreements`, failures }
}
