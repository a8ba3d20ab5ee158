// Wire types of the console: revisions, corrections and ledgers.

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
  /** Name of the cause in a request. */
  readonly key: string
  /** Null where no single figure explains the moves. */
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
  /** Recording instant of the newest move. */
  readonly at: string
  readonly agreements: number
  readonly kinds: KindCounts
  readonly money: MoneyMoved
}

/** Notes on a list that is computed in the background. */
interface Unfinished {
  /** Number of agreements being computed: they have their last known rows, or none. */
  readonly updating: number
  /** Agreements too heavy to compute with others; their own pages have their numbers. */
  readonly leftOut: readonly { readonly slug: string; readonly name: string }[]
}

export interface Revisions extends Unfinished {
  /** Shown publications: after `since` and up to `until`. */
  readonly since: string
  readonly until: string
  /** Instant up to which this person has marked everything as seen; null where they have not. */
  readonly seenUntil: string | null
  /** Rows of the requested cause, or of all. */
  readonly rows: readonly RevisionRow[]
  /** Number of all rows, those shown included. */
  readonly count: number
  /** Number of each kind, before filtering. */
  readonly kinds: KindCounts
  /** Number of their agreements. */
  readonly agreements: number
  /** Causes with something due first, then by number of moved agreements; the list may be shorter than `causeCount`. */
  readonly causes: readonly RevisionCause[]
  readonly causeCount: number
  readonly money: MoneyMoved
  /** Whether this person may propose some corrections. */
  readonly mayPropose: boolean
  readonly next: number | null
}

export interface DueCorrection {
  readonly slug: string
  readonly name: string
  readonly buyer: string
  readonly supplier: string
  /** Side that this person signs for; null where they only propose. */
  readonly as: Party | null
  readonly periods: readonly string[]
  /** Extra payment of the buyer; null where no quantities are known. */
  readonly net: string | null
  readonly currency: string | null
  readonly hash: string
}

export interface DueCorrections extends Unfinished {
  /** Sorted, the largest amounts first. */
  readonly rows: readonly DueCorrection[]
  readonly flows: readonly MoneyFlow[]
  /** Most corrections sent together. */
  readonly together: number
}

export interface ProposedMany {
  readonly proposed: readonly { readonly slug: string; readonly id: string; readonly state: ShownCorrection['state'] }[]
  readonly failed: readonly { readonly slug: string; readonly why: string }[]
}

export interface LedgersPage extends Unfinished {
  /** Debts between buyer and supplier, by currency. */
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
  /** Calculation that both have settled on now; null: neither, because another correction came since. */
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
  /** `unit` of its price. */
  readonly agreement: { readonly slug: string; readonly name: string; readonly unit: string | null }
  readonly correction: ShownCorrection
  /** Reason of the proposal, in a sentence or two. */
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
    /** Side the person may sign or refuse for now; null where they cannot. */
    readonly as: Party | null
    readonly whyNot: string | null
    /** Kinds of signatures the contract accepts, the strictest first; left out: any. */
    readonly signWith?: readonly SignKind[]
    /** Whether they may waive the money, or issue a note. */
    readonly mayWaive: boolean
    readonly mayNote: boolean
  }
  /** Missing details of its electronic and printed notes; null where it is not billed by notes, or not yet. */
  readonly noteLacks: readonly NoteLackView[] | null
  /** Parts whose notes already contain the parties' details: they are written again unchanged, whatever details are stored now. */
  readonly wholeNotes: readonly number[]
}

export interface LedgerPage {
  /** Debtor and creditor, in a sentence. */
  readonly sentence: string
  readonly sides: { readonly buyer: string; readonly supplier: string }
  readonly agreement: { readonly slug: string; readonly name: string }
  readonly ledger: PresentedLedger
  /** Instant of the ledger; null: now. */
  readonly knownAt: string | null
  /** Lines of invoices, by the id that entries have as their subject. */
  readonly lines: Readonly<Record<string, InvoiceLineName>>
  /** Sorted, the newest first. */
  readonly corrections: readonly ShownCorrection[]
  /** Reason for no proposal now; null where something is due or waits to be signed. */
  readonly whyNot: string | null
  readonly mayPropose: boolean
  readonly hasPolicy: boolean
}

interface InvoiceLineName {
  readonly invoice: string
  readonly line: string
  readonly supplier: string
}
