// Stored facts in the form that restating and pricing need: a signed receipt as the state it left behind, a stored invoice line
// as an item's billed amount. Nothing is computed here except the unit of a quantity.
import { type Carried, type InputObservation, nothingCarried, stateAfter } from '../calculation/adjustment.ts'
import { isSameState } from '../calculation/state-equality.ts'
import type { Corrections } from '../formula/formula.ts'
import { priceDayOf } from '../invoices/agreement-book.ts'
import type { BilledLine } from '../invoices/billed-line.ts'
import { unitMoments } from '../invoices/clear-line.ts'
import type { StoredFields } from '../invoices/stored-fields.ts'
import type { UnitTable } from '../invoices/unit-table.ts'
import { exactAmount, roundMoney } from '../numbers/money.ts'
import { multiply, one, parseExact, type Ratio, ratio, zero } from '../numbers/ratio.ts'
import { currencyOf } from '../prices/agreement.ts'
import { type Pricing, unitOf } from '../prices/item-prices.ts'
import type { SupplierNames } from '../prices/line-identity.ts'
import type { ReceiptBody } from '../receipt/receipt.ts'
import { carried as carriedShape, observation } from '../receipt/receipt-schema.ts'
import { type Day, parseDay } from '../time/day.ts'
import { dayOfInstant, type Instant } from '../time/instant.ts'

/** A period that both parties signed, by its receipt. */
export interface SignedState {
  readonly period: string
  readonly date: Day
  /** The formula version that its receipt names. */
  readonly version: number
  readonly hash: string
  readonly factor: Ratio
  readonly carried: Carried
  readonly used: readonly InputObservation[]
  /** The instant of the second party's signature. */
  readonly agreedAt: Instant
  /** The state its receipt continued from, if an agreed correction had put it there; else the signed state before it. */
  readonly wentOnFrom?: RebasedState | null
}

/** The state with which an agreed correction replaced a signed one. */
export interface RebasedState {
  readonly carried: Carried
  /** The instant by which its figures were known. */
  readonly knownBy: Instant
}

/** The receipt with which the last agreed correction of a period replaced the signed one. */
export interface SettledReceipt {
  readonly factor: Ratio
  readonly used: readonly InputObservation[]
  readonly carriedIn: Carried
  /** The instant by which its figures were known. */
  readonly knownBy: Instant
  /** The level by which the correction restated. */
  readonly level: Corrections['level']
  /** The receipt of the earlier correction, which this one replaced; null: the signed one. */
  readonly replaced: SettledReceipt | null
}

/** The state from which each receipt continued, with the factors that a year limit may need. */
export function startsOf(signed: readonly SignedState[]): readonly Carried[] {
  let state: Carried = nothingCarried
  return signed.map(({ date, carried, wentOnFrom = null }) => {
    const start = wentOnFrom?.carried ?? state
    state = stateAfter([{ date, carried }], start)!
    return start
  })
}

interface SignedReceiptFacts {
  readonly hash: string
  readonly body: ReceiptBody
  readonly carried: Carried
  /** The instant of the second party's signature. */
  readonly agreedAt: Instant
  /** The state of the last correction that was agreed by then, if it has one. */
  readonly rebased?: RebasedState | null
}

export function signedStateOf(facts: SignedReceiptFacts): SignedState {
  const { hash, body, carried, agreedAt } = facts
  const { period, adjustmentDate, formulaVersion: version, factor } = body.result
  // Receipts stored under our own seal are read only as far as needed: there may be many.
  const used = body.observations.map((each, i) => observation.read(each, `body.observations[${i}]`))
  return {
    period,
    date: parseDay(adjustmentDate)!,
    version,
    hash,
    factor: parseExact(factor)!,
    carried,
    used,
    agreedAt,
    wentOnFrom: wentOnFrom(facts),
  }
}

/** The first period signed after a correction with a state continued from that state, later ones from their own. */
function wentOnFrom({ body, rebased = null }: SignedReceiptFacts): RebasedState | null {
  if (rebased === null) return null
  const carried = carriedShape.read(body.carriedIn, 'body.carriedIn')
  const isIts = carried.date === rebased.carried.date && isSameState(carried, rebased.carried)
  return isIts ? { ...rebased, carried } : null
}

/** A receipt with which an agreed correction replaced a signed one. */
export function settledReceiptOf(
  body: ReceiptBody,
  made: Pick<SettledReceipt, 'knownBy' | 'level' | 'replaced'>,
): SettledReceipt {
  return {
    ...made,
    factor: parseExact(body.result.factor)!,
    used: body.observations.map((each, i) => observation.read(each, `body.observations[${i}]`)),
    carriedIn: carriedShape.read(body.carriedIn, 'body.carriedIn'),
  }
}

interface BilledLineFacts {
  readonly id: string
  readonly supplier: string
  readonly number: string
  readonly line: string
  readonly fields: StoredFields
  readonly importedAt: Instant
  readonly reverses: string | null
}

/**
 * The line as billed. Without the day that decides its price it has no quantity to be priced; its billed amount still counts.
 */
export function billedLineOf(
  kept: BilledLineFacts,
  pricing: Pricing,
  units: UnitTable,
  suppliers: SupplierNames,
): BilledLine {
  const { id, supplier, number: invoice, line, fields, importedAt, reverses } = kept
  const dayOf = (text: string | null) => (text === null ? null : parseDay(text))
  const days = {
    date: dayOf(fields.date),
    serviceFrom: dayOf(fields.serviceFrom),
    serviceTo: dayOf(fields.serviceTo),
    orderDate: dayOf(fields.orderDate),
  }
  const priceDay = priceDayOf(days, pricing.agreement)
  const day = priceDay ?? days.date ?? dayOfInstant(importedAt)
  const { date, serviceFrom, serviceTo } = days
  const company = suppliers.find(supplier)
  const named = {
    id,
    supplier,
    company,
    invoice,
    line,
    kind: fields.kind,
    item: fields.item ?? '',
    importedAt,
    reverses,
  }
  const quantity = priceDay === null ? null : quantityOf(fields, importedAt, pricing, day, units)
  // Older corrections may name no currency: then it is the contract's.
  const currency = fields.currency ?? currencyOf(pricing.agreement) ?? ''
  const billed = billedAmount(fields, currency)
  return { ...named, quantity, day, serviceFrom, serviceTo, date, billed, currency }
}

/** The quantity in the item's unit; null where none is written, or no factor leads to it. */
function quantityOf(
  fields: StoredFields,
  keptAt: Instant,
  pricing: Pricing,
  day: number,
  units: UnitTable,
): Ratio | null {
  if (fields.quantity === null) return null
  const place = Math.max(pricing.placeOn(day), 0)
  const offer = pricing.offer(place)
  const item = 'gap' in offer || fields.item === null ? undefined : offer.list.find(fields.item)
  const unit = item === undefined ? '' : unitOf(item, pricing.at(place).terms)
  const factor =
    fields.unit === null || unit === '' ? one : units.factor(fields.unit, unit, unitMoments(pricing, place, keptAt))
  return factor === null ? null : multiply(ratio(fields.quantity), factor)
}

/** The amount as written, else quantity × unit price; nothing where neither can be known. */
function billedAmount({ amount, quantity, unitPrice, per }: StoredFields, currency: string): Ratio {
  const round = (value: Ratio) => roundMoney(value, currency)
  if (amount !== null) return round(ratio(amount))
  if (quantity === null || unitPrice === null) return zero
  return round(exactAmount(ratio(quantity), ratio(unitPrice), ratio(per)))
}
