// Changed answers of all providers, long form: also of recorded answers, where there are any, and with other seeds.
import { runDrift } from '../ingest/drift-mutation.ts'
import type { Fault, FaultOutcome, FaultRun } from './fault.ts'

export const driftFault: Fault = {
  id: 'F35',
  words: 'answers changed in ways that keep them readable: of 20 at most one goes unnoticed',
  rounds: 300,
  run,
}

async function run({ seed, rounds, say }: FaultRun): Promise<FaultOutcome> {
  const { changed, kinds, unnoticed } = runDrift({ count: rounds, seed, withRecorded: true })
  for (const [kind, count] of Object.entries(kinds).sort()) {
    const own = unnoticed.filter(each => each.startsWith(`${kind}: `))
    say(`${kind}: ${count}, ${own.length} unnoticed`)
  }
  for (const each of unnoticed) say(`unnoticed: ${each}`)
  const isTooMany = unnoticed.length * 20 > changed || changed < rounds
  const failures = isTooMany ? [`${unnoticed.length} of ${changed} changed answers went unnoticed`] : []
  return { summary: `${changed} changed answers, ${unnoticed.length} unnoticed`, failures }
}
