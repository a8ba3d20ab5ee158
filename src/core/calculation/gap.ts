// The reason why there is no number, or no price: its kind, the series and period of a missing figure, and a sentence.
// Everything from the reading of a figure up to a billed line carries this shape; code that groups or reports gaps uses the
// fields. The sentence is for reading and is never parsed.
import type { Refusal, RefusalKind } from '../refusal.ts'
import type { VersionTag } from '../series/series.ts'

/** A figure is missing: it comes by itself, or somebody records it. */
export interface FigureGap {
  /**
   * `value`: the series has no value for the period. `window`: it has too few values, or its last period is not over.
   * `publication`: nothing of it had been published by a day.
   */
  readonly kind: 'value' | 'window' | 'publication'
  /** The series as the formula names it: `FRED/CPIAUCSL` or its id. */
  readonly series: string
  /** The period, the days of a window, or the day by which something should have been published. */
  readonly period: string
  /** The stage of values that count, and there is none; null where any stage would do. */
  readonly stage: VersionTag | null
  readonly sentence: string
}

/**
 * `terms`: the agreement itself says nothing for this date. `arithmetic`: every figure is there, and the formula does not work
 * out. `formula`: the formula gives no number, and more is not known. `work`: it takes more work, or longer numbers, than is
 * done here. `record`: stored data was changed from outside. `date`: its date has not come, or nobody has agreed it yet.
 * `passed`: it had no number when a later period was signed. `tenure`: it was agreed with another supplier. `price`: there is
 * nothing that a number makes a price of.
 */
type OtherGapKind = 'terms' | 'arithmetic' | 'formula' | 'work' | 'record' | 'date' | 'passed' | 'tenure' | 'price'

/** A gap that is not a figure. */
interface OtherGap {
  readonly kind: OtherGapKind
  readonly series: null
  readonly period: null
  readonly stage: null
  readonly sentence: string
}

export type Gap = FigureGap | OtherGap

/** Replaces a number or a price. */
export interface NoNumber {
  readonly gap: Gap
}

export function otherGap(kind: OtherGapKind, sentence: string): OtherGap {
  return { kind, series: null, period: null, stage: null, sentence }
}

/** A gap in the words of something that waits for it. */
export function toldAs(gap: Gap, sentence: string): Gap {
  return { ...gap, sentence }
}

const kindsOfRefusals: Partial<Record<RefusalKind, OtherGapKind>> = {
  'division-by-zero': 'arithmetic',
  'not-computable': 'arithmetic',
  'too-large': 'work',
  broken: 'record',
}

/** The gap of a refused calculation, in the refusal's words or in the caller's. */
export function gapOfRefusal({ kind, message }: Refusal, sentence = message): Gap {
  return otherGap(kindsOfRefusals[kind] ?? 'formula', sentence)
}

/** A value that is not there: the period cannot be computed. */
export class MissingValue extends Error {
  readonly gap: Gap

  constructor(gap: Gap) {
    super(gap.sentence)
    this.gap = gap
  }
}
