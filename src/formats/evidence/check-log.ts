// Checks an evidence package's part of the public log: checkpoints are signed and grow into each other, signed entries are
// under them, and they match the checkpoints that somebody kept. Two checkpoints that cannot both be true are shown with both
// texts.

import type { SignatureCheck } from '../../core/identity/signature-check.ts'
import { type Checkpoint, readCheckpoint, readHash } from '../../core/proof/checkpoint.ts'
import {
  type AnnouncedKey,
  isAnnouncedIn,
  keyInForce,
  problemOfAnnouncement,
  problemOfSuccession,
  readAnnouncement,
} from '../../core/proof/key-announcement.ts'
import { isSameHash } from '../../core/proof/merkle-hash.ts'
import { isConsistent } from '../../core/proof/merkle-proof.ts'
import { makeNoteKey, type NoteKey, readNoteKey } from '../../core/proof/note-key.ts'
import { checkNote } from '../../core/proof/note-signature.ts'
import { refuseManyAnnouncements, refuseManySignatures } from '../../core/proof/proof-file.ts'
import { readNote, type SignedNote } from '../../core/proof/signed-note.ts'
import { problemOfSlip, readEntryLine, readSlip, type Slip } from '../../core/proof/slip.ts'
import { isStampOf, readStamp } from '../../core/proof/time-stamp.ts'
import { Refusal } from '../../core/refusal.ts'
import { bytesOfBase64 } from '../../core/text/base64.ts'
import type { Json } from '../../core/text/canonical-json.ts'
import { countedAs } from '../../core/text/counts.ts'
import { instantOfMicros } from '../../core/time/instant.ts'
import type { ChainPart } from './chain-part.ts'
import type { CheckedPart } from './checked-part.ts'
import { type LogFile, logPath, readLogFile, seqOfSlip, stampCommand } from './log-file.ts'
import type { EvidenceFiles } from './manifest.ts'

/** The word of a witness for a time. */
interface Vouched {
  readonly by: string
  /** `2026-11-18T05:07:00Z`. */
  readonly at: string
}

interface LoggedCheckpoint extends Checkpoint {
  readonly text: string
  readonly vouched: readonly Vouched[]
}

export interface LoggedSlip {
  readonly seq: number
  readonly slip: Slip
  readonly kind: string
  /** The entry's content; null where neither the slip nor the chain has it. */
  readonly content: Readonly<Record<string, Json>> | null
}

export interface CheckedLog {
  readonly origin: string
  /** Ascending; the last is the newest. */
  readonly checkpoints: readonly LoggedCheckpoint[]
  readonly slips: readonly LoggedSlip[]
  /** Time stamps over these checkpoints, each with the command of OpenSSL that checks its signer. They prove nothing before. */
  readonly leftToOpenSsl: readonly string[]
  readonly part: CheckedPart
}

const title = 'The log'

/**
 * The log's check; null for a package without one. `chain`: the package's part of the chain, if it has one that can be read.
 */
export async function checkLog(
  files: EvidenceFiles,
  subtle: SignatureCheck | undefined,
  chain: ChainPart | null,
): Promise<CheckedLog | null> {
  const text = files.get(logPath)
  if (text === undefined) return null
  const file = readLogFile(text)
  const nothing = { origin: file?.origin ?? '', checkpoints: [], slips: [], leftToOpenSsl: [] }
  const unread = (problem: string) => ({
    ...nothing,
    part: { title, words: 'It cannot be read.', problems: [problem] },
  })
  if (file === null) return unread(`${logPath} is not one`)
  try {
    return await new LogCheck(file, subtle, chain).check(files)
  } catch (error) {
    if (error instanceof Refusal) return unread(`${logPath} is not one: ${error.message}`)
    throw error
  }
}

class LogCheck {
  readonly #file: LogFile
  readonly #subtle: SignatureCheck | undefined
  readonly #chain: ChainPart | null
  readonly #problems: string[] = []
  readonly #announced: AnnouncedKey[] = []

  constructor(file: LogFile, subtle: SignatureCheck | undefined, chain: ChainPart | null) {
    this.#file = file
    this.#subtle = subtle
    this.#chain = chain
  }

