// Wire types of the console: causes why a signed number would be different today.
import type { Share } from '../../core/true-up/causes.ts'
import type { OriginView, VersionTag } from './series.ts'

/** `earlier`: the signed number continues from earlier signed ones, today's comes from data alone. */
export type CauseKind = 'figures' | 'version' | 'earlier'

/** Causes of a difference; the parts add up to it. */
export interface CausesView {
  readonly earlier: Share | null
  /** Figures by the time they were recorded; at most 20. */
  readonly figures: readonly ChangedFigureView[]
  /** The changed figures beyond those listed. */
  readonly more: (Share & { readonly count: number }) | null
  readonly versions: (Share & { readonly since: readonly NewerVersion[] }) | null
}

/** A version saved after the number was signed. */
interface NewerVersion {
  readonly version: number
  readonly createdBy: string
  readonly recordedAt: string
}

/** A figure behind a number that moved. */
export interface MovedFigureView {
  readonly reference: string
  readonly seriesId: string | null
  readonly name: string
  readonly period: string
  /** Null where there was no value. */
  readonly before: string | null
  /** Null where the value was withdrawn. */
  readonly after: string | null
  readonly tag: VersionTag | null
  readonly publishedAt: string
  readonly recordedAt: string | null
  readonly origin: OriginView
}

export interface ChangedFigureView extends Share, MovedFigureView {}
