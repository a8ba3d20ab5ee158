// Corrections that both parties signed, read once from what is stored: the numbers that replace signed ones, and the
// state that unsigned periods continue from. Pure over an agreement's stored rows.
import type { Carried } from '../core/adjustment.ts'
import type { CorrectionBody } from '../core/correction-body.ts'
import { carriedOfCorrection, readCorrectionBody } from '../core/correction-reading.ts'
import type { Instant } from '../core/instant.ts'
import type { SettledNumber } from '../core/prices/agreement.ts'
import { parseExact, type Ratio } from '../core/ratio.ts'
import { isBy } from '../core/vintage.ts'
import type { KeptCorrection } from '../storage/corrections.ts'

/** A correction with both signatures. */
export interface AgreedBody {
  readonly id: string
  /** When the second party signed. */
  readonly agreedAt: Instant
  readonly body: CorrectionBody
  readonly kept: KeptCorrection
}

/** Those of one agreement. Bodies are parsed on first use. */
export class AgreedBodies {
  readonly #kept: readonly KeptCorrection[]
  readonly #read = new Map<string, AgreedBody>()

  constructor(kept: readonly KeptCorrection[]) {
    this.#kept = kept
  }

  /** Agreed by an instant, in that order; null: by now. */
  by(knownAt: Instant | null): readonly AgreedBody[] {
    return this.#kept
      .flatMap(each => {
        const agreedAt = agreedAtOf(each)
        return agreedAt === null || !isBy(agreedAt, knownAt) ? [] : this.#body(each, agreedAt)
      })
      .sort((a, b) => (a.agreedAt === b.agreedAt ? a.kept.seq - b.kept.seq : a.agreedAt < b.agreedAt ? -1 : 1))
  }

  #body(kept: KeptCorrection, agreedAt: Instant): AgreedBody {
    const known = this.#read.get(kept.id)
    if (known !== undefined) return known
    const body = readCorrectionBody(JSON.parse(kept.agreedBody!))
    const read = { id: kept.id, agreedAt, body, kept }
    this.#read.set(kept.id, read)
    return read
  }
}

/** When the second party signed it; null while one is missing. */
export function agreedAtOf({ signatures }: Pick<KeptCorrection, 'signatures'>): Instant | null {
  if (signatures.length < 2) return null
  return signatures
    .map(({ signedAt }) => signedAt)
    .sort()
    .at(-1)!
}

/** The state with which the last of them replaced a signed one. */
export function rebasedBy(agreed: readonly AgreedBody[]): Carried | null {
  const last = agreed.findLast(({ body }) => body.carried !== null)
  return last === undefined ? null : carriedOfCorrection(last.body)
}

export interface CorrectedNumber extends SettledNumber {
  readonly beforeCorrection: Ratio
  /** The last correction that replaced it. */
  readonly correctionId: string
}

/** By the label of the period. */
export function settledBy(agreed: readonly AgreedBody[]): ReadonlyMap<string, CorrectedNumber> {
  const settled = new Map<string, CorrectedNumber>()
  for (const { id, agreedAt, body } of agreed)
    for (const { period, factorBefore, factorAfter, receiptAfter } of body.periods) {
      // If only the base of a price moved, the number of the period is unchanged.
      if (receiptAfter === null) continue
      settled.set(period, {
        factor: parseExact(factorAfter)!,
        status: 'AGREED',
        receiptHash: receiptAfter,
        agreedAt,
        beforeCorrection: parseExact(factorBefore)!,
        correctionId: id,
      })
    }
  return settled
}
