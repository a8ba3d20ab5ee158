// Parses the text of a correction's receipt strictly, by its schema. correction-receipt.ts checks afterwards whether the
// content follows from its figures.
import type { Carried } from '../calculation/adjustment.ts'
import { receiptBounds } from '../receipt/receipt-parser.ts'
import { carriedEitherWay, receipt } from '../receipt/receipt-schema.ts'
import { anything, checked, listOf, mapping, readWhole } from '../text/exact-shape.ts'
import { readStrictJson } from '../text/strict-json.ts'
import type { CorrectionBody } from './correction-body.ts'
import type { CorrectionReceipt } from './correction-receipt.ts'
import { correctionBody, correctionReceipt } from './correction-schema.ts'

/** A correction holds two receipts for each period. */
const correctionBounds = { length: 100_000_000, depth: receiptBounds.depth + 2 } as const

/** The mapping around a body; fields and signatures of the body are still unread. */
const envelope = mapping('A correction as it is sealed.', {
  ...correctionReceipt.fields,
  body: receipt.fields.body,
  signatures: listOf(anything),
})

export interface SealedCorrection extends Pick<CorrectionReceipt, 'hash' | 'seal'> {
  readonly root: unknown
  readonly body: object
  readonly signatures: readonly unknown[]
}

export function readSealedCorrection(source: string): SealedCorrection {
  const root = readStrictJson(source, 'the correction', correctionBounds)
  const { hash, body, signatures, seal } = readWhole(envelope, root, 'the correction')
  return { root, hash, body, signatures, seal }
}

export function readWrittenCorrection({ root }: SealedCorrection): CorrectionReceipt {
  const read = readWhole(correctionReceipt, root, 'the correction')
  return { ...read, body: (root as CorrectionReceipt).body }
}

export function readCorrection(source: string): CorrectionReceipt {
  return readWrittenCorrection(readSealedCorrection(source))
}

export function readCorrectionBody(value: unknown): CorrectionBody {
  return checked(correctionBody, value, 'body')
}

/** The state that unsigned periods continue from, if the receipt has one. */
export function carriedOfCorrection({ carried }: Pick<CorrectionBody, 'carried'>): Carried | null {
  return carried === null ? null : carriedEitherWay.read(carried, 'body.carried')
}
