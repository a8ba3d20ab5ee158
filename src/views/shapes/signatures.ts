// Wire types of the console: signatures as the pages show them, and where their signers come from.

import type { Party } from '../../core/parties.ts'
import type { SignatureMeans } from '../../core/receipt/party-signature.ts'
import type { Instant } from '../../core/time/instant.ts'

export type Signatures = BySide<SignatureView | null>

export interface SignatureView {
  readonly email: string
  readonly name: string
  readonly signedAt: string
  /** `OPERATOR`: signed by command, in the person's name. */
  readonly means: SignatureMeans
}

/** In phrases: who let them in, when they joined, when their key was registered. Empty where nobody signed. */
export type Signers = BySide<readonly string[]>

type BySide<T> = Readonly<Record<Party, T>>

export interface SlipsView {
  /** One slip after the other; null where there is none. */
  readonly file: { readonly name: string; readonly text: string } | null
  readonly count: number
  /** The checkpoint they end in, with its signatures: a browser keeps the newest. */
  readonly checkpoint: string | null
  /** Why there are none, where something was signed. */
  readonly missing: string | null
}

/** What every signature is answered with, beside what the page shows. */
export interface WithSlips {
  readonly slips: SlipsView
}

/** How the log grew out of a checkpoint that a browser has kept. */
export interface LogGrowth {
  readonly origin: string
  /** The newest, with the signatures there are; null where there is none. */
  readonly checkpoint: string | null
  /** Base64; null where the log is smaller than what was kept. */
  readonly proof: readonly string[] | null
  /** Where the log was started again since: as which origin, and why, as the operator put it. */
  readonly forked: string | null
}

/** How the public log stands, as the page Proof shows it. */
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
