// Answers that are held back for a moment, so that guessing does not pay. Only so many wait at once; beyond that an
// answer is sent at once: holding it would cost us more than it costs the caller.
export class SlowAnswers {
  readonly #most: number
  readonly #waitMs: number
  #waiting = 0

  constructor({ most, waitMs }: { readonly most: number; readonly waitMs: number }) {
    this.#most = most
    this.#waitMs = waitMs
  }

  hold(): void | Promise<void> {
    if (this.#waiting >= this.#most) return
    this.#waiting++
    return new Promise(resolve => {
      setTimeout(() => {
        this.#waiting--
        resolve()
      }, this.#waitMs)
    })
  }

  get waiting(): number {
    return this.#waiting
  }
}
