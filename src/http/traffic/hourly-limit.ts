// Limit by the hour: an exact sliding window in this process's memory. Callers give the time.

const hourMs = 3_600_000

export class HourlyLimit {
  readonly #most: number
  /** Times of granted requests, oldest first. */
  readonly #granted = new Map<string, number[]>()
  #sweptMs = Number.NEGATIVE_INFINITY

  constructor(most: number) {
    this.#most = most
  }

  /** Takes one request: 0 where it is granted, or the seconds until one is. A refused one does not count. */
  take(key: string, nowMs: number): number {
    if (nowMs - this.#sweptMs >= hourMs) this.#sweep(nowMs)
    const own = (this.#granted.get(key) ?? []).filter(at => at > nowMs - hourMs)
    this.#granted.set(key, own)
    if (own.length >= this.#most) return Math.ceil((own[0]! + hourMs - nowMs) / 1000)
    own.push(nowMs)
    return 0
  }

  get size(): number {
    return this.#granted.size
  }

  #sweep(nowMs: number): void {
    this.#sweptMs = nowMs
    for (const [key, own] of this.#granted) if (own.every(at => at <= nowMs - hourMs)) this.#granted.delete(key)
  }
}
