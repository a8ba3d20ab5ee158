// Whether the receipt of a correction can be trusted: does all of it follow from the receipts it names, whose key
// sealed it, and who signed it. Shared by the command line and the page; it reads no file and makes no request.

import { type Judge, judgeProposal, type ProposalVerdict, tellFigures, tellSigners } from '../receipt/verdict.ts'
import { readCorrection } from './correction-reading.ts'
import { type CorrectionReceipt, checkCorrection } from './correction-receipt.ts'
import { correctionFormat } from './correction-schema.ts'

export interface CorrectionVerdict extends ProposalVerdict {
  readonly correction: CorrectionReceipt
  /** Whether factors, prices, amounts and the hash follow from the receipts. */
  readonly follows: boolean
}

/** Whether a file says that it is the receipt of a correction. */
export function isCorrection(source: string): boolean {
  try {
    const { body } = JSON.parse(source) as { readonly body?: { readonly format?: unknown } }
    return body?.format === correctionFormat
  } catch {
    return false
  }
}

/** Refuses what cannot be read at all, with the reason. */
export async function judgeCorrection(source: string, judge: Judge): Promise<CorrectionVerdict> {
  const correction = readCorrection(source)
  const wrong = checkCorrection(correction)
  const judged = await judgeProposal(judge, correction, { wrong, hasPlainLists: false })
  return { correction, follows: wrong.length === 0, ...judged }
}

/** What a reader still has to trust the operator for, in sentences. */
export function tellCorrectionTrust({ correction, signatures }: CorrectionVerdict): string[] {
  const figures = correction.receipts.flatMap(({ observations }) => observations ?? [])
  return [...tellFigures(figures), ...tellSigners(signatures)]
}
