// Wire types of the console: changes of terms that both parties sign. A splice puts another series in the place of one that ends;
// an amendment is any other document, a price list included.

import type { Offered } from '../../agreements/terms/offer.ts'
import type { AmendmentBody } from '../../core/index-changes/amendment.ts'
import type { EventKind, PublishedCoefficient } from '../../core/index-changes/index-event.ts'
import type { SpliceBody } from '../../core/index-changes/splice-schema.ts'
import type { SignKind } from '../../core/parties.ts'
import type { ListBody } from '../../core/prices/list-amendment.ts'
import type { ChangeOfTerms } from '../../core/true-up/change-kinds.ts'
import type { ProposalState } from '../../core/true-up/proposal-state.ts'
import type { Party } from './agreements.ts'
import type { ChangeRow } from './inbox.ts'
import type { Signatures } from './signatures.ts'
import type { ChangeView } from './versions.ts'

/** One line of a list. */
export interface TermsChangeRow {
  readonly id: string
  readonly kind: ChangeOfTerms
  readonly state: ProposalState
  readonly slug: string
  readonly name: string
  readonly hash: string
  readonly ground: 'EVENT' | 'SUSPECT' | 'BY_HAND'
  /** `YYYY-MM-DD`: the first adjustment date under the new terms. */
  readonly effectiveFrom: string
  /** For a splice: the series that ends and the one that takes its place, as formulas name them; else empty. */
  readonly series: readonly string[]
  /** Id shared by changes that were offered together; null for a single one. */
  readonly offer: string | null
  readonly proposedBy: string
  readonly proposedAt: string
  readonly signedBy: readonly Party[]
  /** Parties that still have to sign it; empty where nobody has. */
  readonly waitsFor: readonly Party[]
  /** Side that the person who asks can sign it for now; null for none. */
  readonly as: Party | null
  /** Formula version or version of the price list that it made; null where it made none. */
  readonly version: number | null
}

export interface TermsChangeList {
  /** Sorted, the newest first. */
  readonly rows: readonly TermsChangeRow[]
  /** `before` for the next page; null on the last. */
  readonly next: number | null
}

export interface SplicedLine {
  /** Null where the person does not have the series. */
  readonly id: string | null
  readonly points: readonly { readonly period: string; readonly value: string }[]
}

export interface TermsChangePage {
  readonly change: TermsChangeRow
  /** Signed content, by its kind. */
  readonly body:
    | ({ readonly kind: 'SPLICE' } & SpliceBody)
    | ({ readonly kind: 'AMENDMENT' } & AmendmentBody)
    | ({ readonly kind: 'PRICE_LIST' } & ListBody)
  /** Whole document that takes effect; for a price list its rows, as JSON. */
  readonly document: string
  /** Differences from the version that it changes, key by key. */
  readonly differences: readonly ChangeView[]
  /** Sentences of the contract's own words before and after it; null where the words stay. */
  readonly words: { readonly before: readonly string[]; readonly after: readonly string[] } | null
  /** For a splice: the newest values of both series around the join, for a drawing. */
  readonly lines: { readonly old: SplicedLine; readonly new: SplicedLine } | null
  /** Warnings to read before signing. */
  readonly warnings: readonly string[]
  /** Formula version that it changes. */
  readonly basis: number
  readonly supersedes: string | null
  /** Version whose plan it carries out without further signatures. */
  readonly plannedBy: number | null
  /** Parties at the proposal: `the buyer … and the supplier …`. */
  readonly between: string
  /** `agreed without you, with …` for a change that others agreed on in their place; else null. */
  readonly withoutYou: string | null
  readonly signatures: Signatures
  readonly refusal: { readonly party: Party; readonly reason: string; readonly at: string } | null
  readonly signing: {
    /** Side that the person who asks can sign for now; null for none. */
    readonly as: Party | null
    /** Reason why they cannot, in words; null where they can, or it is not open. */
    readonly whyNot: string | null
    /** Kinds of signatures the contract accepts, the strictest first; left out: any. */
    readonly signWith?: readonly SignKind[]
    /** Whether they may propose another in its place. */
    readonly mayCounter: boolean
  }
}

/** A new proposal, or an equal one made before. */
export interface TermsProposed {
  readonly outcome: 'proposed' | 'unchanged'
  readonly id: string
  readonly supersedes: string | null
  /** Warnings to read before signing. */
  readonly warnings: readonly string[]
}

