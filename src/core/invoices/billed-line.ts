// A stored line of an invoice, or a declared quantity, and its cost at the prices of an agreement. One line is priced at
// settled and at restated numbers; a correction is about the difference of the two amounts.

import type { NoNumber } from '../calculation/gap.ts'
import { roundMoney } from '../numbers/money.ts'
import type { Ratio } from '../numbers/ratio.ts'
import { type PriceStatus, weakerStatus } from '../prices/agreement.ts'
import { type Pricing, unpriced } from '../prices/item-prices.ts'
import type { Day } from '../time/day.ts'
import type { Instant } from '../time/instant.ts'
import { partsOf, subjectIn, subjectOf, whyOutside } from './clear-line.ts'
import type { LineKind } from './invoice-line.ts'
import { type PricedDays, sharedAmount } from './reasons.ts'

export interface BilledLine {
  /** Unique among the kept lines. */
  readonly id: string
  readonly supplier: string
  /** The company that the supplier is, by its slug; null where it is no known party. */
  readonly company: string | null
  readonly invoice: string
  readonly line: string
  readonly kind: LineKind
  readonly item: string
  /** The quantity in the item's unit; null where none is written. */
  readonly quantity: Ratio | null
  /** The day that decides its price. */
  readonly day: Day
  readonly serviceFrom: Day | null
  readonly serviceTo: Day | null
  /** The date of the invoice. */
  readonly date: Day | null
  /** The billed amount, rounded as money. */
  readonly billed: Ratio
  /** The currency of the billed amount. */
  readonly currency: string
  readonly importedAt: Instant
  /** The id of the line that it undoes. */
  readonly reverses: string | null
}

/** The quantity of an item bought in a period, for items without stored lines. */
export interface DeclaredQuantity {
  readonly item: string
  readonly period: string
  readonly quantity: Ratio
}

export interface LinePrice {
  readonly place: number
  readonly currency: string
  /** One price, or several if the days of a line are divided among several prices. */
  readonly parts: readonly PricedDays[]
  /** Rounded as money. */
  readonly amount: Ratio
  readonly status: PriceStatus
}

/** A line with no price, or with several prices that must not be mixed, is reported as unpriced. */
export function priceLine(pricing: Pricing, line: BilledLine): LinePrice | NoNumber {
  const { day, quantity } = line
  if (line.kind === 'CORRECTION') return unpriced('it is a correction itself')
  if (quantity === null) return unpriced('it has no quantity')
  const place = pricing.placeOn(day)
  const offer = place < 0 ? null : pricing.offer(place)
  if (offer === null) return unpriced('it lies before the contract')
  if ('gap' in offer) return offer
  const item = offer.list.find(line.item)
  if (item === undefined) return unpriced(`its price list has no item "${line.item}"`)
  const { agreement } = pricing
  const toPrice = { line, open: { agreement, pricing }, day, place, quantity, found: { item } }
  const outside = whyOutside(toPrice)
  if (outside !== null) return unpriced(outside)
  const subject = subjectOf(toPrice)
  if ('gap' in subject) return subject
  const parts = partsOf(toPrice, subject)
  if ('gap' in parts) return parts
  if (parts.length > 1 && agreement.billing.prorate !== 'DAYS')
    return unpriced('its service crosses an adjustment date that changes the price')
  return priceOf(parts, quantity)
}

export function priceQuantity(pricing: Pricing, { item, period, quantity }: DeclaredQuantity): LinePrice | NoNumber {
  const place = pricing.agreement.periods.findIndex(each => each.period === period)
  if (place < 0) return unpriced(`there is no period ${period}`)
  const subject = subjectIn({ pricing }, place, item, quantity)
  return 'gap' in subject ? subject : priceOf([{ subject, days: 1 }], quantity)
}

function priceOf(parts: readonly PricedDays[], quantity: Ratio): LinePrice {
  const { offer, place } = parts[0]!.subject
  const { currency } = offer.list
  const prices = parts.map(({ subject }) => subject.price.value)
  return {
    place,
    currency,
    parts,
    amount: roundMoney(sharedAmount(parts, prices, quantity), currency),
    status: parts.map(({ subject }) => subject.price.status).reduce(weakerStatus),
  }
}
