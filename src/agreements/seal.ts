// The installation's seal: an Ed25519 signature on the receipts it issues, and with it the seals on the rows it stores. All keys
// are derived from the server's secret, so they are the same after a restart or a restore, and nothing else has to be stored.
import { type KeyObject, sign } from 'node:crypto'
import type { ChangeReceipt } from '../core/index-changes/change-receipt.ts'
import { type PartySignature, signatureShownAt } from '../core/receipt/party-signature.ts'
import { type Receipt, type Signature, sealedHash } from '../core/receipt/receipt.ts'
import { type Instant, parseInstant } from '../core/time/instant.ts'
import type { CorrectionReceipt } from '../core/true-up/correction-receipt.ts'
import type { KeyRing } from '../storage/keys/key-ring.ts'
import { receiptKeyOf, receiptSignerOf } from '../storage/keys/receipt-key.ts'
import { RowSeals } from '../storage/log/row-seals.ts'

interface ReceiptSigner {
  readonly key: KeyObject
  readonly publicKey: string
}

export class Seal {
  readonly #ring: KeyRing
  readonly #now: () => Instant
  /** Signers by the id of the secret. */
  readonly #signers = new Map<string, ReceiptSigner>()
  readonly rows: RowSeals

  constructor(ring: KeyRing, now: () => Instant = () => parseInstant(new Date().toISOString())!) {
    this.#ring = ring
    this.#now = now
    this.rows = new RowSeals(ring)
  }

  /** Public key of the current secret: base64url, 32 bytes. */
  get publicKey(): string {
    return this.#signer.publicKey
  }

  get #signer(): ReceiptSigner {
    const id = this.#ring.currentId
    const known = this.#signers.get(id)
    if (known !== undefined) return known
    const signer = { key: receiptSignerOf(this.#ring, id), publicKey: receiptKeyOf(this.#ring, id) }
    this.#signers.set(id, signer)
    return signer
  }

  sign(hash: string): Signature {
    const { key, publicKey } = this.#signer
    const value = sign(null, Buffer.from(hash), key).toString('base64url')
    return { algorithm: 'Ed25519', publicKey, value }
  }

  issue({ hash, body, signatures: given, objections: all = [] }: Omit<Receipt, 'seal'>): Receipt {
    const signatures = this.#shown(given)
    const objections = all.length === 0 ? {} : { objections: all }
    return { hash, body, signatures, ...objections, seal: this.sign(sealedHash({ hash, signatures, ...objections })) }
  }

  issueCorrection(receipt: Omit<CorrectionReceipt, 'seal'>): CorrectionReceipt {
    return this.#sealProposal(receipt)
  }

  issueChange(receipt: Omit<ChangeReceipt, 'seal'>): ChangeReceipt {
    return this.#sealProposal(receipt)
  }

  #sealProposal<T extends Pick<ChangeReceipt, 'hash' | 'signatures'>>(receipt: T) {
    const { hash, signatures: given } = receipt
    const signatures = this.#shown(given)
    return { ...receipt, signatures, seal: this.sign(sealedHash({ hash, signatures })) }
  }

  /** Nothing leaves the installation unsealed, so this is where a token that is still valid is left out. */
  #shown(signatures: readonly PartySignature[]): readonly PartySignature[] {
    const now = this.#now()
    return signatures.map(each => signatureShownAt(each, now))
  }
}
