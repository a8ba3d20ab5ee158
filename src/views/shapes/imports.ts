// Wire types of the console for imported files: the kind of a file, its layout, and its changes.
import type { PlannedAgreement } from '../../agreements/from-table.ts'
import type { CheckSummary, PricedRow } from '../../core/invoices/check-row.ts'
import type { ColumnLayout, ColumnQuestion } from '../../core/invoices/column-layout.ts'
import type { TableKind } from '../../core/invoices/table-kinds.ts'
import type { ListStart } from '../../core/prices/list-start.ts'
import type { UploadLook, UploadProgress, UploadResult } from './series.ts'

/** Lines while a file is read; the last one is a look at the file, or its changes. */
export type ImportLine = UploadProgress | ImportEnd
export type ImportEnd = (ImportLook | ImportResult | RefusedFile) & {
  /** For a table: values to give for the whole file because no column has them. */
  readonly lacks?: readonly string[]
}
export type ImportLook = ({ readonly kind: 'observations' } & UploadLook) | TableLook
export type ImportResult = ({ readonly kind: 'observations' } & UploadResult) | TableResult | InvoiceResult

/** A file that could not be read at all. */
interface RefusedFile extends Pick<UploadResult, 'problems' | 'problemCount'> {
  readonly stage: 'refused'
}

/** A table about which a person has to answer questions before it is read. */
export interface TableLook extends Pick<UploadLook, 'stage' | 'isRemembered' | 'isWorkbook' | 'rows'> {
  readonly kind: TableKind
  readonly layout: ColumnLayout
  readonly open: readonly ColumnQuestion[]
}

interface ReadFile extends Pick<UploadResult, 'stage' | 'mode' | 'problems' | 'problemCount' | 'notes'> {
  /** Layout of the read file; null for a file in the form that the commands accept. */
  readonly layout: ColumnLayout | null
  /** True where nothing is left to import. */
  readonly isDone: boolean
}

/** A price list, quantities, factors between units, or agreements. */
export interface TableResult extends ReadFile {
  readonly kind: Exclude<TableKind, 'invoices'>
  readonly counts: ChangeCounts
  /** First changes. */
  readonly changes: readonly TableChange[]
  /** For a price list. */
  readonly list: PriceListPlan | null
  /** For many agreements: the outcome of each row. */
  readonly agreements?: readonly PlannedAgreement[]
}

interface ChangeCounts {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
}

export interface TableChange {
  /** Item or unit. */
  readonly name: string
  /** Details that tell it apart: agreement, period, quantity step. */
  readonly about: readonly string[]
  /** Null where there is no value. */
  readonly before: string | null
  readonly after: string | null
  /** For a price list: the price in the newest period. */
  readonly now: { readonly before: string | null; readonly after: string | null; readonly isAgreed: boolean } | null
}

export interface PriceListPlan {
  /** Slug of the agreement. */
  readonly agreement: string
  /** `proposed`: both have to sign it first. */
  readonly outcome: 'created' | 'new version' | 'unchanged' | 'proposed'
  /** Id of the change of terms that waits for both, once it was proposed. */
  readonly proposal: string | null
  /** Reason why both have to sign it; null where nobody has to. */
  readonly consent: ListStart['consent']
  /** `start` or a label. */
  readonly from: string
  readonly items: number
  readonly currency: string | null
  /** Newest period, whose prices are compared; null if the list governs later ones alone. */
  readonly period: string | null
}

/** Check of the lines, and the effect of storing them. */
export interface InvoiceResult extends ReadFile {
  readonly kind: 'invoices'
  readonly summary: CheckSummary
  /** All lines; for a long file only those that deviate. */
  readonly data: readonly PricedRow[]
  /** Whether `data` has every line. */
  readonly isWhole: boolean
  /** Null for whoever may only check. */
  readonly keeping: Keeping | null
}

interface Keeping {
  readonly added: number
  readonly unchanged: number
  /** Any problem prevents storing. */
  readonly problems: UploadResult['problems']
  readonly problemCount: number
}
