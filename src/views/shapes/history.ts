// Wire types of the console: every number proposed for a period, and the days on which something could change.

import type { Party } from '../../core/parties.ts'
import type { MovedFigureView } from './causes.ts'

/** Everything that happened to one period, the newest first. */
export interface ProposalHistory {
  readonly events: readonly ProposalEvent[]
  /** Whether earlier numbers are missing, because there were too many moments to look at. */
  readonly isCut: boolean
}

export type ProposalEvent = ProposedEvent | SignedEvent | SettingEvent

/** A number was proposed, or the previous one no longer exists. */
export interface ProposedEvent {
  readonly kind: 'proposed'
  readonly at: string
  /** Null if there was no number; `whyNot` then has the reason. */
  readonly number: ProposedNumber | null
  readonly whyNot: string | null
  /** Differences from the number before; null where there was none, or one has no percent or price. */
  readonly points: string | null
  readonly money: string | null
  readonly causes: ProposalCausesView
}

interface ProposedNumber {
  /** Null for the one period after a price of 0. */
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly price: string | null
  readonly formulaVersion: number
}

export interface ProposalCausesView {
  /** The adjustment date came. */
  readonly isDate: boolean
  /** At most 20 figures. */
  readonly figures: readonly MovedFigureView[]
  readonly moreFigures: number
  readonly versions: readonly { readonly version: number; readonly createdBy: string }[]
  /** Earlier periods that both sides had signed: the number continues from theirs. */
  readonly signed: readonly string[]
}

/** A side signed the number that was proposed then. */
interface SignedEvent {
  readonly kind: 'signed'
  readonly at: string
  readonly party: Party
  readonly name: string
  readonly adjustmentPct: string | null
}

/** A change other than of the formula: it affects no number, but may change who signs. */
interface SettingEvent {
  readonly kind: 'setting'
  readonly at: string
  readonly words: string
}

/** Days on which something that an agreement reads was published or recorded, from the start of its contract on. */
export interface AgreementMoments {
  readonly published: readonly MomentDay[]
  /** Days on which figures, versions and signatures were recorded here. */
  readonly recorded: readonly MomentDay[]
}

export interface MomentDay {
  /** `YYYY-MM-DD` */
  readonly day: string
  /** Whether a figure was revised, a version saved or a number signed; false where only new periods came. */
  readonly isRevision: boolean
}

/** Last look of the person who asks at the period, and the number they saw. */
export interface LastLookView {
  readonly at: string
  readonly hash: string
}
