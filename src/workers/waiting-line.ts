// A queue in front of something scarce: a few pieces of work run at once, the others wait, trusted ones first, and among
// them each name in turn. Work that finds the queue full, or is not served in time, gets an error; the time counts from
// joining.
export interface WaitingLineOptions {
  readonly atOnce: number
  readonly waiting: number
  readonly timeoutMs: number
}

/** The queue was full, or the time was over. */
export class NotServed extends Error {
  override readonly name = 'NotServed'
}

type Begin = () => void

/** Waiting work by name; the name whose turn is next comes first. */
class Names {
  readonly #waiting = new Map<string, Set<Begin>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  of(name: string): number {
    return this.#waiting.get(name)?.size ?? 0
  }

  add(name: string, begin: Begin): void {
    const own = this.#waiting.get(name) ?? new Set()
    this.#waiting.set(name, own.add(begin))
    this.#size++
  }

  delete(name: string, begin: Begin): boolean {
    const own = this.#waiting.get(name)
    if (own?.delete(begin) !== true) return false
    if (own.size === 0) this.#waiting.delete(name)
    this.#size--
    return true
  }

  /** The oldest work of the next name, which then comes last. */
  shift(): Begin | undefined {
    for (const [name, own] of this.#waiting)
      for (const begin of own) {
        this.delete(name, begin)
        if (own.size > 0) {
          this.#waiting.delete(name)
          this.#waiting.set(name, own)
        }
        return begin
      }
    return undefined
  }
}

export class WaitingLine {
  readonly #options: WaitingLineOptions
  readonly #trusted = new Names()
  readonly #others = new Names()
  #running = 0

  constructor(options: WaitingLineOptions) {
    this.#options = options
  }

  /** Runs work. `name`: for whom. Names take turns, and none has more in the queue than there are places left. */
  async run<T>(work: () => Promise<T>, isTrusted: boolean, name: string | null = null): Promise<T> {
    const { atOnce, waiting, timeoutMs } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const line = isTrusted ? this.#trusted : this.#others
    const under = name ?? ''
    const begin = () => {
      this.#running++
      work().then(resolve, reject)
    }
    const left = waiting - line.size
    if (this.#running < atOnce) begin()
    else if (left > 0 && (name === null || line.of(under) < left)) line.add(under, begin)
    else throw new NotServed(`${waiting} are waiting already`)
    const timer = setTimeout(() => reject(new NotServed(`not served in ${timeoutMs} ms`)), timeoutMs)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      const wasWaiting = line.delete(under, begin)
      if (!wasWaiting) this.#next()
    }
  }

  #next(): void {
    this.#running--
    const line = this.#trusted.size > 0 ? this.#trusted : this.#others
    line.shift()?.()
  }
}
