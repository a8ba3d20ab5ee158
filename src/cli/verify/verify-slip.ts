// `verify` of slips: that each entry is in the log of a checkpoint, and the signers of that checkpoint.

import { readCheckpoint } from '../../core/proof/checkpoint.ts'
import { formatNoteKey, type NoteKey, readNoteKey } from '../../core/proof/note-key.ts'
import { checkNote } from '../../core/proof/note-signature.ts'
import { problemOfSlip, readEntryLine, readSlip, type Slip } from '../../core/proof/slip.ts'
import { isStampOf, opensslCommand, readStamp, readStampAnswer } from '../../core/proof/time-stamp.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Json } from '../../core/text/canonical-json.ts'
import { anyMapping } from '../../core/text/exact-shape.ts'
import { readStrictJson } from '../../core/text/strict-json.ts'
import { instantOfMicros } from '../../core/time/instant.ts'
import { slipsIn } from '../../formats/evidence/check-log.ts'
import { type Invocation, Misuse, printJson } from '../frame/command.ts'

const longestContent = 1_000_000

/** Trust and material of the reader: vkeys of the log and of witnesses, and time stamps. */
interface SlipTrust {
  readonly log: readonly string[]
  readonly witnesses: readonly string[]
  readonly stamps: readonly StampFile[]
}

interface StampFile {
  readonly name: string
  /** A token, or the answer that it came in. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

export async function verifySlips(invocation: Invocation, source: string, trust: SlipTrust): Promise<number> {
  const keys = { log: readKeys('log-key', trust.log), witnesses: readKeys('witness', trust.witnesses) }
  const told = await Promise.all(slipsIn(source).map(text => tellSlip(readSlip(text), keys, trust)))
  const { terminal, json } = invocation
  const problems = told.flatMap(each => each.problems)
  // Anybody can write a log with an entry in it: without its key nothing is proven.
  const isProven = problems.length === 0 && keys.log.length > 0
  if (json) printJson(invocation, { same: isProven, slips: told })
  for (const problem of problems) terminal.err(`refused: ${problem}\n`)
  if (problems.length === 0 && keys.log.length === 0)
    for (const { what, origin, size } of told)
      terminal.err(
        `not proven: ${what} fits the log ${origin} of ${size} leaves, whose key was not named (--log-key)\n`,
      )
  if (!json && isProven) for (const line of told.flatMap(each => each.lines)) terminal.out(`${line}\n`)
  return isProven ? 0 : 1
}

function readKeys(option: string, written: readonly string[]): readonly NoteKey[] {
  return written.map(each => {
    try {
      return readNoteKey(each)
    } catch (error) {
      if (error instanceof Refusal) throw new Misuse(`--${option}: ${error.message}`)
      throw error
    }
  })
}

interface SlipKeys {
  readonly log: readonly NoteKey[]
  readonly witnesses: readonly NoteKey[]
}

async function tellSlip(slip: Slip, { log, witnesses }: SlipKeys, trust: SlipTrust) {
  const { seq, kind } = readEntryLine(slip.entry.line)
  const { origin, size } = readCheckpoint(slip.checkpoint.text)
  const what = `entry ${seq} (${kind}) of ${slip.scope}`
  const problem = problemOfSlip(slip)
  const problems = problem === null ? [] : [problem]
  const checked = await checkNote(globalThis.crypto.subtle, slip.checkpoint, [...log, ...witnesses])
  const lines = [`same: ${what} is in the log ${origin} of ${size} leaves`]
  if (log.length > 0 && !checked.some(({ key, verdict }) => log.includes(key) && verdict === 'holds'))
    problems.push('the checkpoint is not signed by a key of the log that you trust')
  for (const { key, verdict, seconds } of checked) {
    const name = nameOf(key)
    if (verdict === 'fails') problems.push(`the signature of ${name} does not hold`)
    else if (verdict === 'unchecked') lines.push(`the signature of ${name} cannot be checked here`)
    else if (log.includes(key)) lines.push(`signed by the log's key ${name}`)
    else lines.push(`cosigned by ${name} on ${instantOfMicros(seconds! * 1_000_000).slice(0, 19)}Z`)
  }
  if (witnesses.length === 0) lines.push('no witness was named (--witness)')
  for (const file of trust.stamps) {
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

/** Name of a key, without the key itself. */
function nameOf(key: NoteKey): string {
  return formatNoteKey(key).split('+').slice(0, 2).join('+')
}
