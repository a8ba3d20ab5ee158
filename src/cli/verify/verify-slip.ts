// `verify` of slips: that each entry is in the log of a checkpoint, and who signed that checkpoint.

import { readCheckpoint } from '../../core/proof/checkpoint.ts'
import { type NoteKey, readNoteKey, writeNoteKey } from '../../core/proof/note-key.ts'
import { checkNote } from '../../core/proof/note-signature.ts'
import { problemOfSlip, readEntryLine, readSlip, type Slip } from '../../core/proof/slip.ts'
import { Refusal } from '../../core/refusal.ts'
import { instantOfMicros } from '../../core/time/instant.ts'
import { slipsIn } from '../../formats/evidence/check-log.ts'
import { type Invocation, Misuse, writeJson } from '../frame/command.ts'

/** Vkeys that the reader trusts: of the log, and of witnesses. */
interface SlipKeys {
  readonly log: readonly string[]
  readonly witnesses: readonly string[]
}

export async function verifySlips(invocation: Invocation, source: string, keys: SlipKeys): Promise<number> {
  const [log, witnesses] = [readKeys('log-key', keys.log), readKeys('witness', keys.witnesses)]
  const told = await Promise.all(slipsIn(source).map(text => tellSlip(readSlip(text), log, witnesses)))
  const { terminal, json } = invocation
  const problems = told.flatMap(each => each.problems)
  // Anybody can write a log with an entry in it: without its key nothing is proven.
  const isProven = problems.length === 0 && log.length > 0
  if (json) writeJson(invocation, { same: isProven, slips: told })
  for (const problem of problems) terminal.err(`refused: ${problem}\n`)
  if (problems.length === 0 && log.length === 0)
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

async function tellSlip(slip: Slip, log: readonly NoteKey[], witnesses: readonly NoteKey[]) {
  const { seq, kind } = readEntryLine(slip.entry.line)
  const { origin, size } = readCheckpoint(slip.checkpoint.text)
  const what = `entry ${seq} (${kind}) of ${slip.scope}`
  const problem = problemOfSlip(slip)
  const problems = problem === null ? [] : [`${what}: ${problem}`]
  const checked = await checkNote(globalThis.crypto.subtle, slip.checkpoint, [...log, ...witnesses])
  const lines = [`same: ${what} is in the log ${origin} of ${size} leaves`]
  if (log.length > 0 && !checked.some(({ key, verdict }) => log.includes(key) && verdict === 'holds'))
    problems.push(`${what}: the checkpoint is not signed by a key of the log that you trust`)
  if (witnesses.length === 0) lines.push('no witness was named (--witness)')
  for (const { key, verdict, seconds } of checked) {
    const name = nameOf(key)
    if (verdict === 'fails') problems.push(`${what}: the signature of ${name} does not hold`)
    else if (verdict === 'unchecked') lines.push(`the signature of ${name} cannot be checked here`)
    else if (log.includes(key)) lines.push(`signed by the log's key ${name}`)
    else lines.push(`cosigned by ${name} on ${instantOfMicros(seconds! * 1_000_000).slice(0, 19)}Z`)
  }
  return { what, origin, size, scope: slip.scope, entry: slip.entry.line, lines, problems }
}

/** Without the key itself. */
function nameOf(key: NoteKey): string {
  return writeNoteKey(key).split('+').slice(0, 2).join('+')
}
