// `verify` of slips: that each entry is in the log of a checkpoint, and the signers of that checkpoint, by a key that was named or one
// that the log announced after it.

import { readCheckpoint } from '../../core/proof/checkpoint.ts'
import { calledKey } from '../../core/proof/key-announcement.ts'
import { KnownKeys } from '../../core/proof/known-keys.ts'
import { readProofFile, refuseManySignatures } from '../../core/proof/proof-file.ts'
import { problemOfSlip, readEntryLine, type Slip } from '../../core/proof/slip.ts'
import { isStampOf, opensslCommand, readStamp, readStampAnswer } from '../../core/proof/time-stamp.ts'
import type { Json } from '../../core/text/canonical-json.ts'
import { anyMapping } from '../../core/text/exact-shape.ts'
import { readStrictJson } from '../../core/text/strict-json.ts'
import { instantOfMicros } from '../../core/time/instant.ts'
import { type Invocation, printJson } from '../frame/command.ts'
import type { ReadTrust, StampFile } from './verify-trust.ts'

const longestContent = 1_000_000

type SlipTrust = Pick<ReadTrust, 'logKeys' | 'witnesses'> & { readonly stamps: readonly StampFile[] }

export async function verifySlips(invocation: Invocation, source: string, trust: SlipTrust): Promise<number> {
  const { logKeys: named, witnesses } = trust
  const { slips, announcements } = readProofFile(source)
  const notes = [...slips, ...announcements].map(({ checkpoint }) => checkpoint)
  refuseManySignatures(notes, [...named, ...announcements.map(({ next }) => next), ...witnesses])
  const known = await KnownKeys.of(globalThis.crypto.subtle, named, announcements)
  const told = []
  for (const slip of slips) told.push(await tellSlip(slip, known, trust))
  const { terminal, json } = invocation
  const problems = [...known.problems, ...told.flatMap(each => each.problems)]
  const followed = known.announced.map(
    ({ previous, next, index }) =>
      `the key ${calledKey(next)} follows ${calledKey(previous)}: leaf ${index} says so, and both signed it`,
  )
  // Anybody can write a log with an entry in it: without its key nothing is proven.
  const isProven = problems.length === 0 && named.length > 0
  if (json) printJson(invocation, { same: isProven, slips: told, announced: followed })
  for (const problem of problems) terminal.err(`refused: ${problem}\n`)
  if (problems.length === 0 && named.length === 0)
    for (const { what, origin, size } of told)
      terminal.err(
        `not proven: ${what} fits the log ${origin} of ${size} leaves, whose key was not named (--log-key)\n`,
      )
  if (!json && isProven)
    for (const line of [...told.flatMap(each => each.lines), ...followed]) terminal.out(`${line}\n`)
  return isProven ? 0 : 1
}

/** Keys of the log are those that are named and those that follow them. */
async function tellSlip(slip: Slip, known: KnownKeys, { witnesses, stamps }: SlipTrust) {
  const log = known.trusted
  const { seq, kind } = readEntryLine(slip.entry.line)
  const { origin, size } = readCheckpoint(slip.checkpoint.text)
  const what = `entry ${seq} (${kind}) of ${slip.scope}`
  const problem = problemOfSlip(slip)
  const problems = problem === null ? [] : [problem]
  const checked = await known.check(slip.checkpoint, [...log, ...witnesses])
  const lines = [`same: ${what} is in the log ${origin} of ${size} leaves`]
  if (log.length > 0 && !checked.some(({ key, verdict }) => log.includes(key) && verdict === 'holds'))
    problems.push('the checkpoint is not signed by a key of the log that you trust')
  for (const { key, verdict, seconds } of checked) {
    const name = calledKey(key)
    if (verdict === 'fails') problems.push(`the signature of ${name} does not hold`)
    else if (verdict === 'unchecked') lines.push(`the signature of ${name} cannot be checked here`)
    else if (log.includes(key)) lines.push(`signed by the log's key ${name}`)
    else lines.push(`cosigned by ${name} on ${instantOfMicros(seconds! * 1_000_000).slice(0, 19)}Z`)
  }
  if (witnesses.length === 0) lines.push('no witness was named (--witness)')
  for (const file of stamps) {
    const left = formatStamp(file, slip.checkpoint.text)
    if (left === null) problems.push(`${file.name} is not a time stamp over the checkpoint of ${size} leaves`)
    else lines.push(`left to OpenSSL: ${left}`)
  }
  const said = slip.entry.content === null ? null : formatRedaction(kind, slip.entry.content.text)
  if (said !== null) lines.push(said)
  const told = problems.map(each => `${what}: ${each}`)
  return { what, origin, size, scope: slip.scope, entry: slip.entry.line, lines, problems: told }
}

/** The check left to OpenSSL; null where the stamp is not over that text. */
function formatStamp({ name, bytes }: StampFile, text: string): string | null {
  const { token } = readStampAnswer(bytes)
  const stamp = readStamp(token ?? bytes)
  if (stamp === null || !isStampOf(stamp, text)) return null
  const command = opensslCommand(stamp, name, token === null ? 'token' : 'answer')
  return `who stamped the checkpoint of ${readCheckpoint(text).size} leaves on ${stamp.at}: ${command}`
}

/** Words of an entry that has erased a part of another; null for other entries. */
function formatRedaction(kind: string, text: string): string | null {
  if (kind !== 'redaction') return null
  const content = readStrictJson(text, 'the content of the entry', { length: longestContent, depth: 4 })
  const {
    entry,
    kind: of,
    instead,
    reason,
    by,
  } = anyMapping(content, 'the content of the entry') as Record<string, Json>
  const words = [entry, of, by, reason, instead].map(each => (typeof each === 'string' ? each : JSON.stringify(each)))
  return `what entry ${words[0]} (${words[1]}) said of a person was erased by ${words[2]}: ${words[3]}; ${words[4]} stands for them`
}
