// Stored facts in the form that restating and pricing need: a signed receipt as the state it left behind, a kept
// invoice line as what was billed of an item. Nothing is computed here except the unit of a quantity.
import type { Carried } from './adjustment.ts'
import type { BilledLine } from './billed-line.ts'
import { parseDay } from './day.ts'
import { dayOfInstant, type Instant } from './instant.ts'
import { priceDayOf } from './invoices/agreement-book.ts'
import type { SupplierNames } from './invoices/line-identity.ts'
import type { StoredFields } from './invoices/stored-fields.ts'
import type { UnitTable } from './invoices/unit-table.ts'
import { exactAmount, roundMoney } from './money.ts'
import { currencyOf } from './prices/agreement.ts'
import { type Pricing, unitOf } from './prices/pricing.ts'
import { multiply, one, parseExact, type Ratio, ratio, zero } from './ratio.ts'
import { olderFormat, type ReceiptBody } from './receipt.ts'
import { readObservation } from './receipt-reading.ts'
import type { SignedState } from './restate.ts'

export interface SignedReceiptFacts {
  readonly hash: string
  readonly body: ReceiptBody
  readonly carried: Carried
  /** When the second party signed. */
  readonly agreedAt: Instant
}

export function signedStateOf({ hash, body, carried, agreedAt }: SignedReceiptFacts): SignedState {
  const { period, adjustmentDate, formulaVersion: version, factor } = body.result
  // Receipts stored under our own seal are read only as far as needed: there may be many.
  const hasOrigins = (body.format as string) !== olderFormat
  const used = body.observations.map((each, i) => readObservation(each, `body.observations[${i}]`, hasOrigins))
  return {
    period,
    date: parseDay(adjustmentDate)!,
    version,
    hash,
    factor: parseExact(factor)!,
    carried,
    used,
    agreedAt,
  }
}

export interface KeptLineFacts {
  readonly id: string
  readonly supplier: string
  readonly number: string
  readonly line: string
  readonly fields: StoredFields
  readonly importedAt: Instant
  readonly reverses: string | null
}

/** If the day that decides its price is missing, it has no quantity to be priced; what was billed still counts. */
export function billedLineOf(
  kept: KeptLineFacts,
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
  const quantity = priceDay === null ? null : quantityOf(fields, pricing, day, units)
  // Older corrections may say none: then they are meant in the contract's.
  const currency = fields.currency ?? currencyOf(pricing.agreement) ?? ''
  const billed = billedAmount(fields, currency)
  return { ...named, quantity, day, serviceFrom, serviceTo, date, billed, currency }
}

/** In the item's unit; null where none is written, or no factor leads to it. */
function quantityOf(fields: StoredFields, pricing: Pricing, day: number, units: UnitTable): Ratio | null {
  if (fields.quantity === null) return null
  const place = Math.max(pricing.placeOn(day), 0)
  const offer = pricing.offer(place)
  const item = 'blocked' in offer || fields.item === null ? undefined : offer.list.find(fields.item)
  const unit = item === undefined ? '' : unitOf(item, pricing.at(place).terms)
  const factor = fields.unit === null || unit === '' ? one : units.factor(fields.unit, unit)
  return factor === null ? null : multiply(ratio(fields.quantity), factor)
}

/** As written, else quantity × unit price; nothing where neither can be known. */
function billedAmount({ amount, quantity, unitPrice, per }: StoredFields, currency: string): Ratio {
  const round = (value: Ratio) => roundMoney(value, currency)
  if (amount !== null) return round(ratio(amount))
  if (quantity === null || unitPrice === null) return zero
  return round(exactAmount(ratio(quantity), ratio(unitPrice), ratio(per)))
}
