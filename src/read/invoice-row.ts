// A kept invoice line as it is listed: its fields, and the facts known since its import.
import type { LineField } from '../core/invoices/invoice-line.ts'
import type { LineDocument } from '../core/invoices/ledger-differences.ts'
import { formatMinorUnits } from '../core/numbers/money.ts'
import type { ListedLine } from './prices.ts'

export type InvoiceRow = Readonly<Record<LineField, string | null>> & {
  readonly id: string
  readonly period: string | null
  readonly importedAt: string
  /** Id of the line that this one undoes. */
  readonly reverses: string | null
  /** For a correction: the id of the note that it bills. */
  readonly note: string | null
  /** For a correction that bills no note: the reason, and its amount in the ledger. */
  readonly difference: { readonly code: string; readonly amount: string; readonly message: string } | null
}

export function invoiceRowOf(listed: ListedLine, document: LineDocument | null): InvoiceRow {
  const { id, supplier, number, line, agreement, fields, period, importedAt, reverses } = listed
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
    note: document?.note ?? null,
    difference: differenceOf(document),
  }
}

function differenceOf(document: LineDocument | null): InvoiceRow['difference'] {
  if (document === null || document.difference === null) return null
  const { code, amount, currency, message } = document.difference
  return { code, amount: formatMinorUnits(amount, currency), message }
}
