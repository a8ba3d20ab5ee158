// Lines that one side produces at its own pace and the other consumes when it can: the progress of a long piece of
// work. The consumer may leave; the work then sees that the queue is abandoned and can stop.

export class LineQueue<T> implements AsyncIterable<T> {
  #lines: T[] = []
  #isOver = false
  #failure: { readonly error: unknown } | null = null
  #isAbandoned = false
  #wake: () => void = () => {}

  get isAbandoned(): boolean {
    return this.#isAbandoned
  }

  push(line: T): void {
    this.#lines.push(line)
    this.#wake()
  }

  end(): void {
    this.#isOver = true
    this.#wake()
  }

  /** Lines that were pushed before are still delivered. */
  fail(error: unknown): void {
    this.#failure = { error }
    this.end()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        const lines = this.#lines
        this.#lines = []
        yield* lines
        if (this.#lines.length > 0) continue
        if (this.#failure !== null) throw this.#failure.error
        if (this.#isOver) return
        await new Promise<void>(resolve => {
          this.#wake = resolve
        })
      }
    } finally {
      this.#isAbandoned = !this.#isOver
    }
  }
}
