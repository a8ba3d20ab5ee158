// What is asked for when a splice is proposed: the agreement as it stands, the two series, the method and what was agreed about it.
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
  /** As formulas name it. */
  readonly old: string
  readonly successor: SeriesHistory
  /** Null: every input that reads the old series. */
  readonly inputs: readonly string[] | null
  readonly ground: SpliceReason
  readonly method: SpliceMethod
  /** Null: that which keeps the prices. */
  readonly direction: Direction | null
  /** Null: the last common periods. */
  readonly window: { readonly from: string; readonly until: string } | null
  /** With POINT: the common period; null: the last. */
  readonly point: string | null
  readonly rounding: Rounding | null
  /** With PUBLISHED. */
  readonly published: (PublishedCoefficient & { readonly source: string }) | null
  /** The last period read from the old series; null: the last it has that the new one has reached. */
  readonly join: string | null
  /** With RELEVEL: a period of the new series, or a number; null: the same period, or computed from the overlap. */
  readonly base: string | null
  readonly waitFinal: boolean
  readonly candidates: readonly Candidate[]
}
