// Wire types of the console: series, their vintages, and new series. A supplier sees only the series its agreements read.

import type { DataType, VersionTag } from '../../core/series/series.ts'
import type { OpenQuestion } from '../../core/series/table-guess.ts'
import type { TableLayout } from '../../core/series/table-layout.ts'
import type { Frequency } from '../../core/time/period.ts'
import type { KindCounts, MoneyMoved, RevisionRow } from './revision-rows.ts'

export type { DataType, VersionTag } from '../../core/series/series.ts'
export type { Frequency } from '../../core/time/period.ts'

export interface SeriesRow {
  readonly id: string
  readonly provider: string
  readonly code: string
  readonly name: string
  readonly unit: string
  readonly dataType: DataType
  readonly frequency: Frequency
  /** True for a provider's series, read for all who follow it; false for the workspace's own. */
  readonly isFollowed: boolean
  readonly firstPeriod: string | null
  readonly last: LastValue | null
  /** The value of the period before the last one, for the change. */
  readonly previousValue: string | null
  /** Last time a value arrived or changed, by the server's clock. */
  readonly lastChangedAt: string | null
  readonly lastAskedAt: string | null
  /** The problem in words; null if there is none. */
  readonly trouble: string | null
  readonly notice: string | null
  /** Late or missing figures that agreements wait for, in words; null for none. */
  readonly alarm: string | null
  /** Number of agreements that read it. */
  readonly usedBy: number
}

export interface LastValue {
  readonly period: string
  readonly value: string
  readonly tag: VersionTag
  readonly publishedAt: string
  readonly recordedAt: string | null
}

/** Origin of a figure: its provider, by its name for people; or its upload, null if the import is not known. */
export type OriginView = { readonly provider: string } | { readonly upload: UploadView | null }

export interface UploadView {
  /** The person's name here, or their address; `the operator` for somebody at the machine itself. Null: nobody. */
  readonly by: string | null
  /** The instant at which the whole file was recorded; null if it was computed from files alone. */
  readonly at: string | null
  readonly file: string
  /** Hash of the file's bytes. */
  readonly sha256: string
}

/** The newest values of the last 36 periods, oldest first, by id. */
export type Sparks = Readonly<Record<string, readonly string[]>>

export interface SeriesPage {
  readonly series: SeriesRow
  readonly description: string
  /** The provider's names, and its terms in a sentence; null for the workspace's own. */
  readonly source: {
    readonly name: string
    readonly shortName: string
    readonly terms: string
    readonly home: string
  } | null
  /** Files of its values, the newest first; a value is from the one with its instant of recording. */
  readonly uploads: readonly UploadView[]
  /** Its names and units over time; the newest last. */
  readonly metadata: readonly { readonly recordedAt: string; readonly name: string; readonly unit: string }[]
  readonly vintages: VintageColumns
  /** First hundred; `series.usedBy` counts all of them. */
  readonly agreements: readonly { readonly slug: string; readonly name: string }[]
  readonly quarantine: (QuarantineRow & { readonly mayDecide: boolean }) | null
  /** The last decisions about what had been in quarantine. */
  readonly decided: DecidedRow | null
}

/**
 * Every vintage, column by column; row i of every column belongs together. Rows are ordered by period, then by publication, then by
 * recording. A null value is a withdrawal.
 */
export interface VintageColumns {
  /** Number of vintages of older periods left out of a very long history; 0 for nearly every series. */
  readonly omitted: number
  /** The distinct periods in order, written as on the wire: `2024-03`. */
  readonly periods: readonly string[]
  /** Index into `periods` for each row. */
  readonly period: readonly number[]
  readonly value: readonly (string | null)[]
  readonly tag: readonly (VersionTag | null)[]
  readonly publishedAt: readonly string[]
  readonly recordedAt: readonly string[]
  readonly flag: readonly (string | null)[]
}

export interface SeriesSearch {
  readonly results: readonly {
    readonly provider: string
    readonly code: string
    readonly name: string
    readonly detail: string | null
    /** Id where this workspace has it already. */
    readonly id: string | null
  }[]
  /** Places to look further: sets of the provider, whose series have codes of their own. Sets cannot be followed. */
  readonly sets: readonly { readonly code: string; readonly name: string; readonly note: string | null }[]
  /** Why a provider could not be asked, in words. */
  readonly trouble: string | null
}

export interface Followed {
  readonly id: string
  readonly values: number
  readonly wasFollowed: boolean
}

export type UploadLine = UploadProgress | UploadLook | UploadResult

/** A file that is not in the form that import accepts as it is: its likely layout, and questions for a person. */
export interface UploadLook {
  readonly stage: 'look'
  readonly layout: TableLayout
  /** Questions that the file leaves open: a person answers them before it is read. */
  readonly open: readonly OpenQuestion[]
  /** A file with the same header was read this way before. */
  readonly isRemembered: boolean
  readonly isWorkbook: boolean
  /** The first rows as they are; long cells are cut. */
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[]
}

