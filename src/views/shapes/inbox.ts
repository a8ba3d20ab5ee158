// What waits for signatures, one row for each agreement, each correction and each change of terms, and what is shown before many are signed.
import type { ShownStep, StepFromSettled } from '../../core/prices/shown-step.ts'
import type { ChangeOfTerms } from '../../core/true-up/change-kinds.ts'
import type { DatedTerms, Party, SignedRow, WaitingCounts } from './agreements.ts'
import type { SideView, SupplierChoice } from './parties.ts'

/** How a row of the inbox can be filtered by how far it is. */
export const inboxStates = ['UNSIGNED', 'COUNTERSIGN', 'DISPUTED', 'MOVED'] as const
export type InboxState = (typeof inboxStates)[number]

export interface InboxRowHead {
  readonly slug: string
  readonly name: string
  readonly supplier: SideView
  readonly currency: string | null
  /** The side that the person who asks signs for; null if it waits for somebody else. */
  readonly as: Party | null
}

/** Why a side for which something waits does not sign it now. */
export interface Hindrance {
  readonly words: string
  /** It has to agree to terms first, which the versions of the agreement tell. */
  readonly isConsent: boolean
}

/** An open period of an agreement, and its step. */
export interface InboxPeriod extends ShownStep {
  readonly period: string
  readonly date: string
  /** As the contract has it. Null for the one period after a price of 0, and where the number takes long to compute. */
  readonly adjustmentPct: string | null
  /** What is paid, and the change from it. */
  readonly settled: string | null
  readonly paidPct: string | null
  /** What was bought in it costs so much more by its step, and than at the settled price; null where nothing is known of it. */
  readonly effect: string | null
  readonly paidEffect: string | null
  readonly waitsFor: readonly Party[]
  readonly isDisputed: boolean
  /** A party that has to sign it signed another proposal before. */
  readonly hasMoved: boolean
}

/** The open periods of an agreement that wait for the same people. */
export interface PeriodsRow extends InboxRowHead {
  readonly kind: 'periods'
  /** What the price is for: `t`. */
  readonly unit: string | null
  /** What lies between the settled price and the step of the last one; null where that goes from it. */
  readonly ground: StepFromSettled | null
  /** By date; never empty. */
  readonly periods: readonly InboxPeriod[]
  /** Its numbers take long to compute: the periods are those of its calendar, and their numbers follow when it is opened. */
  readonly isByCalendar: boolean
  /** Null where a side that has not signed can sign. */
  readonly hindrance: Hindrance | null
}

/** What was proposed and is signed as one thing. */
interface ProposalRowHead extends InboxRowHead {
  readonly id: string
  readonly hash: string
  readonly waitsFor: readonly Party[]
  readonly proposedAt: string
}

/** A proposed change of the terms. */
export interface ChangeRow extends ProposalRowHead {
  readonly kind: 'change'
  readonly change: ChangeOfTerms
  /** `YYYY-MM-DD`: the first adjustment date under the new terms. */
  readonly effectiveFrom: string
  /** Of a splice: the series that ends and the one that takes its place; else empty. */
  readonly series: readonly string[]
  /** Those that were offered together have the same; null for one alone. */
  readonly offer: string | null
}

/** A proposed correction of signed periods. */
export interface CorrectionRow extends ProposalRowHead {
  readonly kind: 'correction'
  /** How many periods it corrects. */
  readonly periods: number
  /** What it moves between the parties; null where neither lines nor quantities are kept. */
  readonly net: string | null
  readonly waived: boolean
}

export type ProposalRow = CorrectionRow | ChangeRow

/** Everything that can wait for a signature. */
export type InboxRow = PeriodsRow | ProposalRow

/** A part of one list, the oldest first. */
export interface InboxPage {
  readonly rows: readonly InboxRow[]
  /** Where the next part begins; null on the last. */
  readonly next: number | null
}

export interface Inbox {
  /** The suppliers of all agreements. */
  readonly suppliers: readonly SupplierChoice[]
  /** How much there is, over all parts; exact. */
  readonly counts: WaitingCounts
  readonly mine: InboxPage
  readonly others: InboxPage
  /** Agreements that still have to be computed: ask again in a moment. */
  readonly pending: number
}

/** What both have signed recently, the newest first. */
export interface RecentlySigned {
  readonly rows: readonly SignedRow[]
  readonly pending: number
}

/** A period that is signed with others, under the hash that stands for its number. */
export interface PeriodToSignNow extends InboxPeriod {
  readonly hash: string
}

/** An agreement as it is shown before its periods are signed. */
export interface AgreementToSign extends Omit<PeriodsRow, 'periods' | 'as'> {
  readonly as: Party
  readonly periods: readonly PeriodToSignNow[]
}

/** Some of the agreements that were asked for; those that cannot be signed now have a reason. */
export interface ToSign {
  readonly agreements: readonly AgreementToSign[]
  readonly refused: readonly RefusedAgreement[]
  readonly datedTerms: DatedTerms
}

export interface RefusedAgreement {
  readonly slug: string
  readonly name: string
  readonly why: string
}

/** Each agreement is signed whole or not at all. */
export interface SignedSome {
  readonly signed: readonly { readonly slug: string; readonly periods: number }[]
  readonly refused: readonly RefusedAgreement[]
}

/** Where the browser goes to sign. */
export interface SigningVisit {
  readonly url: string
}

/** What came of a visit to the provider: each thing is signed or refused by itself. */
export interface VisitOutcome {
  readonly signed: number
  readonly refused: readonly { readonly name: string; readonly why: string }[]
}

/** What one touch of a passkey signed, to be named by the requests that follow. */
export interface OpenedBatch {
  readonly id: string
}
