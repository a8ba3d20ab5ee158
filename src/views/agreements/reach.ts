// Reach of an unsaved version: the open periods it governs, and the sides whose signatures on present proposals would become void.

import type { Formula } from '../../core/formula/formula.ts'
import { nextDateAfter } from '../../core/formula/schedule.ts'
import { parties as partyNames } from '../../core/parties.ts'
import { formatDay } from '../../core/time/day.ts'
import { limits } from '../../limits.ts'
import type { CachedAgreement } from '../../read/lists/cached-agreement.ts'
import type { PreviewEntry, Reach } from '../shapes/agreements.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { todayOf } from './opened-agreement.ts'

/** `inForce` are the numbers of now, which name the periods. */
export async function findReach(
  parts: ViewContext,
  seat: Seat,
  cached: CachedAgreement,
  { effectiveFrom }: Formula,
  inForce: readonly PreviewEntry[],
): Promise<Reach | null> {
  const until = todayOf(parts)
  const request = { asOf: null, knownAt: null, version: null, until }
  const adjustments = await parts.library.adjustments(seat.workspace.id, cached, request)
  if (adjustments === null || adjustments.broken !== null) return null
  const open = adjustments.openPeriods().slice(0, limits.signedAtOnce)
  const from = formatDay(effectiveFrom)
  const labels = new Map(inForce.map(({ adjustmentDate, period }) => [adjustmentDate, period]))
  const next = nextDateAfter(cached.snapshot.versions, until)
  return {
    effectiveFrom: from,
    firstUnsigned: open[0]?.date ?? (next === null ? null : formatDay(next)),
    periods: open
      .filter(({ date }) => date >= from)
      .map(({ date, waitsFor }) => ({
        period: labels.get(date) ?? date,
        adjustmentDate: date,
        signedBy: partyNames.filter(party => !waitsFor.includes(party)),
      })),
  }
}
