// The notation of the lists of well-known series.
import type { DataType, ProviderName } from '../../core/series/series.ts'

/** Frequency letter, code, name; unit and type where they differ from the group's. */
export type WellKnownEntry = readonly [letter: string, code: string, name: string, unit?: string, dataType?: DataType]

export interface Group {
  readonly provider: ProviderName
  readonly unit: string
  readonly dataType: DataType
  readonly entries: readonly WellKnownEntry[]
}
