// A file of observations from a page: a preview of its import, or the import itself, all or nothing, with the readers of the
// command line, in a worker. During the reading the page gets the progress; at the end, all problems by line.
import { basename } from 'node:path'
import { Refusal } from '../../../core/refusal.ts'
import { parseReference } from '../../../core/series/series.ts'
import type { TableLayout } from '../../../core/series/table-layout.ts'
import type { RowProblem } from '../../../core/series/table-problems.ts'
import { countOf } from '../../../core/text/words.ts'
import { formatPeriod, periodOf } from '../../../core/time/period.ts'
import { csvSource } from '../../../import/csv.ts'
import { type GivenColumns, withGivenColumns } from '../../../import/file-defaults.ts'
import { type FileKind, kindOfFile } from '../../../import/file-kind.ts'
import { jsonSource } from '../../../import/json.ts'
import { withLayout } from '../../../import/laid-out.ts'
import { textProblem } from '../../../import/series.ts'
import type { TableSource } from '../../../import/source.ts'
import {
  type ChangedFigure as ImportedChange,
  type ImportedSeries,
  type ImportReport,
  type ImportStage,
  importTable,
} from '../../../import/table.ts'
import { xlsxSource } from '../../../import/xlsx.ts'
import { limits } from '../../../limits.ts'
import { openApplication, type Sql } from '../../../storage/postgres/database.ts'
import { fingerprintFile } from '../../../storage/series/uploads.ts'
import { noteActivity } from '../../../storage/workspaces/activity.ts'
import type { UploadRequest } from '../../../views/calls/series-calls.ts'
import type {
  ChangedFigure,
  UploadEffects,
  UploadedSeries,
  UploadLine,
  UploadLook,
  UploadResult,
} from '../../../views/shapes/series.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import type { JobLength } from '../../../workers/pool.ts'
import type { JobWatch } from '../../../workers/thread.ts'
import { placeLimits } from '../../traffic/place-limits.ts'
import { tellReading } from '../frame/file-reading.ts'
import type { ConsoleAnswer, ConsoleParts, ConsoleRequestOf } from '../frame/route.ts'
import { readEffects } from './upload-effects.ts'
import { keepLayout, lookAtFile, readLayout } from './upload-preview.ts'

type Mode = UploadRequest['mode']

/** Last line of an answer. */
type UploadEnd = UploadLook | UploadResult

/** A file and its reading options. */
interface FileRequest {
  readonly name: string
  readonly mode: Mode
  readonly sheet: string | null
  readonly given: GivenColumns
  /** Layout of the table; null for the usual form. */
  readonly layout: TableLayout | null
}

/** Job for a worker. */
export interface UploadJob {
  readonly kind: 'upload'
  readonly seat: Seat
  /** Path of the stored file, and its first bytes. */
  readonly path: string
  readonly head: Uint8Array
  readonly request: FileRequest
}

/** Refuses problems that are known at once; problems in the file itself are in the lines. */
export async function takeUpload(
  parts: ConsoleParts,
  { seat, query, file }: ConsoleRequestOf<'POST /series/upload'>,
): Promise<ConsoleAnswer<UploadLine>> {
  const request = readUploadRequest(query)
  return tellReading(parts, await file!(), {
    // Refuses a file whose content does not match its name, before anything is read.
    makeJob: ({ path, head }) => {
      const job: UploadJob = { kind: 'upload', seat, path, head, request }
      sourceOf(job)
      return job
    },
    lengthOf,
    failed: failedResult(request.mode),
  })
}

/** Expected length: an import is not begun twice, but a small file of text is read quickly. */
function lengthOf(job: UploadJob, bytes: number): JobLength {
  if (job.request.mode !== 'import') return 'unknown'
  return bytes <= placeLimits.shortUploadBytes && fileKindOf(job) !== 'xlsx' ? 'short' : 'long'
}

export function readUploadRequest(query: UploadRequest): FileRequest {
  const name = basename(query.file.trim())
  refuseText('file', name)
  return {
    name,
    mode: query.mode,
    sheet: query.sheet || null,
    given: readGiven(query),
    layout: readLayout(query.layout),
  }
}

