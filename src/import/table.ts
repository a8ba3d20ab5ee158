// Imports a table of observations into a workspace: all of it or nothing. Rows stream into staging; every bad row is found
// before anything is published. A file with one bad row leaves no trace.

import { Refusal } from '../core/refusal.ts'
import { detach, type ObservationRow, RowReader, readHeader } from '../core/series/observation-table.ts'
import type { RowProblem } from '../core/series/table-problems.ts'
import type { Instant } from '../core/time/instant.ts'
import { formatPeriod, periodOf } from '../core/time/period.ts'
import { limits } from '../limits.ts'
import { newestSeq, type OpenLog } from '../storage/log/append.ts'
import { type Sql, type Transaction, withWorkspace } from '../storage/postgres/database.ts'
import {
  loadSeriesOfWorkspace,
  type OwnSeries,
  stageSeries,
  type WorkspaceSeries,
} from '../storage/series/own-series.ts'
import {
  type ChangedValue,
  type SeriesCounts,
  type StagedComparison,
  type StagedRow,
  type StagedTotals,
  withStaging,
} from '../storage/series/staging.ts'
import { insertUpload, type NewUpload } from '../storage/series/uploads.ts'
import { loadQuotas, overQuota, type WorkspaceQuotas } from '../storage/workspaces/quotas.ts'
import { type FileSeries, SeriesOfFile } from './series.ts'
import type { TableRow, TableSource } from './source.ts'

export interface ImportReport {
  readonly rows: number
  /** New vintages: published, or in a dry run only counted. */
  readonly added: number
  /** `PROVIDER/code` of new series. */
  readonly created: readonly string[]
  /** Series whose name, unit or data type changed. */
  readonly described: readonly string[]
  /** `null` if nothing was published. */
  readonly recordedAt: Instant | null
  /** Sorted by line; with any problem, nothing was published. */
  readonly problems: readonly RowProblem[]
  /** The number of problems beyond those listed. */
  readonly moreProblems: number
  readonly notes: readonly string[]
  /** The first series of the file, if requested. */
  readonly series?: readonly ImportedSeries[]
  readonly seriesCount?: number
  /** Counts of new values in the whole file, and the values that would change. */
  readonly totals?: StagedTotals
  readonly changes?: { readonly list: readonly ChangedFigure[]; readonly count: number }
  /** The caller's own result from the comparison. */
  readonly effects?: unknown
}

/** A value that differs from the newest stored one. */
export interface ChangedFigure extends Omit<ChangedValue, 'series'> {
  readonly described: OwnSeries
}

/** A file's rows for one series, compared with the stored data. */
export interface ImportedSeries extends Omit<SeriesCounts, 'series'> {
  readonly described: OwnSeries
  readonly isNew: boolean
  /** The first rows as they were understood. */
  readonly sample: readonly StagedRow[]
}

export type ImportStage = 'reading' | 'comparing' | 'publishing'

interface ImportOptions {
  readonly dryRun: boolean
  /** The file and its uploader: stored with every value from it. */
  readonly upload: NewUpload
  readonly onProgress: (stage: ImportStage, done: number, of: number, rows: number) => void
  /** A file with more rows is refused. */
  readonly mostRows?: number
  /** Bounds on the series that the report describes one by one, and on their rows. */
  readonly describe?: {
    readonly series: number
    readonly rows: number
    /** Bounds on the series whose rows are shown, and on the changed values listed. */
    readonly sampled: number
    readonly changes: number
  }
  /** Looks at what a file without problems would do, before anything is published. */
  readonly onCompared?: (comparison: StagedComparison, series: readonly FileSeries[]) => Promise<unknown>
  /** Runs in the publishing transaction: what it writes is committed together with the rows. */
  readonly onPublish?: (tx: Transaction, report: ImportReport) => Promise<void>
}

export async function importTable(
  sql: Sql,
  workspace: string,
  source: TableSource,
  options: ImportOptions,
): Promise<ImportReport> {
  for (let attempt = 0; attempt < limits.importAttempts; attempt++) {
    const report = await tryImport(sql, workspace, source, options).catch(error => {
      if (error instanceof SeriesMoved) return null
      throw error
    })
    if (report !== null) return report
  }
  throw new Refusal('conflict', 'series of this file kept being changed by somebody else; try again')
}

/** A series of the file appeared, changed or was followed after the first look: the file has to be read again. */
class SeriesMoved extends Error {}

interface ImportTarget {
  readonly series: WorkspaceSeries
  readonly quotas: WorkspaceQuotas
  /** The newest publication at the first look. */
  readonly seen: number
  readonly now: Instant
}

