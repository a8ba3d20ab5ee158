// Loads from the database that are under way: each is made once for all callers meanwhile, and its result is cached
// unless it was forgotten before it arrived. In that case only the waiting callers get it.

import type { CachedPam } from '../lists/cached-agreement.ts'
import type { CachedIndex } from '../lists/cached-index.ts'
import type { CachedSeries } from '../series/cached-series.ts'
import type { Shelf } from './shelf.ts'

export type CachedThing = CachedIndex | CachedSeries | CachedPam

interface Load {
  /** A workspace's id, or `public`. */
  readonly scope: string
  /** The workspace for which it was begun. */
  readonly asker: string
  readonly loaded: Promise<CachedThing | null>
}

export class Loads {
  readonly #memory: Shelf<CachedThing>
  readonly #underWay = new Map<string, Load>()

  constructor(memory: Shelf<CachedThing>) {
    this.#memory = memory
  }

  get size(): number {
    return this.#underWay.size
  }

  /** How many were begun for each workspace. */
  byAsker(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { asker } of this.#underWay.values()) counts.set(asker, (counts.get(asker) ?? 0) + 1)
    return counts
  }

  /** From memory at once, or from the database. */
  get<T extends CachedThing | null>(
    scope: string,
    key: string,
    load: () => Promise<T>,
    asker: string = scope,
  ): T | Promise<T> {
    const cached = this.#memory.get(key)
    if (cached !== undefined) return cached as T
    const underWay = this.#underWay.get(key)
    if (underWay !== undefined) return underWay.loaded as Promise<T>
    const loaded: Promise<T> = load().then(
      thing => {
        if (this.#underWay.get(key) === begun) {
          this.#underWay.delete(key)
          if (thing !== null) this.#memory.set(key, thing)
        }
        return thing
      },
      error => {
        if (this.#underWay.get(key) === begun) this.#underWay.delete(key)
        throw error
      },
    )
    const begun: Load = { scope, asker, loaded }
    this.#underWay.set(key, begun)
    return loaded
  }

  forget(key: string): void {
    this.#underWay.delete(key)
  }

  /** Everything in a scope, except one key. */
  forgetScope(scope: string, except: string | null): void {
    for (const [key, load] of this.#underWay) if (load.scope === scope && key !== except) this.#underWay.delete(key)
  }
}
