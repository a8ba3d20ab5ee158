// An entry of a provider's release calendar, and the date on which a figure is expected.
import type { ProviderName } from '../series/series.ts'
import type { Instant } from '../time/instant.ts'

/** A date with a time of day; a date alone; a release that will not come; one whose date is open again. */
export const releaseStatuses = ['OFFICIAL', 'DATE_ONLY', 'CANCELLED', 'POSTPONED'] as const
export type ReleaseStatus = (typeof releaseStatuses)[number]

/** As a provider announces it. A moved date is a newer one with the same `sourceId`. */
export interface Release {
  readonly provider: ProviderName
  /** The provider's own name of the release that series belong to: `CPI`, `10`, `MM23`. */
  readonly release: string
  readonly title: string
  /** In our notation (`2026-10`, `2026-Q3`); null where the source names none or it cannot be read. */
  readonly period: string | null
  /** An instant, or a day (`2026-11-13`) where the source gives no time of day. */
  readonly at: Instant | string
  /** In which the source writes its dates. */
  readonly zone: string
  readonly status: ReleaseStatus
  /** What the source calls this entry; the same when its date moves. */
  readonly sourceId: string
}

/** What a date rests on, the strongest first. */
export const dateBases = ['OFFICIAL', 'DATE_ONLY', 'LEARNED', 'USUAL'] as const
export type DateBasis = (typeof dateBases)[number]

/** When the figure of a period is expected. */
export interface ExpectedDate {
  readonly period: string
  /** An instant, or a day. */
  readonly expectedAt: Instant | string
  /** After it, and what is granted to its basis, the figure is late. */
  readonly latestAt: Instant | string
  readonly basis: DateBasis
  /** How many publications a learned date rests on; null for the others. */
  readonly known: number | null
  /** The share of the last twelve periods for which the same rule was right within its window, `0.92`; null where none can be checked. */
  readonly hitRate: string | null
}