async function look(sql: Sql, workspace: string): Promise<ImportTarget> {
  return withWorkspace(sql, workspace, async tx => {
    const seen = await newestSeq(tx, workspace)
    const [clock] = await tx<{ now: Instant }[]>`select clock_timestamp() as now`
    const quotas = await loadQuotas(tx, workspace)
    return { series: await loadSeriesOfWorkspace(tx, workspace), quotas, seen, now: clock!.now }
  })
}

async function tryImport(sql: Sql, workspace: string, source: TableSource, options: ImportOptions) {
  const stored = await look(sql, workspace)
  const table = new TableImport(stored, options)
  return withStaging(sql, workspace, async staging => {
    const watch = {
      problem: (problem: RowProblem) => table.report(problem),
      progress: (done: number, of: number) => options.onProgress('reading', done, of, table.rows),
      note: (text: string) => table.note(text),
    }
    for await (const batch of source(watch)) {
      await staging.add(table.take(batch))
      if (table.isRefused) break
    }
    table.finish()
    if (table.isRefused) return table.summary()
    options.onProgress('comparing', 0, 0, table.rows)
    const { list } = table.series
    const comparison = await staging.compare(list.map(({ id }) => id))
    table.reportLate(await findConflicts(comparison, list))
    // Before the lock: nobody waits for what is only displayed.
    const detail = await detailOf(comparison, table, options)
    if (table.problemCount > 0) return { ...table.summary(), ...detail }
    const created = list.filter(({ isNew }) => isNew)
    const described = list.filter(({ isDescribedAnew }) => isDescribedAnew)
    const plan = {
      ...table.summary(),
      ...detail,
      created: created.map(({ reference }) => reference),
      described: described.map(({ reference }) => reference),
    }
    const added = await comparison.countNew()
    if (table.isOverQuota('vintages', added)) return { ...table.summary(), ...detail }
    const effects = await options.onCompared?.(comparison, list)
    if (options.dryRun || added + created.length + described.length === 0) return { ...plan, added, effects }
    options.onProgress('publishing', 0, 0, table.rows)
    const staged = await stageSeries(staging.tx, { created: describe(created), described: describe(described) })
    let recordedAt: Instant | null = null
    const outcome = await comparison.appendOne(async log => {
      recordedAt = log.recordedAt
      await checkUnmoved(staging.tx, log, stored, list)
      await staged.append(log)
      await insertUpload(staging.tx, log, options.upload)
    })
    const report = { ...plan, added: outcome.added, recordedAt, effects }
    await options.onPublish?.(staging.tx, report)
    return report
  })
}

async function detailOf(
  comparison: StagedComparison,
  table: TableImport,
  { describe }: ImportOptions,
): Promise<Pick<ImportReport, 'series' | 'seriesCount' | 'totals' | 'changes'>> {
  if (describe === undefined) return {}
  const { list } = table.series
  const counts = await comparison.bySeries(describe.series)
  const series = counts.map(({ series: number, ...count }) => {
    const { described, isNew } = list[number]!
    return { ...count, described, isNew, sample: table.samples.get(number) ?? [] }
  })
  const changes = await comparison.changes(describe.changes)
  const changed = changes.list.map(({ series: number, ...change }) => ({
    ...change,
    described: list[number]!.described,
  }))
  return {
    series,
    seriesCount: list.length,
    totals: await comparison.totals(),
    changes: { list: changed, count: changes.count },
  }
}

function* describe(list: readonly FileSeries[]): Generator<OwnSeries> {
  for (const series of list) yield series.described
}

/** Under the lock: nothing can change before the commit. */
async function checkUnmoved(
  tx: Transaction,
  { scope }: OpenLog,
  stored: ImportTarget,
  list: readonly FileSeries[],
): Promise<void> {
  const [moved] = await tx`
    select 1 from publication where scope = ${scope} and seq > ${stored.seen} and kind in ('metadata', 'follow') limit 1`
  if (moved === undefined) return
  const { own, followed } = await loadSeriesOfWorkspace(tx, scope)
  for (const { reference, stored: before } of list) {
    const now = own.get(reference) ?? null
    if (followed.has(reference) || JSON.stringify(now) !== JSON.stringify(before)) throw new SeriesMoved(reference)
  }
}

async function findConflicts(
  comparison: StagedComparison,
  list: readonly FileSeries[],
): Promise<readonly RowProblem[]> {
  const conflicts = await comparison.conflicts(limits.importConflicts)
  return conflicts.map(({ series, period, line, otherLine }) => {
    const { reference, frequency } = list[series]!
    const place = `${reference} ${formatPeriod(periodOf(frequency, period))}`
    return {
      line,
      column: 'value',
      message: `${place} has another value or version for this publication on line ${otherLine}`,
    }
  })
}

