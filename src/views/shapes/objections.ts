// Wire types of the console: objections to proposed numbers, and answers to them. Everybody who sees the agreement sees
// them; people on one of its sides make and answer them.

import type { Party } from '../../core/parties.ts'
import type { AttachedReading, ObjectionState, ObjectionSubject, StatementMeans } from '../../core/receipt/objection.ts'

export interface ObjectionsView {
  /** Side that the person who asks may object for; null for none. */
  readonly as: Party | null
  /** Reason in words, where `as` is null. */
  readonly whyNot: string | null
  /** Side the person speaks for in answers; null for neither. */
  readonly side: Party | null
  /** Objections to any number proposed for the period, the newest first. */
  readonly list: readonly ObjectionView[]
}

export interface StatementView {
  readonly party: Party
  readonly email: string
  readonly name: string
  readonly at: string
  /** `OPERATOR`: written by command, in the person's name. */
  readonly means: StatementMeans
}

export interface ObjectionView extends StatementView {
  readonly id: string
  readonly state: ObjectionState
  /** Receipt it is about, and the number in it. */
  readonly hash: string
  readonly adjustmentPct: string | null
  readonly price: string | null
  readonly about: ObjectionSubject
  readonly reason: string
  readonly reading: AttachedReading | null
  readonly answers: readonly (StatementView & { readonly isWithdrawal: boolean; readonly words: string })[]
}

/** Another reading of the clause, with its number for the period. */
export interface ReadingChoice extends AttachedReading {
  /** Difference from the document as it is, cumulative, in percentage points. */
  readonly points: string
}