export interface UploadProgress {
  readonly stage: 'waiting' | 'reading' | 'comparing' | 'publishing' | 'effects'
  /** Rows of the file; for effects, the number of computed agreements. */
  readonly rows: number
  readonly of?: number
}

export interface UploadResult {
  readonly stage: 'done'
  readonly mode: 'preview' | 'import'
  readonly rows: number
  /** First 20,000; the first thousand with some rows. */
  readonly series: readonly UploadedSeries[]
  /** Number of all: the list may be shorter. */
  readonly seriesCount: number
  /** Any problem prevents the import. */
  readonly problems: readonly { readonly line: number | null; readonly message: string }[]
  /** Number of all: the list may be shorter. */
  readonly problemCount: number
  /** Whether no row was read because nothing says which series they are of. */
  readonly lacksSeries: boolean
  /** Further notes on the reading, such as the worksheet. */
  readonly notes: readonly string[]
  /** Totals of all series, listed or not. */
  readonly totals: UploadTotals
  /** Values that differ from the newest stored ones, by series and period. */
  readonly changes: readonly ChangedFigure[]
  /** Number of all: the list may be shorter. */
  readonly changeCount: number
  /** Null where the file has problems, and after an import. */
  readonly effects: UploadEffects | null
  /** Layout of the read file; null for a file in the form that import accepts as it is. */
  readonly layout: TableLayout | null
}

interface UploadTotals {
  readonly added: number
  readonly revised: number
  readonly unchanged: number
  readonly created: number
}

export interface ChangedFigure {
  readonly provider: string
  readonly code: string
  readonly name: string
  readonly id: string
  readonly period: string
  /** Null for a value that was withdrawn. */
  readonly before: string | null
  readonly after: string | null
}

/** Effects of a file on agreements, signed or not: the rows that *Revisions* will have once it is imported. */
export interface UploadEffects {
  /** The largest amounts first; the list may be shorter than `count`. */
  readonly rows: readonly UploadEffect[]
  /** Number of all rows. */
  readonly count: number
  readonly agreements: number
  readonly kinds: KindCounts
  /** Money that would fall due between sides, where quantities are known. */
  readonly money: MoneyMoved
  /** Agreements that read a series with something new. */
  readonly readers: number
  /** Number of these that could not be computed. */
  readonly notComputed: number
}

export type UploadEffect = Omit<RevisionRow, 'correction' | 'agreed' | 'left'>

export interface UploadedSeries {
  readonly provider: string
  readonly code: string
  readonly name: string
  readonly id: string | null
  readonly isNew: boolean
  readonly rows: number
  readonly added: number
  readonly revised: number
  readonly unchanged: number
  readonly firstPeriod: string
  readonly lastPeriod: string
  /** First rows as they were understood. */
  readonly sample: readonly {
    readonly period: string
    readonly value: string | null
    readonly tag: VersionTag | null
    readonly publishedAt: string | null
  }[]
}

/** A calendar of releases that waits for a person, because it says much less than is stored. */
export interface CalendarRow {
  readonly id: string
  readonly provider: string
  readonly foundAt: string
  readonly reason: string
  /** Number of new, moved and no longer announced releases. */
  readonly added: number
  readonly moved: number
  readonly withdrawn: number
  /** First of the releases no longer announced; days, or instants. */
  readonly sample: readonly { readonly at: string; readonly title: string }[]
}

export interface QuarantinePage {
  readonly mayDecide: boolean
  readonly waiting: readonly QuarantineRow[]
  readonly calendars: readonly CalendarRow[]
  /** Last decisions, the newest first. */
  readonly decided: readonly DecidedRow[]
}

export interface DecidedRow {
  readonly id: string
  readonly seriesId: string
  readonly provider: string
  readonly code: string
  readonly name: string
  readonly reason: string
  /** `overtaken`: the provider withdrew it, or another answer came. */
  readonly decision: 'released' | 'rejected' | 'overtaken'
  readonly decidedAt: string
  readonly decidedBy: string | null
}

export interface QuarantineRow {
  readonly id: string
  readonly seriesId: string
  readonly provider: string
  readonly code: string
  readonly name: string
  readonly foundAt: string
  readonly reason: string
  /** A few periods with the stored and the new value. */
  readonly sample: readonly {
    readonly period: string
    readonly stored: string | null
    readonly came: string | null
  }[]
}

export interface ProviderRow {
  readonly provider: string
  readonly name: string
  readonly home: string
  readonly terms: string
  readonly key: 'none' | 'optional' | 'required'
  /** Environment variable that sets it. */
  readonly keyVariable: string
  readonly isKeySet: boolean
  /** In words: `60 requests a minute`. */
  readonly limits: string
  /** Counts over the series this workspace follows. */
  readonly series: number
  readonly inTrouble: number
  readonly lastRun: {
    readonly startedAt: string
    readonly finishedAt: string | null
    readonly added: number
    readonly revised: number
    readonly withdrawn: number
    readonly problems: readonly string[]
  } | null
}
