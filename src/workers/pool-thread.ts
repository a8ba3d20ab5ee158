// One thread of a pool: runs a job at a time within its bounds, and reports how it ended. A job that exceeds them takes the
// thread with it.
import { Worker } from 'node:worker_threads'
import { Refusal } from '../core/refusal.ts'
import type { TraceCarrier } from '../tracing/spans.ts'
import type { FromThread, ThreadFailure, ToThread } from './message.ts'

/** A job for a thread, with its listeners. */
interface ThreadJob {
  readonly task: unknown
  readonly trace: TraceCarrier | null
  readonly tell: (progress: unknown) => void
  /** Longest time of the job on this thread. */
  readonly mostMs: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  /** Called when the job took longer and was stopped. */
  readonly onTooLong: () => void
}

interface ThreadOptions {
  /** Module of the thread; it calls `serveJobs`. */
  readonly entry: URL
  readonly data: unknown
  readonly heapMb: number
}

export class Thread {
  readonly #worker: Worker
  /** Called when the thread is ready, when it is free again, and when it has ended. */
  readonly #onChange: () => void
  #job: ThreadJob | null = null
  #timer: NodeJS.Timeout | undefined
  isReady = false
  #why: Error | null = null
  #isTooLong = false
  hasEnded = false

  constructor({ entry, data, heapMb }: ThreadOptions, onChange: () => void) {
    this.#onChange = onChange
    this.#worker = new Worker(entry, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngHeapMb },
    })
    this.#worker.unref()
    this.#worker.on('message', (message: FromThread) => this.#hear(message))
    this.#worker.on('error', error => {
      this.#why ??= explainEnd(error)
    })
    this.#worker.on('exit', () => this.#leave())
  }

  get isFree(): boolean {
    return this.#job === null && !this.hasEnded && this.#why === null
  }

  start(job: ThreadJob): void {
    this.#job = job
    if (this.isReady) this.#post()
  }

  /** Nobody waits for its job any more. */
  abandon(): void {
    if (this.#job !== null) this.#send({ kind: 'abandon' })
  }

  async end(): Promise<void> {
    this.#why ??= new Refusal('unavailable', 'the server is stopping; try again')
    await this.#worker.terminate()
  }

  #post(): void {
    const { task, trace, mostMs } = this.#job!
    this.#timer = setTimeout(() => {
      this.#isTooLong = true
      this.#why = new Error('a job took too long')
      void this.#worker.terminate()
    }, mostMs)
    this.#send({ kind: 'job', task, trace })
  }

  #send(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  #hear(message: FromThread): void {
    if (message.kind === 'ready') {
      this.isReady = true
      if (this.#job !== null) this.#post()
      this.#onChange()
      return
    }
    const job = this.#job
    if (job === null) return
    if (message.kind === 'progress') {
      job.tell(message.progress)
      return
    }
    this.#finish()
    if (message.kind === 'done') job.resolve(message.value)
    else job.reject(errorOf(message.failure))
    this.#onChange()
  }

  #finish(): void {
    clearTimeout(this.#timer)
    this.#job = null
  }

  #leave(): void {
    const job = this.#job
    this.hasEnded = true
    this.#finish()
    if (this.#isTooLong) job?.onTooLong()
    else job?.reject(this.#why ?? new Error('a thread ended in the middle of its work'))
    this.#onChange()
  }
}

const youngHeapMb = 32

/** The error of the thread as if it happened here, with its own stack. */
function errorOf({ refusal, name, message, stack, code, trouble }: ThreadFailure): Error {
  if (refusal !== null) return new Refusal(refusal, message)
  const error = new Error(message)
  if (stack !== null) error.stack = stack
  error.name = name
  return Object.assign(error, code === null ? {} : { code }, trouble === null ? {} : { trouble })
}

function explainEnd(error: unknown): Error {
  if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new Refusal('too-large', 'it took more memory than one request may use and was stopped; make it smaller')
  return error instanceof Error ? error : new Error(String(error))
}
