// Keeps requests within the limit that the server tells with every answer, so that a calm walk is never refused: while all but
// the last request of the window are used, the next one waits until there is room again. Requests at once are counted too.
import type { Clock } from './clock.ts'

/** `"default";r=42;t=17`: what is left, and in how many seconds there is one more. */
const written = /;\s*r=(\d+)\s*;\s*t=(\d+)/

/** Left for others who use the same key. */
const reserve = 1

export class Pacing {
  readonly #clock: Clock
  #sent = 0
  #underWay = 0
  /** The newest request whose answer told the limit. */
  #toldBy = 0
  /** Before anything is known, one request goes first and learns it. */
  #left = reserve + 1
  #moreAt = 0
  #closedUntil = 0
  #waiting: (() => void)[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Waits for room; the number of the request is for `heard`, and `done` follows in any case. */
  async take(signal: AbortSignal | undefined): Promise<number> {
    for (;;) {
      signal?.throwIfAborted()
      const now = this.#clock.now()
      const until = Math.max(this.#closedUntil, this.#left > reserve ? 0 : this.#moreAt)
      if (until > now) await this.#clock.sleep(until - now, signal)
      // One goes ahead, and its answer says how many may follow.
      else if (this.#left <= reserve && this.#underWay > 0) await this.#nextDone(signal)
      else break
    }
    this.#left = Math.max(this.#left, reserve + 1) - 1
    this.#underWay++
    return ++this.#sent
  }

  /** What the answer to a request told of the limit. */
  heard(request: number, header: string | null): void {
    const found = written.exec(header ?? '')
    if (found === null && this.#toldBy === 0) this.#left = Number.POSITIVE_INFINITY
    if (found === null || request < this.#toldBy) return
    this.#toldBy = request
    // Those that were sent since may not be counted in it.
    this.#left = Number.parseInt(found[1]!, 10) - (this.#sent - request)
    this.#moreAt = this.#clock.now() + Number.parseInt(found[2]!, 10) * 1000
  }

  /** The request has its answer, or will never have one. */
  done(): void {
    this.#underWay--
    for (const wake of this.#waiting.splice(0)) wake()
  }

  /** Nobody asks before then: the server has said so. */
  closeFor(ms: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, this.#clock.now() + ms)
  }

  #nextDone(signal: AbortSignal | undefined): Promise<void> {
    return new Promise(resolve => {
      // Whoever is aborted wakes as well, and notices.
      const wake = () => {
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.push(wake)
      signal?.addEventListener('abort', wake, { once: true })
    })
  }
}
