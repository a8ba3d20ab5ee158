// Wire types of the console for prices and invoices: kept lines with their checks, and the prices of an agreement.

import type { PricedRow } from '../../core/invoices/check-row.ts'
import type { LineKind } from '../../core/invoices/invoice-line.ts'
import type { InvoiceLineState } from '../../core/invoices/line-state.ts'
import type { PriceRow } from '../../core/prices/price-rows.ts'
import type { LeftOut } from '../../formats/price-files/price-export.ts'
import type { VersionOrigin } from './versions.ts'

export interface InvoiceLineList {
  /** Sorted, the newest first. */
  readonly rows: readonly InvoiceLineView[]
  /** Id of the last line that was looked at; null: there are no more. */
  readonly next: string | null
  /** Number of lines looked at for these rows. */
  readonly looked: number
  /** Number of lines before they are checked; null for a supplier, and on later pages. */
  readonly total: number | null
  /** Suppliers that have lines here; null for a supplier, and on later pages. */
  readonly suppliers: readonly { readonly value: string; readonly label: string }[] | null
}

export interface InvoiceLineView {
  readonly id: string
  readonly supplier: string
  readonly supplierName: string
  readonly invoice: string
  readonly line: string
  /** Date of the invoice. */
  readonly date: string | null
  readonly quantity: string | null
  readonly unit: string | null
  readonly kind: LineKind
  readonly importedAt: string
  /** Null for a supplier. */
  readonly importedBy: string | null
  /** Ids of the line that it undoes, and of the one that undoes it. */
  readonly reverses: string | null
  readonly reversedBy: string | null
  /** Check against the prices of today. */
  readonly check: PricedRow
  readonly state: InvoiceLineState
  /** Agreed correction that contains its difference. */
  readonly correction: string | null
  /** Receipt of the settled price it was compared with; null where there is none. */
  readonly receiptHash: string | null
}

export interface AgreementPriceRows {
  /** Periods with a price, the oldest first: `start` and labels, each with its first day. */
  readonly periods: readonly { readonly period: string; readonly date: string; readonly isSettled: boolean }[]
  /** Day of the shown prices in force; null where a period's are shown. */
  readonly inForceOn: string | null
  /** Shown period, or the one in force; null if none has a price, for the reason in `why`. */
  readonly period: string | null
  readonly date: string | null
  readonly why: string | null
  readonly rows: readonly PriceRow[]
  /** Number of rows, including those left out. */
  readonly rowCount: number
  /** Whether the only list was agreed with another supplier. */
  readonly isOfAnother: boolean
  /** Price lists, the newest first, with those agreed without the viewer. */
  readonly lists: readonly PriceListView[]
}

interface PriceListView {
  readonly version: number
  /** `start` or a label. */
  readonly from: string
  readonly recordedAt: string
  readonly origin: VersionOrigin
  /** Person who applied it and its number of items; null for a list that others agreed on in the viewer's place. */
  readonly applied: { readonly by: string; readonly items: number } | null
}

export interface PriceFile {
  readonly name: string
  readonly type: string
  readonly text: string
  /** Number of prices in it. */
  readonly count: number
  /** First of the missing prices, and their number. */
  readonly leftOut: readonly LeftOut[]
  readonly leftOutCount: number
  /** Missing value that another system requires; null where nothing is missing. */
  readonly missing: string | null
}
