// F14, long form: a hundred thousand mutations per provider.
import { isMainThread } from 'node:worker_threads'
import { type ProviderName, providerNames } from '../../src/core/series/series.ts'
import { runMutations } from '../providers/mutation.ts'
import type { Fault, FaultOutcome, FaultRun } from './fault.ts'
import { hangMs, inThread, watchMutations } from './watched-mutations.ts'

interface Task {
  readonly provider: ProviderName
  readonly count: number
  readonly seed: number
}

export const mutationFault: Fault = {
  id: 'F14',
  words: `damaged bodies of every provider: no exception, none over ${hangMs} ms, no figure made up`,
  rounds: 100_000,
  run,
}

async function run({ seed, rounds, say }: FaultRun): Promise<FaultOutcome> {
  const failures: string[] = []
  let figures = 0
  for (const provider of providerNames) {
    const task: Task = { provider, count: rounds, seed }
    const outcome = await watchMutations(new URL(import.meta.url), provider, task)
    failures.push(...outcome.failures)
    figures += outcome.figures
    say(`${provider}: ${outcome.figures} figures read`)
  }
  const total = rounds * providerNames.length
  return { summary: `${total} mutations, ${figures} figures read`, failures }
}

if (!isMainThread)
  inThread<Task>(({ provider, count, seed }, onMutation) => runMutations(provider, { count, seed, onMutation }))
