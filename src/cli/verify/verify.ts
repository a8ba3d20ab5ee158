// `verify`: recomputes a receipt, or everything in an evidence package, offline and says who issued it. "same" and exit 0 if it
// recomputes and its seal is valid; otherwise the first line that differs, with both numbers, or the missing part, and exit 1.
// With --chain it checks the history in the database instead.

import { basename } from 'node:path'
import { readTrustedIssuers, type TrustedIssuers } from '../../core/identity/issuer-trust.ts'
import { isChange } from '../../core/index-changes/change-receipt.ts'
import { formatCarried, parseExact } from '../../core/numbers/ratio.ts'
import { formatSubject, type PartyObjection, stateOfObjection } from '../../core/receipt/objection.ts'
import type { Origin } from '../../core/receipt/receipt.ts'
import { decodeReceipt, formatOf } from '../../core/receipt/receipt-parser.ts'
import type { CompilerView, Difference } from '../../core/receipt/replay.ts'
import {
  formatTrust,
  judgeReceipt,
  RefusedProof,
  readKeyName,
  readPublishedKeys,
  type Verdict,
} from '../../core/receipt/verdict.ts'
import { Refusal } from '../../core/refusal.ts'
import { signed } from '../../core/text/words.ts'
import { isCorrection } from '../../core/true-up/correction-verdict.ts'
import { isSlipFile, type RecordedNote, readKept } from '../../formats/evidence/check-log.ts'
import { packageLimits } from '../../formats/evidence/package-limits.ts'
import { isZip } from '../../formats/evidence/zip-directory.ts'
import { type Command, type Invocation, Misuse, printJson, textOption, textOptions } from '../frame/command.ts'
import { readFileBytes, readTextFile } from '../frame/files.ts'
import { runVerifyChain } from './verify-chain.ts'
import { verifyChange } from './verify-change.ts'
import { verifyCorrection } from './verify-correction.ts'
import { verifyPackage } from './verify-package.ts'
import { verifySlips } from './verify-slip.ts'
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
      help: 'accept only a receipt or package sealed by this key: ed25519:…, or a saved assize-keys.json; of a slip, the key of the log; may be repeated',
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
      help: 'with a package: a slip or checkpoint that you kept, compared with its log; may be repeated',
    },
    'log-key': {
      type: 'string',
      multiple: true,
      value: 'VKEY',
      help: 'with a slip: the key of the log that you trust',
    },
    witness: {
      type: 'string',
      multiple: true,
      value: 'VKEY',
      help: 'with a slip: a witness whose cosignature counts; may be repeated',
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
    const trusted = textOptions(invocation, 'trust')
    const issuers = textOption(invocation, 'trust-issuer')
    if (invocation.options.chain === true) {
      if (trusted.length > 0) throw new Misuse('--trust goes with a receipt, not with --chain')
      if (issuers !== null) throw new Misuse('--trust-issuer goes with a receipt, not with --chain')
      return runVerifyChain(invocation)
    }
    const path = invocation.positionals[0]
    if (path === undefined) throw new Misuse(`usage: assize verify ${verifyCommand.usage}`)
    if (invocation.options.workspace !== undefined) throw new Misuse('--workspace goes with --chain only')
    const keptPaths = textOptions(invocation, 'kept')
    const bytes = await readFileBytes(path, packageLimits.bytes)
    const stamps = await readStampFiles(textOptions(invocation, 'stamp'))
    if (isSlipFile(bytes.subarray(0, 100).toString('latin1')))
      return verifySlips(invocation, decodeReceipt(bytes), { ...slipKeys(invocation, trusted), stamps })
    if (stamps.length > 0) throw new Misuse('--stamp goes with a slip')
    const named = await Promise.all(trusted.map(readTrusted))
    const trustedKeys = trusted.length === 0 ? null : named.flatMap(({ keys }) => keys)
    const endedKeys = new Map(
      named.flatMap(({ ended }) => [...ended]).filter(([key]) => trustedKeys?.includes(key) !== true),
    )
    const trustedIssuers = issuers === null ? null : await readIssuers(issuers)
    const judge = { subtle: globalThis.crypto.subtle, trustedKeys, endedKeys, trustedIssuers }
    if (isZip(bytes)) return verifyPackage(invocation, bytes, judge, { kept: await readKeptFiles(keptPaths) })
    if (keptPaths.length > 0) throw new Misuse('--kept goes with an evidence package')
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

const mostStampBytes = 1_000_000

/** A log has keys of its own kind, which `--trust` names as well. */
function slipKeys(invocation: Invocation, trusted: readonly string[]) {
  return { log: [...textOptions(invocation, 'log-key'), ...trusted], witnesses: textOptions(invocation, 'witness') }
}

async function readTrusted(written: string): Promise<ReturnType<typeof readPublishedKeys>> {
  const key = readKeyName(written)
  if (key !== null) return { keys: [key], ended: new Map() }
  if (written.startsWith('ed25519:'))
    throw new Misuse(`--trust must be ed25519: and 43 characters of a public key, got "${written}"`)
  return readNamed('trust', written, readPublishedKeys)
}

function readIssuers(path: string): Promise<TrustedIssuers> {
  return readNamed('trust-issuer', path, readTrustedIssuers)
}

/** Reads a file that an option names; its faults are told with the option. */
async function readNamed<T>(option: string, path: string, read: (source: string) => T): Promise<T> {
  const source = await readTextFile(path)
  try {
    return read(source)
  } catch (error) {
    if (error instanceof Refusal) throw new Misuse(`--${option} ${path}: ${error.message}`)
    throw error
  }
}

async function readStampFiles(paths: readonly string[]) {
  const files = await Promise.all(paths.map(path => readFileBytes(path, mostStampBytes)))
  return files.map((bytes, at) => ({ name: basename(paths[at]!), bytes: Uint8Array.from(bytes) }))
}

async function readKeptFiles(paths: readonly string[]): Promise<readonly RecordedNote[] | null> {
  if (paths.length === 0) return null
  const found: RecordedNote[] = []
  for (const path of paths) {
    const source = await readTextFile(path)
    try {
      found.push(...readKept(basename(path), source))
    } catch (error) {
      if (error instanceof Refusal) throw new Misuse(`--kept ${path}: ${error.message}`)
      throw error
    }
  }
  return found
}

function present(verdict: Verdict) {
  const { receipt, edition, difference, compiler, isHashSame, seal, trust, signatures, problems } = verdict
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
    seal: { state: seal, key: receipt.seal === null ? null : `ed25519:${receipt.seal.publicKey}`, trust },
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
    formatSeal({ seal: receipt.seal, trust: verdict.trust }),
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
