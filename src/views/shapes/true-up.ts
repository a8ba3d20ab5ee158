// What the pages about revisions, corrections and ledgers are given.
import type { PolicyState } from '../../core/true-up/correction.ts'
import type { PresentedLedger } from '../../core/true-up/ledger-view.ts'
import type { RadarKind } from '../../core/true-up/radar.ts'
import type { ShownCorrection } from '../../read/agreements/correction-view.ts'
import type { RadarRow } from '../../read/radar.ts'
import type { Party, WorkedStep } from './agreements.ts'
import type { Signatures, Signers } from './signatures.ts'

/** A row of the radar with what a page needs to say and open. */
export interface RevisionRow extends RadarRow {
  /** Of the agreement, and what its price is for. */
  readonly name: string
  readonly unit: string | null
  /** The proposal or agreed correction that covers the period; null where there is none. */
  readonly correction: { readonly id: string; readonly state: ShownCorrection['state'] } | null
}

/** How many periods there are of each kind. */
export type KindCounts = Readonly<Partial<Record<RadarKind, number>>>

/** What becomes of a signed period that moved: by the contract, or by a correction that covers it. */
export type MoneyState = PolicyState | 'PROPOSED' | 'AGREED'

/** Who pays whom. */
export interface MoneyFlow {
  readonly from: string
  readonly to: string
  /** Never negative. */
  readonly amount: string
  readonly currency: string
}

/** What signed periods that moved come to, by what becomes of them, the largest flows first. */
export type MoneyMoved = readonly {
  readonly state: MoneyState
  readonly agreements: number
  /** Of these, those of which no quantity is known. */
  readonly withoutAmount: number
  readonly flows: readonly MoneyFlow[]
}[]

export interface Revisions {
  /** What is shown: what was published after the first and by the second. */
  readonly since: string
  readonly until: string
  /** Until when this person has marked everything as seen; null where they have not. */
  readonly seenUntil: string | null
  readonly rows: readonly RevisionRow[]
  /** Of all rows, those shown included. */
  readonly count: number
  /** How many there are of each kind, before filtering. */
  readonly kinds: KindCounts
  /** How many agreements they are about. */
  readonly agreements: number
  readonly next: number | null
}

/** A period of a correction with both calculations. */
export interface CorrectedSheets {
  readonly period: string
  readonly adjustmentDate: string
  /** Null where only the base of a price moved. */
  readonly before: SheetView | null
  readonly after: SheetView | null
}

export interface SheetView {
  readonly hash: string
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly price: string | null
  readonly steps: readonly WorkedStep[]
}

export interface CorrectionPage {
  /** `unit`: what its price is for. */
  readonly formula: { readonly slug: string; readonly name: string; readonly unit: string | null }
  readonly correction: ShownCorrection
  /** Why it is proposed, in a sentence or two. */
  readonly sentence: string
  readonly sheets: readonly CorrectedSheets[]
  readonly lines: readonly {
    readonly supplier: string | null
    readonly invoice: string | null
    readonly line: string | null
    readonly item: string
    readonly period: string
    readonly quantity: string
    readonly amountBefore: string
    readonly amountAfter: string
    readonly amount: string
  }[]
  readonly signatures: Signatures
  readonly signers: Signers
  readonly signing: {
    /** The side the person may sign or refuse for now; null where they cannot. */
    readonly as: Party | null
    readonly whyNot: string | null
    /** Whether they may waive the money, or issue a note. */
    readonly mayWaive: boolean
    readonly mayNote: boolean
  }
}

export interface LedgerPage {
  readonly formula: { readonly slug: string; readonly name: string }
  readonly ledger: PresentedLedger
  /** As of when; null: now. */
  readonly knownAt: string | null
  /** What each line of an invoice is called, by the id that entries have as their subject. */
  readonly lines: Readonly<Record<string, string>>
  /** The newest first. */
  readonly corrections: readonly ShownCorrection[]
  /** Why nothing is proposed now; null where something is due or waits to be signed. */
  readonly whyNot: string | null
  readonly mayPropose: boolean
  readonly hasPolicy: boolean
}

export interface NoteDocument {
  readonly number: string
  readonly amount: string
  readonly currency: string
  readonly fileName: string
  readonly text: string
}
