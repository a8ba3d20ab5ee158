// What a number lacks so that it cannot be computed: of which series, for which period, and the sentence that says so.
// Whoever groups gaps, or tells people about them, uses the fields; the sentence is for reading and is never parsed.
import type { VersionTag } from '../series/series.ts'

/**
 * `value`: the series has no value for the period. `window`: it has too few values, or its
 * last period is not over. `publication`: nothing of it had been published by a day. `terms`: the agreement itself says
 * nothing for this date; then there is no series.
 */
type GapKind = 'value' | 'window' | 'publication' | 'terms'

export interface Gap {
  readonly kind: GapKind
  /** The series as the formula names it: `FRED/CPIAUCSL` or its id. Null where no series is missing anything. */
  readonly series: string | null
  /** The period, the days of a window, or the day by which something should have been published; null with `terms`. */
  readonly period: string | null
  /** Only values of this stage count, and there is none; null where any would do. */
  readonly stage: VersionTag | null
  readonly sentence: string
}

/** A value that is not there: the period cannot be computed. */
export class MissingValue extends Error {
  readonly gap: Gap

  constructor(gap: Gap) {
    super(gap.sentence)
    this.gap = gap
  }
}
