// The effect of a splice on an agreement: signed dates stay, the next ones are computed with the old series, with the new one,
// and with the coefficients of neighbouring windows.
import { type BoundVersion, type Carried, stateAfter } from '../calculation/adjustment.ts'
import { evaluate } from '../calculation/evaluate.ts'
import { nextDateAfter } from '../formula/schedule.ts'
import { formatExact } from '../numbers/ratio.ts'
import type { Cuts } from '../series/vintage.ts'
import { type Day, formatDay } from '../time/day.ts'
import type { SignedState } from '../true-up/signed-state.ts'
import type { SpliceBody } from './splice-schema.ts'

export interface Timeline {
  /** All versions, bound to their series. */
  readonly versions: readonly BoundVersion[]
  /** Sorted by date. */
  readonly signed: readonly SignedState[]
  /**
   * The state from which the first open date continues, where an agreed correction replaced it; left out: the newest signed
   * state.
   */
  readonly after?: Carried | null
  readonly cuts: Cuts
  /** The day of the cut, else of the clock. */
  readonly today: Day | null
}

type Effect = SpliceBody['effect']
type Outcome = Effect['next'][number]['new']

const shownDates = 4

/** Adjustment dates that are not signed by both, from the first on. */
export function openDates({ versions, signed }: Pick<Timeline, 'versions' | 'signed'>): readonly Day[] {
  const plain = versions.map(({ number, bound }) => ({ number, formula: bound.formula }))
  const dates: Day[] = []
  let after = signed.at(-1)?.date ?? Math.min(...plain.map(({ formula }) => formula.effectiveFrom)) - 1
  while (dates.length < shownDates) {
    const next = nextDateAfter(plain, after)
    if (next === null) break
    dates.push(next)
    after = next
  }
  return dates
}

/** `spliced` governs from the first open date on; `others` have other coefficients. */
export function effectOf(
  timeline: Timeline,
  spliced: BoundVersion,
  others: readonly BoundVersion[],
): Pick<Effect, 'signed' | 'next'> {
  const dates = openDates(timeline)
  const runs = [null, spliced, ...others].map(version => outcomes(timeline, version, dates))
  const [before, now, ...rest] = runs
  return {
    signed: timeline.signed.map(({ period, date, factor, hash }) => ({
      period,
      adjustmentDate: formatDay(date),
      factor: formatExact(factor),
      receipt: hash,
    })),
    next: dates.flatMap(date => {
      const [old, successor] = [before!.get(date), now!.get(date)]
      if (old === undefined || successor === undefined) return []
      return [
        {
          period: successor.period,
          adjustmentDate: formatDay(date),
          old: old.outcome,
          new: successor.outcome,
          others: rest.map(run => run.get(date)!.outcome),
        },
      ]
    }),
  }
}

function outcomes(
  { versions, signed, after, cuts, today }: Timeline,
  version: BoundVersion | null,
  dates: readonly Day[],
): ReadonlyMap<Day, { readonly period: string; readonly outcome: Outcome }> {
  const { adjustments, blocked } = evaluate({
    versions: version === null ? versions : [...versions, version],
    cuts,
    tag: null,
    until: dates.at(-1) ?? 0,
    today,
    after: after === undefined ? stateAfter(signed) : after,
    keptLabels: signed.map(({ date, period }) => ({ date, label: period })),
  })
  const byDate = new Map<Day, { readonly period: string; readonly outcome: Outcome }>()
  for (const { date, period, factor, price } of adjustments) {
    const outcome = { factor: formatExact(factor), price: price === null ? null : formatExact(price.value), gap: null }
    byDate.set(date, { period, outcome })
  }
  for (const { date, period, gap } of blocked)
    byDate.set(date, { period, outcome: { factor: null, price: null, gap: gap.sentence } })
  return byDate
}
