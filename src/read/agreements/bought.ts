// Quantities bought in each period of an agreement, and the money effect of a price change: one rule for the first page, the inbox
// and the dialog before a signature. Billed quantities count, and declared ones for items that no line bills.
import { type LinePrice, priceLine, priceQuantity } from '../../core/invoices/billed-line.ts'
import { add, divide, multiply, type Ratio, subtract, sum } from '../../core/numbers/ratio.ts'
import type { Pricing } from '../../core/prices/item-prices.ts'
import type { PriceStep } from '../../core/prices/price-list.ts'
import type { TrueUp } from './true-up.ts'

/** Quantity bought of a step. */
export interface Bought {
  readonly step: PriceStep
  readonly quantity: Ratio
}

/** Quantities by the place of the period. */
export function boughtBy(
  pricing: Pricing,
  { standingLines, quantities }: Pick<TrueUp, 'standingLines' | 'quantities'>,
  currency: string | null,
): ReadonlyMap<number, readonly Bought[]> {
  /** Quantities are added up by step: there may be many thousands of lines. */
  const bought = new Map<number, Map<PriceStep, Ratio>>()
  const billed = new Set<string>()
  const note = (priced: LinePrice, quantity: Ratio, isBilled: boolean) => {
    if (priced.currency !== currency) return
    const days = priced.parts.reduce((total, part) => total + part.days, 0)
    for (const { subject, days: own } of priced.parts) {
      const { place, step, item } = subject
      if (isBilled) billed.add(`${place} ${item.item}`)
      else if (billed.has(`${place} ${item.item}`)) continue
      const share = own === days ? quantity : multiply(quantity, { n: BigInt(own), d: BigInt(days) })
      const steps = bought.getOrInsertComputed(place, () => new Map<PriceStep, Ratio>())
      const known = steps.get(step)
      steps.set(step, known === undefined ? share : add(known, share))
    }
  }
  for (const line of standingLines) {
    const priced = priceLine(pricing, line)
    if (!('gap' in priced)) note(priced, line.quantity!, true)
  }
  for (const declared of quantities) {
    const priced = priceQuantity(pricing, declared)
    if (!('gap' in priced)) note(priced, declared.quantity, false)
  }
  return new Map(
    [...bought].map(([place, steps]) => [place, [...steps].map(([step, quantity]) => ({ step, quantity }))] as const),
  )
}

/** Amount at the prices of one place less those of another. Null where nothing was bought, or a price is not known. */
export function movedAmount(
  pricing: Pricing,
  bought: readonly Bought[],
  { after, before }: { readonly after: number; readonly before: number },
  currency: string | null,
): Ratio | null {
  if (bought.length === 0 || currency === null) return null
  const amounts = bought.map(({ step, quantity }) => {
    const [now, then] = [after, before].map(each => pricing.price(each, step, currency))
    if ('gap' in now! || 'gap' in then!) return null
    return divide(multiply(quantity, subtract(now!.value, then!.value)), step.per)
  })
  return amounts.every(amount => amount !== null) ? sum(amounts) : null
}
