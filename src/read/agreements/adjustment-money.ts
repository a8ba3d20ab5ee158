// Money effect of one agreement's adjustments of this year, and of those of the next quarter that published figures already give:
// the quantity of each period times the price change, and the index that moved it (decision 0234). Where no quantity is known, the
// change in percent alone. Pure over what was loaded.
import type { Adjustment } from '../../core/calculation/adjustment.ts'
import { evaluate } from '../../core/calculation/evaluate.ts'
import { priceRounding } from '../../core/formula/clause.ts'
import { formatMinorUnits, roundMoney } from '../../core/numbers/money.ts'
import {
  add,
  divide,
  formatShort,
  hundred,
  multiply,
  one,
  type Ratio,
  ratio,
  subtract,
  zero,
} from '../../core/numbers/ratio.ts'
import { currencyOf, numberOf, type PricedPeriod } from '../../core/prices/agreement.ts'
import { Pricing } from '../../core/prices/item-prices.ts'
import { startLabel } from '../../core/prices/price-list.ts'
import { noCuts } from '../../core/series/vintage.ts'
import { type Day, parseDay } from '../../core/time/day.ts'
import { type Frequency, firstDayOf, lastDayOf, ordinalAt } from '../../core/time/period.ts'
import type { Adjustments } from './adjustments.ts'
import { type Bought, boughtBy, movedAmount } from './bought.ts'
import type { TrueUp } from './true-up.ts'

/** Effect of the adjustments whose dates lie in a range of days. */
export interface Movement {
  /** Counts: all adjustments, those with a known quantity, and of the latter those that are not signed by both. */
  readonly adjustments: number
  readonly priced: number
  readonly unsigned: number
  /** Change over all adjustments, in percent; null where there is none. */
  readonly pct: string | null
  /** Sum over the adjustments with a quantity, in the agreement's currency; null where there is none. */
  readonly amount: string | null
  /** Series that moved the price, as the formula names them. The effect of limits and roundings is in none of them. */
  readonly byIndex: readonly IndexShare[]
}

interface IndexShare {
  readonly series: string
  /** Percentage points that the series gave, all adjustments together. */
  readonly points: string
  readonly amount: string | null
}

export interface MoneyMoved {
  readonly currency: string | null
  readonly year: Movement
  /** Computed with the quantities of the newest period that has some. */
  readonly nextQuarter: Movement
  /** Dates of the next quarter whose figures are not published yet. */
  readonly notYet: number
  /** Amounts agreed by corrections and not billed, by currency: above 0 the buyer owes the supplier. */
  readonly owed: readonly { readonly currency: string; readonly amount: string }[]
}

/** An adjustment with its own change in percent, and the points that each series gave to it. */
interface Explained {
  readonly pct: Ratio | null
  readonly points: readonly { readonly series: string; readonly points: Ratio }[]
}

const pctDigits = 4

export function moneyMoved(trueUp: TrueUp, adjustments: Adjustments): MoneyMoved {
  const { today, agreement } = trueUp
  const ahead = lookAhead(trueUp, adjustments)
  const pricing = new Pricing({ ...agreement, periods: [...agreement.periods, ...ahead.periods] })
  const currency = currencyOf(agreement)
  const mover = new Mover(pricing, currency, boughtBy(pricing, trueUp, currency))
  const year = ordinalAt('ANNUAL', today)
  const quarter = ordinalAt('QUARTERLY', today) + 1
  const known = explainedBy(trueUp, adjustments, ahead.adjustments)
  return {
    currency,
    year: mover.move(periodDays('ANNUAL', year, today), known, place => place),
    nextQuarter: mover.move(periodDays('QUARTERLY', quarter), known, () => mover.newestBought),
    notYet: ahead.notYet,
    owed: owedBy(trueUp),
  }
}

function periodDays(frequency: Frequency, ordinal: number, until = Number.POSITIVE_INFINITY): DayRange {
  const period = { frequency, ordinal }
  return { from: firstDayOf(period), to: Math.min(lastDayOf(period), until) }
}

interface DayRange {
  readonly from: Day
  readonly to: Day
}

interface Ahead {
  readonly adjustments: readonly Adjustment[]
  readonly periods: readonly PricedPeriod[]
  readonly notYet: number
}

/** Adjustments up to the end of the next quarter, as far as the figures published by now give them a number. */
function lookAhead({ today, standing }: TrueUp, adjustments: Adjustments): Ahead {
  const quarter = ordinalAt('QUARTERLY', today) + 1
  const { versions, computed } = adjustments
  if (standing.broken !== null || !standing.isOpen) return { adjustments: [], periods: [], notYet: 0 }
  const { after, keptLabels } = standing.continuesFrom
  const found = evaluate({
    versions,
    cuts: noCuts,
    tag: null,
    until: lastDayOf({ frequency: 'QUARTERLY', ordinal: quarter }),
    today,
    after: computed.at(-1)?.carried ?? after,
    keptLabels,
    work: adjustments.work(),
  })
  const coming = found.adjustments.filter(({ date }) => date > today)
  const periods = coming.map(({ period, date, factor, formulaVersion }): PricedPeriod => {
    const { contract, clause } = versions.find(({ number }) => number === formulaVersion)!.bound.formula
    return {
      period,
      date,
      formulaVersion,
      number: { factor, status: 'OPEN', receiptHash: null, agreedAt: null, beforeCorrection: null },
      terms: { price: contract.price, rounding: priceRounding(clause, contract.price?.round ?? null) },
    }
  })
  const begins = firstDayOf({ frequency: 'QUARTERLY', ordinal: quarter })
  return { adjustments: coming, periods, notYet: found.blocked.filter(({ date }) => date >= begins).length }
}

