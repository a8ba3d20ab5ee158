// The first few of very many things in an order: what a page shows of thousands, without sorting all of them.

export class FirstFew<T> {
  readonly #most: number
  readonly #isBefore: (a: T, b: T) => boolean
  /** In the order. */
  readonly #first: T[] = []
  #count = 0

  constructor(most: number, isBefore: (a: T, b: T) => boolean) {
    this.#most = most
    this.#isBefore = isBefore
  }

  /** How many there are. */
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
