// A line that is clear, before it is judged: its agreement, item, day and unit. Anything unclear makes it UNKNOWN; a clear line
// may still lie outside the contract, in a period without a price, or across several prices.

import { type NoNumber, otherGap, toldAs } from '../calculation/gap.ts'
import { absolute, divide, equal, multiply, one, type Ratio } from '../numbers/ratio.ts'
import { comingOn } from '../prices/agreement.ts'
import { type Pricing, unitOf, unpriced } from '../prices/item-prices.ts'
import { type PriceStep, stepFor } from '../prices/price-list.ts'
import { isValidOn } from '../prices/prices-in-force.ts'
import { type Day, formatDay } from '../time/day.ts'
import type { Instant } from '../time/instant.ts'
import {
  type AgreementBook,
  type FoundItem,
  findItem,
  type OpenAgreement,
  priceDayOf,
  supplierOf,
} from './agreement-book.ts'
import type { CheckRow } from './check-row.ts'
import type { Subject } from './hypotheses.ts'
import type { CellProblem, InvoiceLine, LineField } from './invoice-line.ts'
import type { PricedDays } from './reasons.ts'
import type { UnitMoments, UnitTable } from './unit-table.ts'

export interface ClearLine {
  readonly line: InvoiceLine
  readonly open: OpenAgreement
  /** The day that decides its price. */
  readonly day: Day
  /** The place of the period in force that day; -1 before the contract's start. */
  readonly place: number
  readonly found: FoundItem
  readonly currency: string
  /** The number of the item's units in one of the line's. */
  readonly factor: Ratio
  /** The quantity in the item's unit. */
  readonly quantity: Ratio | null
  /** The price in force on the day while not both have signed its period; null where the item has none. */
  readonly inForce: LineInForce | null
  /** Whether the list proposed for the period drops the item. */
  readonly isDropped: boolean
}

/** A line at a price that is in force, in the unit of its item. */
export interface LineInForce extends Pick<ClearLine, 'factor' | 'quantity'> {
  readonly subject: Subject
}

/** The reason why a line is not known, with the facts that are known. */
interface Unknown {
  readonly problems: readonly CellProblem[]
  readonly known: Partial<Pick<CheckRow, 'agreement' | 'item' | 'candidates'>>
}

export function clarify(line: InvoiceLine, book: AgreementBook, units: UnitTable): ClearLine | Unknown {
  if (line.problems.length > 0) return { problems: line.problems, known: {} }
  const unknown = (field: LineField, message: string, known: Unknown['known']): Unknown => ({
    problems: [{ field, message }],
    known,
  })
  const open = book.find(line)
  if ('message' in open) return unknown(open.field, open.message, { candidates: open.candidates })
  const { agreement, pricing } = open
  const { slug } = agreement
  const supplier = supplierOf(line, open)
  if ('message' in supplier) return unknown(supplier.field, supplier.message, { agreement: slug })
  const { priceDate } = agreement.billing
  const day = priceDayOf(line, agreement)
  if (day === null) return unknown(dayFields[priceDate], whyNoDay(priceDate), { agreement: slug })
  const place = pricing.placeOn(day)
  const named = findItem(open, place, line.items)
  const inForce = inForceOf(line, open, day, units)
  // An item that was replaced more than once is not in the list under the key that the line has.
  const successor = 'message' in named && inForce !== null ? open.inForce.proposedFor(day, inForce.subject) : null
  const proposed = successor ?? named
  const isDropped = 'message' in proposed && inForce !== null
  const found = isDropped ? inForce.subject : proposed
  if ('message' in found) return unknown(found.field, found.message, { agreement: slug })
  const { item } = found.item
  const known = { agreement: slug, item }
  const { currency } = found.offer.list
  if (line.currency !== null && line.currency !== currency)
    return unknown('currency', `the line is in ${line.currency}, but the prices of ${slug} are in ${currency}`, known)
  const unit = unitOf(found.item, pricing.at(Math.max(place, 0)).terms)
  const factor = factorOf(line, unit, units, unitMoments(pricing, place, line.keptAt ?? null))
  if (factor === null) {
    const message = `the line is in ${line.unit}, but "${item}" is priced in ${unit}, and no factor between them is set`
    return unknown('unit', message, known)
  }
  if (line.quantity === null && line.unitPrice === null) {
    const message = 'neither a quantity nor a unit price is written, so nothing can be judged'
    return unknown('quantity', message, known)
  }
  const quantity = line.quantity === null ? null : multiply(line.quantity, factor)
  return { line, open, day, place, found, currency, factor, quantity, inForce, isDropped }
}

/** The factor; null where none between the two units is set. */
function factorOf({ unit }: InvoiceLine, own: string, units: UnitTable, moments: UnitMoments): Ratio | null {
  return unit === null || own === '' ? one : units.factor(unit, own, moments)
}

/** The line at the price in force; null where its day's period is settled, and where no settled list has the item. */
export function inForceOf(line: InvoiceLine, open: OpenAgreement, day: Day, units: UnitTable): LineInForce | null {
  const { pricing, inForce } = open
  const place = inForce.settledOn(day)
  if (place === null || place === pricing.placeOn(day)) return null
  const { items: keys } = line
  const all = inForce.itemsOn(day)
  const [found] = keys.length > 0 ? keys.flatMap(key => inForce.itemsOn(day, key)) : all.length === 1 ? all : []
  if (found === undefined || !isValidOn(found.item, day)) return null
  const moments = unitMoments(pricing, place, line.keptAt ?? null)
  const factor = factorOf(line, unitOf(found.item, pricing.at(place).terms), units, moments)
  if (factor === null) return null
  const quantity = line.quantity === null ? null : multiply(line.quantity, factor)
  const subject = subjectIn(open, place, found.item.item, quantity)
  return 'gap' in subject || subject.price.status !== 'AGREED' ? null : { subject, factor, quantity }
}

