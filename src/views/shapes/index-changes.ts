// Wire types of the console: changes of terms that both parties sign. A splice puts another series in the place of one that
// ends; an amendment is any other document.
import type { AmendmentBody } from '../../core/index-changes/amendment.ts'
import type { SpliceBody } from '../../core/index-changes/splice-schema.ts'
import type { ProposalState } from '../../core/true-up/proposal-state.ts'
import type { Party } from './agreements.ts'
import type { Signatures } from './signatures.ts'

export type TermsChangeKind = 'SPLICE' | 'AMENDMENT'

/** One line of a list. */
export interface TermsChangeRow {
  readonly id: string
  readonly kind: TermsChangeKind
  readonly state: ProposalState
  readonly slug: string
  readonly name: string
  readonly hash: string
  readonly ground: 'EVENT' | 'SUSPECT' | 'BY_HAND'
  /** `YYYY-MM-DD`: the first adjustment date under the new terms. */
  readonly effectiveFrom: string
  /** Of a splice: the series that ends and the one that takes its place, as formulas name them; else empty. */
  readonly series: readonly string[]
  /** Those that were offered together have the same; null for one alone. */
  readonly offer: string | null
  readonly proposedBy: string
  readonly proposedAt: string
  readonly signedBy: readonly Party[]
  /** Who still has to sign it; empty where nobody has. */
  readonly waitsFor: readonly Party[]
  /** The side that the person who asks can sign it for now; null for none. */
  readonly as: Party | null
  /** The formula version that it made; null where it made none. */
  readonly version: number | null
}

export interface TermsChangeList {
  /** The newest first. */
  readonly rows: readonly TermsChangeRow[]
  /** What to ask `before` for the next page; null on the last. */
  readonly next: number | null
}

export interface TermsChangePage {
  readonly change: TermsChangeRow
  /** What is signed, and by its kind what it says. */
  readonly body: ({ readonly kind: 'SPLICE' } & SpliceBody) | ({ readonly kind: 'AMENDMENT' } & AmendmentBody)
  /** The whole document that takes effect. */
  readonly document: string
  /** The formula version that it changes. */
  readonly basis: number
  readonly supersedes: string | null
  /** The version whose plan it carries out without further signatures. */
  readonly plannedBy: number | null
  readonly signatures: Signatures
  readonly refusal: { readonly party: Party; readonly reason: string; readonly at: string } | null
  readonly signing: {
    /** The side that the person who asks can sign for now; null for none. */
    readonly as: Party | null
    /** Why they cannot, in words; null where they can, or it is not open. */
    readonly whyNot: string | null
    /** Whether they may propose another in its place. */
    readonly mayCounter: boolean
  }
}

/** What was proposed, or was proposed before in the same words. */
export interface TermsProposed {
  readonly outcome: 'proposed' | 'unchanged'
  readonly id: string
  readonly supersedes: string | null
  /** What a person should look at before they sign. */
  readonly warnings: readonly string[]
}

/** A splice of one agreement as it would be proposed; nothing is stored. */
export interface SplicePreview {
  readonly hash: string
  readonly body: SpliceBody
  readonly warnings: readonly string[]
}

/** One proposal for each agreement that reads the series; those that cannot be offered have a reason. */
export interface SpliceOffer {
  /** Null where nothing could be offered. */
  readonly offer: string | null
  readonly proposed: readonly {
    readonly slug: string
    readonly id: string
    readonly hash: string
    readonly warnings: readonly string[]
  }[]
  readonly refused: readonly { readonly slug: string; readonly why: string }[]
}

/** Each change is signed whole or not at all. */
export interface TermsSigned {
  readonly signed: readonly { readonly id: string; readonly slug: string; readonly version: number | null }[]
  readonly refused: readonly { readonly id: string; readonly why: string }[]
}
