// Missing figures of an agreement that will not come, because their releases were cancelled.

import type { Blocked, BoundVersion } from '../../core/calculation/adjustment.ts'
import { type FigureGap, toldAs } from '../../core/calculation/gap.ts'
import { announcedFor, entriesKnown } from '../../core/calendar/announcements.ts'
import type { BoundFormula } from '../../core/formula/bind.ts'
import type { Instant } from '../../core/time/instant.ts'
import { parsePeriod } from '../../core/time/period.ts'
import { governingVersion } from '../../core/true-up/policy-cut.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import type { Changes } from '../memory/changes.ts'
import type { Releases } from './releases.ts'

interface AnnouncesReleases {
  readonly changes: Changes
  readonly releases: Releases
}

interface CancelledQuery {
  /** Id of the agreement: later announcements about these releases change its gaps. */
  readonly of: string
  /** Instant of the announcements; null: now. */
  readonly knownAt: Instant | null
}

/** `series` are keyed by the names formulas use. */
export async function cancelledReleases(
  { changes, releases }: AnnouncesReleases,
  workspaceId: string,
  series: ReadonlyMap<string, VisibleSeries>,
  { of, knownAt }: CancelledQuery,
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

/** Periods without a number, whose gaps name the cancelled release and the clause's fallback. */
export function nameCancelled(
  blocked: readonly Blocked[],
  versions: readonly BoundVersion[],
  isCancelled: (gap: FigureGap) => boolean,
): readonly Blocked[] {
  return blocked.map(each => {
    const { gap, date } = each
    if (gap.series === null || !isCancelled(gap)) return each
    const { bound } = governingVersion(versions, date)
    return { ...each, gap: toldAs(gap, `${gap.sentence}: ${cancelledWords(bound, gap)}`) }
  })
}

function cancelledWords({ inputs }: BoundFormula, { series }: FigureGap): string {
  const rules = inputs.filter(({ input }) => input.series === series).map(({ input }) => input.missing.kind)
  const hasRule = rules.some(kind => kind !== 'BLOCK')
  return `its release was cancelled, and the clause ${hasRule ? 'gives nothing in its place' : 'has no rule for that'}`
}
