// Long work in short slices: between two of them everybody else has a turn. Awaiting what is already there gives nobody a
// turn, which is why a loop over hundreds of things has to say where it rests.
import { setImmediate, setTimeout } from 'node:timers/promises'
import { limits } from '../limits.ts'

export class Slices {
  #startedMs = performance.now()

  /** Where the slice has lasted long enough, lets others go first. */
  async rest(): Promise<void> {
    if (this.#workedMs() < limits.sliceMs) return
    await setImmediate()
    this.#startedMs = performance.now()
  }

  /** The same, and then for as long as the slice has lasted, or so many times as long: the rest of the time is for others. */
  async restAsLong(times = 1): Promise<void> {
    const workedMs = this.#workedMs()
    if (workedMs < limits.sliceMs) return
    await setTimeout(workedMs * times)
    // Only now does the next slice begin: a rest is not work, and needs no rest.
    this.#startedMs = performance.now()
  }

  #workedMs(): number {
    return performance.now() - this.#startedMs
  }
}
