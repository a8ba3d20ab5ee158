// The installation's seal: an Ed25519 signature on the receipts it issues, and with it the seals on the rows it stores. The
// keys are derived from the server's secret, so they are the same after a restart or a restore, and nothing else has to
// be stored.
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { ChangeReceipt } from '../core/index-changes/change-receipt.ts'
import { type PartySignature, signatureShownAt } from '../core/receipt/party-signature.ts'
import { type Receipt, type Signature, sealedHash } from '../core/receipt/receipt.ts'
import { type Instant, parseInstant } from '../core/time/instant.ts'
import type { CorrectionReceipt } from '../core/true-up/correction-receipt.ts'
import { RowSeals } from '../storage/log/row-seals.ts'
import { chainKeyOf, deriveKey } from '../storage/log/secret.ts'

// The fixed beginnings of a 32-byte Ed25519 key in PKCS #8 and in SubjectPublicKeyInfo.
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex')

export class Seal {
  readonly #privateKey: KeyObject
  readonly #now: () => Instant
  /** Base64url, 32 bytes. */
  readonly publicKey: string
  readonly rows: RowSeals

  constructor(secret: string, now: () => Instant = () => parseInstant(new Date().toISOString())!) {
    this.#now = now
    const seed = deriveKey(secret, 'receipt seal')
    this.#privateKey = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' })
    const der = createPublicKey(this.#privateKey).export({ format: 'der', type: 'spki' })
    this.publicKey = der.subarray(publicPrefix.length).toString('base64url')
    this.rows = new RowSeals(chainKeyOf(secret))
  }

  sign(hash: string): Signature {
    const value = sign(null, Buffer.from(hash), this.#privateKey).toString('base64url')
    return { algorithm: 'Ed25519', publicKey: this.publicKey, value }
  }

  /** The receipt of a period, with its signatures and the objections that were made. */
  issue({ hash, body, signatures: given, objections: all = [] }: Omit<Receipt, 'seal'>): Receipt {
    const signatures = this.#shown(given)
    const objections = all.length === 0 ? {} : { objections: all }
    return { hash, body, signatures, ...objections, seal: this.sign(sealedHash({ hash, signatures, ...objections })) }
  }

  /** The receipt of a correction, with the receipts it names. */
  issueCorrection(receipt: Omit<CorrectionReceipt, 'seal'>): CorrectionReceipt {
    return this.#sealProposal(receipt)
  }

  /** The receipt of a change of terms. */
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
