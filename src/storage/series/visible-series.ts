// A series as a workspace sees it, as data.
import type { DataType, SeriesProvider } from '../../core/series/series.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Frequency } from '../../core/time/period.ts'

export interface SeriesMetadata {
  readonly seq: number
  readonly recordedAt: Instant
  readonly name: string
  readonly unit: string
  readonly dataType: DataType
  readonly frequency: Frequency
}

export interface VisibleSeries {
  /** A workspace's id, or `public`. */
  readonly owner: string
  readonly id: string
  readonly provider: SeriesProvider
  readonly code: string
  readonly createdAt: string
  /** Place in the sequence from which the workspace sees it. */
  readonly since: number
  /** Descriptions, oldest first. */
  readonly metadata: readonly SeriesMetadata[]
}
