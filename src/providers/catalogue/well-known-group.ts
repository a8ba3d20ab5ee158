// How the lists of well-known series are written.
import type { DataType, ProviderName } from '../../core/series/series.ts'

/** Frequency letter, code, name, and unit and type if they differ from those of the group. */
export type WellKnownEntry = readonly [letter: string, code: string, name: string, unit?: string, dataType?: DataType]

export interface Group {
  readonly provider: ProviderName
  readonly unit: string
  readonly dataType: DataType
  readonly entries: readonly WellKnownEntry[]
}
