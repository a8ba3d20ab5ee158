// Waits that end: when it is so, when the run is interrupted, or when even a busy machine would have done it.
import { setTimeout as sleep } from 'node:timers/promises'

/** One look may hang: then the next one follows. */
const lookMs = 30_000

/** What was seen instead, in words; or true, if it is so. */
export type Seen = true | string

export class Waiting {
  readonly #signal: AbortSignal
  readonly #patienceMs: number

  constructor(signal: AbortSignal, patienceMs: number) {
    this.#signal = signal
    this.#patienceMs = patienceMs
  }

  async sleep(ms: number): Promise<void> {
    this.#signal.throwIfAborted()
    await sleep(ms, undefined, { signal: this.#signal }).catch(() => {})
    this.#signal.throwIfAborted()
  }

  async until(what: string, look: () => Promise<Seen>): Promise<void> {
    let seen: Seen = 'nothing'
    for (const end = performance.now() + this.#patienceMs; performance.now() < end; await this.sleep(250)) {
      const looked = look().catch((error: Error) => error.message)
      seen = await Promise.race([looked, sleep(lookMs, 'no answer', { ref: false })])
      if (seen === true) return
    }
    throw new Error(`not within ${this.#patienceMs / 1000} s: ${what}; seen last: ${seen}`)
  }
}
