// The price unit rule: a system that accepts few decimals gets the price of a larger quantity. Price and quantity are
// multiplied by the smallest power of ten that makes the price fit, or it does not fit at all; nothing is ever rounded.
import { compare, formatFixed, isWhole, multiply, powerOfTen, type Ratio, reduce } from '../../core/numbers/ratio.ts'

export interface UnitPrice {
  readonly price: Ratio
  readonly per: Ratio
}

export interface PriceBounds {
  /** Decimals of a price. */
  readonly decimals: number
  /** The largest quantity that a price may be for. */
  readonly mostPer: bigint
}

/** The decimals a number needs, without zeros at the end; null for one that is not a decimal. */
function decimalsNeeded(value: Ratio): number | null {
  let { d } = reduce(value)
  let [twos, fives] = [0, 0]
  for (; d % 2n === 0n; d /= 2n) twos++
  for (; d % 5n === 0n; d /= 5n) fives++
  return d === 1n ? Math.max(twos, fives) : null
}

function scaled({ price, per }: UnitPrice, exponent: number): UnitPrice {
  const power = { n: powerOfTen(exponent), d: 1n }
  return { price: multiply(price, power), per: multiply(per, power) }
}

/** The unit price in a form that fits; null if there is none. */
export function fitPrice(unitPrice: UnitPrice, { decimals, mostPer }: PriceBounds): UnitPrice | null {
  const needed = decimalsNeeded(unitPrice.price)
  if (needed === null) return null
  const fitted = scaled(unitPrice, Math.max(needed - decimals, 0))
  return isWhole(fitted.per) && compare(fitted.per, { n: mostPer, d: 1n }) <= 0 ? fitted : null
}

/**
 * Several prices for one quantity, the smallest that fits all of them; null if a price does not fit alone or with the others.
 */
export function fitTogether(prices: readonly UnitPrice[], bounds: PriceBounds): readonly UnitPrice[] | null {
  const alone = prices.map(price => fitPrice(price, bounds))
  if (alone.includes(null)) return null
  const most = { n: bounds.mostPer, d: 1n }
  const quantities = alone
    .flatMap(fitted => Array.from({ length: `${bounds.mostPer}`.length }, (_, i) => scaled(fitted!, i).per))
    .filter(per => compare(per, most) <= 0)
    .sort(compare)
  const isFitting = ({ price }: UnitPrice) => (decimalsNeeded(price) ?? Number.POSITIVE_INFINITY) <= bounds.decimals
  const per = quantities.find(each => prices.every(price => isFitting(broughtTo(price, each))))
  return per === undefined ? null : prices.map(price => broughtTo(price, per))
}

/** The unit price for another quantity. */
function broughtTo({ price, per }: UnitPrice, other: Ratio): UnitPrice {
  return { price: { n: price.n * other.n * per.d, d: price.d * other.d * per.n }, per: other }
}

/** A price with at least the requested decimals, and as many more as it needs. */
export function formatPrice(price: Ratio, least: number): string {
  return formatFixed(price, Math.max(decimalsNeeded(price) ?? 0, least))
}

/** A quantity without zeros at the end. */
export function formatQuantity(quantity: Ratio): string {
  return formatFixed(quantity, decimalsNeeded(quantity) ?? 0)
}
