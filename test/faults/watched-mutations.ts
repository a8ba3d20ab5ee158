// Mutations in their own thread, watched from outside: a parser that never ends is detected and named.
import { parentPort, Worker, workerData } from 'node:worker_threads'
import type { MutationOutcome } from '../providers/mutation.ts'

/** A busy machine may delay a thread; after this time it hangs. */
export const hangMs = 5_000

interface Watched<Task> {
  readonly task: Task
  /** One number: the mutation that is being read. */
  readonly progress: SharedArrayBuffer
}

/** Runs a script that calls `inThread` with a task. `name` is what is read, for a failure. */
export function watchMutations<Task>(script: URL, name: string, task: Task): Promise<MutationOutcome> {
  const progress = new SharedArrayBuffer(4)
  const at = new Int32Array(progress)
  const worker = new Worker(script, { workerData: { task, progress } satisfies Watched<Task> })
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

/** Inside the thread; elsewhere it does nothing. */
export function inThread<Task>(run: (task: Task, onMutation: (at: number) => void) => MutationOutcome): void {
  if (parentPort === null) return
  const { task, progress } = workerData as Watched<Task>
  const at = new Int32Array(progress)
  parentPort.postMessage(run(task, current => void Atomics.store(at, 0, current)))
}
