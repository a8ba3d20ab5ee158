// Threads for work that would block everybody else: a few of them, each with a memory limit and each job with a time limit. The
// next turn goes to the workspace that used them least, and no workspace, nor all busy ones together, can occupy all threads.
// Short work has one more thread of its own: a job that may be short is tried there, and one that turns out long is stopped and
// begun again in its turn among the others. The pool is independent of the jobs.
import { Refusal } from '../core/refusal.ts'
import { carryTrace, type TraceCarrier, traced } from '../tracing/spans.ts'
import { FairQueue, type Owner, type QueueBounds } from './fair-queue.ts'
import { Thread } from './pool-thread.ts'

interface PoolOptions {
  /** Module of the threads; it calls `serveJobs`. */
  readonly entry: URL
  readonly data: unknown
  /** Words for its jobs, for refusals: `agreements are being computed`. */
  readonly doing: string
  readonly bounds: PoolBounds
  /** Whether jobs had to wait for something during this time, so that their size is not why they took long. */
  readonly isHindered?: (withinMs: number) => boolean
  /** A monotonic clock in milliseconds. */
  readonly nowMs?: () => number
}

export interface PoolBounds extends QueueBounds {
  readonly threads: number
  /** Longest wait and longest run of a job. The wait is longer than a run, so that a waiting job has a turn. */
  readonly waitMs: number
  readonly jobMs: number
  /** Longest run of a job on the thread for short work. */
  readonly shortMs: number
  /** A workspace that used more than this lately leaves a thread to the others. */
  readonly heavyMs: number
  readonly heapMb: number
}

/**
 * Length of a job. `short`: its input is small. `unknown`: it changes nothing, so that it can be stopped and begun again. `long`:
 * neither.
 */
export type JobLength = 'short' | 'unknown' | 'long'

interface RunOptions {
  readonly tell?: (progress: unknown) => void
  readonly length?: JobLength
}

interface RunningJob<T> {
  readonly result: Promise<T>
  /** Nobody waits for it any more: it ends at its next check. */
  abandon(): void
}

type Lane = 'any' | 'short'

interface Job {
  readonly owner: Owner
  readonly task: unknown
  readonly tell: (progress: unknown) => void
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  length: JobLength
  trace: TraceCarrier | null
  timer: NodeJS.Timeout | undefined
}

interface Running {
  readonly thread: Thread
  readonly lane: Lane
  readonly sinceMs: number
}

export class WorkPool {
  readonly #options: PoolOptions
  readonly #nowMs: () => number
  readonly #threads = new Set<Thread>()
  readonly #queue: FairQueue<Job>
  readonly #running = new Map<Job, Running>()
  #isClosed = false
  /** Jobs that were not served, and those that were begun again because they were not short. */
  refused = 0
  begunAgain = 0

  constructor(options: PoolOptions) {
    this.#options = options
    this.#nowMs = options.nowMs ?? (() => performance.now())
    this.#queue = new FairQueue(options.bounds)
  }

  get waiting(): number {
    return this.#queue.size
  }

  run<T>(owner: Owner, task: unknown, { tell = () => {}, length = 'long' }: RunOptions = {}): RunningJob<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const job: Job = {
      owner,
      task,
      tell,
      length,
      trace: null,
      reject,
      resolve: value => resolve(value as T),
      timer: undefined,
    }
    const result = traced({ name: 'job', kind: 'producer' }, () => {
      job.trace = carryTrace()
      this.#enqueue(job)
      return promise
    })
    return { result, abandon: () => this.#abandon(job) }
  }

  /** Terminates every thread: the database rolls back what was not committed. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of this.#queue.all()) this.#drop(job, 'the server is stopping')
    await Promise.all([...this.#threads].map(thread => thread.end()))
  }

  #enqueue(job: Job, isBack = false): void {
    if (this.#isClosed || !this.#queue.add(job, isBack)) {
      this.#refuse(job, this.#isClosed ? 'the server is stopping' : this.#manyAtOnce())
      return
    }
    job.timer = setTimeout(() => this.#drop(job, this.#manyAtOnce()), this.#options.bounds.waitMs)
    this.#next()
  }

  #manyAtOnce(): string {
    return `many ${this.#options.doing} at the moment`
  }

  #refuse(job: Job, why: string): void {
    this.refused++
    job.reject(new Refusal('unavailable', `${why}; try again`))
  }

  #abandon(job: Job): void {
    const running = this.#running.get(job)
    if (running === undefined) this.#drop(job, 'nobody waited for it any more')
    else running.thread.abandon()
  }

  #drop(job: Job, why: string): void {
    if (!this.#queue.take(job)) return
    clearTimeout(job.timer)
    this.#refuse(job, why)
  }

  /** Gives waiting jobs to free threads, as long as there are both. */
  #next(): void {
    for (;;) {
      const turn = this.#turn()
      if (turn === undefined) return
      const thread = [...this.#threads].find(each => each.isFree) ?? this.#begin()
      if (thread === null) return
      this.#start(turn.job, turn.lane, thread)
      this.#keepSpare()
    }
  }

