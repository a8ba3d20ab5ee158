// Wire types of the console: the inbox, one row for each open thing, and the lists before many are signed.
import type { ShownStep, StepFromSettled } from '../../core/prices/shown-step.ts'
import type { ChangeOfTerms } from '../../core/true-up/change-kinds.ts'
import type { DatedTerms, Party, SignedRow, WaitingCounts } from './agreements.ts'
import type { SideView, SupplierChoice } from './parties.ts'

/** Filters by the state of a row. */
export const inboxStates = ['UNSIGNED', 'COUNTERSIGN', 'DISPUTED', 'MOVED'] as const
export type InboxState = (typeof inboxStates)[number]

export interface InboxRowHead {
  readonly slug: string
  readonly name: string
  readonly supplier: SideView
  readonly currency: string | null
  /** Side that the person who asks signs for; null if it waits for somebody else. */
  readonly as: Party | null
}

/** Reason why a side for which something waits does not sign it now. */
export interface Hindrance {
  readonly words: string
  /** True where the side has to agree to terms first, which the agreement's versions show. */
  readonly isConsent: boolean
}

/** An open period of an agreement, and its step. */
export interface InboxPeriod extends ShownStep {
  readonly period: string
  readonly date: string
  /** Percent by the contract. Null for the one period after a price of 0, and where the number takes long to compute. */
  readonly adjustmentPct: string | null
  /** Settled price, and the change from it. */
  readonly settled: string | null
  readonly paidPct: string | null
  /** Extra cost of its quantities over the price before its step, and over the settled price; null where no quantity is known. */
  readonly effect: string | null
  readonly paidEffect: string | null
  readonly waitsFor: readonly Party[]
  readonly isDisputed: boolean
  /** Whether a party that has to sign it signed another proposal before. */
  readonly hasMoved: boolean
}

/** The open periods of an agreement that wait for the same people. */
export interface PeriodsRow extends InboxRowHead {
  readonly kind: 'periods'
  /** Unit of the price: `t`. */
  readonly unit: string | null
  /** Change between the settled price and the last step; null where that step goes from it. */
  readonly ground: StepFromSettled | null
  /** Sorted by date; never empty. */
  readonly periods: readonly InboxPeriod[]
  /** True where its numbers take long to compute: the periods are the calendar's, with numbers once it is opened. */
  readonly isByCalendar: boolean
  /** Reason for a delay; null where a side that has not signed can sign. */
  readonly hindrance: Hindrance | null
}

/** A proposal signed as one thing. */
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
  /** For a splice: the series that ends and the one that takes its place; else empty. */
  readonly series: readonly string[]
  /** Id shared by changes that were offered together; null for a single one. */
  readonly offer: string | null
}

/** A proposed correction of signed periods. */
export interface CorrectionRow extends ProposalRowHead {
  readonly kind: 'correction'
  /** Number of periods it corrects. */
  readonly periods: number
  /** Amount between the parties; null where neither lines nor quantities are kept. */
  readonly net: string | null
  readonly waived: boolean
}

export type ProposalRow = CorrectionRow | ChangeRow

/** Everything that can wait for a signature. */
export type InboxRow = PeriodsRow | ProposalRow

/** A part of one list, the oldest first. */
export interface InboxPage {
  readonly rows: readonly InboxRow[]
  /** Start of the next part; null on the last. */
  readonly next: number | null
}

export interface Inbox {
  /** Suppliers of all agreements. */
  readonly suppliers: readonly SupplierChoice[]
  /** Exact counts over all parts. */
  readonly counts: WaitingCounts
  readonly mine: InboxPage
  readonly others: InboxPage
  /** Agreements that still have to be computed: ask again in a moment. */
  readonly pending: number
}

/** Periods that both have signed recently, the newest first. */
export interface RecentlySigned {
  readonly rows: readonly SignedRow[]
  readonly pending: number
}

/** A period that is signed with others, under the hash that stands for its number. */
export interface PeriodToSignNow extends InboxPeriod {
  readonly hash: string
}

/** An agreement in the list before its periods are signed. */
export interface AgreementToSign extends Omit<PeriodsRow, 'periods' | 'as'> {
  readonly as: Party
  readonly periods: readonly PeriodToSignNow[]
}

/** Requested agreements; those that cannot be signed now have a reason. */
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

/** Address where the browser goes to sign. */
export interface SigningVisit {
  readonly url: string
}

/** Outcome of a visit to the provider: each thing is signed or refused by itself. */
export interface VisitOutcome {
  readonly signed: number
  readonly refused: readonly { readonly name: string; readonly why: string }[]
}

/** Signatures by one touch of a passkey, for later requests to name. */
export interface OpenedBatch {
  readonly id: string
}
