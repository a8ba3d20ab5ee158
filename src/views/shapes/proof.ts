// How the public log stands, as the page Proof shows it.
import type { Instant } from '../../core/time/instant.ts'

export interface ProofPage {
  /** The name of the log; null where nothing was signed in it yet. */
  readonly origin: string | null
  /** As people pass them on. */
  readonly keys: readonly string[]
  readonly stopped: string | null
  readonly checkpoint: { readonly note: string; readonly size: number; readonly madeAt: Instant } | null
  /** Those that are asked, and those that have signed. */
  readonly witnesses: readonly {
    readonly name: string
    /** Null for one that is not asked any more. */
    readonly key: string | null
    /** Null for one that has signed nothing yet. */
    readonly last: { readonly size: number; readonly at: Instant } | null
  }[]
  readonly stamps: readonly { readonly authority: string; readonly size: number; readonly at: Instant }[]
  /** What this person has signed here. */
  readonly signatures: number
}