  async check(files: EvidenceFiles): Promise<CheckedLog> {
    const { origin, earlier, checkpoint } = this.#file
    const witnesses = this.#file.witnesses.map(({ key }) => readNoteKey(key))
    await this.#checkAnnouncements()
    const notes = [checkpoint, ...earlier.map(each => each.checkpoint)].map(readNote)
    refuseManySignatures(notes, [
      ...this.#file.keys.map(readNoteKey),
      ...this.#announced.map(each => each.previous),
      ...witnesses,
    ])
    const newest = await this.#checkpoint(checkpoint)
    const known: LoggedCheckpoint[] = []
    for (const each of earlier) {
      const older = await this.#checkpoint(each.checkpoint)
      if (!isConsistent(older, newest, each.proof.map(readHash))) this.#problems.push(contradiction(older, newest))
      known.push(older)
    }
    const signed = [...known, newest]
    const slips = [...files].flatMap(([path, text]) => {
      const seq = seqOfSlip(path)
      return seq === null ? [] : this.#slip({ path, seq, text }, signed)
    })
    this.#checkWithout(slips)
    const leftToOpenSsl = this.#stamps(signed)
    const entries = countedAs(slips.length, 'entry is', 'entries are')
    const grown = countedAs(earlier.length, 'earlier checkpoint grows', 'earlier checkpoints grow')
    const words = `${entries} in ${origin} at ${countedAs(newest.size, 'leaf', 'leaves')}, and ${grown} into it.`
    return { origin, checkpoints: signed, slips, leftToOpenSsl, part: { title, words, problems: this.#problems } }
  }

  async #checkpoint(written: string): Promise<LoggedCheckpoint> {
    const note = readNote(written)
    const checkpoint = readCheckpoint(note.text)
    const { size, origin } = checkpoint
    if (origin !== this.#file.origin)
      this.#problems.push(`the checkpoint of ${size} leaves is of another log: ${origin}`)
    return { ...checkpoint, text: note.text, vouched: await this.#signatures(note, checkpoint) }
  }

  /** The keys that signed earlier checkpoints, up to the one of now. */
  async #checkAnnouncements(): Promise<void> {
    const { announcements = [], keys, checkpoint } = this.#file
    if (announcements.length === 0 || this.#subtle === undefined) return
    refuseManyAnnouncements(announcements.length)
    const problems: string[] = []
    for (const { leaf, index, proof } of announcements) {
      const announcement = { ...readAnnouncement(leaf), index }
      this.#announced.push(announcement)
      const place = { leaf, index, proof: proof.map(readHash), checkpoint: readNote(checkpoint) }
      const problem = isAnnouncedIn(place)
        ? await problemOfAnnouncement(this.#subtle, announcement)
        : 'it is not in the tree of its checkpoint'
      if (problem !== null) problems.push(`leaf ${index}, which announces another key of the log: ${problem}`)
    }
    const broken = problemOfSuccession(readNoteKey(keys[0] ?? ''), this.#announced)
    this.#problems.push(...problems, ...(broken === null ? [] : [broken]))
  }

  async #signatures(note: SignedNote, { size }: Checkpoint): Promise<readonly Vouched[]> {
    const of = `the checkpoint of ${size} leaves`
    const { keys, witnesses } = this.#file
    if (this.#subtle === undefined) {
      this.#problems.push('this browser cannot check Ed25519 signatures')
      return []
    }
    const newest = readNoteKey(keys[0] ?? '')
    const inForce = keyInForce(newest, this.#announced, size)
    const own = inForce === newest ? newest : makeNoteKey(newest.name, 'ed25519', inForce.publicKey)
    const named = witnesses.map(({ name, key }) => ({ name, key: readNoteKey(key) }))
    const checked = await checkNote(this.#subtle, note, [own, ...named.map(({ key }) => key)])
    const isOwn = (key: NoteKey) => key.id === own.id && key.name === own.name
    if (!checked.some(({ key, verdict }) => isOwn(key) && verdict === 'holds'))
      this.#problems.push(`${of} is not signed by the log`)
    return checked.flatMap(({ key, verdict, seconds }): Vouched[] => {
      if (isOwn(key)) return []
      const name = named.find(each => each.key === key)!.name
      if (verdict === 'fails') this.#problems.push(`the cosignature of ${name} on ${of} does not hold`)
      return verdict === 'holds' && seconds !== null ? [{ by: `witness ${name}`, at: formatSeconds(seconds) }] : []
    })
  }

  /** The part that is left to OpenSSL, for each stamp that is over its checkpoint. */
  #stamps(checkpoints: readonly LoggedCheckpoint[]): readonly string[] {
    return this.#file.stamps.flatMap(({ size, authority, token, stampedAt }, at) => {
      const text = checkpoints.find(each => each.size === size)?.text
      const stamp = readStamp(bytesOfBase64(token) ?? new Uint8Array())
      const isOver = stamp !== null && text !== undefined && isStampOf(stamp, text)
      if (isOver && stampedAt.slice(0, 19) === stamp.at.slice(0, 19))
        return [
          `who stamped the checkpoint of ${size} leaves on ${stamp.at} (${authority}, the operator says): ${stampCommand(stamp, at + 1)}`,
        ]
      this.#problems.push(`the time stamp of ${authority} is not over the checkpoint of ${size} leaves`)
      return []
    })
  }

  #slip(
    { path, seq, text }: { readonly path: string; readonly seq: number; readonly text: string },
    checkpoints: readonly LoggedCheckpoint[],
  ): LoggedSlip[] {
    try {
      const slip = readSlip(text)
      const entry = readEntryLine(slip.entry.line)
      const published = this.#chain?.entries.find(each => each.seq === entry.seq)
      const problem =
        problemOfSlip(slip) ??
        (entry.seq === seq ? null : 'it is of another entry') ??
        (this.#chain === null || this.#chain.scope === slip.scope ? null : 'it is of another scope') ??
        (checkpoints.some(each => each.text === slip.checkpoint.text)
          ? null
          : `its checkpoint is not one of ${logPath}`) ??
        (published === undefined || published.contentHash === entry.hash
          ? null
          : 'it is of another entry than the chain has')
      if (problem !== null) this.#problems.push(`${path}: ${problem}`)
      if (problem !== null) return []
      const own = slip.entry.content === null ? undefined : (JSON.parse(slip.entry.content.text) as Json)
      const content = (own ?? published?.content ?? null) as LoggedSlip['content']
      return [{ seq, slip, kind: entry.kind, content }]
    } catch (error) {
      if (!(error instanceof Refusal) && !(error instanceof SyntaxError)) throw error
      this.#problems.push(`${path}: ${error.message}`)
      return []
    }
  }

  #checkWithout(slips: readonly LoggedSlip[]): void {
    const found = new Set(slips.map(({ seq }) => seq))
    for (const { seq, kind } of this.#chain?.entries ?? [])
      if (signedKinds.includes(kind) && !found.has(seq)) this.#problems.push(`publication ${seq} (${kind}) has no slip`)
  }
}

/** Kinds of entries by which a party signs something. */
export const signedKinds: readonly string[] = ['signature', 'correction-signature', 'terms-signature']

function contradiction(one: { readonly text: string }, other: { readonly text: string }): string {
  return `the log contradicts itself: ${JSON.stringify(one.text)} and ${JSON.stringify(other.text)}`
}

function formatSeconds(seconds: number): string {
  return `${instantOfMicros(seconds * 1_000_000).slice(0, 19)}Z`
}

/** A slip or a checkpoint that somebody kept. */
export interface RecordedNote {
  /** The name of the file that the note is in. */
  readonly name: string
  readonly note: SignedNote
}

export interface ComparedKept {
  readonly part: CheckedPart | null
  /** The package's own checkpoints among them. */
  readonly same: readonly LoggedCheckpoint[]
  /** Sentences about checkpoints that could not be compared. */
  readonly apart: readonly string[]
}

/** Compares the checkpoints that somebody kept with those of the package. */
export function compareKept({ origin, checkpoints }: CheckedLog, kept: readonly RecordedNote[]): ComparedKept {
  const problems: string[] = []
  const apart: string[] = []
  const same = new Map<number, LoggedCheckpoint>()
  for (const { name, note } of kept) {
    const own = readCheckpoint(note.text)
    const found = checkpoints.find(({ size }) => size === own.size)
    if (own.origin !== origin) apart.push(`${name}: a checkpoint of ${own.origin}, which is another log`)
    else if (found === undefined) apart.push(`${name}: a checkpoint of ${own.size} leaves, which is not in the package`)
    else if (isSameHash(found.root, own.root)) same.set(found.size, found)
    else problems.push(`${name}: ${contradiction(note, found)}`)
  }
  const words = `${countedAs(same.size, 'checkpoint is in the package as you kept it', 'checkpoints are in the package as you kept them')}.`
  const part = kept.length === 0 ? null : { title: 'What you kept', words, problems }
  return { part, same: [...same.values()].toSorted((a, b) => a.size - b.size), apart }
}
