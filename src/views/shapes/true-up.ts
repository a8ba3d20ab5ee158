// What the pages about revisions, corrections and ledgers are given.

import type { SignKind } from '../../core/parties.ts'
import type { PresentedLedger } from '../../core/true-up/ledger-view.ts'
import type { ShownCorrection } from '../../read/agreements/correction-view.ts'
import type { LedgerGroup } from '../../read/ledger-groups.ts'
import type { Party, WorkedStep } from './agreements.ts'
import type { NoteLackView } from './billing.ts'
import type { KindCounts, MoneyFlow, MoneyMoved, RevisionRow } from './revision-rows.ts'
import type { Signatures, Signers } from './signatures.ts'

/** An index value, and everything that it moved. */
export interface RevisionCause {
  /** Names it in a request. */
  readonly key: string
  /** Null for what no single figure explains. */
  readonly figure: {
    readonly series: string
    /** Null for a series that this person does not see. */
    readonly seriesId: string | null
    readonly name: string
    readonly period: string
    readonly before: string | null
    /** Null where it was withdrawn. */
    readonly after: string | null
    readonly tag: string | null
  } | null
  /** When the newest of it was recorded. */
  readonly at: string
  readonly agreements: number
  readonly kinds: KindCounts
  readonly money: MoneyMoved
}

/** What has to be said of a list that is computed in the background. */
interface Unfinished {
  /** Agreements that are being computed: what is shown of them is what was last known, or nothing. */
  readonly updating: number
  /** Agreements that are too much to compute with others; their own pages have their numbers. */
  readonly leftOut: readonly { readonly slug: string; readonly name: string }[]
}

export interface Revisions extends Unfinished {
  /** What is shown: what was published after the first and by the second. */
  readonly since: string
  readonly until: string
  /** Until when this person has marked everything as seen; null where they have not. */
  readonly seenUntil: string | null
  /** Of the cause that is asked for, or of all. */
  readonly rows: readonly RevisionRow[]
  /** Of all rows, those shown included. */
  readonly count: number
  /** How many there are of each kind, before filtering. */
  readonly kinds: KindCounts
  /** How many agreements they are about. */
  readonly agreements: number
  /** Those with something due first, then by how many agreements they moved; the list may be shorter than `causeCount`. */
  readonly causes: readonly RevisionCause[]
  readonly causeCount: number
  readonly money: MoneyMoved
  /** Whether this person may propose corrections of some of it. */
  readonly mayPropose: boolean
  readonly next: number | null
}

export interface DueCorrection {
  readonly slug: string
  readonly name: string
  readonly buyer: string
  readonly supplier: string
  /** The side that this person signs for; null where they only propose. */
  readonly as: Party | null
  readonly periods: readonly string[]
  /** How much more the buyer pays; null where no quantities are known. */
  readonly net: string | null
  readonly currency: string | null
  readonly hash: string
}

export interface DueCorrections extends Unfinished {
  /** The largest amounts first. */
  readonly rows: readonly DueCorrection[]
  readonly flows: readonly MoneyFlow[]
  /** How many are sent together at most. */
  readonly together: number
}

export interface ProposedMany {
  readonly proposed: readonly { readonly slug: string; readonly id: string; readonly state: ShownCorrection['state'] }[]
  readonly failed: readonly { readonly slug: string; readonly why: string }[]
}

export interface LedgersPage extends Unfinished {
  /** What each owes to each, by currency. */
  readonly groups: readonly LedgerGroup[]
  /** Agreements with a price, whether or not anything is owed under them. */
  readonly count: number
  readonly mayPropose: boolean
}

/** A period of a correction with both calculations. */
export interface CorrectedSheets {
  readonly period: string
  readonly adjustmentDate: string
  /** Null where only the base of a price moved. */
  readonly before: SheetView | null
  readonly after: SheetView | null
  /** Which of the two is what both have settled on now; null: neither, because another correction came since. */
  readonly settled: 'before' | 'after' | null
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
  readonly agreement: { readonly slug: string; readonly name: string; readonly unit: string | null }
  readonly correction: ShownCorrection
  /** Why it is proposed, or was, in a sentence or two. */
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
    /** The ways in which the contract may be signed, the strictest first; left out: any. */
    readonly signWith?: readonly SignKind[]
    /** Whether they may waive the money, or issue a note. */
    readonly mayWaive: boolean
    readonly mayNote: boolean
  }
  /** What electronic and printed notes of it lack; null where it is not billed by notes, or not yet. */
  readonly noteLacks: readonly NoteLackView[] | null
  /** The parts whose notes name the parties already: they are written again as they were, whatever is kept now. */
  readonly wholeNotes: readonly number[]
}

export interface LedgerPage {
  /** Who owes whom, in a sentence. */
  readonly sentence: string
  readonly sides: { readonly buyer: string; readonly supplier: string }
  readonly agreement: { readonly slug: string; readonly name: string }
  readonly ledger: PresentedLedger
  /** As of when; null: now. */
  readonly knownAt: string | null
  /** The lines of invoices, by the id that entries have as their subject. */
  readonly lines: Readonly<Record<string, InvoiceLineName>>
  /** The newest first. */
  readonly corrections: readonly ShownCorrection[]
  /** Why nothing is proposed now; null where something is due or waits to be signed. */
  readonly whyNot: string | null
  readonly mayPropose: boolean
  readonly hasPolicy: boolean
}

interface InvoiceLineName {
  readonly invoice: string
  readonly line: string
  readonly supplier: string
}
