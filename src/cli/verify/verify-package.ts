// `verify` of an evidence package: "same" if every file is as it was sealed, every number, correction and change of terms is
// computed again to the recorded result, and every signature is valid; else the list of all faults.

import type { ChangeVerdict } from '../../core/index-changes/change-receipt.ts'
import { type Judge, type JudgedSignature, trustOf, type Verdict } from '../../core/receipt/verdict.ts'
import { signed } from '../../core/text/words.ts'
import type { CorrectionVerdict } from '../../core/true-up/correction-verdict.ts'
import type { CheckedPackage, CheckedReceipt } from '../../formats/evidence/check.ts'
import type { CheckedCorrection } from '../../formats/evidence/check-corrections.ts'
import type { CheckedChange } from '../../formats/evidence/check-terms-changes.ts'
import { notProven } from '../../formats/evidence/log-words.ts'
import { checkPackageFile } from '../../formats/evidence/package-file.ts'
import { betweenWords, changeWords, settledWords } from '../../formats/evidence/package-words.ts'
import { type Invocation, printJson } from '../frame/command.ts'
import { formatSeal, formatSignature, presentSignature } from './verify-words.ts'

export async function verifyPackage(
  invocation: Invocation,
  bytes: Uint8Array<ArrayBuffer>,
  judge: Judge,
  held: Parameters<typeof checkPackageFile>[2],
): Promise<number> {
  const checked = await checkPackageFile(bytes, judge, held)
  if (invocation.json) printJson(invocation, present(checked, judge))
  report(invocation, checked, judge)
  return checked.isGood ? 0 : 1
}

function problemsOf({ parts }: CheckedPackage): string[] {
  return parts.flatMap(({ title, problems }) => problems.map(problem => `${title}: ${problem}`))
}

function present(checked: CheckedPackage, { trustedKeys }: Judge) {
  const { manifest, parts, receipts, corrections, changes, settled, isGood } = checked
  const { proven, leftToOpenSsl, operatorsWord } = checked
  const { format, installation, workspace, agreement, from, to, madeAt, madeBy, files } = manifest!.body
  const { seal } = manifest!
  return {
    same: isGood,
    format,
    installation,
    workspace,
    agreement,
    from,
    to,
    madeAt,
    madeBy,
    files: files.length,
    seal: { key: `ed25519:${seal.publicKey}`, trust: trustOf(seal, trustedKeys) },
    parts,
    receipts: receipts.map(({ name, verdict, problems }) => ({
      name,
      period: verdict?.receipt.body.period ?? null,
      adjustmentPct: verdict?.receipt.body.result.adjustmentPct ?? null,
      price: verdict?.receipt.body.result.price ?? null,
      signatures: presentAll(verdict),
      problems,
    })),
    corrections: corrections.map(({ id, record, verdict, problems }) => ({
      id,
      state: record?.state ?? null,
      net: verdict?.correction.body.net ?? null,
      currency: verdict?.correction.body.currency ?? null,
      signatures: presentAll(verdict),
      problems,
    })),
    changes: changes.map(({ id, record, verdict, problems }) => ({
      id,
      state: record?.state ?? null,
      version: record?.version ?? null,
      effectiveFrom: verdict?.change.body.effectiveFrom ?? null,
      parties: verdict?.change.body.parties ?? null,
      signatures: presentAll(verdict),
      problems,
    })),
    settled: settled.map(({ period, isSigned, before, settled: agreed, correction }) => ({
      period,
      isSigned,
      priceBefore: before.price,
      price: agreed?.price ?? null,
      cumulativePct: agreed?.cumulativePct ?? null,
      correction: correction?.id ?? null,
    })),
    proven,
    leftToOpenSsl,
    operatorsWord,
    notProven,
    problems: problemsOf(checked),
  }
}

function presentAll(verdict: Verdict | CorrectionVerdict | ChangeVerdict | null) {
  if (verdict === null) return []
  const { body } =
    'receipt' in verdict ? verdict.receipt : 'correction' in verdict ? verdict.correction : verdict.change
  return verdict.signatures.map(each => presentSignature(each, body))
}

function report({ terminal, json }: Invocation, checked: CheckedPackage, { trustedKeys }: Judge): void {
  for (const problem of problemsOf(checked)) terminal.err(`refused: ${problem}\n`)
  if (json || !checked.isGood) return
  const { seal, body } = checked.manifest!
  const { agreement, installation, workspace, from, to, madeAt, madeBy } = body
  const issuer = `${installation.id}${installation.name === null ? '' : ` (${installation.name})`}`
  const lines = [
    `same: everything in the evidence for ${agreement.name} (${agreement.slug}), ${from} to ${to}, verifies`,
    `issued by ${issuer}, workspace ${workspace.slug} (${workspace.name}); made by ${madeBy} on ${madeAt.slice(0, 10)}`,
    ...checked.parts.map(({ title, words }) => `${title}: ${words}`),
    ...formatSeal({ seal, trust: trustOf(seal, trustedKeys) }),
    ...checked.receipts.flatMap(formatReceipt),
    ...checked.corrections.flatMap(formatCorrection),
    ...checked.changes.flatMap(formatChange),
    ...checked.proven,
    ...checked.leftToOpenSsl.map(each => `left to OpenSSL: ${each}`),
    ...checked.operatorsWord.map(each => `on the operator's word: ${each}`),
    ...notProven.map(each => `not proven: ${each}`),
    ...settledWords(checked, formatDay),
  ]
  for (const line of lines) terminal.out(`${line}\n`)
}

function formatReceipt({ name, verdict }: CheckedReceipt): string[] {
  const { adjustmentPct, price } = verdict!.receipt.body.result
  const pct = adjustmentPct === null ? 'no percent (from a price of 0)' : `${signed(adjustmentPct)} %`
  const number = `${name}: recomputes to ${pct}${price == null ? '' : `, price ${price}`}`
  return [number, ...formatSigned(name, verdict!.signatures, verdict!.receipt.body)]
}

function formatCorrection({ id, record, verdict }: CheckedCorrection): string[] {
  const { body } = verdict!.correction
  const { net, currency, waived, periods } = body
  const amount = net === null ? 'no amount' : `${net} ${currency}${waived ? ', waived' : ''}`
  const of = periods.map(({ period }) => period).join(', ')
  const number = `${id}: the correction of ${of} comes to ${amount}, ${record!.state}`
  return [number, ...formatSigned(id, verdict!.signatures, body)]
}

function formatChange(checked: CheckedChange): string[] {
  const { id, record, verdict } = checked
  const lines = [changeWords(checked, formatDay), betweenWords(checked)!].map(words => `${id}: ${words}`)
  // A change that was agreed in advance has no signatures.
  return record?.plannedBy == null ? [...lines, ...formatSigned(id, verdict!.signatures, verdict!.change.body)] : lines
}

function formatDay(instant: string): string {
  return instant.slice(0, 10)
}

function formatSigned(
  name: string,
  signatures: readonly JudgedSignature[],
  body: Parameters<typeof formatSignature>[1],
): string[] {
  if (signatures.length === 0) return [`${name}: signed by nobody`]
  return signatures.flatMap(each => formatSignature(each, body).map(line => `${name}: ${line}`))
}
