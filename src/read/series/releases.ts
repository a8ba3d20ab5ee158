// Release calendars in memory: every version of each release's announcements, and the series that come with it. Each release is
// read on first use and dropped when something about it is announced.

import type { Release } from '../../core/calendar/release.ts'
import { byDate, numberReleases } from '../../core/calendar/release-order.ts'
import type { Instant } from '../../core/time/instant.ts'
import { providers } from '../../providers/catalogue/catalogue.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import {
  listReleaseIds,
  loadAnnounced,
  loadSeriesReleases,
  releaseIdOf,
  type StoredRelease,
} from '../../storage/series/calendar.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import { TicketedCache } from '../memory/cache.ts'
import { SizedValue } from '../memory/memory.ts'
import type { ReadsStorage } from '../memory/reads-storage.ts'

/** An entry of a calendar as it was announced by an instant. */
export interface AnnouncedRelease extends Release {
  /** Id of the release in the log. */
  readonly releaseId: string
  /** Recording instant of this version. */
  readonly announcedAt: Instant
  /** Earlier versions, oldest first. */
  readonly earlier: readonly StoredRelease[]
  /** Recording instant of the first version. */
  readonly firstAnnouncedAt: Instant
  /** Number of changes of its date or status. */
  readonly moves: number
  /** 1 for the publication of its period, 2 and more for revisions; null where it has no period or will not come as announced. */
  readonly number: number | null
}

/** Enough for 30,000 entries, and for the releases of as many series. */
const mostBytes = { entries: 16 * 1024 * 1024, names: 4 * 1024 * 1024 }
/** Approximate bytes of an entry with its texts, and of a name. */
const bytesOfEntry = 500
const bytesOfName = 150

const wholeCalendar = 'all releases'

type SeriesOfRelease = Pick<VisibleSeries, 'id' | 'provider' | 'code'>

export class Releases {
  readonly #storage: ReadsStorage
  /** All versions by release id, oldest first. */
  readonly #kept: TicketedCache<SizedValue<readonly StoredRelease[]>>
  /** Release names by series id, for codes that do not say them. */
  readonly #names: TicketedCache<SizedValue<string | null>>
  /** The ids of all releases. */
  readonly #ids: TicketedCache<SizedValue<readonly string[]>>

  constructor(storage: ReadsStorage) {
    this.#storage = storage
    this.#kept = new TicketedCache(storage.changes, mostBytes.entries, {})
    this.#names = new TicketedCache(storage.changes, mostBytes.names, {})
    this.#ids = new TicketedCache(storage.changes, mostBytes.names, { kinds: new Set(['calendar'] as const) })
  }

