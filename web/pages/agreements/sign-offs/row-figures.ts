// Figures of rows and of things signed together: change, price, effect, and totals per currency and unit. Prices of different
// units are never added.
import { formatFixed, ratio, sum } from '../../../../src/core/numbers/ratio.ts'
import type { ShownStep } from '../../../../src/core/prices/shown-step.ts'
import type { InboxPeriod, PeriodsRow } from '../../../../src/views/shapes/inbox.ts'
import { differenceIfBoth } from '../../../components/figures/decimals.ts'
import { decimalsOf } from '../../../components/words/words.ts'

type Priced = Pick<PeriodsRow, 'currency' | 'unit'> & { readonly periods: readonly InboxPeriod[] }

interface RowFigures extends ShownStep {
  /** Difference for one unit. */
  readonly difference: string | null
  /** Effect of this step on billed or declared quantities; null where no quantities are known. */
  readonly effect: string | null
  /** Effect against the settled price over all periods that are signed together. */
  readonly paidEffect: string | null
}

/** Figures of the newest period: earlier ones have their own line. */
export function figuresOf({ periods }: Pick<Priced, 'periods'>): RowFigures {
  const { priceBefore, price, changePct, effect } = periods.at(-1)!
  const paid = periods.flatMap(({ paidEffect }) => paidEffect ?? [])
  return {
    priceBefore,
    price,
    changePct,
    effect,
    difference: differenceIfBoth(priceBefore, price),
    paidEffect: paid.length === 0 ? null : sumOf(paid),
  }
}

/** Sum, with the most decimals of any of the figures. */
export function sumOf(figures: readonly string[]): string {
  const decimals = Math.max(0, ...figures.map(each => decimalsOf(each.replace('…', ''))))
  return formatFixed(sum(figures.map(each => ratio(each.replace('…', '')))), decimals)
}

export interface Total {
  readonly currency: string
  readonly unit: string | null
  readonly agreements: number
  /** Difference for one unit of each. */
  readonly difference: string
}

/** Totals per currency and unit, the most agreements first; agreements without a price do not count. */
export function totalsOf(agreements: readonly Priced[]): readonly Total[] {
  const priced = agreements.flatMap(each => {
    const { difference } = figuresOf(each)
    return each.currency === null || difference === null ? [] : [{ ...each, currency: each.currency, difference }]
  })
  return [...Map.groupBy(priced, ({ currency, unit }) => `${currency}\n${unit ?? ''}`).values()]
    .map(group => ({
      currency: group[0]!.currency,
      unit: group[0]!.unit,
      agreements: group.length,
      difference: sumOf(group.map(({ difference }) => difference)),
    }))
    .sort((a, b) => b.agreements - a.agreements || (a.currency < b.currency ? -1 : 1))
}

interface EffectTotal {
  readonly currency: string
  readonly amount: string | null
  readonly paid: string | null
  /** Number of agreements with known quantities. */
  readonly agreements: number
}

/** Money is added per currency: that of the newest steps, and of all periods on what is paid. */
export function effectTotals(agreements: readonly Priced[]): readonly EffectTotal[] {
  const known = agreements.flatMap(each => {
    const { effect, paidEffect } = figuresOf(each)
    return each.currency === null || (effect === null && paidEffect === null)
      ? []
      : [{ currency: each.currency, effect, paidEffect }]
  })
  return [...Map.groupBy(known, ({ currency }) => currency)].map(([currency, group]) => ({
    currency,
    amount: sumIfAny(group.map(({ effect }) => effect)),
    paid: sumIfAny(group.map(({ paidEffect }) => paidEffect)),
    agreements: group.length,
  }))
}

function sumIfAny(figures: readonly (string | null)[]): string | null {
  const known = figures.filter(figure => figure !== null)
  return known.length === 0 ? null : sumOf(known)
}
