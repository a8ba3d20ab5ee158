// How something was signed, as it is stored, and what belongs to which agreement: data only.
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
  /** Null for an address that no member has. */
  readonly personId: string | null
  /** As the workspace named the person then; empty where it did not. */
  readonly name: string
  readonly fromAddress: string | null
  readonly means: SignatureMeans
  /** Every period with the hash that was shown, by adjustment date. */
  readonly together: readonly SeenPeriod[]
  /** With `PASSKEY` alone. */
  readonly passkey: PasskeyAssertion | null
  /** With `PROVIDER` alone. The token in it is shown to nobody before it has expired. */
  readonly provider: ProviderProof | null
  /** Where the signer comes from; null for an address that no member has. */
  readonly origin: SignerOrigin | null
  /** Where several agreements were signed by one touch. */
  readonly batch: SigningOfBatch | null
  /** Where the signer was erased since. */
  readonly redacted?: RedactedName
}

/** The place of an act among those that one touch of a passkey, or one sign-in at a provider, signed. */
export interface SigningOfBatch extends SignedBatch {
  readonly id: string
}

/** A row with the id of the agreement it belongs to. */
export type OfAgreement<T> = T & { readonly agreementId: string }
