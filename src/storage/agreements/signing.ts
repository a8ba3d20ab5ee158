// The record of an act of signing, and rows with the id of their agreement: data only.
import type { ProviderProof } from '../../core/identity/provider-signature.ts'
import type {
  PasskeyAssertion,
  RedactedName,
  SeenPeriod,
  SignatureMeans,
  SignedBatch,
} from '../../core/receipt/party-signature.ts'
import type { SignerOrigin } from '../../core/receipt/signer-origin.ts'

/** One act of signing, for one period or several. */
export interface Signing {
  /** Account; null for an address that no member has. */
  readonly personId: string | null
  /** The workspace's name of the person then; empty where it had none. */
  readonly name: string
  readonly fromAddress: string | null
  readonly means: SignatureMeans
  /** Every period with the hash that was shown, by adjustment date. */
  readonly together: readonly SeenPeriod[]
  /** Set for `PASSKEY` alone. */
  readonly passkey: PasskeyAssertion | null
  /** Set for `PROVIDER` alone. The token in it is shown to nobody before it has expired. */
  readonly provider: ProviderProof | null
  /** Origin of the signer; null for an address that no member has. */
  readonly origin: SignerOrigin | null
  /** Batch, where one touch signed several agreements. */
  readonly batch: SigningOfBatch | null
  /** Erasure of the signer's name. */
  readonly redacted?: RedactedName
}

/** The place of an act among those that one touch of a passkey, or one sign-in at a provider, signed. */
export interface SigningOfBatch extends SignedBatch {
  readonly id: string
}

/** A row with the id of the agreement it belongs to. */
export type OfAgreement<T> = T & { readonly agreementId: string }
