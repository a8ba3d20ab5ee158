// Wire types of the console: the versions of an agreement, their effects on its periods, and the contract's own words.
import type { Billing } from '../../core/formula/formula.ts'
import type { ContractWords } from '../../core/formula/words/contract-words.ts'
import type { Party } from '../../core/parties.ts'

export interface VersionView {
  readonly version: number
  readonly createdBy: string
  /** `redacted on 2026-11-18 by the operator: …`; null unless its author was erased. */
  readonly redacted: string | null
  readonly recordedAt: string
  readonly origin: VersionOrigin
  readonly effectiveFrom: string
  readonly documentText: string
  /** Whether it has the contract's own words. */
  readonly hasWords: boolean
  /** Whether its words differ from those of the version before; false for the first. */
  readonly isReworded: boolean
  /** Changes from the version before; empty for the first. */
  readonly changes: readonly ChangeView[]
  /**
   * Effect of the version on each period: without it, by the versions before, and with it; from today's data, nothing signed. A
   * side is null where it cannot be computed. For the newest 30 versions.
   */
  readonly effects: readonly EffectRow[]
  /** Changes of billing terms while it was the newest, the newest first: they make no version. */
  readonly billing: readonly BillingView[]
}

export interface BillingView {
  /** Counted from the first terms of the agreement. */
  readonly version: number
  readonly recordedAt: string
  readonly origin: VersionOrigin
  /** Null for another supplier's terms that govern no more. */
  readonly terms: Billing | null
}

/**
 * `FIRST`: the agreement began with it. `ONE_SIDE`: one side changed the terms alone. `BOTH`: both signed the change. `EARLIER`: it
 * is from before the viewer's time as supplier. `WITHOUT_YOU`: others were in the viewer's place.
 */
export type VersionOrigin =
  | { readonly kind: 'FIRST' | 'ONE_SIDE' | 'EARLIER' }
  | {
      readonly kind: 'WITHOUT_YOU'
      /** Parties and time, in words. */
      readonly words: string
      /** Whether it has to be agreed to before a number is signed under it. */
      readonly needsConsent: boolean
    }
  | {
      readonly kind: 'BOTH'
      /** Change of terms that both signed, or that a version signed by both had planned. */
      readonly proposal: string
      /** Its signers; empty where it was planned. */
      readonly agreedBy: readonly { readonly party: Party; readonly name: string; readonly at: string }[]
      readonly plannedBy: number | null
    }

export interface ChangeView {
  /** `clause.cap.periodPct` */
  readonly path: string
  /** Text in the document; null where it was not there. */
  readonly before: string | null
  readonly after: string | null
}

export interface EffectRow {
  readonly period: string
  readonly before: EffectSide | null
  readonly after: EffectSide | null
}

export interface EffectSide {
  /** Null for the one period after a price of 0. */
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly price: string | null
}

/** The contract's own words as a formula version has them; null where it has none. */
export interface WordsView {
  readonly words: ContractWords | null
}
