// The effect of moved numbers on the prices and the money of an agreement: every price before and after, and every stored line
// and declared quantity. Agreed amounts count as their corrections say, and later billing does not change them. Pure.
import { type NoNumber, otherGap } from '../calculation/gap.ts'
import {
  type BilledLine,
  type DeclaredQuantity,
  type LinePrice,
  priceLine,
  priceQuantity,
} from '../invoices/billed-line.ts'
import { add, equal, type Ratio, subtract, zero } from '../numbers/ratio.ts'
import { numberOf, type PricedAgreement, type PricedPeriod } from '../prices/agreement.ts'
import { type ItemPrice, mayDiffer, onlyPrice, Pricing } from '../prices/item-prices.ts'
import type { PriceStep } from '../prices/price-list.ts'
import type { Day } from '../time/day.ts'
import type { Instant } from '../time/instant.ts'
import { type CorrectionInputs, declaredAlone, hasPrices } from './correction.ts'
import type { SettledCorrection } from './settled-correction.ts'

interface EffectInputs extends Omit<CorrectionInputs, 'restated'> {
  /** The corrections that both had signed by the end of the span. */
  readonly agreed: readonly SettledCorrection[]
  /** The beginning of the span. */
  readonly since: Instant
}

/** The number of a period on both sides; null where it cannot be computed. */
interface MovedNumber {
  readonly period: string
  readonly date: Day
  readonly before: Ratio | null
  readonly after: Ratio | null
}

/** A part of an amount, by a correction that both signed. */
export interface AgreedPart extends Pick<SettledCorrection, 'id' | 'isWaiver'> {
  /** The amount; null where neither lines nor quantities were stored. */
  readonly amount: Ratio | null
}

export class Effects {
  readonly #ground: EffectInputs
  readonly #before: Pricing
  readonly #after: Pricing
  /** The corrections that settled what moved, by the label of the period. */
  readonly #corrections: ReadonlyMap<string, readonly SettledCorrection[]>
  readonly touched: Differing = new Map()
  readonly isPriced: boolean
  readonly #settled: Pricing
  /** Differences for prices that are not settled yet. */
  readonly #unsettled: Differing = new Map()
  readonly #left = new Map<number, Ratio>()

