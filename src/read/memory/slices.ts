// Long work in short slices: between two of them other work has its turn. Awaiting something already available does not
// yield, so a loop over hundreds of things has to say where it pauses.
import { setImmediate, setTimeout } from 'node:timers/promises'
import { limits } from '../../limits.ts'

/** A monotonic clock in milliseconds, and a pause by it. */
interface SliceClock {
  nowMs(): number
  pause(ms: number): Promise<unknown>
}

const ownClock: SliceClock = { nowMs: () => performance.now(), pause: setTimeout }

export class Slices {
  readonly #clock: SliceClock
  #startedMs: number

  constructor(clock: SliceClock = ownClock) {
    this.#clock = clock
    this.#startedMs = clock.nowMs()
  }

  /** Lets others go first if the slice has lasted long enough. */
  async rest(): Promise<void> {
    if (this.#workedMs() < limits.sliceMs) return
    await setImmediate()
    this.#startedMs = this.#clock.nowMs()
  }

  /** Lets others go first, then pauses as long as the slice has lasted, or a multiple of it. */
  async restAsLong(times = 1): Promise<void> {
    const workedMs = this.#workedMs()
    if (workedMs < limits.sliceMs) return
    await this.#clock.pause(workedMs * times)
    // The next slice begins only now: a pause is not work.
    this.#startedMs = this.#clock.nowMs()
  }

  #workedMs(): number {
    return this.#clock.nowMs() - this.#startedMs
  }
}
