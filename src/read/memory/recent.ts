// The last few requested values. They hang on a cached thing and go with it: a value on a thing that has left memory reaches nobody
// else.

export class Recent<T> {
  readonly #most: number
  /** Oldest first. */
  readonly #values = new Map<string, T>()

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): T | undefined {
    return this.#values.get(key)
  }

  set(key: string, value: T): void {
    for (const oldest of this.#values.keys()) {
      if (this.#values.size < this.#most) break
      this.#values.delete(oldest)
    }
    this.#values.set(key, value)
  }

  values(): Iterable<T> {
    return this.#values.values()
  }

  clear(): void {
    this.#values.clear()
  }
}
