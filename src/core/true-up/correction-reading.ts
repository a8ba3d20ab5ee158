// Parses the text of a correction's receipt strictly, by its schema. Whether the content follows from its figures is checked
// afterwards, in correction-receipt.ts.
import type { Carried } from '../calculation/adjustment.ts'
import { receiptBounds } from '../receipt/receipt-reading.ts'
import { carriedEitherWay } from '../receipt/receipt-schema.ts'
import { checked, readWhole } from '../text/exact-shape.ts'
import { readStrictJson } from '../text/strict-json.ts'
import type { CorrectionBody } from './correction-body.ts'
import type { CorrectionReceipt } from './correction-receipt.ts'
import { correctionBody, correctionReceipt } from './correction-schema.ts'

/** It holds two receipts for each period. */
const correctionBounds = { length: 100_000_000, depth: receiptBounds.depth + 2 } as const

export function readCorrection(source: string): CorrectionReceipt {
  const json = readStrictJson(source, 'the correction', correctionBounds)
  const read = readWhole(correctionReceipt, json, 'the correction')
  return { ...read, body: (json as unknown as CorrectionReceipt).body }
}

export function readCorrectionBody(value: unknown): CorrectionBody {
  return checked(correctionBody, value, 'body')
}

/** The state that unsigned periods continue from, if the receipt has one. */
export function carriedOfCorrection({ carried }: Pick<CorrectionBody, 'carried'>): Carried | null {
  return carried === null ? null : carriedEitherWay.read(carried, 'body.carried')
}