  /** Release of each series, by series id; series without a calendar are left out. */
  async releaseIdsOf(workspaceId: string, series: readonly SeriesOfRelease[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>()
    const unknown: SeriesOfRelease[] = []
    for (const each of series) {
      if (each.provider === 'CUSTOM') continue
      const release = providers[each.provider].releases?.releaseOf(each.code) ?? null
      if (release !== null) found.set(each.id, releaseIdOf(each.provider, release))
      else unknown.push(each)
    }
    if (unknown.length === 0) return found
    const names = await this.#namesOf(workspaceId, unknown)
    for (const { id, provider } of unknown) {
      const name = names.get(id) ?? null
      if (name !== null) found.set(id, releaseIdOf(provider, name))
    }
    return found
  }

  async #namesOf(workspaceId: string, series: readonly SeriesOfRelease[]): Promise<ReadonlyMap<string, string | null>> {
    const names = new Map<string, string | null>()
    const missing = series
      .map(({ id }) => id)
      .filter(id => {
        const kept = this.#names.get(id)
        if (kept !== undefined) names.set(id, kept.value)
        return kept === undefined
      })
    if (missing.length === 0) return names
    return this.#names.loadMany(missing, workspaceId, async keep => {
      const read = await this.#storage.readAndCatchUp(workspaceId, tx => loadSeriesReleases(tx, missing))
      for (const id of missing) {
        const name = read.get(id) ?? null
        names.set(id, name)
        keep(id, new SizedValue(name, bytesOfName, publicScope))
      }
      return names
    })
  }

  /** Announcements by `knownAt`, or of now, about each release, in order of date. */
  async ofReleases(
    workspaceId: string,
    ids: Iterable<string>,
    knownAt: Instant | null,
  ): Promise<ReadonlyMap<string, readonly AnnouncedRelease[]>> {
    const versions = await this.#versionsOf(workspaceId, [...new Set(ids)])
    return new Map([...versions].map(([id, rows]) => [id, announcedBy(id, rows, knownAt)]))
  }

  /** Announcements about the release of each series, by series id. Series without a calendar have an empty list. */
  async ofSeries(
    workspaceId: string,
    series: readonly SeriesOfRelease[],
    knownAt: Instant | null,
  ): Promise<ReadonlyMap<string, readonly AnnouncedRelease[]>> {
    const ids = await this.releaseIdsOf(workspaceId, series)
    const announced = await this.ofReleases(workspaceId, ids.values(), knownAt)
    return new Map(series.map(({ id }) => [id, announced.get(ids.get(id) ?? '') ?? []]))
  }

  /** Announcements of a provider, or of all, in order of date. */
  async ofProvider(
    workspaceId: string,
    provider: string | null,
    knownAt: Instant | null,
  ): Promise<readonly AnnouncedRelease[]> {
    const announced = await this.ofReleases(workspaceId, await this.#allIds(workspaceId, provider), knownAt)
    return [...announced.values()].flat().sort(byDate)
  }

  async #allIds(workspaceId: string, provider: string | null): Promise<readonly string[]> {
    const load = async () => {
      const ids = await this.#storage.readAndCatchUp(workspaceId, tx => listReleaseIds(tx, provider))
      return new SizedValue(ids, ids.length * bytesOfName, publicScope)
    }
    return (await this.#ids.load(provider ?? wholeCalendar, publicScope, load)).value
  }

  async #versionsOf(
    workspaceId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly StoredRelease[]>> {
    const versions = new Map<string, readonly StoredRelease[]>()
    const missing = ids.filter(id => {
      const kept = this.#kept.get(id)
      if (kept !== undefined) versions.set(id, kept.value)
      return kept === undefined
    })
    if (missing.length === 0) return versions
    return this.#kept.loadMany(missing, publicScope, async keep => {
      const read = await this.#storage.readAndCatchUp(workspaceId, tx => loadAnnounced(tx, workspaceId, missing))
      const groups = Map.groupBy(read, ({ provider, release }) => releaseIdOf(provider, release))
      for (const id of missing) {
        const rows = groups.get(id) ?? []
        versions.set(id, rows)
        keep(id, new SizedValue(rows, bytesOfName + rows.length * bytesOfEntry, publicScope))
      }
      return versions
    })
  }
}

/** Newest version of each entry that was recorded by then. */
function announcedBy(
  releaseId: string,
  rows: readonly StoredRelease[],
  knownAt: Instant | null,
): readonly AnnouncedRelease[] {
  const seen = rows.filter(({ recordedAt }) => knownAt === null || recordedAt <= knownAt)
  const entries = [...Map.groupBy(seen, ({ sourceId }) => sourceId).values()].map(versions => {
    const { seq: _seq, recordedAt, ...release } = versions.at(-1)!
    const moves = versions.filter((each, i) => i > 0 && isMoved(versions[i - 1]!, each)).length
    const [firstAnnouncedAt, earlier] = [versions[0]!.recordedAt, versions.slice(0, -1)]
    return { ...release, releaseId, announcedAt: recordedAt, earlier, firstAnnouncedAt, moves }
  })
  const numbers = new Map(numberReleases(entries.filter(isComing)).map(({ entry, number }) => [entry, number]))
  return entries.sort(byDate).map(entry => ({ ...entry, number: numbers.get(entry) ?? null }))
}

/** Whether the entry counts for its period: while its date is open again, another entry is no revision. */
function isComing({ status }: Release): boolean {
  return status !== 'POSTPONED'
}

function isMoved(before: Release, after: Release): boolean {
  return before.at !== after.at || before.status !== after.status
}