  constructor(ground: EffectInputs, compared: readonly MovedNumber[]) {
    this.#ground = ground
    const { agreement } = ground
    this.isPriced = hasPrices(agreement)
    this.#before = new Pricing(withNumbers(agreement, new Map(compared.map(each => [each.date, each.before]))))
    this.#after = new Pricing(withNumbers(agreement, new Map(compared.map(each => [each.date, each.after]))))
    this.#settled = new Pricing(agreement)
    this.#corrections = correctionsOf(ground, compared)
    const isMoved = compared.some(({ before, after }) => before === null || after === null || !equal(before, after))
    if (!isMoved || !this.isPriced) return
    this.touched = differingPrices(this.#before, this.#after)
    if (this.#corrections.size > 0) this.#unsettled = differingPrices(this.#settled, this.#after)
    if (this.touched.size > 0) this.#addAmounts()
  }

  placeOf(date: Day): number {
    return this.#ground.agreement.periods.findLastIndex(each => each.date === date)
  }

  #addAmounts(): void {
    const { agreement, lines } = this.#ground
    const enter = (priceIn: (pricing: Pricing) => ReturnType<typeof priceLine>) => {
      const [then, now] = [priceIn(this.#before), priceIn(this.#after)]
      if ('gap' in then || 'gap' in now || !this.#isTouched([then, now])) return
      // After an agreed correction only the settled amount can still be off.
      const isSettled = this.#corrections.has(agreement.periods[then.place]!.period)
      const from = isSettled ? priceIn(this.#settled) : then
      if ('gap' in from || from.currency !== now.currency) return
      const sum = this.#left.get(then.place) ?? zero
      this.#left.set(then.place, add(sum, subtract(now.amount, from.amount)))
    }
    for (const line of lines) if (this.#isNear(line)) enter(pricing => priceLine(pricing, line))
    const enterQuantity = (declared: DeclaredQuantity) => enter(pricing => priceQuantity(pricing, declared))
    declaredAlone(this.#ground).forEach(enterQuantity)
  }

  #isTouched(sides: readonly LinePrice[]): boolean {
    return sides.some(({ parts }) => parts.some(({ subject }) => this.touched.has(subject.place)))
  }

  /** Whether any of its days lies in a period with different prices. */
  #isNear({ day, serviceFrom, serviceTo }: BilledLine): boolean {
    const days = [day, serviceFrom ?? day, serviceTo ?? day]
    const [first, last] = [Math.min(...days), Math.max(...days)].map(each => this.#before.placeOn(each)) as [
      number,
      number,
    ]
    return this.touched.keys().some(place => place >= first && place <= last)
  }

  /** The agreed parts of a period. */
  agreed(period: string): readonly AgreedPart[] {
    const found = this.#corrections.get(period) ?? []
    return found.map(({ id, isWaiver, amounts }) => ({ id, isWaiver, amount: amounts.get(period) ?? null }))
  }

  /** Whether a price of the period, or one that counts from it, is not the settled one; without prices its number. */
  isLeft(place: number, period: string): boolean {
    if (!this.isPriced) return !isSameNumber(this.#settled.at(place), this.#after.at(place))
    return this.#unsettled.has(place) || this.#unsettled.values().some(bases => bases.has(period))
  }

  /** The amount that is not agreed; null where neither lines nor quantities are stored. */
  left(place: number): Ratio | null {
    return this.#left.get(place) ?? null
  }

  prices(place: number): { readonly priceBefore: string | null; readonly priceAfter: string | null } {
    return { priceBefore: onlyPrice(this.#before, place), priceAfter: onlyPrice(this.#after, place) }
  }

  currency(place: number): string | null {
    const offer = this.#after.offer(place)
    return 'gap' in offer ? null : offer.list.currency
  }
}

/** Labels of the periods that the prices of a period with different ones count from, by its index. */
type Differing = ReadonlyMap<number, ReadonlySet<string>>

function differingPrices(before: Pricing, after: Pricing): Differing {
  return new Map(
    after.agreement.periods.flatMap((_, place) => {
      const offer = after.offer(place)
      if ('gap' in offer) return []
      const differs = (step: PriceStep) => {
        if (!mayDiffer(before, after, place, step.base)) return false
        const [then, now] = [before, after].map(each => each.price(place, step, offer.list.currency)) as [
          ItemPrice | NoNumber,
          ItemPrice | NoNumber,
        ]
        return !('gap' in then || 'gap' in now || equal(then.value, now.value))
      }
      const bases = offer.list.items.flatMap(({ steps }) => steps.filter(differs).map(({ base }) => base))
      return bases.length === 0 ? [] : [[place, new Set(bases)] as const]
    }),
  )
}

/**
 * The corrections that settled the moves in the span: proposed after it began, with another number than was restated just
 * before; where only the base of a price or a line of two periods was corrected, such a correction of any other period.
 */
function correctionsOf(
  { agreed, since }: Pick<EffectInputs, 'agreed' | 'since'>,
  compared: readonly MovedNumber[],
): ReadonlyMap<string, readonly SettledCorrection[]> {
  const later = agreed.filter(({ proposedAt }) => proposedAt > since)
  if (later.length === 0) return new Map()
  const before = new Map(compared.map(each => [each.period, each.before]))
  const isOther = (period: string, settled: Ratio) => {
    const was = before.get(period)
    return was !== undefined && (was === null || !equal(was, settled))
  }
  const settles = ({ factors, amounts }: SettledCorrection, period: string) => {
    const own = factors.get(period)
    if (own !== undefined) return isOther(period, own)
    return amounts.has(period) && factors.entries().some(([each, settled]) => isOther(each, settled))
  }
  return new Map(
    compared.flatMap(({ period }) => {
      const own = later.filter(each => settles(each, period))
      return own.length === 0 ? [] : [[period, own] as const]
    }),
  )
}

function isSameNumber(left: PricedPeriod, right: PricedPeriod): boolean {
  const [one, other] = [numberOf(left), numberOf(right)]
  return one !== null && other !== null && equal(one.factor, other.factor)
}

/** The agreement with other numbers on some dates; null: none. */
function withNumbers(agreement: PricedAgreement, factors: ReadonlyMap<Day, Ratio | null>): PricedAgreement {
  const open = { status: 'OPEN', receiptHash: null, agreedAt: null, beforeCorrection: null } as const
  const periods = agreement.periods.map((each, i): PricedPeriod => {
    // A start of that day comes first where the price was renegotiated.
    const isLast = agreement.periods[i + 1]?.date !== each.date
    const factor = isLast ? factors.get(each.date) : undefined
    if (factor === undefined) return each
    const number = numberOf(each)
    if (factor !== null && number !== null && equal(factor, number.factor)) return each
    return {
      ...each,
      number: factor === null ? { gap: otherGap('formula', 'it has no number') } : { ...(number ?? open), factor },
    }
  })
  return { ...agreement, periods }
}
