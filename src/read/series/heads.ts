// The ends of series in memory: first period, newest value and the one before it, for lists of thousands. Asking the
// database for all of them takes a good part of a second, and an entry changes only a few: only those are read again.
import { limits } from '../../limits.ts'
import { loadSeriesHeads, type SeriesHead } from '../../storage/series/series-heads.ts'
import { TicketedCache } from '../memory/cache.ts'
import { SizedValue } from '../memory/memory.ts'
import type { ReadsStorage } from '../memory/reads-storage.ts'

/** Approximate bytes of a head with its texts. */
const bytesOfHead = 400

export class Heads {
  readonly #storage: ReadsStorage
  readonly #kept: TicketedCache<SizedValue<SeriesHead>>

  constructor(storage: ReadsStorage) {
    this.#storage = storage
    this.#kept = new TicketedCache(storage.changes, limits.headsBytes, {})
  }

  /** Heads by id, of series that the workspace sees. */
  async read(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, SeriesHead>> {
    const heads = new Map<string, SeriesHead>()
    const missing = ids.filter(id => {
      const cached = this.#kept.get(id)
      if (cached !== undefined) heads.set(id, cached.value)
      return cached === undefined
    })
    if (missing.length === 0) return heads
    return this.#kept.loadMany(missing, workspaceId, async keep => {
      const read = await this.#storage.readAndCatchUp(workspaceId, tx => loadSeriesHeads(tx, workspaceId, missing))
      for (const [id, head] of read) {
        heads.set(id, head)
        keep(id, new SizedValue(head, bytesOfHead, head.owner))
      }
      return heads
    })
  }
}
