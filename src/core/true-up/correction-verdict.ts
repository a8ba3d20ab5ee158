// The verdict on the receipt of a correction: does all of it follow from the receipts it names, whose key sealed it, and who
// signed it. Shared by the command line and the page; it reads no file and makes no request.

import { formatFigures, formatSigners, type Judge, judgeProposal, type ProposalVerdict } from '../receipt/verdict.ts'
import { readSealedCorrection, readWrittenCorrection } from './correction-parser.ts'
import { type CorrectionReceipt, checkCorrection } from './correction-receipt.ts'
import { correctionFormat } from './correction-schema.ts'

export interface CorrectionVerdict extends ProposalVerdict {
  readonly correction: CorrectionReceipt
  /** Problems about factors, prices and amounts that do not follow from the receipts: they come last. */
  readonly differences: readonly string[]
  /** Whether all of it follows from the receipts, and the hash from the body. */
  readonly follows: boolean
}

/** Whether the format in a file (`formatOf`) is that of a correction. */
export function isCorrection(format: string | null): boolean {
  return format === correctionFormat
}

/** Refuses a file that cannot be read at all, with the reason. */
export async function judgeCorrection(source: string, judge: Judge): Promise<CorrectionVerdict> {
  const file = readSealedCorrection(source)
  const { proposal: correction, ...judged } = await judgeProposal(judge, file, {
    what: 'correction',
    hasPlainLists: false,
    read: () => readWrittenCorrection(file),
    check: checkCorrection,
  })
  const follows = judged.differences.length === 0 && correction.hash === judged.bodyHash
  return { correction, follows, ...judged }
}

/** The part of a correction that rests on the operator's word, in sentences. */
export function formatCorrectionTrust({ correction, signatures }: CorrectionVerdict): string[] {
  const figures = correction.receipts.flatMap(({ observations }) => observations ?? [])
  return [...formatFigures(figures), ...formatSigners(signatures)]
}
