// Things in memory up to a number of bytes; the least recently used go first. They know their own size and carry their own marks;
// values that do not are in memory.ts. Things that can become stale are put here by cache.ts alone.

/** A thing that can be cached. It carries its own marks: code that holds it needs no look-up to know whether it is still valid. */
export abstract class Keepable {
  /** Whether it was used since the last sweep: then it gets a second chance. */
  isUsed = false
  /** Whether it is in the cache now. A dropped thing is never used again, not even by code that still holds it. */
  isKept = false
  /** Its key, and the last counted bytes. */
  key = ''
  countedSize = 0

  /** The workspace it belongs to, or `public`. */
  abstract readonly scope: string

  /** Approximate bytes. */
  abstract get size(): number

  /** Largest share of the memory it may take: a larger thing would push everything else out. */
  get mostShare(): number {
    return 1 / 4
  }

  /** Whether it was used since the last call. */
  takeUse(): boolean {
    const { isUsed } = this
    this.isUsed = false
    return isUsed
  }

  /** Marks that it is no longer in the cache. */
  leave(): void {
    this.isKept = false
  }
}

export class BoundedCache<T extends Keepable> {
  readonly #most: number
  /** Oldest first. Use marks a thing and moves nothing: it happens on every request. */
  readonly #kept = new Map<string, T>()
  #size = 0

  constructor(mostBytes: number) {
    this.#most = mostBytes
  }

  /** Capacity in bytes. */
  get most(): number {
    return this.#most
  }

  get size(): number {
    return this.#size
  }

  get count(): number {
    return this.#kept.size
  }

  entries(): Iterable<readonly [string, T]> {
    return this.#kept.entries()
  }

  get(key: string): T | undefined {
    const kept = this.#kept.get(key)
    if (kept !== undefined) kept.isUsed = true
    return kept
  }

  /** A thing without counting as used. */
  peek(key: string): T | undefined {
    return this.#kept.get(key)
  }

  set(key: string, thing: T): void {
    this.delete(key)
    thing.isUsed = false
    thing.isKept = true
    thing.key = key
    thing.countedSize = 0
    this.#kept.set(key, thing)
    this.recount(thing)
  }

  /** Counts a thing again that has grown or shrunk. One larger than its share is dropped. */
  recount(thing: T): void {
    const { size, key } = thing
    if (this.#kept.get(key) !== thing) return
    this.#size += size - thing.countedSize
    thing.countedSize = size
    if (size > this.#most * thing.mostShare) this.delete(key)
    for (const [oldest, kept] of this.#kept) {
      if (this.#size <= this.#most) break
      if (!kept.takeUse()) this.delete(oldest)
      else {
        this.#kept.delete(oldest)
        this.#kept.set(oldest, kept)
      }
    }
  }

  delete(key: string): void {
    const kept = this.#kept.get(key)
    if (kept === undefined) return
    this.#kept.delete(key)
    this.#size -= kept.countedSize
    kept.leave()
  }
}
