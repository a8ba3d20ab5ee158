// Wire types of the console for prices and invoices: kept lines with what a check says of them, and the prices of an agreement.

import type { PricedRow } from '../../core/invoices/check-row.ts'
import type { LineKind } from '../../core/invoices/invoice-line.ts'
import type { InvoiceLineState } from '../../core/invoices/line-state.ts'
import type { PriceRow } from '../../core/prices/price-rows.ts'
import type { LeftOut } from '../../formats/price-files/price-export.ts'
import type { VersionOrigin } from './versions.ts'

export interface InvoiceLineList {
  /** The newest first. */
  readonly rows: readonly InvoiceLineView[]
  /** The id of the last line that was looked at; null: there are no more. */
  readonly next: string | null
  /** How many lines were looked at for these rows. */
  readonly looked: number
  /** How many lines there are before they are checked; null for a supplier, and on later pages. */
  readonly total: number | null
  /** Whose lines there are; the same. */
  readonly suppliers: readonly { readonly value: string; readonly label: string }[] | null
}

export interface InvoiceLineView {
  readonly id: string
  readonly supplier: string
  readonly supplierName: string
  readonly invoice: string
  readonly line: string
  /** Of the invoice. */
  readonly date: string | null
  readonly quantity: string | null
  readonly unit: string | null
  readonly kind: LineKind
  readonly importedAt: string
  /** Null for a supplier. */
  readonly importedBy: string | null
  /** The id of the line that it undoes, and of the one that undoes it. */
  readonly reverses: string | null
  readonly reversedBy: string | null
  /** By the prices of today. */
  readonly check: PricedRow
  readonly state: InvoiceLineState
  /** The agreed correction that its difference is in. */
  readonly correction: string | null
  /** Of the settled price that it was compared with; null where there is none. */
  readonly receiptHash: string | null
}

export interface AgreementPriceRows {
  /** Those that have a price, the oldest first: `start` and labels, each with its first day. */
  readonly periods: readonly { readonly period: string; readonly date: string; readonly isSettled: boolean }[]
  /** The day whose prices in force are shown; null where those of a period are. */
  readonly inForceOn: string | null
  /** The period that is shown, or in force; null if none has a price; then the reason says why. */
  readonly period: string | null
  readonly date: string | null
  readonly why: string | null
  readonly rows: readonly PriceRow[]
  /** How many there are, including those left out. */
  readonly rowCount: number
  /** Whether there is a list, which was agreed with another supplier. */
  readonly isOfAnother: boolean
  /** The newest first, with those that were agreed without the person who looks. */
  readonly lists: readonly PriceListView[]
}

interface PriceListView {
  readonly version: number
  /** `start` or a label. */
  readonly from: string
  readonly recordedAt: string
  /** How it came about. */
  readonly origin: VersionOrigin
  /** Who applied it and how much is in it; null for one that others agreed on in the place of who looks. */
  readonly applied: { readonly by: string; readonly items: number } | null
}

export interface PriceFile {
  readonly name: string
  readonly type: string
  readonly text: string
  /** How many prices are in it. */
  readonly count: number
  /** The first of what is not in it, and how many there are. */
  readonly leftOut: readonly LeftOut[]
  readonly leftOutCount: number
  /** What another system will not do without; null where nothing is missing. */
  readonly missing: string | null
}
