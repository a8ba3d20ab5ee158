// Options of `verify` beside the file: trusted keys, and slips, checkpoints and time stamps from elsewhere.
import { basename } from 'node:path'
import { readTrustedIssuers, type TrustedIssuers } from '../../core/identity/issuer-trust.ts'
import { type NoteKey, readNoteKey } from '../../core/proof/note-key.ts'
import { isProofFile, type ProofFile, readProofFile } from '../../core/proof/proof-file.ts'
import { readNote } from '../../core/proof/signed-note.ts'
import type { BroughtProofs, EndedKey } from '../../core/receipt/ended-seal.ts'
import { readKeyName, readPublishedKeys } from '../../core/receipt/verdict.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Invocation, Misuse, textOption, textOptions } from '../frame/command.ts'
import { readFileBytes, readTextFile } from '../frame/files.ts'

export interface ReadTrust {
  /** Null where no key was named. */
  readonly keys: readonly string[] | null
  readonly ended: ReadonlyMap<string, EndedKey>
  readonly logKeys: readonly NoteKey[]
  readonly witnesses: readonly NoteKey[]
  /** Null where none were named. */
  readonly issuers: TrustedIssuers | null
}

/** Key of a log, which `--trust` accepts too. */
const vkey = /^[^+]+\+[0-9a-f]{8}\+.+$/

export async function readTrust(invocation: Invocation): Promise<ReadTrust> {
  const trusted = textOptions(invocation, 'trust')
  const issuers = textOption(invocation, 'trust-issuer')
  const [keys, logKeys, ended] = [[] as string[], [] as NoteKey[], new Map<string, EndedKey>()]
  for (const written of trusted) {
    const key = readKeyName(written)
    if (key !== null) keys.push(key)
    else if (written.startsWith('ed25519:'))
      throw new Misuse(`--trust must be ed25519: and 43 characters of a public key, got "${written}"`)
    else if (vkey.test(written)) logKeys.push(...readVkeys('trust', [written]))
    else {
      const published = await readNamed('trust', written, readPublishedKeys)
      keys.push(...published.keys)
      logKeys.push(...published.logKeys)
      for (const [each, endedAt] of published.ended) ended.set(each, { endedAt, file: basename(written) })
    }
  }
  return {
    keys: trusted.length === 0 ? null : keys,
    ended: new Map([...ended].filter(([key]) => !keys.includes(key))),
    logKeys: [...readVkeys('log-key', textOptions(invocation, 'log-key')), ...logKeys],
    witnesses: readVkeys('witness', textOptions(invocation, 'witness')),
    issuers: issuers === null ? null : await readNamed('trust-issuer', issuers, readTrustedIssuers),
  }
}

function readVkeys(option: string, written: readonly string[]): readonly NoteKey[] {
  return written.map(each => readOption(option, () => readNoteKey(each)))
}

/** Reads the file that an option names. */
async function readNamed<T>(option: string, path: string, read: (source: string) => T): Promise<T> {
  const source = await readTextFile(path)
  return readOption(`${option} ${path}`, () => read(source))
}

/** Reads the value of an option; a refusal becomes a misuse that names the option. */
function readOption<T>(option: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) throw new Misuse(`--${option}: ${error.message}`)
    throw error
  }
}

export interface StampFile {
  readonly name: string
  /** A token, or the answer that it came in. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

const mostStampBytes = 1_000_000

export async function readStamps(invocation: Invocation): Promise<readonly StampFile[]> {
  const paths = textOptions(invocation, 'stamp')
  const files = await Promise.all(paths.map(path => readFileBytes(path, mostStampBytes)))
  return files.map((bytes, at) => ({ name: basename(paths[at]!), bytes: Uint8Array.from(bytes) }))
}

type ReadProofs = Pick<BroughtProofs, 'slips' | 'announcements' | 'kept'>

/** `--slip` and `--kept`: the reader vouches for the checkpoints of what they kept. Null where neither was given. */
export async function readProofs(invocation: Invocation): Promise<ReadProofs | null> {
  const slips: ReadProofs['slips'][number][] = []
  const announcements: ReadProofs['announcements'][number][] = []
  const kept: ReadProofs['kept'][number][] = []
  const add = (file: string, found: ProofFile) => {
    slips.push(...found.slips.map(proof => ({ file, proof })))
    announcements.push(...found.announcements.map(proof => ({ file, proof })))
  }
  const [given, own] = [textOptions(invocation, 'slip'), textOptions(invocation, 'kept')]
  for (const path of given) add(basename(path), await readNamed('slip', path, readProofFile))
  for (const path of own) {
    const file = basename(path)
    await readNamed('kept', path, source => {
      const found = isProofFile(source) ? readProofFile(source) : null
      if (found !== null) add(file, found)
      const notes = found === null ? [readNote(source)] : found.slips.map(({ checkpoint }) => checkpoint)
      kept.push(...notes.map(proof => ({ file, proof })))
    })
  }
  return given.length + own.length === 0 ? null : { slips, announcements, kept }
}
