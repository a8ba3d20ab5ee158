// Wire types of the console: signatures on the pages, and the origins of their signers.

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

/** Phrases about their invitation, joining and key. Empty where nobody signed. */
export type Signers = BySide<readonly string[]>

type BySide<T> = Readonly<Record<Party, T>>

export interface SlipsView {
  /** Slips one after the other; null where there is none. */
  readonly file: { readonly name: string; readonly text: string } | null
  readonly count: number
  /** The checkpoint they end in, with its signatures: a browser keeps the newest. */
  readonly checkpoint: string | null
  /** Reason for no slips, where something was signed. */
  readonly missing: string | null
}

/** Slips in the answer to every signature, beside the page. */
export interface WithSlips {
  readonly slips: SlipsView
}

/** Growth of the log from a checkpoint that a browser has kept. */
export interface LogGrowth {
  readonly origin: string
  /** Newest checkpoint, with its signatures so far; null where there is none. */
  readonly checkpoint: string | null
  /** Base64; null where the log is smaller than the kept checkpoint. */
  readonly proof: readonly string[] | null
  /** New origin of a log that was started again since, with the operator's reason. */
  readonly forked: string | null
}

/** State of the public log for the page Proof. */
export interface ProofPage {
  /** Name of the log; null where nothing was signed in it yet. */
  readonly origin: string | null
  /** Keys in the form that people pass on. */
  readonly keys: readonly string[]
  readonly stopped: string | null
  readonly checkpoint: { readonly note: string; readonly size: number; readonly madeAt: Instant } | null
  /** Witnesses that are asked, and those that have signed. */
  readonly witnesses: readonly {
    readonly name: string
    /** Null for a witness that is not asked any more. */
    readonly key: string | null
    /** Null for a witness that has signed nothing yet. */
    readonly last: { readonly size: number; readonly at: Instant } | null
  }[]
  readonly stamps: readonly { readonly authority: string; readonly size: number; readonly at: Instant }[]
  /** Number of this person's signatures here. */
  readonly signatures: number
}
