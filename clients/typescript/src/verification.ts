// The check of receipts, from the same sources as `assize verify` and the page in evidence packages. It is loaded when a receipt
// is checked for the first time, because it brings the whole engine that computes adjustments.
import { isChange, judgeChange } from '../../../src/core/index-changes/change-receipt.ts'
import { judgeReceipt, readKeyName, readPublishedKeys } from '../../../src/core/receipt/verdict.ts'
import { Refusal } from '../../../src/core/refusal.ts'
import { isCorrection, judgeCorrection } from '../../../src/core/true-up/correction-verdict.ts'
import type { ReceiptVerdict, VerifyOptions } from './receipt.ts'

export async function judge(source: string, { trust }: VerifyOptions): Promise<ReceiptVerdict> {
  const trustedKeys = trust === undefined ? null : [trust].flat().flatMap(keysIn)
  const judging = { subtle: globalThis.crypto?.subtle, trustedKeys }
  try {
    if (isCorrection(source)) {
      const { correction, ...verdict } = await judgeCorrection(source, judging)
      return present('correction', correction.body.pam, null, verdict)
    }
    if (isChange(source)) {
      const { change, ...verdict } = await judgeChange(source, judging)
      return present('change', change.body.pam, null, verdict)
    }
    const { receipt, ...verdict } = await judgeReceipt(source, judging)
    return present('period', receipt.body.pam, receipt.body.period, verdict)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return {
      isGood: false,
      kind: null,
      agreement: null,
      period: null,
      seal: null,
      trust: null,
      signatures: [],
      problems: [error.message],
    }
  }
}

function keysIn(written: string): readonly string[] {
  const key = readKeyName(written)
  return key === null ? readPublishedKeys(written).keys : [key]
}

type JudgedReceipt = Pick<Awaited<ReturnType<typeof judgeReceipt>>, 'seal' | 'trust' | 'signatures' | 'problems'>

function present(
  kind: 'period' | 'correction' | 'change',
  agreement: string,
  period: string | null,
  judged: JudgedReceipt,
): ReceiptVerdict {
  const { seal, trust, signatures, problems } = judged
  return {
    isGood: problems.length === 0,
    kind,
    agreement,
    period,
    seal,
    trust,
    signatures: signatures.map(({ signature, whose, problem }) => ({
      party: signature.party,
      signedAt: signature.signedAt,
      whose,
      problem,
    })),
    problems,
  }
}
