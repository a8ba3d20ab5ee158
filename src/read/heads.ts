// The ends of series in memory: first period, newest value and the one before it, for lists of thousands. Asking the
// database for all of them takes a good part of a second, and a publication changes a few: those alone are read again.
import { limits } from '../limits.ts'
import { type Sql, withWorkspace } from '../storage/database.ts'
import { readSeriesHeads, type SeriesHead } from '../storage/series-heads.ts'
import { Memory } from './memory.ts'

/** A head with its texts, about. */
const bytesOfHead = 400

export class Heads {
  readonly #sql: Sql
  readonly #memory = new Memory<SeriesHead>(limits.headsBytes)
  /** Moves whenever something is forgotten: what was read across such a moment is handed out, but not kept. */
  #generation = 0

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Of series that the workspace sees; by id. */
  async read(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, SeriesHead>> {
    const heads = new Map<string, SeriesHead>()
    const missing = ids.filter(id => {
      const held = this.#memory.get(id)
      if (held !== undefined) heads.set(id, held)
      return held === undefined
    })
    if (missing.length === 0) return heads
    const generation = this.#generation
    const read = await withWorkspace(this.#sql, workspaceId, tx => readSeriesHeads(tx, workspaceId, missing))
    for (const [id, head] of read) {
      heads.set(id, head)
      if (generation === this.#generation) this.#memory.set(id, head, bytesOfHead)
    }
    return heads
  }

  forget(seriesId: string): void {
    this.#generation++
    this.#memory.delete(seriesId)
  }

  forgetAll(): void {
    this.#generation++
    this.#memory.clear()
  }
}
