// A file of any kind from a page: its kind, its layout, its changes, and its import, all or nothing. In a worker, by the readers of
// the commands. Figures are read by series/upload.ts; every other kind is an object in kinds.ts.
import { basename } from 'node:path'
import { Check } from 'typebox/schema'
import {
  type ColumnLayout,
  columnProblems,
  guessColumns,
  isPlainKind,
} from '../../../../core/invoices/column-layout.ts'
import {
  type ImportKind,
  kindColumns,
  recogniseTable,
  type TableKind,
  tableKinds,
} from '../../../../core/invoices/table-kinds.ts'
import { Refusal } from '../../../../core/refusal.ts'
import { type Role, writers } from '../../../../core/roles.ts'
import { Type } from '../../../../formats/json-schema.ts'
import { csvSource } from '../../../../import/csv.ts'
import { withGivenColumns } from '../../../../import/file-defaults.ts'
import { type FileKind, kindOfFile } from '../../../../import/file-kind.ts'
import { type Peeked, peekTable } from '../../../../import/file-preview.ts'
import { withColumns } from '../../../../import/laid-out.ts'
import type { TableSource } from '../../../../import/source.ts'
import { xlsxSource } from '../../../../import/xlsx.ts'
import { limits } from '../../../../limits.ts'
import { openApplication, type Sql } from '../../../../storage/postgres/database.ts'
import { findLayout, rememberLayout } from '../../../../storage/series/upload-layouts.ts'
import { closed } from '../../../../views/calls/call.ts'
import type { ImportRequest as ImportQuery } from '../../../../views/calls/series-calls.ts'
import type { ImportEnd, ImportLine, TableLook } from '../../../../views/shapes/imports.ts'
import type { Seat } from '../../../../views/sight/seat.ts'
import type { JobWatch } from '../../../../workers/thread.ts'
import { placeLimits } from '../../../traffic/place-limits.ts'
import { tellReading } from '../../frame/file-reading.ts'
import { layoutParts, parseLayout } from '../../frame/layout-text.ts'
import type { ConsoleAnswer, ConsoleParts, ConsoleRequestOf } from '../../frame/route.ts'
import { readUpload, readUploadRequest } from '../../series/upload.ts'
import type { ImportRequest } from './import-kind.ts'
import { kindsOfImport } from './kinds.ts'

/** Job for a worker. */
export interface ImportJob {
  readonly kind: 'import'
  readonly seat: Seat
  /** Path of the stored file, and its first bytes. */
  readonly path: string
  readonly head: Uint8Array
  readonly request: ImportQuery
}

const fileKinds = ['csv', 'xlsx', 'json', 'xml'] as const

/** Refuses problems that are known at once; problems in the file itself are in the lines. */
export async function takeImport(
  parts: ConsoleParts,
  { seat, query, file }: ConsoleRequestOf<'POST /import'>,
): Promise<ConsoleAnswer<ImportLine>> {
  if (query.kind !== undefined) refuseRole(query.kind, query.mode, seat.role)
  // The options of the file are checked before it arrives.
  if (query.kind === undefined || query.kind === 'observations') readUploadRequest(forFigures(query))
  else readLayout(query)
  return tellReading(parts, await file!(), {
    makeJob: ({ path, head }): ImportJob => {
      kindOfFile(basename(query.file.trim()), head, fileKinds)
      return { kind: 'import', seat, path, head, request: query }
    },
    lengthOf: ({ request }, bytes) =>
      request.mode !== 'import' ? 'unknown' : bytes <= placeLimits.shortUploadBytes ? 'short' : 'long',
    failed: (message): ImportEnd => ({ stage: 'refused', problems: [{ line: null, message }], problemCount: 1 }),
  })
}

function refuseRole(kind: ImportKind, mode: ImportQuery['mode'], role: Role): void {
  const { previewers, importers } =
    kind === 'observations' ? { previewers: writers, importers: writers } : kindsOfImport[kind]
  if (!previewers.includes(role))
    throw new Refusal('forbidden', 'your role cannot bring in files of this kind; owners and editors can')
  if (mode === 'import' && !importers.includes(role))
    throw new Refusal('forbidden', 'your role can check this file and not keep it; owners and editors can')
}

/** Parameters that figures have. */
function forFigures(query: ImportQuery) {
  const { kind: _kind, agreement: _agreement, from: _from, supplier: _supplier, currency: _currency, ...rest } = query
  const { period: _period, status: _status, ...own } = rest
  return own
}

