// The announcement of another key of the public log: a leaf that the key before and the next key signed, written as a note (C2SP
// `signed-note`). It names the keys of the receipts' seals that changed with it, so its place in the log says what was sealed before.
import { Refusal } from '../refusal.ts'
import { decodeUtf8 } from '../text/utf8.ts'
import { readCheckpoint } from './checkpoint.ts'
import { isSameHash, leafHash } from './merkle-hash.ts'
import { rootByInclusion } from './merkle-proof.ts'
import { formatNoteKey, type NoteKey, readNoteKey } from './note-key.ts'
import { checkNote, type NoteCheck, type NoteSigner, signNote } from './note-signature.ts'
import { formatNote, readNote, type SignedNote } from './signed-note.ts'
import { formatTlogProof, type TlogProof } from './tlog-proof.ts'

const form = 'assize-key/1'

export interface KeyAnnouncement {
  /** The key that had signed checkpoints until then. */
  readonly previous: NoteKey
  readonly next: NoteKey
  /** The key that receipts were sealed with until then, as base64url. */
  readonly previousSeal: string
  readonly nextSeal: string
  readonly note: SignedNote
}

/** The text of the leaf. */
export function formatAnnouncement(
  previous: NoteSigner,
  next: NoteSigner,
  seals: Pick<KeyAnnouncement, 'previousSeal' | 'nextSeal'>,
): string {
  const keys = [previous, next].map(({ key }) => formatNoteKey(key))
  const lines = [form, ...keys, `ed25519:${seals.previousSeal}`, `ed25519:${seals.nextSeal}`]
  const text = `${lines.join('\n')}\n`
  return formatNote({ text, signatures: [signNote(previous, text, 0), signNote(next, text, 0)] })
}

export function isAnnouncement(leaf: string): boolean {
  return leaf.startsWith(`${form}\n`)
}

export function readAnnouncement(leaf: string): KeyAnnouncement {
  const note = readNote(leaf)
  const [first, previous, next, ...seals] = note.text.split('\n')
  const [previousSeal, nextSeal] = seals.map(line => /^ed25519:([A-Za-z0-9_-]{43})$/.exec(line)?.[1])
  const isWhole = first === form && seals.length === 3 && seals[2] === ''
  if (!isWhole || previousSeal === undefined || nextSeal === undefined)
    throw new Refusal('unreadable', 'the announcement of a key has five lines: its form, two keys and two seals')
  return { previous: readNoteKey(previous!), next: readNoteKey(next!), previousSeal, nextSeal, note }
}

/** Why an announcement counts for nothing; null where both keys signed it. */
export async function problemOfAnnouncement(
  subtle: NoteCheck,
  { previous, next, note }: KeyAnnouncement,
): Promise<string | null> {
  for (const key of [previous, next]) {
    const checked = await checkNote(subtle, note, [key])
    if (!checked.some(({ verdict }) => verdict === 'holds')) return `it is not signed by ${calledKey(key)}`
  }
  return isSameKey(previous, next) ? 'the key is the one before' : null
}

/** The key without its bytes, as people tell keys apart. */
export function calledKey({ name, id }: NoteKey): string {
  return `${name}+${id}`
}

/** Whether two keys have the same bytes, whatever their origins. */
export function isSameKey(one: Pick<NoteKey, 'publicKey'>, other: Pick<NoteKey, 'publicKey'>): boolean {
  return isSameHash(one.publicKey, other.publicKey)
}

/** An announcement with its place in the log. */
export interface AnnouncedKey extends KeyAnnouncement {
  /** Place of its leaf in the log. */
  readonly index: number
}

/**
 * Why announcements, ascending by their leaves, do not lead to the key that signs now: each goes on from the key before it. One that is
 * planted ends a key that was not in force, or has ended already. Null where they do.
 */
export function problemOfSuccession(current: NoteKey, announced: readonly AnnouncedKey[]): string | null {
  for (const [at, { index, next }] of announced.entries()) {
    const follows = announced[at + 1]
    const inForce = follows?.previous ?? current
    if (follows !== undefined && follows.index <= index) return 'the announcements of its keys are not in their order'
    if (!isSameKey(next, inForce))
      return follows === undefined
        ? `leaf ${index}: it announces the key ${calledKey(next)}, and the log is signed by ${calledKey(current)}`
        : `leaf ${follows.index}: it ends the key ${calledKey(inForce)}, and since leaf ${index} the key of the log is ${calledKey(next)}`
  }
  return null
}

/** Key that signs checkpoints of that size. */
export function keyInForce(current: NoteKey, announced: readonly AnnouncedKey[], size: number): NoteKey {
  return announced.find(({ index }) => index >= size)?.previous ?? current
}

/** An announcement with its way to a checkpoint: a file of C2SP `tlog-proof`, whose extra is the leaf. */
export interface AnnouncementProof extends AnnouncedKey {
  readonly leaf: string
  readonly proof: TlogProof['proof']
  readonly checkpoint: SignedNote
}

export function formatAnnouncementProof({
  leaf,
  index,
  proof,
  checkpoint,
}: Omit<AnnouncementProof, keyof KeyAnnouncement>) {
  return formatTlogProof({ extra: new TextEncoder().encode(leaf), index, proof, checkpoint })
}

/** Null for a proof of something else, such as a slip. */
export function announcementIn({ extra, ...place }: TlogProof): AnnouncementProof | null {
  const begins = new TextEncoder().encode(`${form}\n`)
  if (extra === null || !begins.every((byte, at) => extra[at] === byte)) return null
  const leaf = decodeUtf8(extra)
  return leaf === null ? null : { ...readAnnouncement(leaf), leaf, ...place }
}

/** Whether a leaf is at that place of the tree of a checkpoint. */
export function isAnnouncedIn({
  leaf,
  index,
  proof,
  checkpoint,
}: Omit<AnnouncementProof, keyof KeyAnnouncement>): boolean {
  const { size, root } = readCheckpoint(checkpoint.text)
  const found = rootByInclusion({ leaf: leafHash(new TextEncoder().encode(leaf)), index, size }, proof)
  return found !== null && isSameHash(found, root)
}
