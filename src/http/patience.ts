// How long a request may take to arrive. Every request has the same few seconds, so that slow clients occupy nothing;
// the route that accepts files allows more, once it knows who is sending.
import type { IncomingMessage } from 'node:http'
import { limits } from '../limits.ts'

export class Patience {
  readonly #timers = new WeakMap<IncomingMessage, NodeJS.Timeout>()
  readonly #onSlow: (req: IncomingMessage) => void

  constructor(onSlow: (req: IncomingMessage) => void) {
    this.#onSlow = onSlow
  }

  /** From now on. */
  give(req: IncomingMessage, ms: number = limits.slowClientMs): void {
    clearTimeout(this.#timers.get(req))
    if (req.complete) return
    const timer = setTimeout(() => {
      if (!req.complete) this.#onSlow(req)
    }, ms)
    timer.unref()
    this.#timers.set(req, timer)
    const done = () => clearTimeout(timer)
    req.once('end', done)
    req.once('close', done)
  }

  /** Ends it at once: somebody else needs its place. */
  end(req: IncomingMessage): void {
    clearTimeout(this.#timers.get(req))
    if (!req.complete) this.#onSlow(req)
  }
}
