// The request for a splice: the agreement as it stands, the two series, the method and its agreed terms.
import type { Rounding } from '../numbers/ratio.ts'
import type { SignedHead } from '../receipt/receipt.ts'
import type { SeriesHistory } from '../series/series.ts'
import type { Direction, PublishedCoefficient } from './index-event.ts'
import type { Timeline } from './splice-effect.ts'
import type { SpliceMethod, SpliceReason } from './splice-schema.ts'

/** Another series that might take the place of one that ends. */
export interface Candidate {
  readonly series: SeriesHistory
  readonly why: string
}

export interface SpliceQuestion extends Timeline {
  readonly head: Omit<SignedHead, 'edition'>
  /** The document of the newest version. */
  readonly text: string
  /** The reference in formulas. */
  readonly old: string
  readonly successor: SeriesHistory
  /** Inputs to splice; null for every input that reads the old series. */
  readonly inputs: readonly string[] | null
  readonly ground: SpliceReason
  readonly method: SpliceMethod
  /** The direction; null for the one that keeps the prices. */
  readonly direction: Direction | null
  /** The window; null for the last common periods. */
  readonly window: { readonly from: string; readonly until: string } | null
  /** The common period for POINT; null for the last one. */
  readonly point: string | null
  readonly rounding: Rounding | null
  /** Given for PUBLISHED. */
  readonly published: (PublishedCoefficient & { readonly source: string }) | null
  /** The last period read from the old series; null for its last one that the new series has reached. */
  readonly join: string | null
  /**
   * The base for RELEVEL: a period of the new series, or a number; null: the input's own period, or computed from the overlap.
   */
  readonly base: string | null
  readonly waitFinal: boolean
  readonly candidates: readonly Candidate[]
}