/** Change and points by adjustment date; a signed period has those of its receipt. */
function explainedBy(
  { standing }: TrueUp,
  adjustments: Adjustments,
  coming: readonly Adjustment[],
): (date: Day) => Explained | null {
  const signed = new Map(standing.signed.map(each => [parseDay(each.adjustmentDate)!, each.body]))
  const computed = new Map([...adjustments.computed, ...coming].map(each => [each.date, each]))
  const work = adjustments.work()
  return date => {
    const body = signed.get(date)
    if (body !== undefined) {
      const { adjustmentPct, components } = body.result
      const points = components.map(({ series, contribution }) => ({ series, points: ratio(contribution) }))
      return explained(adjustmentPct === null ? null : ratio(adjustmentPct), points, body.rules.addsUp)
    }
    const own = computed.get(date)
    if (own === undefined) return null
    work.spend(own.receiptUnits)
    const points = own.breakdown.components.map(({ series, contribution }) => ({ series, points: contribution }))
    return explained(own.adjustmentPct, points, own.breakdown.addsUp)
  }
}

/** A single series alone can be named where parts do not add up. */
function explained(pct: Ratio | null, points: Explained['points'], addsUp: boolean): Explained {
  if (addsUp || pct === null) return { pct, points }
  const series = new Set(points.map(each => each.series))
  return { pct, points: series.size === 1 ? [{ series: points[0]!.series, points: pct }] : [] }
}

class Mover {
  readonly #pricing: Pricing
  readonly #currency: string | null
  readonly #bought: ReadonlyMap<number, readonly Bought[]>

  constructor(pricing: Pricing, currency: string | null, bought: ReadonlyMap<number, readonly Bought[]>) {
    this.#pricing = pricing
    this.#currency = currency
    this.#bought = bought
  }

  /** The place of the newest period in which something was bought; -1 for none. */
  get newestBought(): number {
    return Math.max(-1, ...this.#bought.keys())
  }

  /** `quantitiesOf` gives the place whose quantities count for a place. */
  move(
    { from, to }: DayRange,
    explain: (date: Day) => Explained | null,
    quantitiesOf: (place: number) => number,
  ): Movement {
    let [adjustments, unsigned, priced] = [0, 0, 0]
    let [factor, total] = [one, zero]
    const shares = new Map<string, { points: Ratio; amount: Ratio }>()
    for (const [place, { date, period, number }] of this.#pricing.agreement.periods.entries()) {
      const before = this.#pricing.neighbour(place, -1)
      const isOwn = date >= from && date <= to && period !== startLabel && this.#pricing.at(place).isBaseOnly !== true
      if (!isOwn || 'gap' in number || before < 0 || !this.#pricing.isSameStart(place, before)) continue
      const was = numberOf(this.#pricing.at(before))!.factor
      if (was.n === 0n) continue
      adjustments++
      factor = multiply(factor, divide(number.factor, was))
      const amount = movedAmount(
        this.#pricing,
        this.#bought.get(quantitiesOf(place)) ?? [],
        { after: place, before },
        this.#currency,
      )
      if (amount !== null) priced++
      if (amount !== null && number.status !== 'AGREED') unsigned++
      total = add(total, amount ?? zero)
      const { pct, points } = explain(date) ?? { pct: null, points: [] }
      for (const each of points) {
        const known = shares.get(each.series) ?? { points: zero, amount: zero }
        const part = amount === null || pct === null || pct.n === 0n ? zero : multiply(amount, divide(each.points, pct))
        shares.set(each.series, { points: add(known.points, each.points), amount: add(known.amount, part) })
      }
    }
    const money = (amount: Ratio) => (priced === 0 ? null : this.#write(amount))
    return {
      adjustments,
      unsigned,
      priced,
      pct: adjustments === 0 ? null : formatShort(multiply(subtract(factor, one), hundred), pctDigits),
      amount: money(total),
      byIndex: [...shares].map(([series, { points, amount }]) => {
        return { series, points: formatShort(points, pctDigits), amount: money(amount) }
      }),
    }
  }

  #write(amount: Ratio): string {
    return formatMinorUnits(roundMoney(amount, this.#currency!), this.#currency!)
  }
}

/** Empty where no correction was ever agreed: then nothing was posted. */
function owedBy(trueUp: TrueUp): MoneyMoved['owed'] {
  if (trueUp.standing.corrections.length === 0) return []
  const { sums, otherSums, currency } = trueUp.ledger
  return [[currency, sums] as const, ...otherSums].flatMap(([of, { AGREED }]) =>
    AGREED.n === 0n ? [] : [{ currency: of, amount: formatMinorUnits(AGREED, of) }],
  )
}
