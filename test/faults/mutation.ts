// F14, long form: a hundred thousand mutations a provider. They run in a thread of their own, so that a reading that never
// ends is seen from outside and named.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type ProviderName, providerNames } from '../../src/core/series.ts'
import { type MutationOutcome, mostMs, runMutations } from '../providers/mutation.ts'
import type { Fault, FaultOutcome, FaultRun } from './fault.ts'

/** A thread may be kept waiting by a busy machine; what lasts so long hangs. */
const hangMs = 10 * mostMs

interface Task {
  readonly provider: ProviderName
  readonly count: number
  readonly seed: number
  /** One number: the mutation that is being read. */
  readonly progress: SharedArrayBuffer
}

export const mutationFault: Fault = {
  id: 'F14',
  words: `spoiled bodies of every provider: no throw, none over ${mostMs} ms, no figure made up`,
  rounds: 100_000,
  run,
}

async function run({ seed, rounds, say }: FaultRun): Promise<FaultOutcome> {
  const failures: string[] = []
  let figures = 0
  let slowestMs = 0
  for (const provider of providerNames) {
    const outcome = await watch(provider, rounds, seed)
    failures.push(...outcome.failures)
    figures += outcome.figures
    slowestMs = Math.max(slowestMs, outcome.slowestMs)
    say(`${provider}: ${outcome.figures} figures read, slowest ${Math.ceil(outcome.slowestMs)} ms`)
  }
  const total = rounds * providerNames.length
  return { summary: `${total} mutations, ${figures} figures read, slowest ${Math.ceil(slowestMs)} ms`, failures }
}

function watch(provider: ProviderName, count: number, seed: number): Promise<MutationOutcome> {
  const progress = new SharedArrayBuffer(4)
  const at = new Int32Array(progress)
  const task: Task = { provider, count, seed, progress }
  const worker = new Worker(new URL(import.meta.url), { workerData: task })
  return new Promise((resolve, reject) => {
    let seen = -1
    const timer = setInterval(() => {
      const current = Atomics.load(at, 0)
      if (current === seen && current > 0) {
        finish()
        void worker.terminate()
        const failures = [`${provider} mutation ${current}: still reading after ${hangMs} ms`]
        resolve({ mutations: current, figures: 0, slowestMs: hangMs, failures })
      }
      seen = current
    }, hangMs)
    const finish = () => clearInterval(timer)
    worker.once('message', (outcome: MutationOutcome) => {
      finish()
      resolve(outcome)
    })
    worker.once('error', error => {
      finish()
      reject(error)
    })
  })
}

if (!isMainThread && parentPort !== null) {
  const { provider, count, seed, progress } = workerData as Task
  const at = new Int32Array(progress)
  parentPort.postMessage(runMutations(provider, { count, seed, onMutation: current => Atomics.store(at, 0, current) }))
}
