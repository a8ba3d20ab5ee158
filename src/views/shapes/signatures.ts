// Wire types of the console: signatures as the pages show them, and where their signers come from.
import type { Party } from '../../core/parties.ts'
import type { SignatureMeans } from '../../core/receipt/party-signature.ts'

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
