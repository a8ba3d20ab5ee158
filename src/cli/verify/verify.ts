// `verify`: recomputes a receipt, or everything in an evidence package, offline and says who issued it. "same" and exit 0 if it
// recomputes and its seal is valid; otherwise the first line that differs, with both numbers, or the missing part, and exit 1.
// With --chain it checks the history in the database instead.

import { isChange } from '../../core/index-changes/change-receipt.ts'
import { formatCarried, parseExact } from '../../core/numbers/ratio.ts'
import { isProofFile } from '../../core/proof/proof-file.ts'
import { formatSubject, type PartyObjection, stateOfObjection } from '../../core/receipt/objection.ts'
import type { Origin } from '../../core/receipt/receipt.ts'
import { decodeReceipt, formatOf } from '../../core/receipt/receipt-parser.ts'
import type { CompilerView, Difference } from '../../core/receipt/replay.ts'
import { formatTrust, judgeReceipt, RefusedProof, type Verdict } from '../../core/receipt/verdict.ts'
import { signed } from '../../core/text/words.ts'
import { isCorrection } from '../../core/true-up/correction-verdict.ts'
import { packageLimits } from '../../formats/evidence/package-limits.ts'
import { isZip } from '../../formats/evidence/zip-directory.ts'
import { type Command, type Invocation, Misuse, printJson, textOptions } from '../frame/command.ts'
import { readFileBytes } from '../frame/files.ts'
import { runVerifyChain } from './verify-chain.ts'
import { verifyChange } from './verify-change.ts'
import { verifyCorrection } from './verify-correction.ts'
import { verifyPackage } from './verify-package.ts'
import { verifySlips } from './verify-slip.ts'
import { readProofs, readStamps, readTrust } from './verify-trust.ts'
import { formatIssuer, formatParties, formatSeal, formatSignature, presentSignature } from './verify-words.ts'

export const verifyCommand: Command = {
  name: 'verify',
  usage: '<receipt.json|package.zip|slip.txt> [--trust KEY …] [--trust-issuer FILE] | --chain [--workspace W]',
  summary:
    'Recomputes a receipt of a period, of a correction or of a change of terms, or all of an evidence package, offline: "same", or what differs. With --chain, checks the stored history.',
  options: {
    trust: {
      type: 'string',
      multiple: true,
      value: 'KEY',
      help: 'accept only a receipt or package sealed by this key: ed25519:…, or a saved assize-keys.json; a slip by the log key in that file, or one that is named; may be repeated',
    },
    'trust-issuer': {
      type: 'string',
      value: 'FILE',
      help: 'accept signatures by identity providers only under the keys in this file: a JSON mapping from each issuer to its key set (JWKS)',
    },
    kept: {
      type: 'string',
      multiple: true,
      value: 'FILE',
      help: 'a slip or checkpoint that you kept: compared with the log of a package; of a receipt whose key has ended, it counts; may be repeated',
    },
    slip: {
      type: 'string',
      multiple: true,
      value: 'FILE',
      help: 'with a receipt whose key has ended: slips of its signatures; may be repeated',
    },
    'log-key': {
      type: 'string',
      multiple: true,
      value: 'VKEY',
      help: 'the key of the log that you trust, for slips',
    },
    witness: {
      type: 'string',
      multiple: true,
      value: 'VKEY',
      help: 'a witness whose cosignature counts, for slips; may be repeated',
    },
    stamp: {
      type: 'string',
      multiple: true,
      value: 'FILE',
      help: 'with a slip: a time stamp (RFC 3161, DER) over its checkpoint, whose signature is left to OpenSSL; may be repeated',
    },
    chain: {
      type: 'boolean',
      help: 'verifies publications and sign-offs in the database by their trees under keyed heads',
    },
    workspace: { type: 'string', value: 'W', help: 'with --chain: this workspace only' },
  },
  positionals: { least: 0, most: 1 },
  async run(invocation) {
    if (invocation.options.chain === true) {
      for (const option of ['trust', 'trust-issuer'])
        if (invocation.options[option] !== undefined)
          throw new Misuse(`--${option} goes with a receipt, not with --chain`)
      return runVerifyChain(invocation)
    }
    const path = invocation.positionals[0]
    if (path === undefined) throw new Misuse(`usage: assize verify ${verifyCommand.usage}`)
    if (invocation.options.workspace !== undefined) throw new Misuse('--workspace goes with --chain only')
    const bytes = await readFileBytes(path, packageLimits.bytes)
    const trust = await readTrust(invocation)
    const stamps = await readStamps(invocation)
    if (isProofFile(bytes.subarray(0, 100).toString('latin1')))
      return verifySlips(invocation, decodeReceipt(bytes), { ...trust, stamps })
    if (stamps.length > 0) throw new Misuse('--stamp goes with a slip')
    const { keys: trustedKeys, ended: endedKeys, issuers: trustedIssuers, ...log } = trust
    const proofs = await readProofs(invocation)
    const brought = proofs === null ? null : { ...proofs, ...log }
    const judge = { subtle: globalThis.crypto.subtle, trustedKeys, endedKeys, trustedIssuers, brought }
    if (isZip(bytes)) {
      if (textOptions(invocation, 'slip').length > 0) throw new Misuse('--slip goes with a receipt')
      const kept = brought?.kept.map(({ file, proof }) => ({ name: file, note: proof })) ?? null
      return verifyPackage(invocation, bytes, judge, { kept })
    }
    const source = decodeReceipt(bytes)
    const format = formatOf(source)
    try {
      if (isCorrection(format)) return await verifyCorrection(invocation, source, judge)
      if (isChange(format)) return await verifyChange(invocation, source, judge)
      const verdict = await judgeReceipt(source, judge)
      if (invocation.json) printJson(invocation, present(verdict))
      report(invocation, verdict)
      return verdict.problems.length === 0 ? 0 : 1
    } catch (error) {
      if (!(error instanceof RefusedProof)) throw error
      if (invocation.json) printJson(invocation, { same: false, recomputes: false, problems: error.problems })
      for (const problem of error.problems) invocation.terminal.err(`refused: ${problem}\n`)
      return 1
    }
  },
}

