// An entry of a provider's release calendar, and the date on which a figure is expected.
import type { ProviderName } from '../series/series.ts'
import type { Instant } from '../time/instant.ts'

/** A date with a time of day; a date alone; a release that will not come; a release whose date is open again. */
export const releaseStatuses = ['OFFICIAL', 'DATE_ONLY', 'CANCELLED', 'POSTPONED'] as const
export type ReleaseStatus = (typeof releaseStatuses)[number]

/** A release as a provider announces it. A moved date is a newer entry with that `sourceId`. */
export interface Release {
  readonly provider: ProviderName
  /** The provider's own name of the release that series belong to: `CPI`, `10`, `MM23`. */
  readonly release: string
  readonly title: string
  /** The period in our notation (`2026-10`, `2026-Q3`); null where the source names none or it cannot be read. */
  readonly period: string | null
  /** An instant, or a day (`2026-11-13`) where the source gives no time of day. */
  readonly at: Instant | string
  /** The zone of the source's dates. */
  readonly zone: string
  readonly status: ReleaseStatus
  /** The source's name for this entry; it stays when the date moves. */
  readonly sourceId: string
}

/** Bases of a date, the strongest first. */
export const dateBases = ['OFFICIAL', 'DATE_ONLY', 'LEARNED', 'USUAL'] as const
export type DateBasis = (typeof dateBases)[number]

/** The date on which the figure of a period is expected. */
export interface ExpectedDate {
  readonly period: string
  /** An instant, or a day. */
  readonly expectedAt: Instant | string
  /** The figure is late after this date and the grace of its basis. */
  readonly latestAt: Instant | string
  readonly basis: DateBasis
  /** The number of publications behind a learned date; null for other dates. */
  readonly known: number | null
  /**
   * The share of the last twelve periods for which the rule was right within its window, `0.92`; null where none can be
   * checked.
   */
  readonly hitRate: string | null
}
