// Wire types of the console: due dates of the days ahead, the figures they wait for, and the releases that bring them.

import type { AlarmCause } from '../../core/calendar/alarm.ts'
import type { DueState } from '../../core/calendar/due.ts'
import type { DateBasis, ReleaseStatus } from '../../core/calendar/release.ts'
import type { MissingPolicy } from '../../core/formula/formula.ts'
import type { SideView, SupplierChoice } from './parties.ts'

export type { DueState } from '../../core/calendar/due.ts'

/** A series by its names; `id` is null for one that is no longer in the workspace. */
export interface DueSeries {
  readonly id: string | null
  readonly name: string
  /** `BLS/WPU101`. */
  readonly reference: string
}

/** A figure that an adjustment waits for. */
export interface DueFigure {
  readonly series: DueSeries
  readonly period: string
  /** `FINAL` where only the final figure counts. */
  readonly stage: 'FINAL' | null
  /** Instant or day; null where no date is known. */
  readonly expectedAt: string | null
  readonly basis: DateBasis | null
}

/** A figure whose release was cancelled, and the clause's rule for it. */
export interface DueCancelled {
  readonly series: DueSeries
  readonly period: string
  readonly rule: MissingPolicy['kind']
  /** Value read by that rule; null where it gives nothing. */
  readonly instead: string | null
}

/** A series that ended or was replaced, or probably did, after a long silence. */
interface EndedSeries extends DueSeries {
  /** Published sentence; null where the end is only probable. */
  readonly sentence: string | null
}

/** One adjustment date of one agreement. */
export interface DueRow {
  readonly slug: string
  readonly name: string
  readonly supplier: SideView
  readonly period: string
  readonly date: string
  readonly state: DueState
  /** Latest awaited figure; for a provisional number, the real value. Null where it waits for none. */
  readonly waitsFor: DueFigure | null
  /** First day on which its number can be proposed; null where none is known. */
  readonly readyOn: string | null
  readonly isProvisional: boolean
  /** A newer figure expected in time, where it takes the newest there is. */
  readonly newer: DueFigure | null
  readonly cancelled: readonly DueCancelled[]
  readonly ended: readonly EndedSeries[]
  /** Reason for no number although no figure is missing. */
  readonly gap: string | null
}

/** A release on the timeline: the figures of one period that come together. */
export interface DueRelease {
  /** Key of the release and its period, stable from day to day. */
  readonly key: string
  /** Title by the provider; the name of the series where no calendar announces it. */
  readonly title: string
  readonly provider: string
  readonly period: string
  /** Instant or day. */
  readonly at: string
  /** Last usual day; equal to `at` for an announced release. */
  readonly latestAt: string
  readonly basis: DateBasis | null
  /** Status in the calendar; null where the date is not from one. */
  readonly status: ReleaseStatus | null
  readonly isLate: boolean
  readonly series: readonly DueSeries[]
  /** First agreements that wait for it, the nearest adjustment date first, and the number of further ones. */
  readonly agreements: readonly { readonly slug: string; readonly name: string; readonly date: string }[]
  readonly moreAgreements: number
}

/** A figure that is late, or will not come, with the likely cause. */
export interface AlarmView {
  readonly series: DueSeries
  readonly period: string
  readonly cause: AlarmCause
  /** A sentence's end: `has not come: BLS answers without it`. */
  readonly words: string
  /** Expected date; null where none was known. */
  readonly expectedAt: string | null
  readonly raisedAt: string
  /** Number of visible agreements that wait for it. */
  readonly agreements: number
}

/** Counts of late figures, and of dates due in the seven days from today on. */
export interface DueCalendar {
  /** Late or missing figures, the newest first: the first few, and the number of all. */
  readonly alarms: readonly AlarmView[]
  readonly alarmCount: number
  /** Agreements with an adjustment that such a figure holds up. */
  readonly heldUp: number
  /** Adjustment dates of the week, and the number of those with every figure in time. */
  readonly week: number
  readonly weekInTime: number
  /** Releases of the week that an agreement waits for. */
  readonly releases: number
}

/** Number of dates in each state. */
export type DueCounts = Readonly<Record<DueState, number>>

/** Further rows of the list. */
export interface DueRows {
  readonly rows: readonly DueRow[]
  readonly count: number
}

export interface DuePage extends DueRows {
  readonly today: string
  /** Last listed day. */
  readonly until: string
  /** Counts of all rows, before the filter by state. */
  readonly counts: DueCounts
  /** Releases up to `until` that an agreement waits for, late ones first, then the nearest. */
  readonly releases: readonly DueRelease[]
  readonly moreReleases: number
  /** Late or cancelled figures of now, the newest first. */
  readonly alarms: readonly AlarmView[]
  readonly suppliers: readonly SupplierChoice[]
  /** Agreements being computed: their dates are the last known, or missing. */
  readonly pending: number
  /** Agreements whose readings take too long to look at here. */
  readonly leftOut: number
}
