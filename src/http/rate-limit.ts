// How many requests a key may make: an exact sliding window. In no window of 60 seconds are more accepted than the limit
// says; a refused request does not count. Here the log is in this process's memory; rate-limit-redis.ts shares one
// between processes. Nothing here asks for the time.
import { limits } from '../limits.ts'

export interface RateDecision {
  readonly accepted: boolean
  readonly limit: number
  /** Requests left in the window that ends now. */
  readonly remaining: number
  /** Whole seconds, 1 to 60, until one request more is allowed than now; for a refused one, enough to wait. */
  readonly resetSeconds: number
}

export interface RateLimiter {
  /**
   * Asks for one request of the key. `nowMs` is monotonic, with its fraction. A value where the log is in memory; where
   * it is not and cannot be reached, a promise that ends in `Refusal('unavailable')`.
   */
  take(keyId: string, limit: number, nowMs: number): RateDecision | Promise<RateDecision>
  /** Fails where what keeps the log does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

const leastPlaces = 8

/**
 * When each request that was granted to one key, or one address, leaves the window: a ring, oldest first, that grows as
 * it is used.
 */
export class SlidingLog {
  #leaves = new Float64Array(leastPlaces)
  #oldest = 0
  #held = 0

  take(limit: number, nowMs: number): RateDecision {
    this.#forget(nowMs)
    const accepted = this.#held < limit
    if (accepted) this.#push(nowMs + limits.rateWindowMs)
    // After a plan was lowered more may be held than the limit; then more than the oldest has to leave.
    const leavesNext = this.#at(Math.max(0, this.#held - limit))
    return {
      accepted,
      limit,
      remaining: Math.max(0, limit - this.#held),
      resetSeconds: waitSeconds(leavesNext - nowMs),
    }
  }

  /** One that was taken at that time and turned out not to count. */
  giveBack(takenMs: number): void {
    let place = this.#held - 1
    while (place >= 0 && this.#at(place) > takenMs + limits.rateWindowMs) place--
    if (place < 0) return
    const mask = this.#leaves.length - 1
    for (let i = place; i < this.#held - 1; i++) this.#leaves[(this.#oldest + i) & mask] = this.#at(i + 1)
    this.#held--
  }

  isFull(limit: number, nowMs: number): boolean {
    this.#forget(nowMs)
    return this.#held >= limit
  }

  /** Whether a request is still inside the window; gives back what a burst of long ago took. */
  tidy(nowMs: number): boolean {
    this.#forget(nowMs)
    const places = this.#leaves.length
    if (places > leastPlaces && this.#held < places / 4) this.#resize(places / 2)
    return this.#held > 0
  }

  #forget(nowMs: number): void {
    const mask = this.#leaves.length - 1
    while (this.#held > 0 && this.#leaves[this.#oldest]! <= nowMs) {
      this.#oldest = (this.#oldest + 1) & mask
      this.#held--
    }
  }

  #push(leaves: number): void {
    if (this.#held === this.#leaves.length) this.#resize(this.#leaves.length * 2)
    // A request that waited for its key comes with an older time than one after it that did not wait.
    const inOrder = this.#held === 0 ? leaves : Math.max(leaves, this.#at(this.#held - 1))
    this.#leaves[(this.#oldest + this.#held) & (this.#leaves.length - 1)] = inOrder
    this.#held++
  }

  #at(place: number): number {
    return this.#leaves[(this.#oldest + place) & (this.#leaves.length - 1)]!
  }

  /** Always a power of two, so that a mask finds the place. */
  #resize(places: number): void {
    const leaves = new Float64Array(places)
    for (let i = 0; i < this.#held; i++) leaves[i] = this.#at(i)
    this.#leaves = leaves
    this.#oldest = 0
  }
}

/**
 * Never more than a window, which is always enough; below that with a margin, because a caller's timer may fire a little
 * early and its clock may run a little fast.
 */
export function waitSeconds(waitMs: number): number {
  const seconds = Math.ceil((waitMs + limits.retryMarginMs) / 1000)
  return Math.min(Math.max(seconds, 1), limits.rateWindowMs / 1000)
}

/** Memory: 8 to 16 bytes for each request of the last minute; a key that is not used for a minute is dropped. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #logs = new Map<string, SlidingLog>()
  #sweptMs = Number.NEGATIVE_INFINITY

  take(keyId: string, limit: number, nowMs: number): RateDecision {
    if (nowMs - this.#sweptMs >= limits.rateWindowMs) this.#sweep(nowMs)
    let log = this.#logs.get(keyId)
    if (log === undefined) {
      log = new SlidingLog()
      this.#logs.set(keyId, log)
    }
    return log.take(limit, nowMs)
  }

  /** How many keys are held. */
  get size(): number {
    return this.#logs.size
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {
    this.#logs.clear()
  }

  #sweep(nowMs: number): void {
    this.#sweptMs = nowMs
    for (const [keyId, log] of this.#logs) {
      if (!log.tidy(nowMs)) this.#logs.delete(keyId)
    }
  }
}

const windowSeconds = limits.rateWindowMs / 1000

/** The value of `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11): a quota of requests and its window. */
export function writeRateLimitPolicy(limit: number): string {
  return `"default";q=${limit};w=${windowSeconds}`
}

/**
 * The value of `RateLimit` of the same draft: what is left, and for how long that stays so. With a sliding window that is
 * until the oldest request leaves it.
 */
export function writeRateLimit({ remaining, resetSeconds }: RateDecision): string {
  return `"default";r=${remaining};t=${resetSeconds}`
}
