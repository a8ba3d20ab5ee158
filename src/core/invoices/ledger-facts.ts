// The facts from which a ledger is computed, and its postings. Data only.

import type { Ratio } from '../numbers/ratio.ts'
import type { PricedAgreement } from '../prices/agreement.ts'
import type { Instant } from '../time/instant.ts'
import type { BilledLine } from './billed-line.ts'
import type { IssuedNote } from './issued-note.ts'

export const accounts = ['ENTITLED', 'PROVISIONAL', 'BILLED', 'BILLING_DIFF', 'AGREED', 'WAIVED'] as const
export type Account = (typeof accounts)[number]

export const ledgerEvents = [
  'INVOICE_LINE',
  'PERIOD_AGREED',
  'CORRECTION_AGREED',
  'CORRECTION_WAIVED',
  'BILLING_AGREED',
  'BILLING_WAIVED',
  'NOTE_ISSUED',
  'NOTE_MATCHED',
  'NOTE_UNMATCHED',
] as const
export type LedgerEvent = (typeof ledgerEvents)[number]

export type Legs = Readonly<Partial<Record<Account, Ratio>>>

export interface LedgerEntry {
  readonly at: Instant
  readonly event: LedgerEvent
  /** The fact it follows from: a line, a correction, a note. */
  readonly subject: string
  readonly period: string | null
  readonly item: string | null
  readonly currency: string
  /** Legs sum to 0; legs of 0 are left out, and an entry has at least two. */
  readonly legs: Legs
}

/** A correction that both parties signed. */
export interface AgreedCorrection {
  readonly id: string
  readonly agreedAt: Instant
  /** Whether both parties waive the money. */
  readonly isWaiver: boolean
  readonly currency: string
  readonly lines: readonly {
    /** The line; null for a declared quantity. */
    readonly lineId: string | null
    readonly item: string
    readonly period: string
    readonly amount: Ratio
  }[]
}

/** A difference between the billed and the due amount, which both parties agreed to settle or to waive. */
export interface BillingSettlement {
  readonly id: string
  readonly agreedAt: Instant
  readonly isWaiver: boolean
  readonly item: string
  readonly period: string
  readonly amount: Ratio
  readonly currency: string
}

export interface LedgerFacts {
  /** The agreement's currency. Amounts billed in another are accounted for by themselves. */
  readonly currency: string
  readonly lines: readonly BilledLine[]
  /**
   * The states of the agreement as settled, each from an instant on, ascending: one for each agreed period or
   * correction.
   */
  readonly settled: readonly { readonly at: Instant; readonly agreement: PricedAgreement }[]
  readonly corrections: readonly AgreedCorrection[]
  readonly billing: readonly BillingSettlement[]
  readonly notes: readonly IssuedNote[]
}

export type Sums = Readonly<Record<Account, Ratio>>
