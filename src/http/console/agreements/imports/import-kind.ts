// A kind of file for the pages: rights to preview and import it, its reading, its changes, and its import. A further kind is one
// more object like this, in kinds.ts, and its columns in core/invoices/table-kinds.ts.
import type { ColumnLayout } from '../../../../core/invoices/column-layout.ts'
import type { TableKind } from '../../../../core/invoices/table-kinds.ts'
import type { Role } from '../../../../core/roles.ts'
import type { RowProblem } from '../../../../core/series/table-problems.ts'
import type { GivenColumns } from '../../../../import/file-defaults.ts'
import type { FileKind } from '../../../../import/file-kind.ts'
import type { TableSource } from '../../../../import/source.ts'
import { limits } from '../../../../limits.ts'
import type { Sql } from '../../../../storage/postgres/database.ts'
import type { InvoiceResult, TableChange, TableResult } from '../../../../views/shapes/imports.ts'
import type { Seat } from '../../../../views/sight/seat.ts'
import type { ConsoleParts } from '../../frame/route.ts'
import { presentProblem } from '../../series/upload.ts'

/** A person's options for a file. */
export interface ImportRequest {
  readonly name: string
  readonly mode: 'look' | 'preview' | 'import'
  /** Null: recognised by the file. */
  readonly kind: TableKind | 'observations' | null
  readonly sheet: string | null
  readonly layout: ColumnLayout | null
  /** Agreement of a price list, and the period from which it governs; or the template of many agreements. */
  readonly agreement: string | null
  readonly from: string | null
  /** Status for many agreements. */
  readonly status: 'DRAFT' | 'ACTIVE'
  readonly given: GivenColumns
}

export interface FileToRead {
  readonly parts: ConsoleParts
  readonly sql: Sql
  readonly seat: Seat
  readonly request: ImportRequest
  readonly path: string
  readonly fileKind: FileKind | 'xml'
  /** Source of a table. */
  readonly source: () => TableSource
}

type Outcome = TableResult | InvoiceResult

export interface KindOfImport<R extends Outcome = Outcome> {
  readonly files: readonly (FileKind | 'xml')[]
  readonly previewers: readonly Role[]
  readonly importers: readonly Role[]
  /** Computes the changes; nothing is written. */
  preview(file: FileToRead): Promise<R>
  /** Imports all of it, or refuses with every reason. */
  import(file: FileToRead): Promise<R>
}

export const nothingChanged = { added: 0, changed: 0, removed: 0, unchanged: 0 } as const

interface Listed {
  readonly problems: Outcome['problems']
  readonly problemCount: number
}

export function presentProblems(problems: readonly RowProblem[]): Listed {
  return { problems: problems.slice(0, limits.uploadProblems).map(presentProblem), problemCount: problems.length }
}

/** Fields of every result of a file. */
export function readAs({ request }: FileToRead, notes: readonly string[]) {
  const mode = request.mode === 'import' ? request.mode : ('preview' as const)
  return { stage: 'done', mode, notes, layout: request.layout, isDone: mode === 'import' } as const
}

export function refusedTable(
  file: FileToRead,
  kind: TableResult['kind'],
  { problems, notes }: { readonly problems: readonly RowProblem[]; readonly notes: readonly string[] },
): TableResult {
  const listed = presentProblems(problems)
  return { ...readAs(file, notes), isDone: false, kind, ...listed, counts: nothingChanged, changes: [], list: null }
}

export function countChanges(changes: readonly TableChange[]) {
  const count = (is: (change: TableChange) => boolean) => changes.filter(is).length
  return {
    added: count(({ before }) => before === null),
    removed: count(({ after }) => after === null),
    changed: count(({ before, after }) => before !== null && after !== null),
  }
}

/** Changes of a file, planned or made, row by row. */
export function changedTable(
  file: FileToRead,
  kind: TableResult['kind'],
  {
    changes,
    rows,
    notes,
  }: { readonly changes: readonly TableChange[]; readonly rows: number; readonly notes: readonly string[] },
): TableResult {
  const counts = { ...countChanges(changes), unchanged: rows - changes.length }
  const shown = changes.slice(0, limits.uploadChanges)
  return { ...readAs(file, notes), kind, ...presentProblems([]), counts, changes: shown, list: null }
}
