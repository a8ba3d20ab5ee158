// The figures of rows and of what is signed together: change, price, effect, and totals per currency and unit. Prices of
// different units are never added.
import { decimalDifference } from '../../../../src/core/numbers/decimal-difference.ts'
import {
  absolute,
  compare,
  divide,
  hundred,
  multiply,
  one,
  type Ratio,
  ratio,
  subtract,
  sum,
  writeFixed,
} from '../../../../src/core/numbers/ratio.ts'
import type { InboxPeriod, PeriodsRow } from '../../../../src/views/shapes/inbox.ts'
import { decimalsOf } from '../../../components/words/words.ts'

type Priced = Pick<PeriodsRow, 'priceBefore' | 'currency' | 'unit'> & { readonly periods: readonly InboxPeriod[] }

interface RowFigures {
  readonly priceBefore: string | null
  readonly priceAfter: string | null
  /** Of the price over all periods; of the one period where there is no price. In percent. */
  readonly changePct: string | null
  /** The largest of the single periods, up or down. */
  readonly largestPct: string | null
  /** For one unit. */
  readonly difference: string | null
  /** For what was billed or declared; null where no quantities are known. */
  readonly effect: string | null
}

const shownDecimals = 2

export function figuresOf({ priceBefore, periods }: Pick<Priced, 'priceBefore' | 'periods'>): RowFigures {
  const priceAfter = periods.at(-1)?.price ?? null
  const effects = periods.flatMap(({ effect }) => effect ?? [])
  const hasPrices = priceBefore !== null && priceAfter !== null
  return {
    priceBefore,
    priceAfter,
    changePct: periods.length === 1 ? periods[0]!.adjustmentPct : hasPrices ? changeOf(priceBefore, priceAfter) : null,
    largestPct: largestOf(periods),
    difference: hasPrices ? decimalDifference(priceBefore, priceAfter) : null,
    effect: effects.length === 0 ? null : sumOf(effects),
  }
}

/** In percent; null from a price of 0. */
function changeOf(before: string, after: string): string | null {
  const from = exact(before)
  if (from.n === 0n) return null
  return writeFixed(multiply(subtract(divide(exact(after), from), one), hundred), shownDecimals)
}

/** A price with endless decimals is written with its first ones and `…`. */
function exact(price: string): Ratio {
  return ratio(price.replace('…', ''))
}

function largestOf(periods: readonly InboxPeriod[]): string | null {
  const known = periods.flatMap(({ adjustmentPct }) => adjustmentPct ?? [])
  return known.reduce<string | null>(
    (largest, each) =>
      largest === null || compare(absolute(ratio(each)), absolute(ratio(largest))) > 0 ? each : largest,
    null,
  )
}

/** With the most decimals of any of them. */
export function sumOf(figures: readonly string[]): string {
  const decimals = Math.max(0, ...figures.map(each => decimalsOf(each.replace('…', ''))))
  return writeFixed(sum(figures.map(exact)), decimals)
}

export interface Total {
  readonly currency: string
  readonly unit: string | null
  readonly agreements: number
  /** For one unit of each. */
  readonly difference: string
}

/** Per currency and unit, the most agreements first; those without a price are not among them. */
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
  readonly amount: string
  /** Of how many agreements quantities are known. */
  readonly agreements: number
}

/** Money is added per currency. */
export function effectTotals(agreements: readonly Priced[]): readonly EffectTotal[] {
  const known = agreements.flatMap(each => {
    const { effect } = figuresOf(each)
    return each.currency === null || effect === null ? [] : [{ currency: each.currency, effect }]
  })
  return [...Map.groupBy(known, ({ currency }) => currency)].map(([currency, group]) => ({
    currency,
    amount: sumOf(group.map(({ effect }) => effect)),
    agreements: group.length,
  }))
}
