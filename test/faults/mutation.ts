// F14, long form: a hundred thousand mutations per provider.
import { isMainThread } from 'node:worker_threads'
import { type ProviderName, providerNames } from '../../src/core/series/series.ts'
import { mostMs, runMutations } from '../providers/mutation.ts'
import type { Fault, FaultOutcome, FaultRun } from './fault.ts'
import { inThread, watchMutations } from './watched-mutations.ts'

interface Task {
  readonly provider: ProviderName
  readonly count: number
  readonly seed: number
}

export const mutationFault: Fault = {
  id: 'F14',
  words: `damaged bodies of every provider: no exception, none over ${mostMs} ms, no figure made up`,
  rounds: 100_000,
  run,
}

async function run({ seed, rounds, say }: FaultRun): Promise<FaultOutcome> {
  const failures: string[] = []
  let figures = 0
  let slowestMs = 0
  for (const provider of providerNames) {
    const task: Task = { provider, count: rounds, seed }
    const outcome = await watchMutations(new URL(import.meta.url), provider, task)
    failures.push(...outcome.failures)
    figures += outcome.figures
    slowestMs = Math.max(slowestMs, outcome.slowestMs)
    say(`${provider}: ${outcome.figures} figures read, slowest ${Math.ceil(outcome.slowestMs)} ms`)
  }
  const total = rounds * providerNames.length
  return { summary: `${total} mutations, ${figures} figures read, slowest ${Math.ceil(slowestMs)} ms`, failures }
}

if (!isMainThread)
  inThread<Task>(({ provider, count, seed }, onMutation) => runMutations(provider, { count, seed, onMutation }))
