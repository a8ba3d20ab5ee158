// Values kept in memory up to a number of bytes; what has not been used for a while goes first. It knows nothing about
// the meaning of the values.
import { Keepable, Shelf } from './shelf.ts'

class Place<T> extends Keepable {
  readonly value: T
  readonly size: number

  constructor(value: T, size: number) {
    super()
    this.value = value
    this.size = size
  }
}

export class Memory<T> {
  readonly #shelf: Shelf<Place<T>>

  constructor(mostBytes: number) {
    this.#shelf = new Shelf(mostBytes)
  }

  get size(): number {
    return this.#shelf.size
  }

  get count(): number {
    return this.#shelf.count
  }

  get(key: string): T | undefined {
    return this.#shelf.get(key)?.value
  }

  /** A value larger than a quarter of the memory is not kept: it would push everything else out. */
  set(key: string, value: T, size: number): void {
    this.#shelf.set(key, new Place(value, size))
  }

  delete(key: string): void {
    this.#shelf.delete(key)
  }

  deleteWhere(isMeant: (value: T) => boolean): void {
    for (const [key, { value }] of [...this.#shelf.entries()]) if (isMeant(value)) this.#shelf.delete(key)
  }

  clear(): void {
    this.#shelf.clear()
  }
}
