// One attempt at getting in, counted under several names at once: from the moment it begins, so that many at the same time gain
// nothing, and not if it succeeds. It reports which counts were full; the caller decides on the consequence.
import type { FailedAttempts } from '../../traffic/failed-attempts.ts'

interface CountedAs {
  readonly log: FailedAttempts
  readonly key: string
}

export class Try<N extends string> {
  readonly #taken: CountedAs[] = []
  readonly #full = new Set<N>()
  readonly #nowMs: number

  constructor(nowMs: number) {
    this.#nowMs = nowMs
  }

  /** Counts it under this name; false where there were too many already, and then uncounted. */
  take(name: N, { log, key }: CountedAs): boolean {
    const hasRoom = log.count(key, this.#nowMs) === null
    if (hasRoom) this.#taken.push({ log, key })
    else this.#full.add(name)
    return hasRoom
  }

  isFull(...names: readonly N[]): boolean {
    return names.some(name => this.#full.has(name))
  }

  /** Uncounts it: it has not failed. */
  giveBack(): void {
    for (const { log, key } of this.#taken) log.giveBack(key, this.#nowMs)
  }
}
