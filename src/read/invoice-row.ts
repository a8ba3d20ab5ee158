// A kept invoice line as it is listed: the fields of a line, and what is known about it since it was imported.
import type { LineField } from '../core/invoices/invoice-line.ts'
import type { ListedLine } from './prices.ts'

export type InvoiceRow = Readonly<Record<LineField, string | null>> & {
  readonly id: string
  readonly period: string | null
  readonly importedAt: string
  /** The id of the line that this one undoes. */
  readonly reverses: string | null
}

export function invoiceRowOf({
  id,
  supplier,
  number,
  line,
  agreement,
  fields,
  period,
  importedAt,
  reverses,
}: ListedLine): InvoiceRow {
  return {
    invoice: number,
    line,
    supplier,
    agreement,
    contractRef: fields.contractRef,
    item: fields.item,
    quantity: fields.quantity,
    unit: fields.unit,
    unitPrice: fields.unitPrice,
    per: fields.per,
    amount: fields.amount,
    currency: fields.currency,
    date: fields.date,
    serviceFrom: fields.serviceFrom,
    serviceTo: fields.serviceTo,
    orderDate: fields.orderDate,
    kind: fields.kind,
    id,
    period,
    importedAt,
    reverses,
  }
}