function readGiven({ frequency, dataType, ...texts }: UploadRequest): GivenColumns {
  const [code, name, unit] = [texts.series, texts.name, texts.unit].map(text => text?.trim() || undefined)
  const about = { name, unit, frequency, dataType }
  if (code === undefined) {
    if (Object.values(about).some(each => each !== undefined))
      throw new Refusal('invalid', 'name, unit, frequency and dataType are for a file of one series: write series too')
    return {}
  }
  const series = parseReference(code) === null ? `CUSTOM/${code}` : code
  if (parseReference(series) === null) throw new Refusal('invalid', `series must be a code, got "${code}"`)
  refuseText('series', series)
  refuseText('name', name)
  refuseText('unit', unit)
  return Object.fromEntries(
    Object.entries({ series, ...about }).flatMap(([column, text]) => (text === undefined ? [] : [[column, text]])),
  )
}

function refuseText(what: string, text: string | undefined): void {
  const problem = text === undefined ? null : textProblem(text, limits.namesLength)
  if (problem !== null) throw new Refusal('invalid', `${what} ${problem}`)
}

function fileKindOf({ head, request: { name } }: UploadJob): FileKind {
  return kindOfFile(name, Buffer.from(head))
}

function sourceOf(job: UploadJob): TableSource {
  const { path, request } = job
  const { sheet, given, layout } = request
  const kind = fileKindOf(job)
  if (layout !== null && kind === 'json') throw new Refusal('invalid', 'layout is for .csv and .xlsx files only')
  if (sheet !== null && kind !== 'xlsx') throw new Refusal('invalid', 'sheet is for .xlsx workbooks only')
  const sources: Readonly<Record<FileKind, () => TableSource>> = {
    csv: () => csvSource(path, layout),
    json: () => jsonSource(path),
    xlsx: () => xlsxSource(path, { bounds: limits.upload, sheet }),
  }
  const source = sources[kind]()
  return withGivenColumns(layout === null ? source : withLayout(source, layout, kind === 'xlsx'), given)
}

