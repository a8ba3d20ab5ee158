// Values kept in memory up to a number of bytes; what was not asked for in a while goes first. It knows nothing of what the
// values mean.

interface Held<T> {
  readonly value: T
  readonly size: number
  /** Asked for since it was last looked over: it gets a second chance. */
  isUsed: boolean
}

export class Memory<T> {
  readonly #most: number
  /** Oldest first. Being asked for marks a value and moves nothing: that happens on every request. */
  readonly #held = new Map<string, Held<T>>()
  #size = 0

  constructor(mostBytes: number) {
    this.#most = mostBytes
  }

  get size(): number {
    return this.#size
  }

  get count(): number {
    return this.#held.size
  }

  keys(): Iterable<string> {
    return this.#held.keys()
  }

  get(key: string): T | undefined {
    const held = this.#held.get(key)
    if (held === undefined) return undefined
    held.isUsed = true
    return held.value
  }

  /** A value larger than a quarter of all there is room for is not kept: it would push everything else out. */
  set(key: string, value: T, size: number): void {
    this.delete(key)
    if (size > this.#most / 4) return
    this.#held.set(key, { value, size, isUsed: false })
    this.#size += size
    for (const [oldest, held] of this.#held) {
      if (this.#size <= this.#most) break
      if (!held.isUsed) this.delete(oldest)
      else {
        held.isUsed = false
        this.#held.delete(oldest)
        this.#held.set(oldest, held)
      }
    }
  }

  delete(key: string): void {
    const held = this.#held.get(key)
    if (held === undefined) return
    this.#held.delete(key)
    this.#size -= held.size
  }

  clear(): void {
    this.#held.clear()
    this.#size = 0
  }
}
