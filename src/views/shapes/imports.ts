// Wire types of the console for files that are brought in: what kind of file it is, how it is read, and what it would change.
import type { PlannedAgreement } from '../../agreements/from-table.ts'
import type { CheckSummary, PricedRow } from '../../core/invoices/check-row.ts'
import type { ColumnLayout, ColumnQuestion } from '../../core/invoices/column-layout.ts'
import type { TableKind } from '../../core/invoices/table-kinds.ts'
import type { ListStart } from '../../core/prices/list-start.ts'
import type { UploadLook, UploadProgress, UploadResult } from './series.ts'

/** Lines while a file is read; the last one is a look at the file, or what it would change. */
export type ImportLine = UploadProgress | ImportEnd
export type ImportEnd = (ImportLook | ImportResult | RefusedFile) & {
  /** Of a table that was read: what can be said for the whole file because no column of it says it. */
  readonly lacks?: readonly string[]
}
export type ImportLook = ({ readonly kind: 'observations' } & UploadLook) | TableLook
export type ImportResult = ({ readonly kind: 'observations' } & UploadResult) | TableResult | InvoiceResult

/** A file that could not be read at all. */
interface RefusedFile extends Pick<UploadResult, 'problems' | 'problemCount'> {
  readonly stage: 'refused'
}

/** A table that a person has to say something about before it is read. */
export interface TableLook extends Pick<UploadLook, 'stage' | 'isRemembered' | 'isWorkbook' | 'rows'> {
  readonly kind: TableKind
  readonly layout: ColumnLayout
  readonly open: readonly ColumnQuestion[]
}

interface ReadFile extends Pick<UploadResult, 'stage' | 'mode' | 'problems' | 'problemCount' | 'notes'> {
  /** How it was read; null for a file in the form that the commands accept. */
  readonly layout: ColumnLayout | null
  /** Whether what was asked for is done: nothing is left to import. */
  readonly isDone: boolean
}

/** A price list, quantities, factors between units, or agreements. */
export interface TableResult extends ReadFile {
  readonly kind: Exclude<TableKind, 'invoices'>
  readonly counts: ChangeCounts
  /** The first of them. */
  readonly changes: readonly TableChange[]
  /** Of a price list. */
  readonly list: PriceListPlan | null
  /** Of many agreements: what each row becomes. */
  readonly agreements?: readonly PlannedAgreement[]
}

interface ChangeCounts {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
}

export interface TableChange {
  /** An item, or a unit. */
  readonly name: string
  /** The agreement, the period, the quantity step: what else says which one it is. */
  readonly about: readonly string[]
  /** Null where there is none. */
  readonly before: string | null
  readonly after: string | null
  /** Of a price list: the price in the newest period. */
  readonly now: { readonly before: string | null; readonly after: string | null; readonly isAgreed: boolean } | null
}

export interface PriceListPlan {
  /** The slug. */
  readonly agreement: string
  /** `proposed`: both have to sign it first. */
  readonly outcome: 'created' | 'new version' | 'unchanged' | 'proposed'
  /** The change of terms that waits for both, once it was proposed. */
  readonly proposal: string | null
  /** Why both have to sign it; null where nobody has to. */
  readonly consent: ListStart['consent']
  /** `start` or a label. */
  readonly from: string
  readonly items: number
  readonly currency: string | null
  /** The newest period, whose prices are compared; null if the list governs later ones alone. */
  readonly period: string | null
}

/** The check of the lines, and what keeping them does. */
export interface InvoiceResult extends ReadFile {
  readonly kind: 'invoices'
  readonly summary: CheckSummary
  /** All lines; of a long file those that are not as agreed. */
  readonly data: readonly PricedRow[]
  /** Whether `data` has every line. */
  readonly isWhole: boolean
  /** Null for whoever may only check. */
  readonly keeping: Keeping | null
}

interface Keeping {
  readonly added: number
  readonly unchanged: number
  /** With any of them nothing is kept. */
  readonly problems: UploadResult['problems']
  readonly problemCount: number
}
