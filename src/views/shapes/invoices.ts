// Wire types of the console for prices and invoices: what a check of a file says, and the prices of an agreement.
import type { CheckSummary, PricedRow } from '../../core/invoices/check-row.ts'
import type { PriceRow } from '../../core/prices/price-rows.ts'

/** What a check of a file found; nothing was stored. With problems of the form nothing was checked. */
export interface InvoiceCheck {
  readonly data: readonly PricedRow[]
  readonly summary: CheckSummary
  /** The first of them; `line` null where it concerns the whole file. */
  readonly problems: readonly { readonly line: number | null; readonly message: string }[]
  readonly problemCount: number
  readonly notes: readonly string[]
}

export interface AgreementPriceRows {
  /** Those that have a price, the oldest first: `start` and labels, each with its first day. */
  readonly periods: readonly { readonly period: string; readonly date: string; readonly isSettled: boolean }[]
  /** The period that is shown; null if none has a price; then the reason says why. */
  readonly period: string | null
  readonly date: string | null
  readonly why: string | null
  readonly rows: readonly PriceRow[]
  /** How many the period has, including those left out. */
  readonly rowCount: number
  /** Whether there is a list, which was agreed with another supplier. */
  readonly isOfAnother: boolean
  /** The newest first. */
  readonly lists: readonly PriceListView[]
}

interface PriceListView {
  readonly version: number
  /** `start` or a label. */
  readonly from: string
  readonly items: number
  readonly createdBy: string
  readonly recordedAt: string
}
