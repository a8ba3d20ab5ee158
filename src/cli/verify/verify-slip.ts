// `verify` of slips: that an entry was in the log, by the file alone. The signature of the checkpoint is checked with keys that
// the reader brings, because a key that came with the slip would prove nothing.
import { readCheckpoint } from '../../core/proof/checkpoint.ts'
import { type NoteKey, readNoteKey } from '../../core/proof/note-key.ts'
import { checkNote } from '../../core/proof/note-signature.ts'
import { problemOfSlip, readEntryLine, readSlip, splitSlips } from '../../core/proof/slip.ts'
import { type Invocation, Misuse, writeJson } from '../frame/command.ts'
import { readTextFile } from '../frame/files.ts'

interface SlipVerdict {
  readonly entry: { readonly seq: number; readonly kind: string; readonly subject: string; readonly hash: string }
  readonly scope: string
  readonly content: unknown
  readonly checkpoint: { readonly origin: string; readonly leaves: number }
  /** The keys that the reader trusts and that signed it; with the time, for cosignatures. */
  readonly signedBy: readonly { readonly name: string; readonly at: string | null }[]
  readonly problems: readonly string[]
}

export async function verifySlips(invocation: Invocation, text: string, trusted: readonly string[]): Promise<number> {
  const keys = (await Promise.all(trusted.map(readTrustedKeys))).flat()
  const verdicts: SlipVerdict[] = []
  for (const slip of splitSlips(text)) verdicts.push(await judge(slip, keys))
  const isGood = verdicts.every(({ problems }) => problems.length === 0)
  if (invocation.json) writeJson(invocation, { same: isGood, slips: verdicts })
  for (const verdict of verdicts) tell(invocation, verdict)
  return isGood ? 0 : 1
}

/** A key as `log show` prints it, or a file of such lines or of published keys. */
async function readTrustedKeys(written: string): Promise<readonly NoteKey[]> {
  const isKey = /^[^\s+]+\+[0-9a-f]{8}\+\S+$/.test(written)
  const lines = isKey ? [written] : keysIn(await readTextFile(written))
  if (lines.length === 0) throw new Misuse(`--trust ${written}: it has no key of a log`)
  return lines.map(readNoteKey)
}

function keysIn(text: string): readonly string[] {
  if (!text.trimStart().startsWith('{'))
    return text.split('\n').flatMap(line => (line.trim() === '' ? [] : [line.trim()]))
  const { logKeys } = JSON.parse(text) as { readonly logKeys?: unknown }
  return Array.isArray(logKeys) ? logKeys.map(String) : []
}

async function judge(text: string, keys: readonly NoteKey[]): Promise<SlipVerdict> {
  const slip = readSlip(text)
  const { origin, size } = readCheckpoint(slip.checkpoint.text)
  const checked = await checkNote(crypto.subtle, slip.checkpoint, keys)
  const problem = problemOfSlip(slip)
  const signedBy = checked
    .filter(({ verdict }) => verdict === 'holds')
    .map(({ key, seconds }) => ({
      name: key.name,
      at: seconds === null ? null : new Date(seconds * 1000).toISOString(),
    }))
  const failing = checked.filter(({ verdict }) => verdict !== 'holds')
  const isSigned = signedBy.some(({ name }) => name === origin)
  return {
    entry: readEntryLine(slip.entry.line),
    scope: slip.scope,
    content: slip.entry.content === null ? null : JSON.parse(slip.entry.content.text),
    checkpoint: { origin, leaves: size },
    signedBy,
    problems: [
      ...(problem === null ? [] : [problem]),
      ...failing.map(({ key }) => `the signature of ${key.name} does not hold`),
      ...(isSigned || failing.length > 0 ? [] : [unsigned(origin, keys)]),
    ],
  }
}

function unsigned(origin: string, keys: readonly NoteKey[]): string {
  return keys.length === 0
    ? `nobody you trust has signed its checkpoint: name the key of ${origin} with --trust`
    : `none of the keys you trust is that of ${origin}`
}

function tell({ terminal, json }: Invocation, verdict: SlipVerdict): void {
  const { entry, scope, checkpoint, signedBy, problems, content } = verdict
  const what = `entry ${entry.seq} of ${scope} (${entry.kind} of ${entry.subject})`
  for (const problem of problems) terminal.err(`not proven: ${what}: ${problem}\n`)
  if (json || problems.length > 0) return
  const { origin, leaves } = checkpoint
  terminal.out(`same: ${what} is in the log ${origin}, under its checkpoint of ${leaves} leaves\n`)
  if (content === null) terminal.out('  its content is not in the slip: only its hash is proven\n')
  for (const { name, at } of signedBy)
    terminal.out(
      at === null
        ? `  signed by ${name}, a key that you trust\n`
        : `  seen by ${name}, a witness that you trust, at ${at}\n`,
    )
}
