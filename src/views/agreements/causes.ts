// Causes why a settled number would be different today, for the pages: figures with their sources, newer formula versions, and
// earlier signed periods.

import { Refusal } from '../../core/refusal.ts'
import { endOfDay } from '../../core/time/instant.ts'
import { type Causes, findCauses } from '../../core/true-up/causes.ts'
import { limits } from '../../limits.ts'
import type { PeriodEntry } from '../../read/agreements/adjustments.ts'
import type { SignedPeriod } from '../../read/agreements/agreement-snapshot.ts'
import type { Gathered } from '../../read/lists/agreement-series.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import { Slices } from '../../read/memory/slices.ts'
import { figureView } from '../series/figure-view.ts'
import type { PeriodRow } from '../shapes/agreements.ts'
import type { CauseKind, CausesView } from '../shapes/causes.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import type { OpenedAgreement } from './opened-agreement.ts'

/** A signed period with the sources of its explanation. */
interface Explained {
  readonly parts: ViewContext
  readonly at: OpenedAgreement
  readonly entry: PeriodEntry
  readonly gathered: Gathered
  /** Number of figures listed one by one. */
  readonly most: number
}

/** The causes; null if they do not explain today's number. */
function explain({ parts, at, entry, gathered, most }: Explained): Causes | null {
  const { snapshot, standing, today, sight } = at
  const signed = signedOf(at, entry)
  const agreed = signed === undefined ? null : agreedOf(at, signed)
  const then = agreed === null ? null : snapshot.at(agreed.knownBy)
  if (agreed === null || then === null) return null
  const { adjustmentPct, cumulativePct, price = null } = agreed.result
  try {
    return findCauses({
      date: entry.date,
      signed: { adjustmentPct, cumulativePct, price },
      signedAt: agreed.knownBy,
      versionsThen: then.versions,
      versionsNow: standing.versions,
      data: gathered.data,
      cuts: { asOf: endOfDay(today), knownAt: sight.knownAt },
      today,
      most,
      work: parts.bounds.work,
    })
  } catch (error) {
    if (error instanceof Refusal && error.kind !== 'unavailable') return null
    throw error
  }
}

function signedOf({ standing }: OpenedAgreement, { period, hash }: PeriodEntry): SignedPeriod | undefined {
  return standing.signed.find(each => each.period === period && each.hash === hash)
}

/** The number both agreed last for the period: signed, or by a correction. */
function agreedOf({ standing }: OpenedAgreement, { period, body, recordedAt }: SignedPeriod) {
  const corrected = standing.corrected.get(period)
  return corrected === undefined
    ? { result: body.result, knownBy: recordedAt }
    : { result: corrected.body().result, knownBy: corrected.knownBy }
}

export async function causesView(
  parts: ViewContext,
  seat: Seat,
  at: OpenedAgreement & { readonly index: CachedIndex },
  entry: PeriodEntry,
  names: ReadonlyMap<string, string>,
): Promise<CausesView | null> {
  const gathered = await parts.library.gather(seat.workspace.id, at.snapshot, at.sight.knownAt)
  const causes = explain({ parts, at, entry, gathered, most: limits.causes.figures })
  if (causes === null) return null
  const figureNames = { index: at.index, gathered, people: names }
  return {
    earlier: causes.earlier,
    figures: causes.figures.map(({ points, money, ...figure }) => ({
      ...figureView(figure, figureNames),
      recordedAt: figure.after.recordedAt,
      points,
      money,
    })),
    more: causes.more,
    versions: causes.versions === null ? null : { ...causes.versions, since: newerVersions(at, entry) },
  }
}

/** Versions saved after it was agreed, the newest last. */
function newerVersions(at: OpenedAgreement, entry: PeriodEntry) {
  const { snapshot, standing } = at
  const { knownBy } = agreedOf(at, signedOf(at, entry)!)
  return standing.versions
    .filter(({ recordedAt }) => recordedAt > knownBy)
    .map(({ number, recordedAt }) => ({
      version: number,
      createdBy: snapshot.kept.versions.find(({ version }) => version === number)!.createdBy,
      recordedAt,
    }))
}

/** Kinds of causes for the newest signed periods of a table whose number would be different today. */
export async function withReasons(
  parts: ViewContext,
  seat: Seat,
  at: OpenedAgreement,
  rows: readonly { readonly entry: PeriodEntry; readonly row: PeriodRow }[],
): Promise<PeriodRow[]> {
  const moved = rows.filter(({ row }) => row.today !== null).slice(-limits.causes.periods)
  if (moved.length === 0) return rows.map(({ row }) => row)
  const gathered = await parts.library.gather(seat.workspace.id, at.snapshot, at.sight.knownAt)
  const slices = new Slices()
  const told = new Map<PeriodEntry, readonly CauseKind[] | null>()
  for (const { entry } of moved) {
    told.set(entry, kindsOf(explain({ parts, at, entry, gathered, most: 0 })))
    await slices.rest()
  }
  return rows.map(({ entry, row }) =>
    row.today === null ? row : { ...row, today: { ...row.today, because: told.get(entry) ?? null } },
  )
}

function kindsOf(causes: Causes | null): readonly CauseKind[] | null {
  if (causes === null) return null
  const { earlier, figures, more, versions } = causes
  return [
    ...(figures.length > 0 || more !== null ? (['figures'] as const) : []),
    ...(versions === null ? [] : (['version'] as const)),
    ...(earlier === null ? [] : (['earlier'] as const)),
  ]
}