/** The moments of factors: a line of a period that both signed keeps those at the first signature. */
export function unitMoments(pricing: Pricing, place: number, keptAt: Instant | null): UnitMoments {
  return { asOf: pricing.at(Math.max(place, 0)).firstSignedAt ?? null, keptAt }
}

const dayFields = { SERVICE: 'serviceFrom', INVOICE: 'date', ORDER: 'orderDate' } as const

function whyNoDay(priceDate: 'SERVICE' | 'INVOICE' | 'ORDER'): string {
  if (priceDate === 'ORDER') return 'the price goes by the day of the order, but order_date is not written'
  if (priceDate === 'INVOICE') return 'the price goes by the day of the invoice, but date is not written'
  return 'the price goes by the day of service, but neither service_from nor date is written'
}

/** The quantity step of an item for a quantity; the lowest step if there is no quantity, or if it is zero. */
function stepOf(item: FoundItem['item'], quantity: Ratio | null): PriceStep | null {
  return quantity === null || quantity.n === 0n ? item.steps[0]! : stepFor(item, absolute(quantity))
}

/** The facts that price a line. */
interface LineToPrice extends Pick<ClearLine, 'day' | 'place' | 'quantity'> {
  readonly line: Pick<InvoiceLine, 'serviceFrom' | 'serviceTo'>
  readonly open: Pick<OpenAgreement, 'agreement' | 'pricing'>
  readonly found: Pick<FoundItem, 'item'>
}

export function whyOutside({ open: { agreement }, day, found: { item }, quantity }: LineToPrice): string | null {
  const { start, end } = agreement
  const written = formatDay(day)
  if (day < start) return `${written} lies before the contract, which starts on ${formatDay(start)}`
  if (end !== null && day > end) return `${written} lies after the contract, which ends on ${formatDay(end)}`
  if (item.validFrom !== null && day < item.validFrom)
    return `"${item.item}" may be billed from ${formatDay(item.validFrom)} on, not on ${written}`
  if (item.validTo !== null && day > item.validTo)
    return `"${item.item}" may be billed until ${formatDay(item.validTo)}, not on ${written}`
  if (stepOf(item, quantity) === null)
    return `the quantity lies below ${item.steps[0]!.fromText}, the lowest that "${item.item}" has a price for`
  return null
}

/** The item in the period of the line's day, by which the line is judged. */
export function subjectOf(line: LineToPrice): Subject | NoNumber {
  const { open, place, found, quantity } = line
  return whyBlocked(line) ?? subjectIn(open, place, found.item.item, quantity)
}

/** The gap; null where the period of the day has a number and a list. */
export function whyBlocked({ open, place, day }: Pick<LineToPrice, 'open' | 'place' | 'day'>): NoNumber | null {
  const { agreement, pricing } = open
  const coming = comingOn(agreement, day)
  if (coming !== null)
    return { gap: otherGap('date', `${coming.period} has no price: its date ${formatDay(coming.date)} has not come`) }
  const { number, period } = pricing.at(place)
  if ('gap' in number) return told(`${period} cannot be computed`, number)
  const offer = pricing.offer(place)
  return 'gap' in offer ? offer : null
}

/** An item in a period, by the list that governs there. */
export function subjectIn(
  { pricing }: Pick<OpenAgreement, 'pricing'>,
  place: number,
  key: string,
  quantity: Ratio | null,
): Subject | NoNumber {
  const offer = pricing.offer(place)
  if ('gap' in offer) return offer
  const item = offer.list.find(key)
  const step = item === undefined ? null : stepOf(item, quantity)
  if (item === undefined || step === null) return unpriced(`its price list has no price of "${key}" for this quantity`)
  const price = pricing.price(place, step, offer.list.currency)
  return 'gap' in price ? price : { place, offer, item, step, price }
}

/** The days of service by their price; one part if the price does not change in between. */
export function partsOf(
  { line, open, found, quantity }: LineToPrice,
  subject: Subject,
): readonly PricedDays[] | NoNumber {
  const { serviceFrom, serviceTo } = line
  const { agreement, pricing } = open
  const { next, billing } = agreement
  const alone = [{ subject, days: 1 }]
  if (billing.priceDate !== 'SERVICE' || serviceFrom === null || serviceTo === null) return alone
  if (next !== null && serviceTo >= next.date) {
    const begun = `the service begins in ${pricing.at(subject.place).period}`
    return {
      gap: otherGap('date', `${begun} and reaches ${next.period}, whose date ${formatDay(next.date)} has not come`),
    }
  }
  const last = pricing.placeOn(serviceTo)
  const parts: PricedDays[] = []
  for (let place = subject.place; place >= 0 && place <= last; place = pricing.periodAfter(place)) {
    const { date, period, number } = pricing.at(place)
    const from = Math.max(date, serviceFrom)
    const to = place === last ? serviceTo : Math.min(pricing.at(pricing.periodAfter(place)).date - 1, serviceTo)
    if (to < from) continue
    const reached = `the service reaches ${period}, which has no price`
    if ('gap' in number) return told(reached, number)
    const there = place === subject.place ? subject : subjectIn(open, place, found.item.item, quantity)
    if ('gap' in there) return told(reached, there)
    parts.push({ subject: there, days: to - from + 1 })
  }
  return parts.every(part => equal(perOne(part.subject), perOne(subject))) ? alone : parts
}

function told(words: string, { gap }: NoNumber): NoNumber {
  return { gap: toldAs(gap, `${words}: ${gap.sentence}`) }
}

function perOne({ price, step }: Subject): Ratio {
  return divide(price.value, step.per)
}
