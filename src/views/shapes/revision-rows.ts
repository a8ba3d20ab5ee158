// Rows of revisions, and the money in moved signed periods, for the pages.
import type { PolicyState } from '../../core/true-up/correction.ts'
import type { RadarKind } from '../../core/true-up/radar.ts'
import type { ShownCorrection } from '../../read/agreements/correction-view.ts'
import type { RadarRow } from '../../read/radar.ts'

/** A row of the radar with the names and links of a page. */
export interface RevisionRow extends RadarRow {
  /** Name of the agreement, and unit of its price. */
  readonly name: string
  readonly unit: string | null
  /**
   * The proposal that covers what both have not agreed on or, where nothing of that is left, the last agreed one; null where there
   * is none.
   */
  readonly correction: { readonly id: string; readonly state: ShownCorrection['state'] } | null
  /** Agreed parts of the amount, by correction, and the rest of it; null where nothing is left. */
  readonly agreed: readonly { readonly id: string; readonly amount: string | null }[]
  readonly left: { readonly amount: string | null } | null
}

/** Number of periods of each kind. */
export type KindCounts = Readonly<Partial<Record<RadarKind, number>>>

/** Fate of a moved signed period: by the contract, or by a correction that covers it. */
export type MoneyState = PolicyState | 'PROPOSED' | 'AGREED' | 'WAIVED'

/** Payment from one side to the other. */
export interface MoneyFlow {
  readonly from: string
  readonly to: string
  /** Never negative. */
  readonly amount: string
  readonly currency: string
}

/** Money in moved signed periods, by their fate, the largest flows first. */
export type MoneyMoved = readonly {
  readonly state: MoneyState
  readonly agreements: number
  /** Number of these without a known quantity. */
  readonly withoutAmount: number
  readonly flows: readonly MoneyFlow[]
}[]
