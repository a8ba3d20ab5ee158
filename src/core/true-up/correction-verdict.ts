// Whether the receipt of a correction can be trusted: does all of it follow from the receipts it names, whose key
// sealed it, and who signed it. Shared by the command line and the page; it reads no file and makes no request.

import { hashOf, sealedHash } from '../receipt/receipt.ts'
import {
  checkSeal,
  type Judge,
  type JudgedSignature,
  judgeSignature,
  problemsBeside,
  type SealState,
  type Trust,
  tellFigures,
  tellSigners,
  trustOf,
} from '../receipt/verdict.ts'
import { readCorrection } from './correction-reading.ts'
import { type CorrectionReceipt, checkCorrection } from './correction-receipt.ts'
import { correctionFormat } from './correction-schema.ts'

export interface CorrectionVerdict {
  readonly correction: CorrectionReceipt
  readonly bodyHash: string
  /** Whether factors, prices, amounts and the hash follow from the receipts. */
  readonly follows: boolean
  readonly seal: SealState
  readonly trust: Trust
  readonly signatures: readonly JudgedSignature[]
  /** Everything wrong with it, the most serious first; empty if it can be relied on. */
  readonly problems: readonly string[]
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
export async function judgeCorrection(source: string, { subtle, trustedKeys }: Judge): Promise<CorrectionVerdict> {
  const correction = readCorrection(source)
  const wrong = checkCorrection(correction)
  const bodyHash = hashOf(correction.body)
  const sealed = sealedHash({ hash: correction.hash, signatures: correction.signatures })
  const seal = await checkSeal(subtle, { seal: correction.seal, sealed })
  const trust = trustOf(correction.seal, trustedKeys)
  const signatures: JudgedSignature[] = []
  for (const signature of correction.signatures)
    signatures.push(await judgeSignature(subtle, { bodyHash, subject: null }, signature, seal === 'good'))
  const beside = problemsBeside({ seal, by: correction.seal, trust, signatures })
  const follows = wrong.length === 0
  return { correction, bodyHash, follows, seal, trust, signatures, problems: [...wrong, ...beside] }
}

/** What a reader still has to trust the operator for, in sentences. */
export function tellCorrectionTrust({ correction, signatures }: CorrectionVerdict): string[] {
  const figures = correction.receipts.flatMap(({ observations }) => observations ?? [])
  return [...tellFigures(figures), ...tellSigners(signatures)]
}
