// Mutations in their own thread, watched from outside: a parser that never ends is detected and named.
import { Worker } from 'node:worker_threads'
import type { ProviderName } from '../../src/core/series/series.ts'
import type { MutationOptions, MutationOutcome } from '../providers/mutation.ts'

/** A busy machine may delay a thread; after this time it hangs. */
const hangMs = 5_000

type Damaged = Pick<MutationOptions, 'count' | 'seed'>

export interface Watched {
  /** Whose bodies are read. */
  readonly name: ProviderName | 'invoice'
  readonly damaged: Damaged
  /** One number: the mutation that is being read. */
  readonly progress: SharedArrayBuffer
}

export function watchMutations(name: ProviderName | 'invoice', damaged: Damaged): Promise<MutationOutcome> {
  const progress = new SharedArrayBuffer(4)
  const at = new Int32Array(progress)
  const workerData = { name, damaged, progress } satisfies Watched
  const worker = new Worker(new URL('mutation-thread.ts', import.meta.url), { workerData })
  return new Promise((resolve, reject) => {
    let seen = -1
    const timer = setInterval(() => {
      const current = Atomics.load(at, 0)
      if (current === seen && current > 0) {
        finish()
        void worker.terminate()
        const failures = [`${name} mutation ${current}: still reading after ${hangMs} ms`]
        resolve({ mutations: current, figures: 0, failures })
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
