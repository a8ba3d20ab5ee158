// Figures of open numbers for lists: the settled price before all of them, and for each its label, change, price, and the money
// effect on billed or declared quantities. Kept with the digest of an agreement, so that a list opens no agreement. Receipts are
// built only for periods that somebody has signed.

import type { Adjustment } from '../../core/calculation/adjustment.ts'
import type { LabelledDate } from '../../core/formula/schedule.ts'
import { type Party, parties as partyNames } from '../../core/parties.ts'
import type { OpenPath, OpenStep, StepBasis } from '../../core/prices/shown-step.ts'
import { formatDay } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Adjustments } from '../agreements/adjustments.ts'
import type { AgreementSnapshot } from '../agreements/agreement-snapshot.ts'
import { openPath } from '../agreements/settled-price.ts'

/** Extra cost of the quantities of a period; null where no quantity is known. */
export interface OpenEffect {
  /** Over the price before the step. */
  readonly effect: string | null
  /** Over the settled price, before all open steps. */
  readonly paidEffect: string | null
}

/** One open period. */
interface OpenFigure extends OpenStep, OpenEffect {
  /** Sides that signed another number for it before. */
  readonly movedFor: readonly Party[]
}

export interface OpenFigures extends StepBasis {
  readonly currency: string | null
  /** Unit of the price: `t`. */
  readonly unit: string | null
  /** Instant of the second signature on the settled price; null for the contract's own. */
  readonly settledAt: Instant | null
  /** One line for each open period, sorted by date: texts take a fraction of the memory of objects. */
  readonly lines: string
}

export const noFigures: OpenFigures = {
  currency: null,
  unit: null,
  settled: null,
  goesOnFrom: null,
  settledAt: null,
  lines: '',
}

const noEffect: OpenEffect = { effect: null, paidEffect: null }

/** `effects` are keyed by period. */
export function openFigures(
  snapshot: AgreementSnapshot,
  adjustments: Adjustments,
  effects: ReadonlyMap<string, OpenEffect>,
): OpenFigures {
  const { computed } = adjustments
  if (computed.length === 0) return noFigures
  const { price } = adjustments.versions.at(-1)!.bound.formula.contract
  const { steps, settled, goesOnFrom } = openPath(adjustments.surroundings.standing, computed)
  const figures = steps.map((step, i) => ({
    ...step,
    ...(effects.get(step.period) ?? noEffect),
    movedFor: movedFor(snapshot, adjustments, computed[i]!),
  }))
  return {
    currency: price?.currency ?? null,
    unit: price?.unit || null,
    settled,
    goesOnFrom,
    settledAt: settledAt(adjustments),
    lines: figures.map(packFigure).join('\n'),
  }
}

function settledAt({ signed, surroundings }: Adjustments): Instant | null {
  const last = signed.at(-1)
  return last === undefined ? null : (surroundings.standing.agreedAt.get(last) ?? null)
}

/** Labels after the newest signed date, for an agreement that is too heavy to compute for a list. */
export function openLabels(dates: readonly LabelledDate[]): OpenFigures {
  const none = { adjustmentPct: null, price: null, begins: null, ...noEffect, movedFor: [] }
  const lines = dates.map(({ date, label }) => packFigure({ period: label, date: formatDay(date), ...none }))
  return { ...noFigures, lines: lines.join('\n') }
}

function packFigure({ period, date, adjustmentPct, price, begins, effect, paidEffect, movedFor }: OpenFigure): string {
  const figures = [adjustmentPct, price, begins, effect, paidEffect].map(each => each ?? '')
  return [period, date, ...figures, movedFor.join(' ')].join('\t')
}

/** Sorted by date. */
export function unpackFigures({ lines }: Pick<OpenFigures, 'lines'>): readonly OpenFigure[] {
  if (lines === '') return []
  return lines.split('\n').map(line => {
    const [period, date, ...rest] = line.split('\t') as [string, string, ...string[]]
    const [adjustmentPct = null, price = null, begins = null, effect = null, paidEffect = null] = rest
      .slice(0, -1)
      .map(each => each || null)
    const moved = rest.at(-1)!
    const movedFor = partyNames.filter(party => moved.includes(party))
    return { period, date, adjustmentPct, price, begins, effect, paidEffect, movedFor }
  })
}

interface OpenFiguresPath extends OpenPath {
  readonly steps: readonly OpenFigure[]
}

/** Path for a viewer. For a supplier who did not agree the settled price it begins with the price that it goes on from. */
export function pathOf(figures: OpenFigures, isOwn: (settledAt: Instant) => boolean): OpenFiguresPath {
  const { settled, goesOnFrom, settledAt } = figures
  const steps = unpackFigures(figures)
  if (goesOnFrom === null || settledAt === null || isOwn(settledAt)) return { settled, goesOnFrom, steps }
  const own = steps.map((each, i) => ({ ...each, effect: i === 0 ? null : each.effect, paidEffect: null }))
  return { settled: goesOnFrom.price, goesOnFrom: null, steps: own }
}

function movedFor({ kept }: AgreementSnapshot, adjustments: Adjustments, { period, date }: Adjustment): Party[] {
  const signed = kept.signOffs.filter(each => each.period === period)
  if (signed.length === 0) return []
  const hash = adjustments.openEntry(date)?.hash
  return partyNames.filter(
    party =>
      signed.some(each => each.party === party) &&
      !signed.some(each => each.party === party && each.receiptHash === hash),
  )
}
