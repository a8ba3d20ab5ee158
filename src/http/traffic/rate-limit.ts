// Limits on the requests of a key, and of all keys of a workspace together: two exact sliding windows. No window of 60 seconds
// accepts more than its limit; a refused request counts in neither. Here the logs are in this process's memory; rate-limit-redis.ts
// shares them between processes. Callers give the time.
import { limits } from '../../limits.ts'

/** Counted caller: the key's own window, and the one it shares with the other keys of its workspace. */
export interface RateCaller {
  readonly id: string
  readonly rateLimit: number
  readonly workspaceId: string
  readonly workspaceRateLimit: number
}

/** Window of the key or of its workspace, by its name in the headers. */
type RatePolicy = 'default' | 'workspace'

/** State of the window that is closer to its limit. */
export interface RateDecision {
  readonly accepted: boolean
  readonly policy: RatePolicy
  readonly limit: number
  /** Requests left in the window that ends now. */
  readonly remaining: number
  /** Whole seconds, 1 to 60, until one more request is allowed; for a refused one, enough to wait. */
  readonly resetSeconds: number
}

export interface RateLimiter {
  /**
   * Takes one request of the key. `nowMs` is monotonic, with its fraction. A plain value if memory alone decides, otherwise a
   * promise.
   */
  take(caller: RateCaller, nowMs: number): RateDecision | Promise<RateDecision>
  /** Whether the shared logs cannot be asked: this process counts by itself meanwhile. */
  readonly isCutOff: boolean
  close(): Promise<void>
}

/** The state of one window. */
interface WindowState {
  readonly remaining: number
  readonly resetSeconds: number
}

const leastPlaces = 8

/**
 * Times at which each request granted to one key, one workspace or one address leaves the window: a ring, oldest first, that grows
 * as it is used.
 */
export class SlidingLog {
  #leaves = new Float64Array(leastPlaces)
  #oldest = 0
  #held = 0

  /** Takes one request, if there is room for it. */
  take(limit: number, nowMs: number): WindowState & { readonly accepted: boolean } {
    const accepted = !this.isFull(limit, nowMs)
    if (accepted) this.add(nowMs)
    return { accepted, remaining: this.remaining(limit), resetSeconds: waitSeconds(this.waitMs(limit, nowMs)) }
  }

  /** Gives back a request that was taken at that time and turned out not to count. */
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

  /** Adds a request that was granted now. */
  add(nowMs: number): void {
    this.#push(nowMs + limits.rateWindowMs)
  }

  remaining(limit: number): number {
    return Math.max(0, limit - this.#held)
  }

  /**
   * Time until one more request is allowed. After a limit was lowered, more may be held than it allows; then more than the oldest
   * has to leave.
   */
  waitMs(limit: number, nowMs: number): number {
    return this.#held === 0 ? 0 : this.#at(Math.max(0, this.#held - limit)) - nowMs
  }

  /** Whether a request is still inside the window; also frees the memory of an old burst. */
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
    // A request that waited for its key has an older time than a later one that did not wait.
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
    // Copied in two pieces: the log of a busy workspace has millions of entries, and they are copied between two
    // requests.
    const untilEnd = this.#leaves.subarray(this.#oldest, this.#oldest + this.#held)
    leaves.set(untilEnd)
    leaves.set(this.#leaves.subarray(0, this.#held - untilEnd.length), untilEnd.length)
    this.#leaves = leaves
    this.#oldest = 0
  }
}

/**
 * Seconds to wait: never more than a window, which is always enough; below that with a margin, because a caller's timer may fire a
 * little early and its clock may run a little fast.
 */
export function waitSeconds(waitMs: number): number {
  const seconds = Math.ceil((waitMs + limits.retryMarginMs) / 1000)
  return Math.min(Math.max(seconds, 1), limits.rateWindowMs / 1000)
}

/** Reported window of the two that a request counts in. */
export function tell(key: WindowSeen, workspace: WindowSeen): RateDecision {
  const accepted = key.hasRoom && workspace.hasRoom
  // A refused request has to wait until both have room; for an accepted one the smaller remainder counts.
  const isWorkspace = accepted
    ? workspace.remaining < key.remaining
    : !workspace.hasRoom && (key.hasRoom || workspace.waitMs > key.waitMs)
  const told = isWorkspace ? workspace : key
  return {
    accepted,
    policy: isWorkspace ? 'workspace' : 'default',
    limit: told.limit,
    remaining: told.remaining,
    resetSeconds: waitSeconds(told.waitMs),
  }
}

/** One window after a request was counted or refused. */
export interface WindowSeen {
  readonly limit: number
  readonly hasRoom: boolean
  readonly remaining: number
  readonly waitMs: number
}

/** Memory: 16 to 32 bytes for each request of the last minute; a key that is not used for a minute is dropped. */
export class MemoryRateLimiter implements RateLimiter {
  /** Logs of keys and of workspaces, whose ids have different prefixes. */
  readonly #logs = new Map<string, SlidingLog>()
  readonly isCutOff = false
  #sweptMs = Number.NEGATIVE_INFINITY