/** Reads a file inside a worker. */
export async function readUpload(parts: ConsoleParts, job: UploadJob, watch: JobWatch): Promise<UploadEnd> {
  const { request } = job
  const file = {
    path: job.path,
    kind: fileKindOf(job),
    sheet: request.sheet,
    hasSeries: request.given.series !== undefined,
  }
  // A connection of its own, so that a long file does not keep others waiting for one. A preview asks the library for its work.
  const asksOthers = request.mode !== 'import'
  const sql = openApplication(parts.installation.target, { connections: 1, name: 'assize upload', asksOthers })
  try {
    const isAsked = request.mode === 'look'
    const mustLook = isAsked || (request.mode === 'preview' && request.layout === null)
    const looked = mustLook ? await lookAtFile(sql, job.seat.workspace.id, file, isAsked) : null
    if (looked?.kind === 'look') return looked.look
    const layout = looked?.kind === 'remembered' ? looked.layout : request.layout
    const result = await readTable(parts, sql, { ...job, request: { ...request, layout } }, watch)
    const isTaken = result.mode === 'import' && result.problemCount === 0
    if (isTaken && layout !== null) await keepLayout(sql, job.seat.workspace.id, file, layout, job.seat.person.email)
    return result
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function readTable(parts: ConsoleParts, sql: Sql, job: UploadJob, watch: JobWatch): Promise<UploadResult> {
  const { workspace, person, fromAddress } = job.seat
  const { name, mode, layout } = job.request
  const source = sourceOf(job)
  const upload = {
    uploadedBy: person.email,
    via: 'web',
    fileName: name,
    ...(await fingerprintFile(job.path)),
  } as const
  const isPreview = mode !== 'import'
  const report = await importTable(sql, workspace.id, source, {
    upload,
    dryRun: isPreview,
    mostRows: limits.upload.rows,
    describe: {
      series: limits.uploadSeries,
      rows: limits.uploadSampleRows,
      sampled: limits.uploadSampleSeries,
      changes: limits.uploadChanges,
    },
    ...(isPreview
      ? { onCompared: (comparison, series) => readEffects(parts, job.seat, comparison, series, tellEffects(watch)) }
      : {}),
    onProgress: tellProgress(watch),
    onPublish: (tx, { added, seriesCount }) => {
      const subject = `${name}: ${countOf(added, 'new value')}, ${seriesCount} series`
      return noteActivity(tx, workspace.id, {
        who: person.email,
        personId: person.id,
        fromAddress,
        act: 'series.import',
        what: 'file imported',
        subject,
      })
    },
  })
  return present(report, isPreview ? 'preview' : 'import', layout)
}

/** The page is gone: nobody would see the result, so nothing is imported. */
class Abandoned extends Error {}

/** Progress of the effects, often enough to be seen moving. */
function tellEffects({ isAbandoned, tell }: JobWatch) {
  let toldMs = performance.now()
  return (rows: number, of: number): void => {
    if (isAbandoned()) throw new Abandoned('nobody waits for this file any more')
    if (performance.now() - toldMs < limits.uploadProgress.ms) return
    toldMs = performance.now()
    tell({ stage: 'effects', rows, of })
  }
}

function tellProgress({ isAbandoned, tell }: JobWatch) {
  const begunMs = performance.now()
  let told: { stage: ImportStage; rows: number; atMs: number } = { stage: 'reading', rows: 0, atMs: begunMs }
  return (stage: ImportStage, _done: number, _of: number, rows: number): void => {
    if (isAbandoned()) throw new Abandoned('nobody waits for this file any more')
    const atMs = performance.now()
    const { uploadProgress: every } = limits
    // Before the first row, a problem with the whole file can still be the answer's status.
    if (rows === 0 && atMs - begunMs < every.silentMs) return
    const isDue = told.stage !== stage || rows - told.rows >= every.rows || atMs - told.atMs >= every.ms
    if (!isDue) return
    told = { stage, rows, atMs }
    tell({ stage, rows })
  }
}

function failedResult(mode: Mode): (message: string) => UploadEnd {
  return message => {
    const problems = [{ line: null, message }]
    return { ...empty, mode: mode === 'import' ? mode : 'preview', problems, problemCount: 1 }
  }
}

const empty: UploadResult = {
  stage: 'done',
  mode: 'preview',
  rows: 0,
  series: [],
  seriesCount: 0,
  problems: [],
  lacksSeries: false,
  problemCount: 0,
  notes: [],
  totals: { added: 0, revised: 0, unchanged: 0, created: 0 },
  changes: [],
  changeCount: 0,
  effects: null,
  layout: null,
}

function present(report: ImportReport, mode: UploadResult['mode'], layout: TableLayout | null): UploadResult {
  const { rows, problems, moreProblems, notes, series = [], seriesCount = 0, recordedAt, totals, changes } = report
  const { added, revised } = totals ?? empty.totals
  return {
    ...empty,
    mode,
    layout,
    totals: { added, revised, unchanged: (totals?.rows ?? 0) - added - revised, created: report.created.length },
    changes: changes?.list.map(presentChange) ?? [],
    changeCount: changes?.count ?? 0,
    effects: (report.effects as UploadEffects | undefined) ?? null,
    rows,
    series: series.map(each => presentSeries(each, recordedAt !== null)),
    seriesCount,
    problems: problems.slice(0, limits.uploadProblems).map(presentProblem),
    problemCount: problems.length + moreProblems,
    lacksSeries: rows === 0 && problems.some(({ column }) => column === 'series'),
    notes,
  }
}

function presentChange({ described, period, before, after }: ImportedChange): ChangedFigure {
  const { id, provider, code, name, frequency } = described
  return { id, provider, code, name, period: formatPeriod(periodOf(frequency, period)), before, after }
}

export function presentProblem({ line, column, message }: RowProblem): UploadResult['problems'][number] {
  return { line: line === 0 ? null : line, message: column === '' ? message : `${column}: ${message}` }
}

function presentSeries(imported: ImportedSeries, isPublished: boolean): UploadedSeries {
  const { described, isNew, rows, added, revised, first, last, sample } = imported
  const { id, provider, code, name, frequency } = described
  const write = (ordinal: number) => formatPeriod(periodOf(frequency, ordinal))
  return {
    provider,
    code,
    name,
    id: isNew && !isPublished ? null : id,
    isNew,
    rows,
    added,
    revised,
    unchanged: rows - added - revised,
    firstPeriod: write(first),
    lastPeriod: write(last),
    sample: sample.map(({ period, value, tag, publishedAt }) => ({ period: write(period), value, tag, publishedAt })),
  }
}
