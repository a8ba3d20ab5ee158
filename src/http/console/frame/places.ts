// Places for requests in progress: a total, and a small number for each name (a person or an address). A request that keeps the
// server waiting gives up its place to the next.

interface PlacesOptions {
  readonly atOnce: number
  /** Most places under one name. */
  readonly each: number
  /** Time a request may keep the server waiting before it gives up its place when others need it. */
  readonly waitMs: number
}

interface Taken {
  readonly name: string
  readonly sinceMs: number
  giveUp: (() => void) | null
}

/** A place, left when the request has been answered. */
export interface WorkPlace {
  /** Keeps the place from now on: the awaited data has arrived. */
  keep(): void
  leave(): void
}

export class WorkPlaces {
  readonly #options: PlacesOptions
  /** Taken places, the oldest first. */
  readonly #taken = new Set<Taken>()
  readonly #counts = new Map<string, number>()

  constructor(options: PlacesOptions) {
    this.#options = options
  }

  /** A place, or `null` if none is free. `giveUp` is called if the place is needed before it is kept. */
  take(name: string, nowMs: number, giveUp: (() => void) | null = null): WorkPlace | null {
    const { atOnce, each } = this.#options
    if ((this.#counts.get(name) ?? 0) >= each && !this.#free(nowMs, name)) return null
    if (this.#taken.size >= atOnce && !this.#free(nowMs, null)) return null
    const taken: Taken = { name, sinceMs: nowMs, giveUp }
    this.#taken.add(taken)
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    return {
      keep: () => {
        taken.giveUp = null
      },
      leave: () => this.#leave(taken),
    }
  }

  get taken(): number {
    return this.#taken.size
  }

  /** Takes the place of the oldest request that keeps the server waiting, under this name or any. */
  #free(nowMs: number, name: string | null): boolean {
    for (const taken of this.#taken) {
      if (nowMs - taken.sinceMs < this.#options.waitMs) return false
      if (taken.giveUp === null || (name !== null && taken.name !== name)) continue
      taken.giveUp()
      this.#leave(taken)
      return true
    }
    return false
  }

  #leave(taken: Taken): void {
    if (!this.#taken.delete(taken)) return
    const left = this.#counts.get(taken.name)! - 1
    if (left === 0) this.#counts.delete(taken.name)
    else this.#counts.set(taken.name, left)
  }
}