/** Reads a file inside a worker. */
export async function readImport(parts: ConsoleParts, job: ImportJob, watch: JobWatch): Promise<ImportEnd> {
  const { seat, path, request: query } = job
  const name = basename(query.file.trim())
  const fileKind = kindOfFile(name, Buffer.from(job.head), fileKinds)
  const peeked = fileKind === 'csv' || fileKind === 'xlsx' ? await peekTable(path, fileKind, query.sheet || null) : null
  const kind = query.kind ?? recognise(fileKind, job.head, peeked)
  refuseRole(kind, query.mode, seat.role)
  if (kind === 'observations') {
    const request = readUploadRequest(forFigures(query))
    return { kind, ...(await readUpload(parts, { ...job, kind: 'upload', request }, watch)) }
  }
  // A connection of its own, so that a long file does not keep others waiting for one.
  const sql = openApplication(parts.installation.target, { connections: 1, name: 'assize import' })
  try {
    return await readTableKind({ parts, sql, seat, path, fileKind, head: job.head }, kind, query, peeked)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

function recognise(fileKind: FileKind | 'xml', head: Uint8Array, peeked: Peeked | null): ImportKind {
  if (fileKind === 'xml') return 'invoices'
  if (fileKind === 'json')
    return /^\s*\{\s*"lines"/.test(Buffer.from(head).toString('utf8')) ? 'invoices' : 'observations'
  return (peeked === null ? null : recogniseTable(peeked.rows)?.kind) ?? 'observations'
}

interface OpenFile {
  readonly parts: ConsoleParts
  readonly sql: Sql
  readonly seat: Seat
  readonly path: string
  readonly head: Uint8Array
  readonly fileKind: FileKind | 'xml'
}

async function readTableKind(
  file: OpenFile,
  kind: TableKind,
  query: ImportQuery,
  peeked: Peeked | null,
): Promise<ImportEnd> {
  const { sql, seat, fileKind } = file
  const of = kindsOfImport[kind]
  kindOfFile(basename(query.file.trim()), Buffer.from(file.head), of.files)
  const request = requestOf(kind, query)
  const looked = peeked === null ? null : await look(sql, seat.workspace.id, request, peeked)
  if (looked !== null && 'stage' in looked) return { ...looked, lacks: lackedColumns(kind, peeked, looked.layout) }
  const layout = looked ?? request.layout
  const lacks = lackedColumns(kind, peeked, layout)
  const asked = { ...request, layout }
  const source = () => sourceOf(file, asked)
  const toRead = { ...file, request: asked, source }
  if (request.mode !== 'import') return { ...(await of.preview(toRead)), lacks }
  const result = await of.import(toRead)
  const header = layout === null ? undefined : peeked?.rows.find(({ line }) => line === layout.headerLine)
  if (result.isDone && layout !== null && header !== undefined && fileKind !== 'json')
    await rememberLayout(sql, seat.workspace.id, header.cells, layout, seat.person.email)
  return { ...result, lacks }
}

/** Columns to give for the whole file because it has none of that name; empty for a file that is no table. */
function lackedColumns(kind: TableKind, peeked: Peeked | null, layout: ColumnLayout | null): readonly string[] {
  if (peeked === null) return []
  const columns = layout?.columns ?? peeked.rows[0]?.cells.map(cell => cell.trim()) ?? []
  return kindColumns[kind].givable.filter(name => !columns.includes(name))
}

function requestOf(kind: TableKind, query: ImportQuery): ImportRequest & { readonly kind: TableKind } {
  const text = (value: string | undefined) => value?.trim() || null
  const { agreement, supplier, currency, period, unit } = query
  const said = Object.entries({ agreement, supplier, currency, period, unit })
  const given = said.flatMap(([column, value]) => {
    const written = text(value)
    return written === null || !kindColumns[kind].givable.includes(column) ? [] : [[column, written] as const]
  })
  return {
    name: basename(query.file.trim()),
    mode: query.mode,
    kind,
    sheet: query.sheet || null,
    layout: readLayout(query),
    agreement: text(agreement),
    from: text(query.from),
    status: query.status ?? 'DRAFT',
    given: Object.fromEntries(given),
  }
}

const layoutShape = Type.Object({ ...layoutParts, kind: Type.Enum(tableKinds) }, closed)

function readLayout({ layout: text, kind }: ImportQuery): ColumnLayout | null {
  if (text === undefined) return null
  const value = parseLayout(text)
  if (!Check(layoutShape, value)) throw new Refusal('invalid', 'layout is not the layout of a table of this kind')
  if (value.kind !== kind) throw new Refusal('invalid', `layout is that of a table of ${value.kind}, not of ${kind}`)
  return value
}

/** Questions for a person before the table is read; null if it is read as it is, or by the layout of a file like it. */
async function look(
  sql: Sql,
  workspaceId: string,
  request: ImportRequest & { readonly kind: TableKind },
  peeked: Peeked,
): Promise<TableLook | ColumnLayout | null> {
  const { kind, mode, layout, agreement } = request
  const given = Object.keys(request.given)
  if (layout !== null) {
    const problems = columnProblems(layout, given)
    if (problems.length > 0) throw new Refusal('invalid', problems.join('; '))
    return null
  }
  if (mode === 'import') return null
  const guess = guessColumns(kind, peeked)
  const header = peeked.rows.find(({ line }) => line === guess.layout.headerLine)
  const kept = header === undefined ? null : await findLayout(sql, workspaceId, header.cells)
  const remembered =
    Check(layoutShape, kept) && kept.kind === kind
      ? { ...kept, separator: peeked.separator, encoding: peeked.encoding, headerLine: guess.layout.headerLine }
      : null
  const isAsked = mode === 'look' || ((kind === 'prices' || kind === 'agreements') && agreement === null)
  if (!isAsked && isPlainKind(kind, peeked, given)) return null
  if (!isAsked && remembered !== null && columnProblems(remembered, given).length === 0) return remembered
  return {
    stage: 'look',
    kind,
    ...(remembered === null ? guess : { layout: remembered, open: [] }),
    isRemembered: remembered !== null,
    isWorkbook: peeked.isWorkbook,
    rows: peeked.rows.map(({ line, cells }) => ({
      line,
      cells: cells.map(cell => cell.slice(0, limits.uploadLookCellLength)),
    })),
  }
}

function sourceOf({ path, fileKind }: OpenFile, { layout, sheet, given }: ImportRequest): TableSource {
  const isWorkbook = fileKind === 'xlsx'
  const source = isWorkbook ? xlsxSource(path, { bounds: limits.upload, sheet }) : csvSource(path, layout)
  return withGivenColumns(layout === null ? source : withColumns(source, layout, isWorkbook), given)
}
