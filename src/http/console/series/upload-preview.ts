// A file before it is read: its first rows as they are, their likely meaning, and the open questions. A file in the form that
// import accepts needs none of it, and a file with a known header is read the same way as before.

import { Check } from 'typebox/schema'
import { Refusal } from '../../../core/refusal.ts'
import { type GuessedFrom, guessLayout, isPlainTable } from '../../../core/series/table-guess.ts'
import { frequencies, layoutProblems, type TableLayout, tableShapes } from '../../../core/series/table-layout.ts'
import { Type } from '../../../formats/json-schema.ts'
import type { FileKind } from '../../../import/file-kind.ts'
import { type Peeked, peekTable } from '../../../import/file-preview.ts'
import { limits } from '../../../limits.ts'
import type { Sql } from '../../../storage/postgres/database.ts'
import { findLayout, rememberLayout } from '../../../storage/series/upload-layouts.ts'
import { closed } from '../../../views/calls/call.ts'
import type { UploadLook } from '../../../views/shapes/series.ts'
import { layoutParts, parseLayout } from '../frame/layout-text.ts'

const layoutShape = Type.Object(
  { ...layoutParts, shape: Type.Enum(tableShapes), dates: Type.Enum(frequencies) },
  closed,
)

/** Layout in the query; refuses an invalid one with all its problems. */
export function readLayout(text: string | undefined): TableLayout | null {
  if (text === undefined) return null
  const value = parseLayout(text)
  if (!Check(layoutShape, value)) throw new Refusal('invalid', 'layout is not the layout of a table')
  const problems = layoutProblems(value)
  if (problems.length > 0) throw new Refusal('invalid', `layout: ${problems.map(({ message }) => message).join('; ')}`)
  return value
}

interface LookedFile {
  readonly path: string
  readonly kind: FileKind
  readonly sheet: string | null
  readonly hasSeries: boolean
}

type Looked =
  | { readonly kind: 'plain' }
  | { readonly kind: 'remembered'; readonly layout: TableLayout }
  | { readonly kind: 'look'; readonly look: UploadLook }

/** `isAsked`: even a file that needs no layout is shown. */
export async function lookAtFile(sql: Sql, workspaceId: string, file: LookedFile, isAsked: boolean): Promise<Looked> {
  const peeked = await peekTable(file.path, file.kind, file.sheet)
  if (peeked === null) return { kind: 'plain' }
  const from: GuessedFrom = { ...peeked, hasSeries: file.hasSeries }
  if (!isAsked && isPlainTable(from)) return { kind: 'plain' }
  const guess = guessLayout(from)
  const remembered = await findRemembered(sql, workspaceId, peeked, guess.layout)
  if (remembered !== null && !isAsked) return { kind: 'remembered', layout: remembered }
  // A table without any period, and without a header known to import, has nothing to choose from.
  if (!isAsked && peeked.rows.length < 2) return { kind: 'plain' }
  const { layout, open } = remembered === null ? guess : { layout: remembered, open: [] }
  return {
    kind: 'look',
    look: {
      stage: 'look',
      layout,
      open,
      isRemembered: remembered !== null,
      isWorkbook: peeked.isWorkbook,
      rows: peeked.rows.map(({ line, cells }) => ({
        line,
        cells: cells.map(cell => cell.slice(0, limits.uploadLookCellLength)),
      })),
    },
  }
}

/** Remembered layout of an equal header, which has to be on the same line. */
async function findRemembered(
  sql: Sql,
  workspaceId: string,
  { rows, separator, encoding }: Peeked,
  guessed: TableLayout,
): Promise<TableLayout | null> {
  const header = rows.find(({ line }) => line === guessed.headerLine)
  if (header === undefined) return null
  const kept = await findLayout(sql, workspaceId, header.cells)
  if (!Check(layoutShape, kept)) return null
  const layout = { ...kept, separator, encoding, headerLine: guessed.headerLine }
  return layoutProblems(layout).length === 0 ? layout : null
}

/** Remembers the layout of a file that was read by it. */
export async function keepLayout(
  sql: Sql,
  workspaceId: string,
  file: LookedFile,
  layout: TableLayout,
  by: string,
): Promise<void> {
  const peeked = await peekTable(file.path, file.kind, file.sheet)
  const header = peeked?.rows.find(({ line }) => line === layout.headerLine)
  if (header !== undefined) await rememberLayout(sql, workspaceId, header.cells, layout, by)
}
