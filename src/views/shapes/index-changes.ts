// Wire types of the console: changes of terms that both parties sign. A splice puts another series in the place of one that
// ends; an amendment is any other document, and a price list is one too.

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
  /** The formula version that it made, or the version of the price list; null where it made none. */
  readonly version: number | null
}

export interface TermsChangeList {
  /** The newest first. */
  readonly rows: readonly TermsChangeRow[]
  /** What to ask `before` for the next page; null on the last. */
  readonly next: number | null
}

export interface SplicedLine {
  /** Null where the person does not have the series. */
  readonly id: string | null
  readonly points: readonly { readonly period: string; readonly value: string }[]
}

export interface TermsChangePage {
  readonly change: TermsChangeRow
  /** What is signed, and by its kind what it says. */
  readonly body:
    | ({ readonly kind: 'SPLICE' } & SpliceBody)
    | ({ readonly kind: 'AMENDMENT' } & AmendmentBody)
    | ({ readonly kind: 'PRICE_LIST' } & ListBody)
  /** The whole document that takes effect; of a price list its rows, as JSON. */
  readonly document: string
  /** What differs in it from the version that it changes, key by key. */
  readonly differences: readonly ChangeView[]
  /** The sentences of the contract's own words before and after it; null where the words stay. */
  readonly words: { readonly before: readonly string[]; readonly after: readonly string[] } | null
  /** Of a splice: the newest values of both series around the join, to draw them. */
  readonly lines: { readonly old: SplicedLine; readonly new: SplicedLine } | null
  /** What a person should look at before they sign. */
  readonly warnings: readonly string[]
  /** The formula version that it changes. */
  readonly basis: number
  readonly supersedes: string | null
  /** The version whose plan it carries out without further signatures. */
  readonly plannedBy: number | null
  /** Who was party when it was proposed: `the buyer … and the supplier …`. */
  readonly between: string
  /** `agreed without you, with …`: of one that others agreed on in their place; else null. */
  readonly withoutYou: string | null
  readonly signatures: Signatures
  readonly refusal: { readonly party: Party; readonly reason: string; readonly at: string } | null
  readonly signing: {
    /** The side that the person who asks can sign for now; null for none. */
    readonly as: Party | null
    /** Why they cannot, in words; null where they can, or it is not open. */
    readonly whyNot: string | null
    /** The ways in which the contract may be signed, the strictest first; left out: any. */
    readonly signWith?: readonly SignKind[]
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

export type SpliceOffer = Offered

/** What an offer to many agreements would be. */
export interface SpliceOfferPreview extends Pick<Offered, 'refused'> {
  /** The first to which it can be offered, and what it is there; null where there is none. */
  readonly slug: string | null
  readonly preview: SplicePreview | null
  /** To how many it can be offered. */
  readonly count: number
}

/** Each change is signed whole or not at all. */
export interface TermsSigned {
  readonly signed: readonly { readonly id: string; readonly slug: string; readonly version: number | null }[]
  readonly refused: readonly { readonly id: string; readonly why: string }[]
}

/** A series as it is named on a page. */
export interface NamedIndex {
  /** Null where the workspace does not have it. */
  readonly id: string | null
  /** As formulas name it. */
  readonly reference: string
  readonly name: string
}

/** What is known or suspected about an index. */
export interface IndexFact {
  readonly ground: 'EVENT' | 'SUSPECT'
  readonly kind: EventKind
  /** Of an event; null for a suspect. */
  readonly id: string | null
  /** `YYYY-MM-DD`: from which an event holds; null for a suspect. */
  readonly day: string | null
  readonly sentence: string
  /** What our figures show, each in a few words. */
  readonly evidence: readonly string[]
  /** Where an event was published. */
  readonly source: string | null
  readonly successor: NamedIndex | null
  readonly coefficient: PublishedCoefficient | null
}

/** A series that agreements read and about which something is known or suspected. */
export interface TouchedIndex {
  readonly series: NamedIndex & { readonly id: string }
  readonly facts: readonly IndexFact[]
  /** Agreements in force whose newest formula reads it. */
  readonly agreements: number
  /** Of these, those in which both agreed on another series, and those with an open proposal. */
  readonly changed: number
  readonly proposed: number
  /** What it moved in these agreements this year, by currency; empty where no quantity is known. */
  readonly money: readonly { readonly currency: string; readonly amount: string }[]
}

/** The price of the first date that is not signed, under both terms; null where it cannot be told. */
export interface FirstEffect {
  readonly period: string
  readonly before: string | null
  readonly after: string | null
}

export interface OpenChangeRow extends ChangeRow {
  readonly effect: FirstEffect | null
  /** Of a splice with one: as it is written in the document. */
  readonly coefficient: string | null
}

export interface IndexChanges {
  /** Those with most agreements first. */
  readonly indices: readonly TouchedIndex[]
  /** What waits for the person who asks, and for others. */
  readonly mine: readonly OpenChangeRow[]
  readonly others: readonly OpenChangeRow[]
  /** Series of the proposals, by the names that formulas use. */
  readonly names: readonly NamedIndex[]
  /** How many agreements there are, whether or not an index of theirs changes. */
  readonly agreements: number
  /** Whether they may propose a splice for many agreements at once. */
  readonly mayOffer: boolean
  /** Agreements that are still being computed. */
  readonly pending: number
}

/** An agreed splice that a series is part of. */
export interface JoinView {
  /** The change of terms. */
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly old: NamedIndex
  readonly new: NamedIndex
  /** The last period that is read from the old series. */
  readonly join: string
  /** As it is written in the document; null where a new base is read. */
  readonly coefficient: string | null
  readonly version: number | null
}

/** What the page of a series says about changes of its index. */
export interface SeriesIndexChanges {
  readonly facts: readonly IndexFact[]
  /** The newest first, and how many more there are. */
  readonly joins: readonly JoinView[]
  readonly hasMoreJoins: boolean
}

/** What a dialog needs before somebody proposes another series in the place of one. */
export interface Successors {
  readonly series: NamedIndex
  readonly facts: readonly IndexFact[]
  /** Agreements for which they may propose it, by name. */
  readonly agreements: readonly { readonly slug: string; readonly name: string }[]
  readonly mayOffer: boolean
  /** Series that might take its place, the likeliest first, with how closely each follows it. */
  readonly candidates: SpliceBody['alternatives']
  /** The same of series that the workspace does not follow. */
  readonly notFollowed: readonly { readonly series: string; readonly name: string; readonly why: string }[]
}
