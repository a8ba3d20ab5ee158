// A queue in front of something scarce: a few pieces of work run at once, the others wait, trusted ones first. Work
// that finds the queue full, or is not served in time, gets an error; the time counts from joining.
export interface WaitingLineOptions {
  readonly atOnce: number
  readonly waiting: number
  readonly timeoutMs: number
}

/** The queue was full, or the time was over. */
export class NotServed extends Error {
  override readonly name = 'NotServed'
}

export class WaitingLine {
  readonly #options: WaitingLineOptions
  readonly #trusted = new Set<() => void>()
  readonly #others = new Set<() => void>()
  #running = 0

  constructor(options: WaitingLineOptions) {
    this.#options = options
  }

  async run<T>(work: () => Promise<T>, isTrusted: boolean): Promise<T> {
    const { atOnce, waiting, timeoutMs } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const line = isTrusted ? this.#trusted : this.#others
    const begin = () => {
      this.#running++
      work().then(resolve, reject)
    }
    if (this.#running < atOnce) begin()
    else if (line.size < waiting) line.add(begin)
    else throw new NotServed(`${waiting} are waiting already`)
    const timer = setTimeout(() => reject(new NotServed(`not served in ${timeoutMs} ms`)), timeoutMs)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      const wasWaiting = line.delete(begin)
      if (!wasWaiting) this.#next()
    }
  }

  #next(): void {
    this.#running--
    const line = this.#trusted.size > 0 ? this.#trusted : this.#others
    for (const begin of line) {
      line.delete(begin)
      begin()
      return
    }
  }
}
