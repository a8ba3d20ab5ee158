// Wire types of the console: what is due in the days ahead, what it waits for, and which releases bring it.

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
  /** An instant, or a day; null where no date can be said. */
  readonly expectedAt: string | null
  readonly basis: DateBasis | null
}

/** A figure whose release was cancelled, and what the clause does without it. */
export interface DueCancelled {
  readonly series: DueSeries
  readonly period: string
  readonly rule: MissingPolicy['kind']
  /** What is read by that rule; null where it gives nothing. */
  readonly instead: string | null
}

/** A series that has ended or was replaced, or was silent for so long that it probably has. */
interface EndedSeries extends DueSeries {
  /** As it was published; null where it is only probable. */
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
  /** The latest of the figures it waits for; of a provisional number, the real value. Null where it waits for none. */
  readonly waitsFor: DueFigure | null
  /** The first day on which its number can be proposed; null where no day can be said. */
  readonly readyOn: string | null
  readonly isProvisional: boolean
  /** It takes the newest figure there is, and a newer one is expected in time. */
  readonly newer: DueFigure | null
  readonly cancelled: readonly DueCancelled[]
  readonly ended: readonly EndedSeries[]
  /** Why it has no number although no figure is missing. */
  readonly gap: string | null
}

/** A release on the timeline: the figures of one period that come together. */
export interface DueRelease {
  /** Of the release and its period, the same from day to day. */
  readonly key: string
  /** As the provider calls it; the name of the series where no calendar announces it. */
  readonly title: string
  readonly provider: string
  readonly period: string
  /** An instant, or a day. */
  readonly at: string
  /** The last day on which it is still usual; the same as `at` for one that was announced. */
  readonly latestAt: string
  readonly basis: DateBasis | null
  /** What the calendar says; null where the date is not from one. */
  readonly status: ReleaseStatus | null
  readonly isLate: boolean
  readonly series: readonly DueSeries[]
  /** The agreements that wait for it, the nearest adjustment date first: the first few, and how many more. */
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
  /** When it was expected; null where no date could be said. */
  readonly expectedAt: string | null
  readonly raisedAt: string
  /** How many agreements wait for it, of those that the person sees. */
  readonly agreements: number
}

/** What is late and what is due in the seven days from today on, in a few numbers. */
export interface DueCalendar {
  /** Figures that are late or will not come, the newest first: the first few, and how many there are. */
  readonly alarms: readonly AlarmView[]
  readonly alarmCount: number
  /** Agreements with an adjustment that such a figure holds up. */
  readonly heldUp: number
  /** Adjustment dates of the week, and how many of them will have every figure in time. */
  readonly week: number
  readonly weekInTime: number
  /** Releases of the week that an agreement waits for. */
  readonly releases: number
}

/** How much is in each state. */
export type DueCounts = Readonly<Record<DueState, number>>

/** More rows of the same list. */
export interface DueRows {
  readonly rows: readonly DueRow[]
  readonly count: number
}

export interface DuePage extends DueRows {
  readonly today: string
  /** The last day that is listed. */
  readonly until: string
  /** Of all rows, whatever is filtered by state. */
  readonly counts: DueCounts
  /** Releases up to `until` that an agreement waits for, the nearest first; those that are late come first. */
  readonly releases: readonly DueRelease[]
  readonly moreReleases: number
  /** What is late or cancelled now, the newest first. */
  readonly alarms: readonly AlarmView[]
  readonly suppliers: readonly SupplierChoice[]
  /** Agreements that are being computed: theirs are as they were last known, or missing. */
  readonly pending: number
  /** Agreements whose readings take too long to look at here. */
  readonly leftOut: number
}
