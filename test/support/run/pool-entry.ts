// What the threads in the pool's own tests do, as requested by each test.
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { Refusal } from '../../../src/core/refusal.ts'
import { serveJobs } from '../../../src/workers/thread.ts'

export interface PoolTask {
  readonly wish: 'say' | 'sleep' | 'spin' | 'swell' | 'refuse' | 'fail' | 'leave'
  readonly text?: string
}

/** Counts the threads that have started. */
const { started } = (workerData ?? {}) as { readonly started?: Int32Array }
if (started !== undefined) Atomics.add(started, 0, 1)

serveJobs(async (task, { tell, isAbandoned }) => {
  const { wish, text = '' } = task as PoolTask
  if (wish === 'sleep') {
    for (let i = 0; i < 200 && !isAbandoned(); i++) await sleep(10)
    return isAbandoned() ? 'abandoned' : 'slept'
  }
  if (wish === 'spin') for (;;);
  if (wish === 'swell') for (const all: string[][] = []; ; ) all.push(Array.from({ length: 100_000 }, (_, i) => `${i}`))
  if (wish === 'refuse') throw new Refusal('conflict', text)
  if (wish === 'fail') throw new Error(text)
  if (wish === 'leave') process.exit(3)
  tell(`about ${text}`)
  return text
})
