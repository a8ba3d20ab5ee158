// How recent the data of a workspace is: the instant of the newest publication among its own and those of the public
// series it follows. Answers over many series or agreements are cached with it, and dropped with the next publication.
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { readNewestSeen, readUpdates } from '../../storage/log/seen-publications.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import { Cached } from '../memory/answer-book.ts'
import type { ReadsStorage } from '../memory/reads-storage.ts'
import { Shelf } from '../memory/shelf.ts'

/** Approximate bytes of an id and an instant with their entry. */
const bytesOfUpdate = 160

export class CachedMoment extends Cached {
  readonly workspaceId: string
  /** Nothing the workspace sees was recorded later. */
  readonly newest: Instant
  /** When series last had a vintage recorded, read when first needed; null for those without any. */
  readonly updates = new Map<string, Instant | null>()

  constructor(workspaceId: string, newest: Instant) {
    super()
    this.workspaceId = workspaceId
    this.newest = newest
  }

  get size(): number {
    return 500 + this.updates.size * bytesOfUpdate + this.answersSize
  }

  /** The pages of a large workspace are most of what is kept here. */
  override get mostShare(): number {
    return 1 / 2
  }
}

export class Moments {
  readonly #storage: ReadsStorage
  readonly #cached = new Shelf<CachedMoment>(limits.momentsBytes)
  /** One that is forgotten while it loads is given to the waiting callers, but not cached. */
  readonly #loading = new Map<string, Promise<CachedMoment>>()

  constructor(storage: ReadsStorage) {
    this.#storage = storage
  }

  of(workspaceId: string): CachedMoment | Promise<CachedMoment> {
    const cached = this.#cached.get(workspaceId) ?? this.#loading.get(workspaceId)
    if (cached !== undefined) return cached
    const loading: Promise<CachedMoment> = this.#load(workspaceId)
      .then(moment => {
        if (this.#loading.get(workspaceId) === loading) this.#cached.set(workspaceId, moment)
        return moment
      })
      .finally(() => {
        if (this.#loading.get(workspaceId) === loading) this.#loading.delete(workspaceId)
      })
    this.#loading.set(workspaceId, loading)
    return loading
  }

  async #load(workspaceId: string): Promise<CachedMoment> {
    const newest = await this.#storage.readAndCatchUp(workspaceId, tx => readNewestSeen(tx, workspaceId))
    return new CachedMoment(workspaceId, newest)
  }

  /** When each of these series last had a vintage recorded; those without any are left out. */
  async updates(moment: CachedMoment, ids: readonly string[]): Promise<ReadonlyMap<string, Instant>> {
    const { workspaceId } = moment
    const missing = ids.filter(id => !moment.updates.has(id))
    if (missing.length > 0) {
      const read = await this.#storage.readAndCatchUp(workspaceId, tx => readUpdates(tx, workspaceId, missing))
      for (const id of missing) moment.updates.set(id, read.get(id) ?? null)
      this.recount(moment)
    }
    const found = new Map<string, Instant>()
    for (const id of ids) {
      const at = moment.updates.get(id) ?? null
      if (at !== null) found.set(id, at)
    }
    return found
  }

  /** After something was added to it. */
  recount(moment: CachedMoment): void {
    if (moment.isKept) this.#cached.recount(moment)
  }

  /** Forgets those of the workspaces that see something that was published. */
  forget(isSeen: (workspaceId: string) => boolean): void {
    for (const workspaceId of this.#workspaces()) if (isSeen(workspaceId)) this.#drop(workspaceId)
  }

  forgetScope(scope: string): void {
    if (scope !== publicScope) this.#drop(scope)
    else for (const workspaceId of this.#workspaces()) this.#drop(workspaceId)
  }

  #workspaces(): string[] {
    return [...[...this.#cached.entries()].map(([workspaceId]) => workspaceId), ...this.#loading.keys()]
  }

  #drop(workspaceId: string): void {
    this.#cached.delete(workspaceId)
    this.#loading.delete(workspaceId)
  }
}
