// Long work in short slices: between two of them everybody else has a turn. Awaiting what is already there gives nobody a
// turn, which is why a loop over hundreds of things has to say where it rests.
import { setImmediate } from 'node:timers/promises'
import { limits } from '../limits.ts'

export class Slices {
  #startedMs = performance.now()

  /** Where the slice has lasted long enough, lets others go first; how long it had lasted then, else 0. */
  async rest(): Promise<number> {
    const workedMs = performance.now() - this.#startedMs
    if (workedMs < limits.sliceMs) return 0
    await setImmediate()
    this.#startedMs = performance.now()
    return workedMs
  }
}
