// `verify` of the receipt of a correction: "same" if the whole correction follows from the receipts it names and its seal is
// valid.

import type { Judge } from '../../core/receipt/verdict.ts'
import {
  type CorrectionVerdict,
  formatCorrectionTrust,
  judgeCorrection,
} from '../../core/true-up/correction-verdict.ts'
import { type Invocation, printJson } from '../frame/command.ts'
import { formatIssuer, formatParties, formatSeal, formatSignature, presentSignature } from './verify-words.ts'

export async function verifyCorrection(invocation: Invocation, source: string, judge: Judge): Promise<number> {
  const verdict = await judgeCorrection(source, judge)
  if (invocation.json) printJson(invocation, present(verdict))
  report(invocation, verdict)
  return verdict.problems.length === 0 ? 0 : 1
}

function present(verdict: CorrectionVerdict) {
  const { correction, bodyHash, follows, seal, trust, sealedBefore, signatures, problems } = verdict
  const { body } = correction
  return {
    same: problems.length === 0,
    recomputes: follows,
    pam: body.pam,
    periods: body.periods.map(({ period }) => period),
    net: body.net,
    currency: body.currency,
    edition: body.edition,
    hash: { written: correction.hash, recomputed: bodyHash },
    installation: body.installation,
    workspace: body.workspace,
    seal: {
      state: seal,
      key: correction.seal === null ? null : `ed25519:${correction.seal.publicKey}`,
      trust,
      sealedBefore,
    },
    signatures: signatures.map(each => presentSignature(each, body)),
    operatorsWord: formatCorrectionTrust(verdict),
    problems,
  }
}

function report(invocation: Invocation, verdict: CorrectionVerdict): void {
  const { terminal, json } = invocation
  const { correction, differences, signatures, problems } = verdict
  for (const problem of problems)
    terminal.err(`${differences.includes(problem) ? 'different' : 'refused'}: ${problem}\n`)
  if (json || problems.length > 0) return
  const { body, receipts } = correction
  const net = body.net === null ? 'no amount' : `${body.net} ${body.currency}${body.waived ? ', waived' : ''}`
  const counts = `periods: ${body.periods.length}, lines: ${body.lines.length}, receipts: ${receipts.length}`
  const lines = [
    `same: the correction of ${body.pam} comes to ${net} (edition ${body.edition}, ${counts})`,
    formatIssuer(body),
    ...formatParties(body),
    ...formatSeal({ ...verdict, seal: correction.seal }),
    ...signatures.flatMap(each => formatSignature(each, body)),
    ...formatCorrectionTrust(verdict).map(each => `on the operator's word: ${each}`),
  ]
  for (const line of lines) terminal.out(`${line}\n`)
}
