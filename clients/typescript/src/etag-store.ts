// Answers that were read before, by their address, so that an unchanged one is not sent again. In memory unless another store is
// given; one store belongs to one key.

export interface KeptAnswer {
  readonly etag: string
  readonly body: string
  /** The header, for answers whose next page is linked there. */
  readonly link: string | null
}

export interface EtagStore {
  get(address: string): KeptAnswer | undefined | Promise<KeptAnswer | undefined>
  set(address: string, answer: KeptAnswer): void | Promise<void>
}

/** Keeps the answers that were used last, up to so many characters together. */
export class MemoryStore implements EtagStore {
  readonly #most: number
  #held = 0
  readonly #answers = new Map<string, KeptAnswer>()

  constructor(mostCharacters = 16_000_000) {
    this.#most = mostCharacters
  }

  get(address: string): KeptAnswer | undefined {
    const found = this.#answers.get(address)
    if (found !== undefined) {
      this.#answers.delete(address)
      this.#answers.set(address, found)
    }
    return found
  }

  set(address: string, answer: KeptAnswer): void {
    this.#drop(address)
    this.#answers.set(address, answer)
    this.#held += answer.body.length
    for (const oldest of this.#answers.keys()) {
      if (this.#held <= this.#most) break
      this.#drop(oldest)
    }
  }

  #drop(address: string): void {
    this.#held -= this.#answers.get(address)?.body.length ?? 0
    this.#answers.delete(address)
  }
}
