// A file of slips, one after the other, and of announcements of keys behind them. It is read once, and bounded, so that a file that
// somebody made to be slow is refused in one sentence.
import { Refusal } from '../refusal.ts'
import { type AnnouncementProof, announcementIn } from './key-announcement.ts'
import type { NoteKey } from './note-key.ts'
import type { SignedNote } from './signed-note.ts'
import { type Slip, slipIn } from './slip.ts'
import { readTlogProof } from './tlog-proof.ts'

/** Each signature that is checked costs milliseconds; the same one counts once. */
const most = { proofs: 10_000, announcements: 100, signatures: 1_000 }

const start = 'c2sp.org/tlog-proof@v1\n'

export interface ProofFile {
  readonly slips: readonly Slip[]
  readonly announcements: readonly AnnouncementProof[]
}

export function isProofFile(source: string): boolean {
  return source.startsWith(start)
}

export function readProofFile(source: string): ProofFile {
  const texts = source.split(/^(?=c2sp\.org\/tlog-proof@v1\n)/m)
  if (texts.length > most.proofs) throw new Refusal('too-large', `a file has at most ${most.proofs} slips`)
  const slips: Slip[] = []
  const announcements: AnnouncementProof[] = []
  for (const text of texts) {
    const proof = readTlogProof(text)
    const announcement = announcementIn(proof)
    if (announcement === null) slips.push(slipIn(proof))
    else refuseManyAnnouncements(announcements.push(announcement))
  }
  return { slips, announcements }
}

export function refuseManyAnnouncements(count: number): void {
  if (count > most.announcements) throw new Refusal('too-large', `a file announces at most ${most.announcements} keys`)
}

/** Refuses more signatures by these keys than are checked. */
export function refuseManySignatures(notes: readonly SignedNote[], keys: readonly NoteKey[]): void {
  const found = new Set<string>()
  for (const { text, signatures } of notes)
    for (const { name, keyId, bytes } of signatures)
      if (keys.some(key => key.name === name && key.id === keyId)) found.add(`${keyId} ${bytes.toString()} ${text}`)
  if (found.size > most.signatures) throw new Refusal('too-large', `at most ${most.signatures} signatures are checked`)
}