  #start(job: Job, lane: Lane, thread: Thread): void {
    const { jobMs, shortMs } = this.#options.bounds
    this.#queue.take(job)
    clearTimeout(job.timer)
    const sinceMs = this.#nowMs()
    this.#running.set(job, { thread, lane, sinceMs })
    const leave = () => {
      this.#running.delete(job)
      const nowMs = this.#nowMs()
      this.#queue.charge(job, nowMs - sinceMs, nowMs)
    }
    thread.start({
      task: job.task,
      trace: job.trace,
      tell: job.tell,
      mostMs: lane === 'short' && job.length === 'unknown' ? shortMs : jobMs,
      resolve: value => {
        leave()
        job.resolve(value)
      },
      reject: error => {
        leave()
        job.reject(error)
      },
      onTooLong: () => {
        leave()
        if (lane === 'short' && job.length === 'unknown') this.#beginAgain(job)
        else job.reject(tooLong(jobMs, this.#options.isHindered?.(jobMs) === true))
      },
    })
  }

  /** Begins a job again that was not short: it waits among the long ones, before the others of its person. */
  #beginAgain(job: Job): void {
    this.begunAgain++
    job.length = 'long'
    this.#enqueue(job, true)
  }

  /** Starting a thread takes a while: while all are busy, the next one is prepared for the next job. */
  #keepSpare(): void {
    if ([...this.#threads].every(each => each.isReady && !each.isFree)) this.#begin()
  }

  /** The first waiting job for which there is a place. */
  #turn(): { readonly job: Job; readonly lane: Lane } | undefined {
    if (this.#queue.size === 0) return undefined
    const nowMs = this.#nowMs()
    const running = new Map([...this.#running].map(([job, { sinceMs }]) => [job, nowMs - sinceMs]))
    const isHeavy = (workspace: string) => {
      let ms = this.#queue.usedBy(workspace, nowMs)
      for (const [{ owner }, usedMs] of running) if (owner.workspace === workspace) ms += usedMs
      return ms > this.#options.bounds.heavyMs
    }
    for (const job of this.#queue.inOrder(running, nowMs)) {
      const lane = this.#laneFor(job, isHeavy)
      if (lane !== null) return { job, lane }
    }
    return undefined
  }

  /** Lane for a job. One workspace gets at most all threads but one, and so do all that used much lately together. */
  #laneFor({ owner: { workspace }, length }: Job, isHeavy: (workspace: string) => boolean): Lane | null {
    const { threads } = this.#options.bounds
    const most = Math.max(1, threads - 1)
    const inLane = (lane: Lane) =>
      [...this.#running].filter(([, each]) => each.lane === lane).map(([each]) => each.owner)
    const any = inLane('any')
    const own = any.filter(each => each.workspace === workspace).length
    const isBusy = isHeavy(workspace)
    const heavy = isBusy ? any.filter(each => isHeavy(each.workspace)).length : 0
    if (any.length < threads && own < most && heavy < most) return 'any'
    return length !== 'long' && !isBusy && inLane('short').length === 0 ? 'short' : null
  }

  #begin(): Thread | null {
    const { entry, data, bounds } = this.#options
    // One more thread is for short work.
    if (this.#threads.size > bounds.threads) return null
    const thread = new Thread({ entry, data, heapMb: bounds.heapMb }, () => {
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

function tooLong(jobMs: number, isHindered: boolean): Refusal {
  if (isHindered) return new Refusal('unavailable', 'the database did not answer in time; try again')
  return new Refusal('too-large', `it took longer than ${jobMs / 1000} seconds and was stopped; make it smaller`)
}
