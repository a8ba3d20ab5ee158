// Names of other systems' keys in the price lists of many agreements: a table that comes in pages has the same columns on each, so
// they are known before the rows are.
import { isBy } from '../../core/series/vintage.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { loadErpNamesOf } from '../../storage/agreements/price-lists.ts'
import type { Transaction } from '../../storage/postgres/database.ts'
import { TicketedCache } from '../memory/cache.ts'
import { SizedValue } from '../memory/memory.ts'
import type { ReadsStorage } from '../memory/reads-storage.ts'

type NamesOfLists = readonly { readonly names: readonly string[]; readonly recordedAt: Instant }[]

/** Approximate bytes of an agreement's entry, and of one name. */
const bytesOfAgreement = 200
const bytesOfName = 60

export class ErpNames {
  readonly #library: ReadsStorage
  readonly #kept: TicketedCache<SizedValue<NamesOfLists>>

  constructor(library: ReadsStorage) {
    this.#library = library
    this.#kept = new TicketedCache(library.changes, limits.erpNamesBytes, {})
  }

  /** Names without `erp_`, each once, sorted. */
  async read(workspaceId: string, ids: readonly string[], knownAt: Instant | null): Promise<readonly string[]> {
    const found = new Set<string>()
    const add = (lists: NamesOfLists) => {
      for (const { names, recordedAt } of lists)
        if (isBy(recordedAt, knownAt)) for (const name of names) found.add(name)
    }
    const missing = ids.filter(id => {
      const kept = this.#kept.get(id)
      if (kept !== undefined) add(kept.value)
      return kept === undefined
    })
    for (let from = 0; from < missing.length; from += limits.erpNamesAtOnce) {
      const some = missing.slice(from, from + limits.erpNamesAtOnce)
      await this.#kept.loadMany(some, workspaceId, async keep => {
        const lists = await this.#library.readAndCatchUp(workspaceId, (tx: Transaction) =>
          loadErpNamesOf(tx, workspaceId, some),
        )
        for (const id of some) {
          const own = lists.get(id) ?? []
          add(own)
          const count = own.reduce((sum, { names }) => sum + names.length, 0)
          keep(id, new SizedValue(own, bytesOfAgreement + count * bytesOfName, workspaceId))
        }
      })
    }
    return [...found].sort()
  }
}
