// Time limits on the arrival of requests. Every request has the same few seconds, so that slow clients occupy nothing; the route
// that accepts files allows more, once it knows the sender, as long as the bytes keep coming.
import type { IncomingMessage } from 'node:http'
import { limits } from '../../limits.ts'

/** Least bytes to arrive in each span of time. */
interface LeastRate {
  readonly bytes: number
  readonly everyMs: number
}

/** `late`: not there in time. `slow`: below the least rate. */
type Impatience = 'late' | 'slow'

export class Patience {
  readonly #timers = new WeakMap<IncomingMessage, NodeJS.Timeout>()
  readonly #onSlow: (req: IncomingMessage, why: Impatience) => void

  constructor(onSlow: (req: IncomingMessage, why: Impatience) => void) {
    this.#onSlow = onSlow
  }

  /** Gives a request this time from now on. */
  give(req: IncomingMessage, ms: number = limits.slowClientMs, least: LeastRate | null = null): void {
    clearTimeout(this.#timers.get(req))
    if (req.complete) return
    const timer = setTimeout(() => {
      if (!req.complete) this.#onSlow(req, 'late')
    }, ms)
    timer.unref()
    this.#timers.set(req, timer)
    const looking = least === null ? undefined : this.#look(req, least)
    const done = () => {
      clearTimeout(timer)
      clearInterval(looking)
    }
    req.once('end', done)
    req.once('close', done)
  }

  /** Compares arrived bytes with the rate. Unread ones count as well: a slow disk is not the sender's fault. */
  #look(req: IncomingMessage, { bytes, everyMs }: LeastRate): NodeJS.Timeout {
    let before = req.socket.bytesRead
    const timer = setInterval(() => {
      const now = req.socket.bytesRead
      const isPaused = req.readableLength >= req.readableHighWaterMark
      if (!req.complete && !isPaused && now - before < bytes) this.#onSlow(req, 'slow')
      before = now
    }, everyMs)
    return timer.unref()
  }

  /** Ends a request at once: somebody else needs its place. */
  end(req: IncomingMessage): void {
    clearTimeout(this.#timers.get(req))
    if (!req.complete) this.#onSlow(req, 'late')
  }
}