/** A splice of one agreement as it would be proposed; nothing is stored. */
export interface SplicePreview {
  readonly hash: string
  readonly body: SpliceBody
  readonly warnings: readonly string[]
}

export type SpliceOffer = Offered

/** Preview of an offer to many agreements. */
export interface SpliceOfferPreview extends Pick<Offered, 'refused'> {
  /** First agreement to which it can be offered, with its splice; null where there is none. */
  readonly slug: string | null
  readonly preview: SplicePreview | null
  /** Number of agreements to which it can be offered. */
  readonly count: number
}

/** Each change is signed whole or not at all. */
export interface TermsSigned {
  readonly signed: readonly { readonly id: string; readonly slug: string; readonly version: number | null }[]
  readonly refused: readonly { readonly id: string; readonly why: string }[]
}

/** Names of a series on a page. */
export interface NamedIndex {
  /** Null where the workspace does not have it. */
  readonly id: string | null
  /** Name in formulas. */
  readonly reference: string
  readonly name: string
}

/** A fact or suspicion about an index. */
export interface IndexFact {
  readonly ground: 'EVENT' | 'SUSPECT'
  readonly kind: EventKind
  /** Id of an event; null for a suspect. */
  readonly id: string | null
  /** `YYYY-MM-DD`: first day of an event; null for a suspect. */
  readonly day: string | null
  readonly sentence: string
  /** Evidence from stored figures, each in a few words. */
  readonly evidence: readonly string[]
  /** Place where an event was published. */
  readonly source: string | null
  readonly successor: NamedIndex | null
  readonly coefficient: PublishedCoefficient | null
}

/** A series that agreements read, with facts or suspicions. */
export interface TouchedIndex {
  readonly series: NamedIndex & { readonly id: string }
  readonly facts: readonly IndexFact[]
  /** Agreements in force whose newest formula version reads it. */
  readonly agreements: number
  /** Number of these in which both agreed on another series, and of those with an open proposal. */
  readonly changed: number
  readonly proposed: number
  /** Its money effect in these agreements this year, by currency; empty where no quantity is known. */
  readonly money: readonly { readonly currency: string; readonly amount: string }[]
}

/** Price of the first unsigned date under both terms; null where it is unknown. */
export interface FirstEffect {
  readonly period: string
  readonly before: string | null
  readonly after: string | null
}

export interface OpenChangeRow extends ChangeRow {
  readonly effect: FirstEffect | null
  /** Coefficient of a splice as the document has it. */
  readonly coefficient: string | null
}

export interface IndexChanges {
  /** Sorted by number of agreements, the most first. */
  readonly indices: readonly TouchedIndex[]
  /** Changes that wait for the person who asks, and for others. */
  readonly mine: readonly OpenChangeRow[]
  readonly others: readonly OpenChangeRow[]
  /** Series of the proposals, by name in formulas. */
  readonly names: readonly NamedIndex[]
  /** Number of agreements, whether or not an index of theirs changes. */
  readonly agreements: number
  /** Whether they may propose a splice for many agreements at once. */
  readonly mayOffer: boolean
  /** Agreements that are still being computed. */
  readonly pending: number
}

/** An agreed splice that a series is part of. */
export interface JoinView {
  /** Id of the change of terms. */
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly old: NamedIndex
  readonly new: NamedIndex
  /** Last period that is read from the old series. */
  readonly join: string
  /** Coefficient as the document has it; null where a new base is read. */
  readonly coefficient: string | null
  readonly version: number | null
}

/** Index changes on the page of a series. */
export interface SeriesIndexChanges {
  readonly facts: readonly IndexFact[]
  /** Splices, the newest first, and whether there are more. */
  readonly joins: readonly JoinView[]
  readonly hasMoreJoins: boolean
}

/** Data of the dialog that proposes another series in the place of one. */
export interface Successors {
  readonly series: NamedIndex
  readonly facts: readonly IndexFact[]
  /** Agreements for which they may propose it, by name. */
  readonly agreements: readonly { readonly slug: string; readonly name: string }[]
  readonly mayOffer: boolean
  /** Series that might take its place, the likeliest first, with how closely each follows it. */
  readonly candidates: SpliceBody['alternatives']
  /** Candidates that the workspace does not follow. */
  readonly notFollowed: readonly { readonly series: string; readonly name: string; readonly why: string }[]
}
