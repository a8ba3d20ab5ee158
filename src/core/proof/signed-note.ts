// Notes as C2SP `signed-note` writes them: a text, an empty line, and lines of signatures. Reading a note checks its form
// alone; `note-signature.ts` checks the signatures.
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { Refusal } from '../refusal.ts'
import { base64Of, bytesOfBase64 } from '../text/base64.ts'
import { isKeyName } from './note-key.ts'

export interface NoteSignature {
  readonly name: string
  /** The key's id, eight hexadecimal digits. */
  readonly keyId: string
  readonly bytes: Uint8Array
}

export interface SignedNote {
  /** Ends with a line break. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/** A note with more than 16 signatures need not be read by anybody; ours keep far below both. */
const most = { signatures: 100, length: 1_000_000 }

function refuse(message: string): never {
  throw new Refusal('unreadable', message)
}

export function readNote(note: string): SignedNote {
  if (note.length > most.length) refuse(`a note has at most ${most.length} characters`)
  // A lone half of a pair of UTF-16 was not UTF-8.
  if (!note.isWellFormed() || /[^\P{Cc}\n\u007f-\u009f]/u.test(note)) refuse('a note has no control characters')
  const end = note.lastIndexOf('\n\n')
  if (end < 0) refuse('a note has an empty line before its signatures')
  return { text: note.slice(0, end + 1), signatures: readSignatures(note.slice(end + 2)) }
}

/** Reads one or more lines. */
export function readSignatures(lines: string): NoteSignature[] {
  if (!lines.endsWith('\n')) refuse('a signature of a note ends with a line break')
  const signatures = lines.slice(0, -1).split('\n').map(readSignature)
  if (signatures.length > most.signatures) refuse(`a note has at most ${most.signatures} signatures`)
  return signatures
}

function readSignature(line: string): NoteSignature {
  const [, name = '', encoded = ''] = /^— (\S+) (\S+)$/u.exec(line) ?? []
  const bytes = bytesOfBase64(encoded)
  if (!isKeyName(name) || bytes === null || bytes.length <= 4) refuse(`"${line}" is not a line of a signature`)
  return { name, keyId: bytesToHex(bytes.subarray(0, 4)), bytes: bytes.subarray(4) }
}

/** A signature's line with its line break. */
export function formatSignature({ name, keyId, bytes }: NoteSignature): string {
  return `— ${name} ${base64Of(Uint8Array.of(...hexToBytes(keyId), ...bytes))}\n`
}

export function formatNote({ text, signatures }: SignedNote): string {
  return `${text}\n${signatures.map(formatSignature).join('')}`
}