  take({ id, rateLimit, workspaceId, workspaceRateLimit }: RateCaller, nowMs: number): RateDecision {
    if (nowMs - this.#sweptMs >= limits.rateWindowMs) this.#sweep(nowMs)
    const key = this.#log(id)
    const workspace = this.#log(workspaceId)
    const keyHasRoom = !key.isFull(rateLimit, nowMs)
    const workspaceHasRoom = !workspace.isFull(workspaceRateLimit, nowMs)
    if (keyHasRoom && workspaceHasRoom) this.add({ id, workspaceId }, nowMs)
    return tell(see(key, rateLimit, keyHasRoom, nowMs), see(workspace, workspaceRateLimit, workspaceHasRoom, nowMs))
  }

  /** Adds a request that was granted elsewhere, whatever room there is. */
  add({ id, workspaceId }: Pick<RateCaller, 'id' | 'workspaceId'>, nowMs: number): void {
    this.#log(id).add(nowMs)
    this.#log(workspaceId).add(nowMs)
  }

  /** Gives back a request that was granted here at that time and refused elsewhere. */
  giveBack({ id, workspaceId }: RateCaller, takenMs: number): void {
    this.#log(id).giveBack(takenMs)
    this.#log(workspaceId).giveBack(takenMs)
  }

  /** Number of keys and workspaces held. */
  get size(): number {
    return this.#logs.size
  }

  async close(): Promise<void> {
    this.#logs.clear()
  }

  #log(id: string): SlidingLog {
    let log = this.#logs.get(id)
    if (log === undefined) {
      log = new SlidingLog()
      this.#logs.set(id, log)
    }
    return log
  }

  #sweep(nowMs: number): void {
    this.#sweptMs = nowMs
    for (const [id, log] of this.#logs) {
      if (!log.tidy(nowMs)) this.#logs.delete(id)
    }
  }
}

function see(log: SlidingLog, limit: number, hasRoom: boolean, nowMs: number): WindowSeen {
  return { limit, hasRoom, remaining: log.remaining(limit), waitMs: log.waitMs(limit, nowMs) }
}

const windowSeconds = limits.rateWindowMs / 1000

/** Value of `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11): a quota of requests and its window. */
export function formatRateLimitPolicy({ policy, limit }: Pick<RateDecision, 'policy' | 'limit'>): string {
  return `"${policy}";q=${limit};w=${windowSeconds}`
}

/**
 * Value of `RateLimit` of that draft: the requests left, and for how long. With a sliding window that is until the oldest request
 * leaves it.
 */
export function formatRateLimit({ policy, remaining, resetSeconds }: RateDecision): string {
  return `"${policy}";r=${remaining};t=${resetSeconds}`
}
