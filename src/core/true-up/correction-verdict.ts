// Whether the receipt of a correction can be trusted: does all of it follow from the receipts it names, whose key
// sealed it, and who signed it. Shared by the command line and the page; it reads no file and makes no request.

import { type Judge, judgeProposal, type ProposalVerdict, tellFigures, tellSigners } from '../receipt/verdict.ts'
import { readSealedCorrection, readWrittenCorrection } from './correction-parser.ts'
import { type CorrectionReceipt, checkCorrection } from './correction-receipt.ts'
import { correctionFormat } from './correction-schema.ts'

export interface CorrectionVerdict extends ProposalVerdict {
  readonly correction: CorrectionReceipt
  /** The problems that are factors, prices and amounts which do not follow from the receipts: they come last. */
  readonly differences: readonly string[]
  /** Whether all of it follows from the receipts, and the hash from the body. */
  readonly follows: boolean
}

/** Whether the format that a file names (`formatOf`) is that of a correction. */
export function isCorrection(format: string | null): boolean {
  return format === correctionFormat
}

/** Refuses what cannot be read at all, with the reason. */
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

/** What a reader still has to trust the operator for, in sentences. */
export function tellCorrectionTrust({ correction, signatures }: CorrectionVerdict): string[] {
  const figures = correction.receipts.flatMap(({ observations }) => observations ?? [])
  return [...tellFigures(figures), ...tellSigners(signatures)]
}
