// The first few of very many things in an order, for pages over thousands, without sorting all of them.

export class FirstFew<T> {
  readonly #most: number
  readonly #isBefore: (a: T, b: T) => boolean
  /** Sorted. */
  readonly #first: T[] = []
  #count = 0

  constructor(most: number, isBefore: (a: T, b: T) => boolean) {
    this.#most = most
    this.#isBefore = isBefore
  }

  /** Number of all things. */
  get count(): number {
    return this.#count
  }

  get first(): readonly T[] {
    return this.#first
  }

  add(thing: T): void {
    this.#count++
    if (this.#first.length === this.#most) {
      const last = this.#first.at(-1)
      if (last === undefined || !this.#isBefore(thing, last)) return
      this.#first.pop()
    }
    const place = this.#first.findLastIndex(other => !this.#isBefore(thing, other)) + 1
    this.#first.splice(place, 0, thing)
  }
}
