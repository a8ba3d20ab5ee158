// A clock for clients under test: who sleeps is woken at once, and the clock says that the time has passed.

import type { Clock } from '../../../clients/typescript/src/clock.ts'
import { Chance } from '../../faults/chance.ts'

export class VirtualClock implements Clock {
  readonly #chance: Chance
  #now = 0
  /** How long each sleep was, in milliseconds. */
  readonly slept: number[] = []

  constructor(seed = 1) {
    this.#chance = new Chance(seed)
  }

  now(): number {
    return this.#now
  }

  random(): number {
    return this.#chance.next()
  }

  async sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    this.slept.push(ms)
    const until = this.#now + ms
    // Others that are under way come to their end first.
    await new Promise(resolve => setImmediate(resolve))
    this.#now = Math.max(this.#now, until)
  }
}
