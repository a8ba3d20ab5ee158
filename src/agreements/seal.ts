// The installation's seal: an Ed25519 signature on the receipts it issues, and with it the seals on the rows it stores. The
// keys are derived from the server's secret, so they are the same after a restart or a restore, and nothing else has to
// be stored.
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { ChangeReceipt } from '../core/index-changes/change-receipt.ts'
import { type Receipt, type Signature, sealedHash } from '../core/receipt/receipt.ts'
import type { CorrectionReceipt } from '../core/true-up/correction-receipt.ts'
import { RowSeals } from '../storage/log/row-seals.ts'
import { chainKeyOf, deriveKey } from '../storage/log/secret.ts'

// The fixed beginnings of a 32-byte Ed25519 key in PKCS #8 and in SubjectPublicKeyInfo.
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex')

export class Seal {
  readonly #privateKey: KeyObject
  /** Base64url, 32 bytes. */
  readonly publicKey: string
  readonly rows: RowSeals

  constructor(secret: string) {
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
  issue({ hash, body, signatures, objections: all = [] }: Omit<Receipt, 'seal'>): Receipt {
    const objections = all.length === 0 ? {} : { objections: all }
    return { hash, body, signatures, ...objections, seal: this.sign(sealedHash({ hash, signatures, ...objections })) }
  }

  /** The receipt of a correction, with the receipts it names. */
  issueCorrection(receipt: Omit<CorrectionReceipt, 'seal'>): CorrectionReceipt {
    return { ...receipt, seal: this.#signProposal(receipt) }
  }

  /** The receipt of a change of terms. */
  issueChange(receipt: Omit<ChangeReceipt, 'seal'>): ChangeReceipt {
    return { ...receipt, seal: this.#signProposal(receipt) }
  }

  #signProposal({ hash, signatures }: Pick<ChangeReceipt, 'hash' | 'signatures'>): Signature {
    return this.sign(sealedHash({ hash, signatures }))
  }
}
