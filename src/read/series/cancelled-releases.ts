// Which figures that an agreement lacks will not come, because their releases were cancelled.

import type { FigureGap } from '../../core/calculation/gap.ts'
import { announcedFor, entriesKnown } from '../../core/calendar/announced.ts'
import type { Instant } from '../../core/time/instant.ts'
import { parsePeriod } from '../../core/time/period.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import type { Changes } from '../memory/changes.ts'
import type { Releases } from './releases.ts'

interface AnnouncesReleases {
  readonly changes: Changes
  readonly releases: Releases
}

interface Asked {
  /** The agreement: what is announced about these releases from now on changes what is said of it. */
  readonly of: string
  /** As it was announced by then; null: now. */
  readonly knownAt: Instant | null
}

/** `series` are named as formulas name them. */
export async function cancelledReleases(
  { changes, releases }: AnnouncesReleases,
  workspaceId: string,
  series: ReadonlyMap<string, VisibleSeries>,
  { of, knownAt }: Asked,
): Promise<(gap: Pick<FigureGap, 'series' | 'period'>) => boolean> {
  const all = [...series.values()]
  const named = await releases.releaseIdsOf(workspaceId, all)
  for (const releaseId of named.values()) changes.computedFrom(releaseId, of)
  const announced = await releases.ofSeries(workspaceId, all, knownAt)
  const entries = new Map(
    [...series].map(([reference, { id }]) => [reference, entriesKnown(announced.get(id) ?? [], null)]),
  )
  return ({ series: reference, period: text }) => {
    const period = parsePeriod(text)
    const known = entries.get(reference)
    if (period === null || known === undefined) return false
    return announcedFor(period, known, null)?.status === 'CANCELLED'
  }
}
