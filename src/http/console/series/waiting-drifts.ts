// Drifts: answers of providers that no longer look like those before them, with both shapes side by side, and the decision on one.
// Operators alone see them: they name series that others follow.
import { Refusal } from '../../../core/refusal.ts'
import { decideTogether, findDrift } from '../../../ingest/drift/drift-decision.ts'
import { driftReason } from '../../../ingest/drift/shape-comparison.ts'
import { requireOperator } from '../../../storage/people/operators.ts'
import { listDrifts } from '../../../storage/series/drift.ts'
import { listQuarantine } from '../../../storage/series/quarantine.ts'
import { SeriesLocks } from '../../../storage/series/series-locks.ts'
import type { QuarantineDecision } from '../../../views/calls/series-calls.ts'
import type { DriftRow } from '../../../views/shapes/installation.ts'
import type { ViewContext } from '../../../views/sight/view-parts.ts'

/** Number of places shown: a drift of every series of a provider looks alike in each. */
const shownPlaces = 3

/** Waiting drifts, the oldest first. */
export async function listWaitingDrifts({ installation: { sql } }: ViewContext): Promise<readonly DriftRow[]> {
  const drifts = await listDrifts(sql)
  if (drifts.length === 0) return []
  const entries = await listQuarantine(sql, 'waiting')
  return drifts.map(({ id, provider, kind, foundAt, parts }) => ({
    id,
    provider,
    kind,
    foundAt,
    reason: driftReason({ parts }),
    held: entries.filter(({ driftId }) => driftId === id).map(({ code }) => code),
    places: parts.slice(0, shownPlaces).map(({ place, signs, lines }) => ({
      name: place.trim(),
      signs: signs.map(({ words }) => words),
      lines,
    })),
    morePlaces: Math.max(0, parts.length - shownPlaces),
  }))
}

export async function decideWaitingDrift(
  { installation: { sql, target }, now, catchUp }: ViewContext,
  id: string,
  decision: QuarantineDecision['decision'],
  operator: { readonly id: string; readonly email: string },
): Promise<void> {
  await requireOperator(sql, operator.id)
  const found = await findDrift({ sql }, id)
  if (found === null) throw new Refusal('not-found', 'no such change of answers waits any more')
  const locks = new SeriesLocks(target)
  const deciding = { sql, locks, clock: now, by: operator.email, personId: operator.id }
  await decideTogether(found, decision === 'release', deciding).finally(() => locks.close())
  await catchUp()
}
