// Effect of the figures of the last weeks on the open numbers of an agreement: for each moment at which some were recorded, the
// numbers just before and from then on. Kept small for lists of thousands: the newest moments only, and the newest period of each.
import type { BoundVersion } from '../../core/calculation/adjustment.ts'
import { evaluate } from '../../core/calculation/evaluate.ts'
import { bindFormula } from '../../core/formula/bind.ts'
import type { WorkBudget } from '../../core/numbers/work-budget.ts'
import { type Day, formatDay } from '../../core/time/day.ts'
import { dayOfInstant, type Instant, instantOfMicros, microsOf } from '../../core/time/instant.ts'
import { type Reported, reportedOf } from '../../core/true-up/causes.ts'
import type { Adjustments } from './adjustments.ts'
import type { AgreementSnapshot } from './agreement-snapshot.ts'

export interface RecentMove {
  readonly at: Instant
  /** Number of open periods whose number changed, those that had none before included. */
  readonly periods: number
  /** The newest of these periods. */
  readonly period: string
  readonly before: MoveSide | null
  readonly after: MoveSide
  readonly currency: string | null
  readonly unit: string | null
}

type MoveSide = Pick<Reported, 'adjustmentPct' | 'price'>

interface MovesRequest {
  readonly snapshot: AgreementSnapshot
  /** Adjustments of now. */
  readonly adjustments: Adjustments
  readonly since: Instant
  readonly today: Day
  readonly most: number
}

/** Moves, the newest first. */
export function recentMoves(request: MovesRequest): RecentMove[] {
  const { snapshot, adjustments, most } = request
  if (adjustments.computed.length === 0) return []
  const moments = recordings(request).slice(0, most)
  const { price } = snapshot.versions.at(-1)!.formula.contract
  // One budget for all moments: the main thread computes them, where others wait.
  const work = adjustments.work()
  const moves: RecentMove[] = []
  let after: Numbers | null = null
  for (const at of moments) {
    const now: Numbers = after ?? numbersOf(adjustments.computed)
    const before = numbersAt(request, instantOfMicros(microsOf(at) - 1), work)
    if (before === null) break
    const moved = [...now].filter(([date, { reported }]) => !isSame(before.get(date)?.reported, reported))
    const newest = moved.at(-1)
    if (newest !== undefined) {
      const [date, { period, reported }] = newest
      moves.push({
        at,
        periods: moved.length,
        period,
        before: sideOf(before.get(date)?.reported),
        after: sideOf(reported)!,
        currency: price?.currency ?? null,
        unit: price?.unit || null,
      })
    }
    after = before
  }
  return moves
}

/** Moments since then, and after the first formula version, at which figures were recorded; the newest first. */
function recordings({ snapshot, adjustments, since }: MovesRequest): Instant[] {
  const begun = snapshot.versions[0]!.recordedAt
  const found = new Set<Instant>()
  for (const { periods } of adjustments.data.values())
    for (const vintages of periods.values())
      for (const { recordedAt } of vintages)
        if (recordedAt !== null && recordedAt >= since && recordedAt > begun) found.add(recordedAt)
  return [...found].sort().reverse()
}

type Numbers = Map<Day, { readonly period: string; readonly reported: Reported }>

function numbersOf(computed: Adjustments['computed']): Numbers {
  return new Map(computed.map(each => [each.date, { period: each.period, reported: reportedOf(each) }]))
}

/** Numbers known at an instant; null if the agreement did not exist or could not be computed. */
function numbersAt({ snapshot, adjustments, today }: MovesRequest, knownAt: Instant, work: WorkBudget): Numbers | null {
  const standing = snapshot.at(knownAt)
  if (standing === null || standing.broken !== null) return null
  const versions: BoundVersion[] = []
  for (const { number, formula } of standing.versions) {
    const { bound } = bindFormula(formula, adjustments.data)
    if (bound === null) return null
    versions.push({ number, bound })
  }
  const { adjustments: computed } = evaluate({
    versions,
    cuts: { asOf: null, knownAt },
    tag: null,
    until: Math.min(today, dayOfInstant(knownAt)),
    today: dayOfInstant(knownAt),
    ...standing.continuesFrom,
    work,
  })
  const signed = standing.signed.map(({ adjustmentDate }) => adjustmentDate)
  return numbersOf(computed.filter(({ date }) => !signed.includes(formatDay(date))))
}

function isSame(a: Reported | undefined, b: Reported): boolean {
  return a !== undefined && a.adjustmentPct === b.adjustmentPct && a.price === b.price
}

function sideOf(reported: Reported | undefined): MoveSide | null {
  return reported === undefined ? null : { adjustmentPct: reported.adjustmentPct, price: reported.price }
}
