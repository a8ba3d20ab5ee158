// Long work in short slices: between two of them other work has its turn. Awaiting something already available does not
// yield, so a loop over hundreds of things has to say where it pauses.
import { setImmediate, setTimeout } from 'node:timers/promises'
import { limits } from '../../limits.ts'

export class Slices {
  #startedMs = performance.now()

  /** If the slice has lasted long enough, lets others go first. */
  async rest(): Promise<void> {
    if (this.#workedMs() < limits.sliceMs) return
    await setImmediate()
    this.#startedMs = performance.now()
  }

  /** The same, and then pauses as long as the slice has lasted, or a multiple of it: that time is for others. */
  async restAsLong(times = 1): Promise<void> {
    const workedMs = this.#workedMs()
    if (workedMs < limits.sliceMs) return
    await setTimeout(workedMs * times)
    // Only now does the next slice begin: a pause is not work.
    this.#startedMs = performance.now()
  }

  #workedMs(): number {
    return performance.now() - this.#startedMs
  }
}
