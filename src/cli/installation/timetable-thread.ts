// The timetable in its own thread. Parsing a long answer of a provider keeps the processor busy and may need more memory
// than there is: neither affects the API.
import { Worker } from 'node:worker_threads'
import type { Config } from '../../config.ts'
import type { TimetableOptions } from '../../ingest/timetable.ts'
import { limits } from '../../limits.ts'
import type { DatabaseTarget } from '../../storage/postgres/database.ts'
import type { BegunTimetable } from './timetable-start.ts'

export interface TimetableTask {
  readonly target: DatabaseTarget
  readonly config: Config
  /** Times and pauses, if not the default. */
  readonly times?: Omit<TimetableOptions, 'clock'>
}

const inside = new URL('./timetable-inside.ts', import.meta.url)

/** Resolves when the timetable has started; rejects when it cannot. */
export async function startTimetableThread(task: TimetableTask): Promise<BegunTimetable> {
  const worker = new Worker(inside, { workerData: task })
  const ended = endOf(worker)
  const begun = new Promise<null>(resolve => worker.once('message', () => resolve(null)))
  const failure = await Promise.race([begun, ended])
  if (failure !== null) throw failure
  return {
    ended,
    async stop() {
      worker.postMessage('stop')
      // The timetable has its own time limit; a thread that exceeds it is terminated.
      const patience = setTimeout(() => void worker.terminate(), limits.gracefulStopMs + 1_000)
      await ended
      clearTimeout(patience)
    },
  }
}

function endOf(worker: Worker): Promise<Error> {
  const { promise, resolve } = Promise.withResolvers<Error>()
  worker.once('error', error => resolve(error instanceof Error ? error : new Error(String(error))))
  worker.once('exit', status => resolve(new Error(`its thread ended with status ${status}`)))
  return promise
}
