// The ends of series in memory: first period, newest value and the one before it, for lists of thousands. Asking the
// database for all of them takes a good part of a second, and a publication changes only a few: only those are read
// again.
import { limits } from '../../limits.ts'
import { readSeriesHeads, type SeriesHead } from '../../storage/series/series-heads.ts'
import { Memory } from '../memory/memory.ts'
import type { ReadsStorage } from '../memory/reads-storage.ts'

/** Approximate bytes of a head with its texts. */
const bytesOfHead = 400

interface ForgottenHeads {
  readonly ids: Set<string>
  readonly scopes: Set<string>
}

export class Heads {
  readonly #storage: ReadsStorage
  readonly #memory = new Memory<SeriesHead>(limits.headsBytes)
  /** For each load under way, what was forgotten since it began: that is returned, but not cached. */
  readonly #readings = new Set<ForgottenHeads>()

  constructor(storage: ReadsStorage) {
    this.#storage = storage
  }

  /** Of series that the workspace sees; by id. */
  async read(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, SeriesHead>> {
    const heads = new Map<string, SeriesHead>()
    const missing = ids.filter(id => {
      const cached = this.#memory.get(id)
      if (cached !== undefined) heads.set(id, cached)
      return cached === undefined
    })
    if (missing.length === 0) return heads
    const forgotten: ForgottenHeads = { ids: new Set(), scopes: new Set() }
    this.#readings.add(forgotten)
    try {
      const read = await this.#storage.readAndCatchUp(workspaceId, tx => readSeriesHeads(tx, workspaceId, missing))
      for (const [id, head] of read) {
        heads.set(id, head)
        if (!forgotten.ids.has(id) && !forgotten.scopes.has(head.owner)) this.#memory.set(id, head, bytesOfHead)
      }
    } finally {
      this.#readings.delete(forgotten)
    }
    return heads
  }

  forget(seriesId: string): void {
    for (const { ids } of this.#readings) ids.add(seriesId)
    this.#memory.delete(seriesId)
  }

  /** All series of a workspace, or the public ones. */
  forgetScope(scope: string): void {
    for (const { scopes } of this.#readings) scopes.add(scope)
    this.#memory.deleteWhere(({ owner }) => owner === scope)
  }
}
