// `verify`: recomputes a receipt offline. "same" and exit 0, or the first line that differs, with both numbers, and 1.
// With --chain it verifies the keyed chains in the database instead.

import { isSealed } from '../agreements/seal.ts'
import { parseExact, writeCarried } from '../core/ratio.ts'
import { hashOf, type ReceiptBody, type Signature } from '../core/receipt.ts'
import { Refusal } from '../core/refusal.ts'
import { firstDifference, recompute } from '../core/replay.ts'
import { type Command, type Invocation, writeJson } from './command.ts'
import { readTextFile } from './files.ts'
import { runVerifyChain } from './verify-chain.ts'
import { signed } from './worksheet.ts'

interface Verdict {
  readonly recomputes: boolean
  readonly signedBy: string | null
  readonly problem: string | null
}

export const verifyCommand: Command = {
  name: 'verify',
  usage: '<receipt.json> | --chain [--workspace W]',
  summary: 'Recomputes a receipt offline: "same", or the first line that differs. With --chain, checks history itself.',
  options: {
    chain: { type: 'boolean', help: 'verifies the keyed chains and stored seals in the database' },
    workspace: { type: 'string', value: 'W', help: 'with --chain: this workspace only' },
  },
  positionals: { least: 0, most: 1 },
  async run(invocation) {
    if (invocation.options.chain === true) return runVerifyChain(invocation)
    const path = invocation.positionals[0]
    if (path === undefined) throw new Refusal('invalid', 'name the receipt to verify, or write --chain')
    if (invocation.options.workspace !== undefined) throw new Refusal('invalid', '--workspace goes with --chain only')
    const receipt = parseReceipt(await readTextFile(path), path)
    const verdict = judge(receipt)
    report(invocation, receipt, verdict)
    return verdict.problem === null ? 0 : 1
  },
}

interface WrittenReceipt {
  readonly hash: unknown
  readonly body: ReceiptBody
  readonly signature: Signature | null
}

function parseReceipt(text: string, path: string): WrittenReceipt {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Refusal('invalid', `${path} is not a receipt: it is not JSON`)
  }
  const receipt = json as Partial<Record<string, unknown>> | null
  if (typeof receipt !== 'object' || receipt === null || typeof receipt.body !== 'object' || receipt.body === null)
    throw new Refusal('invalid', `${path} is not a receipt: it has no body`)
  return { hash: receipt.hash, body: receipt.body as ReceiptBody, signature: readSignature(receipt.signature) }
}

function readSignature(json: unknown): Signature | null {
  if (json === null || json === undefined) return null
  const { algorithm, publicKey, value } = json as Partial<Record<string, unknown>>
  if (algorithm !== 'Ed25519' || typeof publicKey !== 'string' || typeof value !== 'string')
    throw new Refusal('invalid', 'the receipt cannot be read: signature must have algorithm, publicKey and value')
  return { algorithm, publicKey, value }
}

function judge(receipt: WrittenReceipt): Verdict {
  const again = recompute(receipt.body)
  const difference = firstDifference(receipt.body, again)
  const hash = hashOf(again)
  const sealed = receipt.signature !== null && isSealed(hash, receipt.signature)
  const signedBy = sealed ? receipt.signature!.publicKey : null
  if (difference !== null) {
    const { line, written, recomputed } = difference
    return {
      recomputes: false,
      signedBy: null,
      problem: `${line}: the receipt says ${readable(written)}, recomputed ${readable(recomputed)}`,
    }
  }
  if (receipt.hash !== hash)
    return { recomputes: true, signedBy, problem: `hash: the receipt says ${String(receipt.hash)}, recomputed ${hash}` }
  if (receipt.signature !== null && !sealed)
    return { recomputes: true, signedBy: null, problem: 'signature: it is not one of this hash under the key it names' }
  return { recomputes: true, signedBy, problem: null }
}

/** Fractions as people read them. */
function readable(figure: string): string {
  const number = figure.includes('/') ? parseExact(figure) : null
  return number === null ? figure : writeCarried(number)
}

function report(invocation: Invocation, { body }: WrittenReceipt, verdict: Verdict): void {
  const { terminal } = invocation
  if (invocation.json) {
    writeJson(invocation, { same: verdict.problem === null, ...verdict })
    if (verdict.problem !== null) terminal.err(`assize: ${verdict.problem}\n`)
    return
  }
  if (verdict.problem !== null) {
    terminal.err(`different: ${verdict.problem}\n`)
    return
  }
  const { period, pam, steps, observations, result } = body
  terminal.out(
    `same: ${pam} ${period} recomputes to ${result.adjustmentPct === null ? 'no percent (from a price of 0)' : `${signed(result.adjustmentPct)} %`} (lines: ${steps.length}, observations: ${observations.length})\n`,
  )
  terminal.out(verdict.signedBy === null ? 'not signed\n' : `signed by ed25519:${verdict.signedBy}\n`)
}