/** Turns batches of cells into rows for staging and collects problems. */
class TableImport {
  readonly series: SeriesOfFile
  /** The first rows of the first series, by the number of the series. */
  readonly samples = new Map<number, StagedRow[]>()
  readonly #now: Instant
  readonly #quotas: WorkspaceQuotas
  readonly #options: ImportOptions
  #reader: RowReader | null = null
  #problems: RowProblem[] = []
  #count = 0
  #rows = 0
  #isRefused = false
  readonly #notes: string[] = []

  constructor({ series, quotas, now }: ImportTarget, options: ImportOptions) {
    this.series = new SeriesOfFile(series)
    this.#quotas = quotas
    this.#now = now
    this.#options = options
  }

  get rows(): number {
    return this.#rows
  }

  get problemCount(): number {
    return this.#count
  }

  /** The header cannot be read, so no row can; or there are too many rows or series. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  readonly report = (problem: RowProblem): void => {
    this.#count++
    if (this.#problems.length < limits.importProblems) this.#problems.push(problem)
  }

  /** Problems found by the database come last, but may belong to earlier lines. */
  reportLate(problems: readonly RowProblem[]): void {
    this.#count += problems.length
    this.#problems.push(...problems.slice(0, limits.importProblems))
  }

  note(text: string): void {
    this.#notes.push(text)
  }

  take(batch: readonly TableRow[]): StagedRow[] {
    const staged: StagedRow[] = []
    for (const { cells, line } of batch) {
      if (this.#isRefused) break
      if (this.#reader === null) {
        this.#readHeader(cells, line)
        continue
      }
      this.#rows++
      if (this.#isOverfull()) break
      const row = this.#reader.read(cells, line)
      if (isProblems(row)) for (const problem of row) this.report(problem)
      else this.#stage(row, staged)
    }
    return staged
  }

  #isOverfull(): boolean {
    const { mostRows = Number.POSITIVE_INFINITY } = this.#options
    if (this.#rows > mostRows)
      this.#giveUp(`the file has more than ${mostRows} rows; split it, or use the command assize import`)
    return this.#isRefused
  }

  /** Whether the new series exceed the quota of the workspace; checked early, and again when they are published. */
  isOverQuota(kind: 'series' | 'vintages', added: number): boolean {
    const { slug, quotas } = this.#quotas
    const quota = quotas.find(each => each.kind === kind)!
    const count = quota.used! + added
    if (added === 0 || count <= quota.most) return false
    this.#giveUp(overQuota(slug, quota, count))
    return true
  }

  /** Listed first, whatever else is wrong: otherwise it would be overlooked. */
  #giveUp(message: string): void {
    this.#problems.unshift({ line: 0, column: '', message })
    this.#count++
    this.#isRefused = true
  }

  #readHeader(cells: readonly string[], line: number): void {
    const { columns, problems } = readHeader(cells, line)
    for (const problem of problems) this.report(problem)
    this.#isRefused = problems.length > 0
    this.#reader = new RowReader(columns, cells.length, this.#now)
  }

  #stage(row: ObservationRow, staged: StagedRow[]): void {
    const series = this.series.place(row, this.report)
    if (series === null || (series.isNew && this.isOverQuota('series', this.series.newCount))) return
    const { period, value, version, flag, published, line } = row
    const one = {
      series: series.number,
      period: period.ordinal,
      value,
      tag: version,
      flag,
      publishedAt: published,
      line,
    }
    staged.push(one)
    if (this.#options.describe !== undefined) this.#keepSample(one)
  }

  #keepSample(row: StagedRow): void {
    const { sampled, rows } = this.#options.describe!
    if (row.series >= sampled) return
    const sample = this.samples.get(row.series) ?? []
    if (sample.length === 0) this.samples.set(row.series, sample)
    if (sample.length < rows) sample.push({ ...row, value: detach(row.value!), flag: null })
  }

  finish(): void {
    if (this.#reader === null && this.#count === 0) this.report({ line: 1, column: '', message: 'the file is empty' })
  }

  /** The report while nothing is published. */
  summary(): ImportReport {
    const problems = this.#problems.sort((a, b) => a.line - b.line).slice(0, limits.importProblems)
    return {
      rows: this.#rows,
      added: 0,
      created: [],
      described: [],
      recordedAt: null,
      problems,
      moreProblems: this.#count - problems.length,
      notes: this.#notes,
    }
  }
}

function isProblems(row: ObservationRow | RowProblem[]): row is RowProblem[] {
  return Array.isArray(row)
}