function present(verdict: Verdict) {
  const { receipt, edition, difference, compiler, isHashSame, seal, trust, sealedBefore, signatures, problems } =
    verdict
  const { body } = receipt
  return {
    same: problems.length === 0,
    recomputes: difference === null && isHashSame,
    pam: body.pam,
    period: body.period,
    edition,
    difference,
    compiler: compiler === null ? null : formatCompiler(compiler),
    hash: { written: receipt.hash, recomputed: receipt.bodyHash },
    installation: body.installation ?? null,
    workspace: body.workspace ?? null,
    seal: { state: seal, key: receipt.seal === null ? null : `ed25519:${receipt.seal.publicKey}`, trust, sealedBefore },
    signatures: signatures.map(each => presentSignature(each, body)),
    operatorsWord: formatTrust(verdict),
    problems,
  }
}

function report(invocation: Invocation, verdict: Verdict): void {
  const { terminal, json } = invocation
  const { receipt, edition, difference, compiler, problems } = verdict
  for (const problem of difference === null ? problems : problems.slice(0, -1)) terminal.err(`refused: ${problem}\n`)
  if (difference !== null) terminal.err(`different: ${formatDifference(difference)}\n`)
  if (json || problems.length > 0) return
  const { period, pam: agreement, steps, observations, result } = receipt.body
  const pct = result.adjustmentPct === null ? 'no percent (from a price of 0)' : `${signed(result.adjustmentPct)} %`
  const counts = `edition ${edition}, lines: ${steps.length}, observations: ${observations.length}`
  const lines = [
    `same: ${agreement} ${period} recomputes to ${pct} (${counts})`,
    ...(compiler === null ? [] : [formatCompiler(compiler)]),
    formatIssuer(receipt.body),
    ...formatParties(receipt.body),
    ...formatOrigins(verdict),
    ...formatSeal({ ...verdict, seal: receipt.seal }),
    ...verdict.signatures.flatMap(each => formatSignature(each, receipt.body)),
    ...verdict.receipt.objections.map(each => formatObjection(verdict, each)),
    ...formatTrust(verdict).map(each => `on the operator's word: ${each}`),
  ]
  for (const line of lines) terminal.out(`${line}\n`)
}

/** Fractions as people read them. */
function formatDifference({ line, written, recomputed }: Difference): string {
  const readable = (figure: string) => {
    const number = figure.includes('/') ? parseExact(figure) : null
    return number === null ? figure : formatCarried(number)
  }
  return `${line}: the receipt says ${readable(written)}, recomputed ${readable(recomputed)}`
}

export function formatCompiler({ writesSameSteps, givesSameNumber }: CompilerView): string {
  if (writesSameSteps) return "today's compiler writes the same steps"
  const number =
    givesSameNumber === null
      ? 'they cannot be computed from the values carried in'
      : `the number ${givesSameNumber ? 'is the same' : 'differs'}`
  return `today's compiler writes other steps: the wording changed; ${number}`
}

function formatObjection({ receipt }: Verdict, objection: PartyObjection): string {
  const { party, by, at, about, answers } = objection
  const state = stateOfObjection(objection, { hash: receipt.hash, signatures: receipt.signatures })
  const words = { open: 'open', withdrawn: 'withdrawn', signed: 'signed after all', moved: 'to another proposal' }[
    state
  ]
  const said = answers.filter(({ kind }) => kind === 'ANSWER').length
  const answered = said === 0 ? '' : `, ${said === 1 ? '1 answer' : `${said} answers`}`
  return `the ${party} (${by}) objected to ${formatSubject(about)} on ${at.slice(0, 10)}: ${words}${answered}`
}

/** Sources of figures, each once, with the number of its figures. */
function formatOrigins({ receipt }: Verdict): string[] {
  const counts = new Map<string, number>()
  for (const { origin } of receipt.body.observations) {
    const words = formatOrigin(origin)
    counts.set(words, (counts.get(words) ?? 0) + 1)
  }
  return [...counts].map(([words, count]) => `${count} ${count === 1 ? 'figure' : 'figures'} ${words}`)
}

function formatOrigin(origin: Origin): string {
  if ('provider' in origin) return `read from ${origin.provider} by the installation`
  const { uploadedBy, file, sha256, recorded } = origin
  if (file === null) return 'imported from a file that is not known'
  const by = uploadedBy === null ? 'from' : `uploaded by ${uploadedBy},`
  const at = recorded === null ? '' : ` ${recorded.slice(0, 10)},`
  return `${by}${at} file ${file} (SHA-256 ${sha256})`
}
