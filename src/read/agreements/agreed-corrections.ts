// Corrections that both parties signed, read once from what is stored: the numbers that replace signed ones, and the
// state that unsigned periods continue from. Pure over an agreement's stored rows.

import { parseExact, type Ratio } from '../../core/numbers/ratio.ts'
import type { SettledNumber } from '../../core/prices/agreement.ts'
import { hashOf, type ReceiptBody } from '../../core/receipt/receipt.ts'
import { isBy } from '../../core/series/vintage.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { CorrectionBody } from '../../core/true-up/correction-body.ts'
import { carriedOfCorrection, readCorrectionBody } from '../../core/true-up/correction-parser.ts'
import { type RebasedState, type SettledReceipt, settledReceiptOf } from '../../core/true-up/signed-state.ts'
import type { StoredCorrection } from '../../storage/agreements/corrections.ts'

/** A correction with both signatures. */
export interface AgreedBody {
  readonly id: string
  /** Instant of the second signature. */
  readonly agreedAt: Instant
  readonly body: CorrectionBody
  readonly kept: StoredCorrection
  /** The receipts of the periods it restated, by hash; read on first use. */
  readonly receipts: () => ReadonlyMap<string, ReceiptBody>
}

/** Agreed corrections of one agreement. Bodies are parsed on first use. */
export class AgreedBodies {
  readonly #kept: readonly StoredCorrection[]
  readonly #read = new Map<string, AgreedBody>()

  constructor(kept: readonly StoredCorrection[]) {
    this.#kept = kept
  }

  /** Corrections agreed by an instant, in the order of agreement; null: by now. */
  by(knownAt: Instant | null): readonly AgreedBody[] {
    return this.#kept
      .flatMap(each => {
        const agreedAt = agreedAtOf(each)
        return agreedAt === null || !isBy(agreedAt, knownAt) ? [] : this.#body(each, agreedAt)
      })
      .sort((a, b) => (a.agreedAt === b.agreedAt ? a.kept.seq - b.kept.seq : a.agreedAt < b.agreedAt ? -1 : 1))
  }

  #body(kept: StoredCorrection, agreedAt: Instant): AgreedBody {
    const known = this.#read.get(kept.id)
    if (known !== undefined) return known
    const texts = kept.texts!
    let receipts: ReadonlyMap<string, ReceiptBody> | null = null
    const read = {
      id: kept.id,
      agreedAt,
      body: readCorrectionBody(JSON.parse(texts.body)),
      kept,
      receipts: () => {
        receipts ??= new Map((JSON.parse(texts.receipts) as ReceiptBody[]).map(each => [hashOf(each), each]))
        return receipts
      },
    }
    this.#read.set(kept.id, read)
    return read
  }
}

/** Instant of the second signature; null while one is missing. */
function agreedAtOf({ signatures }: Pick<StoredCorrection, 'signatures'>): Instant | null {
  if (signatures.length < 2) return null
  return signatures
    .map(({ signedAt }) => signedAt)
    .sort()
    .at(-1)!
}

/** The state with which the last correction replaced a signed one. */
export function rebasedBy(agreed: readonly AgreedBody[]): RebasedState | null {
  const last = agreed.findLast(({ body }) => body.carried !== null)
  return last === undefined ? null : { carried: carriedOfCorrection(last.body)!, knownBy: last.kept.recordedAt }
}

/** A number that both agreed in place of the signed one. */
export interface CorrectedNumber extends SettledNumber {
  readonly beforeCorrection: Ratio
  readonly receiptHash: string
  readonly agreedAt: Instant
  /** The last correction that replaced it. */
  readonly correctionId: string
  /** Instant up to which the figures behind it were known. */
  readonly knownBy: Instant
  /** The restated receipt; read on first use. */
  readonly body: () => ReceiptBody
}

/** Receipts of the settled numbers, by the label of the period. */
export function settledReceipts(agreed: readonly AgreedBody[]): ReadonlyMap<string, SettledReceipt> {
  const settled = new Map<string, SettledReceipt>()
  for (const { body, kept, receipts } of agreed)
    for (const { period, receiptAfter } of body.periods) {
      if (receiptAfter === null) continue
      const made = { knownBy: kept.recordedAt, level: body.level, replaced: settled.get(period) ?? null }
      settled.set(period, settledReceiptOf(receipts().get(receiptAfter)!, made))
    }
  return settled
}

/** Corrected numbers, by the label of the period. */
export function settledBy(agreed: readonly AgreedBody[]): ReadonlyMap<string, CorrectedNumber> {
  const settled = new Map<string, CorrectedNumber>()
  for (const { id, agreedAt, body, kept, receipts } of agreed)
    for (const { period, factorBefore, factorAfter, receiptAfter } of body.periods) {
      // The correction moved only the base of a price: the number of the period is unchanged.
      if (receiptAfter === null) continue
      settled.set(period, {
        factor: parseExact(factorAfter)!,
        status: 'AGREED',
        receiptHash: receiptAfter,
        agreedAt,
        beforeCorrection: parseExact(factorBefore)!,
        correctionId: id,
        knownBy: kept.recordedAt,
        body: () => receipts().get(receiptAfter)!,
      })
    }
  return settled
}
