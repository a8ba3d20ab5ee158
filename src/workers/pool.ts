// Threads for work that would block everybody else: a few of them, each with a memory limit and each job with a time limit.
// Workspaces take turns, and none of them can occupy all threads. The pool is independent of the jobs; a thread that
// exceeds its limits is terminated, its job refused, and the next job gets a new one.
import { Worker } from 'node:worker_threads'
import { Refusal } from '../core/refusal.ts'
import type { FromThread, ThreadFailure, ToThread } from './message.ts'

export interface PoolOptions {
  /** What the threads run: it calls `serveJobs`. */
  readonly entry: URL
  /** What they are given at the start. */
  readonly data: unknown
  /** What its jobs are, for refusals: `formulas are being computed`. */
  readonly doing: string
  readonly bounds: PoolBounds
}

export interface PoolBounds {
  readonly threads: number
  /** Jobs that may wait: in all, and of one workspace. */
  readonly waiting: number
  readonly waitingPerWorkspace: number
  /** How long a job may wait, and how long it may then take. */
  readonly waitMs: number
  readonly jobMs: number
  readonly heapMb: number
}

export interface RunningJob<T> {
  readonly result: Promise<T>
  /** Nobody waits for it any more: it ends at its next check. */
  abandon(): void
}

interface Job {
  readonly workspace: string
  readonly task: unknown
  readonly tell: (progress: unknown) => void
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  timer: NodeJS.Timeout | null
  thread: Thread | null
}

export class WorkPool {
  readonly #options: PoolOptions
  readonly #threads = new Set<Thread>()
  /** By workspace; the one whose turn is next comes first. */
  readonly #waiting = new Map<string, Job[]>()
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  run<T>(workspace: string, task: unknown, tell: (progress: unknown) => void = () => {}): RunningJob<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const job: Job = {
      workspace,
      task,
      tell,
      resolve: value => resolve(value as T),
      reject,
      timer: null,
      thread: null,
    }
    this.#enqueue(job)
    return { result: promise, abandon: () => this.#abandon(job) }
  }

  /** Terminates every thread: the database rolls back what was not committed. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of [...this.#waiting.values()].flat()) this.#drop(job, this.#refusal('the server is stopping'))
    await Promise.all([...this.#threads].map(thread => thread.end()))
  }

  #enqueue(job: Job): void {
    const { waiting, waitingPerWorkspace, waitMs } = this.#options.bounds
    const own = this.#waiting.get(job.workspace) ?? []
    const all = [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0)
    const isFull = own.length >= waitingPerWorkspace || all >= waiting
    if (this.#isClosed || isFull) {
      job.reject(this.#refusal(this.#isClosed ? 'the server is stopping' : this.#manyAtOnce()))
      return
    }
    if (own.length === 0) this.#waiting.set(job.workspace, own)
    own.push(job)
    job.timer = setTimeout(() => this.#drop(job, this.#refusal(this.#manyAtOnce())), waitMs)
    this.#next()
  }

  #manyAtOnce(): string {
    return `many ${this.#options.doing} at the moment`
  }

  #refusal(why: string): Refusal {
    return new Refusal('unavailable', `${why}; try again`)
  }

  #abandon(job: Job): void {
    if (job.thread === null) this.#drop(job, this.#refusal('nobody waited for it any more'))
    else job.thread.abandon(job)
  }

  #drop(job: Job, why: Error): void {
    if (this.#take(job)) job.reject(why)
  }

  /** Removes it from the queue; false if it was not in it. */
  #take(job: Job): boolean {
    const own = this.#waiting.get(job.workspace) ?? []
    const place = own.indexOf(job)
    if (place < 0) return false
    own.splice(place, 1)
    this.#waiting.delete(job.workspace)
    // Goes behind the others: it just had its turn.
    if (own.length > 0) this.#waiting.set(job.workspace, own)
    if (job.timer !== null) clearTimeout(job.timer)
    job.timer = null
    return true
  }

  /** Gives waiting jobs to free threads, as long as there are both. */
  #next(): void {
    for (;;) {
      const job = this.#turn()
      if (job === undefined) return
      const thread = [...this.#threads].find(each => each.isFree) ?? this.#begin()
      if (thread === null) return
      this.#take(job)
      thread.start(job)
      this.#keepSpare()
    }
  }

  /** Starting a thread takes a while: while all are busy, the next one is prepared for the next job. */
  #keepSpare(): void {
    if ([...this.#threads].every(each => each.isReady && !each.isFree)) this.#begin()
  }

  /** One workspace gets at most all threads but one, so that another one finds a free thread sooner or later. */
  #turn(): Job | undefined {
    const most = Math.max(1, this.#options.bounds.threads - 1)
    for (const [workspace, [first]] of this.#waiting) {
      const running = [...this.#threads].filter(each => each.workspace === workspace).length
      if (running < most) return first
    }
    return undefined
  }

  #begin(): Thread | null {
    if (this.#threads.size >= this.#options.bounds.threads) return null
    const thread = new Thread(this.#options, () => {
      if (thread.hasEnded) this.#threads.delete(thread)
      if (this.#isClosed) return
      this.#next()
      // A thread that cannot even start is not restarted over and over.
      if (!thread.hasEnded) this.#keepSpare()
    })
    this.#threads.add(thread)
    return thread
  }
}

class Thread {
  readonly #worker: Worker
  readonly #bounds: PoolBounds
  /** Called when it is ready, when it is free again, and when it has ended. */
  readonly #onChange: () => void
  #job: Job | null = null
  isReady = false
  #why: Error | null = null
  hasEnded = false

  constructor({ entry, data, bounds }: PoolOptions, onChange: () => void) {
    this.#bounds = bounds
    this.#onChange = onChange
    this.#worker = new Worker(entry, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: bounds.heapMb, maxYoungGenerationSizeMb: youngHeapMb },
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

  get workspace(): string | null {
    return this.#job?.workspace ?? null
  }

  start(job: Job): void {
    this.#job = job
    job.thread = this
    if (this.isReady) this.#post()
  }

  abandon(job: Job): void {
    if (this.#job === job) this.#send({ kind: 'abandon' })
  }

  async end(): Promise<void> {
    this.#why ??= new Refusal('unavailable', 'the server is stopping; try again')
    await this.#worker.terminate()
  }

  #post(): void {
    const { task } = this.#job!
    this.#job!.timer = setTimeout(() => {
      const seconds = this.#bounds.jobMs / 1000
      this.#why = new Refusal('too-large', `it took longer than ${seconds} seconds and was stopped; make it smaller`)
      void this.#worker.terminate()
    }, this.#bounds.jobMs)
    this.#send({ kind: 'job', task })
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
    if (this.#job?.timer != null) clearTimeout(this.#job.timer)
    this.#job = null
  }

  #leave(): void {
    const job = this.#job
    this.hasEnded = true
    this.#finish()
    job?.reject(this.#why ?? new Error('a thread ended in the middle of its work'))
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
