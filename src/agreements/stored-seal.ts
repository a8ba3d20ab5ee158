// Whether a receipt that is stored is the one that was signed, sealed by this installation. For the check of the chain,
// which knows nothing of seals itself.
import { hashOf, type Receipt } from '../core/receipt.ts'
import type { SealCheck } from '../storage/chain.ts'
import { isSealed, type Seal } from './seal.ts'

export function sealCheckOf({ publicKey }: Pick<Seal, 'publicKey'>): SealCheck {
  return ({ receiptHash, receipt }) => {
    const { hash, body, signature } = JSON.parse(receipt) as Receipt
    if (hash !== receiptHash || hashOf(body) !== hash) return 'it is not the one whose hash was signed'
    if (signature === null || !isSealed(hash, signature)) return 'its seal does not hold'
    return signature.publicKey === publicKey ? null : 'it is sealed with another key than that of this installation'
  }
}
