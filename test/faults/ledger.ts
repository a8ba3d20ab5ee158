// F13, long form: the true-up ledger against the independent one over random histories. A difference is printed with the
// seed of its history.
import { compareSeed } from '../true-up/compare.ts'
import type { Fault, FaultOutcome, FaultRun } from './fault.ts'

const sayEveryMs = 30_000
const mostFailures = 10

export const ledgerFault: Fault = {
  id: 'F13',
  words: 'random histories of revisions, invoices and corrections: the ledger and an independent one agree to the cent',
  rounds: 100_000,
  run,
}

async function run({ rounds, seed, say }: FaultRun): Promise<FaultOutcome> {
  const failures: string[] = []
  const startedMs = performance.now()
  let saidMs = startedMs
  for (let i = 0; i < rounds; i++) {
    const found = compareSeed(seed + i)
    if (found !== null) failures.push(found)
    if (failures.length === mostFailures) return { summary: `given up after ${i + 1} histories`, failures }
    if (performance.now() - saidMs < sayEveryMs) continue
    saidMs = performance.now()
    say(`${i + 1} histories, ${Math.round((i + 1) / ((saidMs - startedMs) / 1000))} a second`)
  }
  return { summary: `${rounds} histories`, failures }
}
