// Releases of a span of days as a workspace sees them: the announcement, the workspace's series that come with each, and the
// agreements that read those.
import type { Release } from '../core/calendar/release.ts'
import { type Day, formatDay } from '../core/time/day.ts'
import type { Instant } from '../core/time/instant.ts'
import type { VisibleSeries } from '../storage/series/visible-series.ts'
import type { Readers } from './agreements/agreement-readers.ts'
import type { ReadsAgreements } from './lists/reads-agreements.ts'
import type { AnnouncedRelease, Releases } from './series/releases.ts'

export interface ReleaseRow extends Omit<Release, 'sourceId'> {
  readonly number: number | null
  readonly moves: number
  readonly announcedAt: Instant
  /** The workspace's series that come with it, as formulas name them. */
  readonly series: readonly string[]
  /** Slugs of the agreements that read one of them. */
  readonly pams: readonly string[]
}

interface ReleasesWanted {
  /** Inclusive; instants count by their day in UTC. */
  readonly from: Day
  readonly to: Day
  readonly provider?: string | null
  /** Restricts to releases of these series. */
  readonly series?: readonly VisibleSeries[] | null
  /** Restricts to releases that these agreements read. */
  readonly agreementIds?: ReadonlySet<string> | null
  /** Whether releases without any series of the workspace are included. */
  readonly isWhole?: boolean
  readonly knownAt?: Instant | null
  /** Index from series to agreements; all agreements unless given. */
  readonly readers?: Readers
}

/** A row with the entry it is found again by, in order of date. */
export interface ListedRelease {
  readonly entry: AnnouncedRelease
  readonly row: ReleaseRow
}

interface ReadsReleases extends Pick<ReadsAgreements, 'index' | 'readers'> {
  readonly releases: Releases
}

export async function listReleases(
  library: ReadsReleases,
  workspaceId: string,
  wanted: ReleasesWanted,
): Promise<readonly ListedRelease[]> {
  const { provider = null, agreementIds = null, isWhole = false, knownAt = null } = wanted
  const index = await library.index(workspaceId)
  const readers = wanted.readers ?? (await library.readers(workspaceId, index)).readers
  const readersOf = ({ id }: VisibleSeries) =>
    (readers.get(id) ?? []).filter(agreement => agreementIds === null || agreementIds.has(agreement.id))
  const series = (wanted.series ?? index.series).filter(
    each => (provider === null || each.provider === provider) && (agreementIds === null || readersOf(each).length > 0),
  )
  const ids = await library.releases.releaseIdsOf(workspaceId, series)
  const coming = Map.groupBy(series, ({ id }) => ids.get(id) ?? '')
  const announced = isWhole
    ? await library.releases.ofProvider(workspaceId, provider, knownAt)
    : [...(await library.releases.ofReleases(workspaceId, ids.values(), knownAt)).values()].flat()
  const [first, last] = [formatDay(wanted.from), formatDay(wanted.to)]
  return announced
    .filter(({ at }) => at.slice(0, 10) >= first && at.slice(0, 10) <= last)
    .toSorted(byDate)
    .map(entry => {
      const own = coming.get(entry.releaseId) ?? []
      const slugs = new Set(own.flatMap(readersOf).map(({ slug }) => slug))
      return { entry, row: rowOf(entry, own.map(referenceOf).sort(), [...slugs].sort()) }
    })
}

function rowOf(entry: AnnouncedRelease, series: readonly string[], pams: readonly string[]): ReleaseRow {
  const { provider, release, title, period, number, at, zone, status, moves, announcedAt } = entry
  return { provider, release, title, period, number, at, zone, status, moves, announcedAt, series, pams }
}

function referenceOf({ provider, code }: VisibleSeries): string {
  return `${provider}/${code}`
}

/** Sort key of an entry: a day sorts before the instants on it. */
export function placeOf({ at, releaseId, sourceId }: AnnouncedRelease): string {
  return `${at} ${releaseId} ${sourceId}`
}

function byDate(a: AnnouncedRelease, b: AnnouncedRelease): number {
  const [first, second] = [placeOf(a), placeOf(b)]
  return first < second ? -1 : first > second ? 1 : 0
}
