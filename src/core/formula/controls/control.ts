// A control of a clause: one file with its keys, its check, its lines, its points in the breakdown, its sentence, its advice
// and its other readings. Checker, compiler, breakdown, narrative and forms are driven by the list of controls.

import type { Problem } from '../../refusal.ts'
import type { JsonObject } from '../canonical.ts'
import type { KeySpec } from '../check/keys.ts'
import type { ClauseNumber, ClauseTerms, Param, StepSource } from '../terms.ts'
import type { ClauseReader } from './clause-reader.ts'
import type { Explaining } from './control-points.ts'
import type { ActingControl, StepLimit } from './lines.ts'
import type { Narrator } from './narrator.ts'

/** The facts that a control needs to write its lines. */
export interface Compiling {
  readonly clause: ClauseTerms
  readonly params: readonly Param[]
  readonly bounds: Bounds
}

/**
 * A line of its own on the way from the movement of the indices to the target: always written, so that every worksheet has
 * the same lines.
 */
interface ChainLink {
  readonly line: string
  readonly note: string | null
  /** `before` is the line it continues from; for the first control it is the movement of the factor. */
  readonly expr: (before: string, compiling: Compiling) => string
}

/** A limit of the step from the last applied factor, as expressions. */
export interface Bound extends StepLimit {
  /** The limit of the step, as a fraction: `0.05`. */
  readonly step: string
  /** The limit of the applied factor: `prev(applied, 1) * 1.05`. */
  readonly level: string
  /** The test by which a percent beyond the limit is rounded to the inside: `pct_nearest > 5`. */
  readonly isCrossed: (percent: string, beyond: '<' | '>' | '<=' | '>=') => string
  /** The percentage itself if it is a percentage of the price in force. */
  readonly fixedPct: ClauseNumber | null
}

export type Bounds = Readonly<Record<'above' | 'below', readonly Bound[]>>

/** The line of the clause after which a control writes lines of its own. */
export type LinePlace = 'step' | 'applied'

/** The part of the narrative to which a control adds a sentence. */
export type NarrationPlace = 'payable' | 'shared' | 'grown' | 'target' | 'held'

/** The clause as it is written, for reading it differently. */
export interface ClauseSubject {
  readonly clause: ClauseTerms
  readonly written: JsonObject
}

export interface ClauseReading {
  readonly id: string
  readonly title: string
  readonly words: string
  /** The clause to read instead, or why there is none. */
  readonly reading: { readonly clause: JsonObject } | { readonly notApplicable: string }
}

export interface Control<Part = unknown> extends ActingControl {
  readonly keys: readonly KeySpec[]
  /** Lines it may write; a document must not use these names. */
  readonly lines: readonly string[]
  /** Reads the control's keys; problems go to the reader. */
  readonly check: (reader: ClauseReader) => Part
  /** Checks that need all controls to have read their keys. */
  readonly judge?: (clause: ClauseTerms, reader: ClauseReader) => void
  readonly link?: ChainLink
  readonly bounds?: (clause: ClauseTerms) => Bounds
  readonly behind?: Readonly<Partial<Record<LinePlace, (compiling: Compiling) => readonly StepSource[]>>>
  /**
   * Returns the points that the control took or gave. Without this function a link counts the difference between its line and
   * the one before.
   */
  readonly explain?: (explaining: Explaining) => void
  readonly tell?: Readonly<Partial<Record<NarrationPlace, (narrator: Narrator) => void>>>
  readonly advise?: (clause: ClauseTerms) => readonly Problem[]
  readonly readings?: (subject: ClauseSubject | null) => readonly ClauseReading[]
}
