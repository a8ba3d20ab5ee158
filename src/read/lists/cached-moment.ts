// The moment of a workspace's data: the instant of the newest entry among its own and those of the public series it follows.
// Answers over many series or agreements are cached with it, and dropped with the next entry.
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import type { EntryNotice } from '../../storage/log/append.ts'
import { loadNewestSeen, loadUpdates } from '../../storage/log/visible-entries.ts'
import { Cached } from '../memory/answer-book.ts'
import { TicketedCache } from '../memory/cache.ts'
import type { ReadsStorage } from '../memory/reads-storage.ts'

/** Approximate bytes of an id and an instant with their entry. */
const bytesOfUpdate = 160

export class CachedMoment extends Cached {
  readonly scope: string
  /** Newest record that the workspace sees. */
  readonly newest: Instant
  /** Instant of each series' newest vintage, read when first needed; null for a series without any. */
  readonly updates = new Map<string, Instant | null>()

  constructor(workspaceId: string, newest: Instant) {
    super()
    this.scope = workspaceId
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
  readonly #kept: TicketedCache<CachedMoment>

  constructor(storage: ReadsStorage, sight: (workspaceId: string, entry: EntryNotice) => boolean) {
    this.#storage = storage
    this.#kept = new TicketedCache(storage.changes, limits.momentsBytes, { sight })
  }

  of(workspaceId: string): CachedMoment | Promise<CachedMoment> {
    return this.#kept.load(workspaceId, workspaceId, async () => {
      const newest = await this.#storage.readAndCatchUp(workspaceId, tx => loadNewestSeen(tx, workspaceId))
      return new CachedMoment(workspaceId, newest)
    })
  }

  /** Instants of the newest vintages of these series; series without any are left out. */
  async updates(moment: CachedMoment, ids: readonly string[]): Promise<ReadonlyMap<string, Instant>> {
    const { scope } = moment
    const missing = ids.filter(id => !moment.updates.has(id))
    if (missing.length > 0) {
      const read = await this.#storage.readAndCatchUp(scope, tx => loadUpdates(tx, scope, missing))
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

  /** Counts a moment again after something was added to it. */
  recount(moment: CachedMoment): void {
    this.#kept.recount(moment)
  }
}
