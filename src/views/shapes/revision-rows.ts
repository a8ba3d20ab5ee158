// Rows of revisions, and what signed periods that moved come to in money, as the pages are given them.
import type { PolicyState } from '../../core/true-up/correction.ts'
import type { RadarKind } from '../../core/true-up/radar.ts'
import type { ShownCorrection } from '../../read/agreements/correction-view.ts'
import type { RadarRow } from '../../read/radar.ts'

/** A row of the radar with what a page needs to say and open. */
export interface RevisionRow extends RadarRow {
  /** Of the agreement, and what its price is for. */
  readonly name: string
  readonly unit: string | null
  /**
   * The proposal that covers what both have not agreed on, or where nothing of that is left, what they agreed on last; null
   * where there is none.
   */
  readonly correction: { readonly id: string; readonly state: ShownCorrection['state'] } | null
  /** What both have agreed on of the amount, by correction, and what is left of it: null where nothing is. */
  readonly agreed: readonly { readonly id: string; readonly amount: string | null }[]
  readonly left: { readonly amount: string | null } | null
}

/** How many periods there are of each kind. */
export type KindCounts = Readonly<Partial<Record<RadarKind, number>>>

/** What becomes of a signed period that moved: by the contract, or by a correction that covers it. */
export type MoneyState = PolicyState | 'PROPOSED' | 'AGREED' | 'WAIVED'

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
