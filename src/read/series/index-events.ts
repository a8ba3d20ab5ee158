// Events of indices in memory: read on first use, dropped when one is recorded.
import { type IndexEvent, isAbout } from '../../core/index-changes/index-event.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import { loadIndexEvents, type StoredIndexEvent } from '../../storage/series/index-events.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import { TicketedCache } from '../memory/cache.ts'
import { SizedValue } from '../memory/memory.ts'
import type { ReadsStorage } from '../memory/reads-storage.ts'

/** Approximate bytes of an event with its texts. */
const bytesOfEvent = 800

export class IndexEvents {
  readonly #storage: ReadsStorage
  readonly #kept: TicketedCache<SizedValue<readonly StoredIndexEvent[]>>

  constructor(storage: ReadsStorage) {
    this.#storage = storage
    this.#kept = new TicketedCache(storage.changes, limits.indexEventsBytes, {
      kinds: new Set(['index-event'] as const),
    })
  }

  /** Newest version of each event by then, the newest day first. */
  async all(workspaceId: string, knownAt: Instant | null = null): Promise<readonly StoredIndexEvent[]> {
    const versions = await this.#versions(workspaceId)
    const newest = new Map<string, StoredIndexEvent>()
    for (const event of versions) if (knownAt === null || event.recordedAt <= knownAt) newest.set(event.id, event)
    return [...newest.values()].sort(byDay)
  }

  /** Events about each of these series, by series id. */
  async ofSeries(
    workspaceId: string,
    series: readonly Pick<VisibleSeries, 'id' | 'provider' | 'code'>[],
    knownAt: Instant | null = null,
  ): Promise<ReadonlyMap<string, readonly StoredIndexEvent[]>> {
    const events = await this.all(workspaceId, knownAt)
    return new Map(series.map(each => [each.id, events.filter(event => isAbout(event, each))]))
  }

  async #versions(workspaceId: string): Promise<readonly StoredIndexEvent[]> {
    const load = async () => {
      const events = await this.#storage.readAndCatchUp(workspaceId, tx => loadIndexEvents(tx, workspaceId))
      return new SizedValue(events, bytesOfEvent * (events.length + 1), publicScope)
    }
    return (await this.#kept.load('all events', publicScope, load)).value
  }
}

function byDay(a: IndexEvent, b: IndexEvent): number {
  if (a.day !== b.day) return a.day < b.day ? 1 : -1
  return a.id < b.id ? -1 : 1
}
