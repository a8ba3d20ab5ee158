// Values in memory up to a number of bytes; the least recently used go first. For results of things that never change: nothing here
// becomes stale. Values that can become stale are kept through cache.ts.
import { BoundedCache, Keepable } from './shelf.ts'

/** A value that does not know its own size. */
export class SizedValue<T> extends Keepable {
  readonly value: T
  readonly size: number
  readonly scope: string

  constructor(value: T, size: number, scope = '') {
    super()
    this.value = value
    this.size = size
    this.scope = scope
  }
}

export class Memory<T> {
  readonly #shelf: BoundedCache<SizedValue<T>>

  constructor(mostBytes: number) {
    this.#shelf = new BoundedCache(mostBytes)
  }

  get(key: string): T | undefined {
    return this.#shelf.get(key)?.value
  }

  /** A value larger than a quarter of the memory is not kept: it would push everything else out. */
  set(key: string, value: T, size: number): void {
    this.#shelf.set(key, new SizedValue(value, size))
  }
}
