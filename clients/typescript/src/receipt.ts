// Whether a receipt can be relied on: everything in it computed again, its seal and its signatures checked. Nothing is sent.

export interface VerifyOptions {
  /** Keys that may have sealed it: `ed25519:…`, or the text of `/.well-known/assize-keys.json` as you saved it. */
  readonly trust?: string | readonly string[]
}

export interface ReceiptVerdict {
  /** It recomputes, nothing was changed, and its seal and signatures are valid. */
  readonly isGood: boolean
  /** What it is a receipt of; null for what cannot be read. */
  readonly kind: 'period' | 'correction' | 'change' | null
  readonly agreement: string | null
  readonly period: string | null
  readonly seal: 'missing' | 'good' | 'bad' | 'unchecked' | null
  /** Whether the seal is by a key of `trust`; `not-compared` without any. */
  readonly trust: 'trusted' | 'other' | 'not-compared' | null
  readonly signatures: readonly {
    readonly party: string
    readonly signedAt: string
    /** Who vouches for it: the signer's registered key, their company's provider, or the operator. */
    readonly whose: 'registered-key' | 'providers-token' | 'operators-word' | 'made-by-operator' | 'nobodys'
    readonly problem: string | null
  }[]
  /** What is wrong with it, the most serious first. */
  readonly problems: readonly string[]
}

/** `receipt`: the text as it was received. Of a receipt that was parsed, digits may be lost: JSON is taken only as text. */
export async function verifyReceipt(receipt: string, options: VerifyOptions = {}): Promise<ReceiptVerdict> {
  const { judge } = await import('./verification.ts')
  return judge(receipt, options)
}
