// The stored fields of an invoice line: as they were written, with the item, the agreement and the currency that they mean. Two
// lines with equal fields are one line; decimals are compared by value.

import { equal, ratio } from '../numbers/ratio.ts'
import { type Day, formatDay } from '../time/day.ts'
import type { InvoiceLine, LineKind } from './invoice-line.ts'

/** A field is null where nothing was written. Decimals and days are text. */
export interface StoredFields {
  readonly contractRef: string | null
  readonly item: string | null
  readonly quantity: string | null
  readonly unit: string | null
  readonly unitPrice: string | null
  readonly per: string
  readonly amount: string | null
  readonly currency: string | null
  readonly date: string | null
  readonly serviceFrom: string | null
  readonly serviceTo: string | null
  readonly orderDate: string | null
  readonly kind: LineKind
}

/** The meaning found for a line, in addition to its own text. */
export interface FoundMeaning {
  /** The key by which its item was found; null for a correction that names none. */
  readonly item: string | null
  readonly currency: string | null
}

export function storedFieldsOf(line: InvoiceLine, { item, currency }: FoundMeaning): StoredFields {
  const { contractRef, unit, texts, date, serviceFrom, serviceTo, orderDate, kind } = line
  const decimal = (text: string | null | undefined) => text?.trim().replace(/^\+/, '') || null
  const day = (found: Day | null) => (found === null ? null : formatDay(found))
  return {
    contractRef,
    item,
    quantity: decimal(texts.quantity),
    unit,
    unitPrice: decimal(texts.unitPrice),
    per: decimal(texts.per) ?? '1',
    amount: decimal(texts.amount),
    currency,
    date: day(date),
    serviceFrom: day(serviceFrom),
    serviceTo: day(serviceTo),
    orderDate: day(orderDate),
    kind,
  }
}

const decimals = ['quantity', 'unitPrice', 'per', 'amount'] as const
const plain = [
  'contractRef',
  'item',
  'unit',
  'currency',
  'date',
  'serviceFrom',
  'serviceTo',
  'orderDate',
  'kind',
] as const

/** The first field in which two lines differ; null for equal lines. */
export function differingField(a: StoredFields, b: StoredFields): keyof StoredFields | null {
  const isSame = (x: string | null, y: string | null) =>
    x === y || (x !== null && y !== null && equal(ratio(x), ratio(y)))
  return decimals.find(field => !isSame(a[field], b[field])) ?? plain.find(field => a[field] !== b[field]) ?? null
}

/** The fields of a line that undoes another. */
export function oppositeOf(fields: StoredFields): StoredFields {
  return { ...fields, quantity: negate(fields.quantity), amount: negate(fields.amount) }
}

function negate(text: string | null): string | null {
  if (text === null || ratio(text).n === 0n) return text
  return text.startsWith('-') ? text.slice(1) : `-${text}`
}
