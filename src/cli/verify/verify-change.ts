// `verify` of the receipt of a change of terms: "same" if coefficient, evidence and document follow from the facts it lists, and
// its seal and signatures are valid.

import { basisOf, type ChangeVerdict, judgeChange } from '../../core/index-changes/change-receipt.ts'
import { formatBetween } from '../../core/receipt/party-words.ts'
import { formatSigners, type Judge } from '../../core/receipt/verdict.ts'
import { changeFiguresWord } from '../../formats/evidence/check-terms-changes.ts'
import { formatTerms } from '../../formats/evidence/terms-changes.ts'
import { type Invocation, printJson } from '../frame/command.ts'
import { formatIssuer, formatParties, formatSeal, formatSignature, presentSignature } from './verify-words.ts'

export async function verifyChange(invocation: Invocation, source: string, judge: Judge): Promise<number> {
  const verdict = await judgeChange(source, judge)
  if (invocation.json) printJson(invocation, present(verdict))
  report(invocation, verdict)
  return verdict.problems.length === 0 ? 0 : 1
}

function present(verdict: ChangeVerdict) {
  const { change, bodyHash, seal, trust, sealedBefore, signatures, problems } = verdict
  const { body } = change
  return {
    same: problems.length === 0,
    pam: body.pam,
    format: body.format,
    basis: basisOf(body),
    effectiveFrom: body.effectiveFrom,
    hash: { written: change.hash, recomputed: bodyHash },
    installation: body.installation,
    workspace: body.workspace,
    parties: body.parties,
    companies: body.companies ?? {},
    seal: { state: seal, key: change.seal === null ? null : `ed25519:${change.seal.publicKey}`, trust, sealedBefore },
    signatures: signatures.map(each => presentSignature(each, body)),
    operatorsWord: formatWord(verdict),
    problems,
  }
}

function report({ terminal, json }: Invocation, verdict: ChangeVerdict): void {
  const { change, signatures, problems } = verdict
  for (const problem of problems) terminal.err(`refused: ${problem}\n`)
  if (json || problems.length > 0) return
  const { body } = change
  const what = `the change of formula ${basisOf(body)} of ${body.pam} follows from its figures`
  const lines = [
    `same: ${what}: ${formatTerms(body)}, from ${body.effectiveFrom} on`,
    formatIssuer(body),
    ...formatParties(body),
    `${signatures.length === 2 ? 'agreed' : 'proposed'} between ${formatBetween(body)}`,
    ...formatSeal({ ...verdict, seal: change.seal }),
    ...signatures.flatMap(each => formatSignature(each, body)),
    ...formatWord(verdict).map(each => `on the operator's word: ${each}`),
  ]
  for (const line of lines) terminal.out(`${line}\n`)
}

function formatWord({ signatures }: ChangeVerdict): readonly string[] {
  return [...formatSigners(signatures), changeFiguresWord]
}
