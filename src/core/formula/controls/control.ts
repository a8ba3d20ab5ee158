// A control of a clause: one file with its keys, its check, what it compiles to, its points in the breakdown, its
// sentence, its advice and its other readings. Checker, compiler, breakdown, narrative and forms go by the list of them.

import type { Ratio } from '../../ratio.ts'
import type { Problem } from '../../refusal.ts'
import type { JsonObject } from '../canonical.ts'
import type { Clause, ClauseNumber, Param, StepSource } from '../formula.ts'
import type { KeySpec } from '../keys.ts'
import type { ClauseReader } from './clause-reader.ts'
import type { Explaining } from './explaining.ts'
import type { LimitView } from './lines.ts'
import type { Narrator } from './narrator.ts'

/** What a control needs to know to write its lines. */
export interface Compiling {
  readonly clause: Clause
  readonly params: readonly Param[]
}

/**
 * A line of its own on the way from the movement of the indices to the target: always written, so that every worksheet has
 * the same lines.
 */
export interface ChainLink {
  readonly line: string
  readonly note: string | null
  /** `before` is the line it goes on from; for the first it is the movement of the factor. */
  readonly expr: (before: string, compiling: Compiling) => string
}

/** A limit of the step from what was last applied, as expressions. */
export interface Bound {
  /** Of the step, as a fraction: `0.05`. */
  readonly step: string
  /** Of the factor that is applied: `prev(applied, 1) * 1.05`. */
  readonly level: string
  /** True where a percent beyond it is rounded to the inside: `pct_nearest > 5`. */
  readonly isCrossed: (percent: string, beyond: '<' | '>' | '<=' | '>=') => string
  /** The percentage itself where it is one of the price in force. */
  readonly fixedPct: ClauseNumber | null
  /** Of the step, as a fraction, in a period that was computed. */
  readonly valueAt: (view: LimitView) => Ratio
}

/** Behind which line of the clause a control writes lines of its own. */
export type LinePlace = 'step' | 'applied'

/** In which part of the narrative a control has something to say. */
export type NarrationPlace = 'payable' | 'shared' | 'grown' | 'target' | 'held'

/** The clause as it is written, for reading it differently. */
export interface ClauseSubject {
  readonly clause: Clause
  readonly written: JsonObject
}

export interface ClauseReading {
  readonly id: string
  readonly title: string
  readonly words: string
  /** The clause that is read in its place, or why there is none. */
  readonly reading: { readonly clause: JsonObject } | { readonly notApplicable: string }
}

export interface Control<Part = unknown> {
  /** Under which the clause keeps what `check` read. */
  readonly name: string
  readonly keys: readonly KeySpec[]
  /** The names under which it stands in a breakdown, each with its words. */
  readonly points: Readonly<Record<string, string>>
  /** Lines it may write; no name of a document may be one of them. */
  readonly lines: readonly string[]
  /** Reads its keys; what is wrong goes to the reader's problems. */
  readonly check: (reader: ClauseReader) => Part
  /** What shows only when all controls have read their keys. */
  readonly judge?: (clause: Clause, reader: ClauseReader) => void
  readonly link?: ChainLink
  /** Limits of the step: those above and those below. */
  readonly bounds?: (clause: Clause) => { readonly above: readonly Bound[]; readonly below: readonly Bound[] }
  readonly behind?: Readonly<Partial<Record<LinePlace, (compiling: Compiling) => readonly StepSource[]>>>
  /** Gives the points it took or gave. A link without it gives the difference of its line from the one before. */
  readonly explain?: (explaining: Explaining) => void
  readonly tell?: Readonly<Partial<Record<NarrationPlace, (narrator: Narrator) => void>>>
  readonly advise?: (clause: Clause) => readonly Problem[]
  readonly readings?: (subject: ClauseSubject | null) => readonly ClauseReading[]
}
