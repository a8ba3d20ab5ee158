// Keys of a log that a reader trusts: the named ones, and later ones that announcements lead to. A planted announcement becomes a problem
// in a sentence: without both signatures, of a key nobody named, or of a key that has ended already.
import {
  type AnnouncementProof,
  calledKey,
  isAnnouncedIn,
  isSameKey,
  problemOfAnnouncement,
} from './key-announcement.ts'
import type { NoteKey } from './note-key.ts'
import { checkNote, type NoteCheck } from './note-signature.ts'
import { formatNote, type SignedNote } from './signed-note.ts'

export class KnownKeys {
  readonly named: readonly NoteKey[]
  /** Named keys and the keys announced after them. */
  readonly trusted: readonly NoteKey[]
  /** Valid announcements, ascending by their leaves. */
  readonly announced: readonly AnnouncementProof[]
  readonly problems: readonly string[]
  readonly #subtle: NoteCheck
  /** Many slips have one checkpoint, which is checked once. */
  readonly #checked = new Map<string, ReturnType<typeof checkNote>>()

  private constructor(subtle: NoteCheck, facts: Pick<KnownKeys, 'named' | 'trusted' | 'announced' | 'problems'>) {
    this.#subtle = subtle
    this.named = facts.named
    this.trusted = facts.trusted
    this.announced = facts.announced
    this.problems = facts.problems
  }

  static async of(
    subtle: NoteCheck,
    named: readonly NoteKey[],
    proofs: readonly AnnouncementProof[],
  ): Promise<KnownKeys> {
    const problems: string[] = []
    const announced: AnnouncementProof[] = []
    for (const proof of proofs.toSorted((a, b) => a.index - b.index)) {
      const other = announced.find(each => isSameKey(each.previous, proof.previous))
      if (other?.index === proof.index && other.leaf === proof.leaf) continue
      const problem = !isAnnouncedIn(proof)
        ? 'it is not in the tree of its checkpoint'
        : ((await problemOfAnnouncement(subtle, proof)) ??
          (other === undefined ? null : `leaf ${other.index} has ended the key ${calledKey(proof.previous)} already`))
      if (problem === null) announced.push(proof)
      else problems.push(formatProblem(proof, problem))
    }
    const trusted = [...named]
    for (const { previous, next } of announced) if (has(trusted, previous) && !has(trusted, next)) trusted.push(next)
    const keys = new KnownKeys(subtle, { named, trusted, announced, problems })
    if (named.length > 0) problems.push(...(await keys.#strangers()))
    return keys
  }

  check(note: SignedNote, keys: readonly NoteKey[]): ReturnType<typeof checkNote> {
    const name = `${keys.map(calledKey).join(' ')}\n${formatNote(note)}`
    const checked = this.#checked.get(name) ?? checkNote(this.#subtle, note, keys)
    this.#checked.set(name, checked)
    return checked
  }

  /** Keys among these that signed a checkpoint. */
  async signersOf(note: SignedNote, keys: readonly NoteKey[] = this.named): Promise<readonly NoteKey[]> {
    const checked = await this.check(note, keys)
    return checked.flatMap(({ key, verdict }) => (verdict === 'holds' ? [key] : []))
  }

  /** Keys announced after a key. */
  after(key: NoteKey): readonly NoteKey[] {
    const later: NoteKey[] = []
    for (const { previous, next } of this.announced) if (has([key, ...later], previous)) later.push(next)
    return later
  }

  /** Announcements that are not between keys of the log, or in no checkpoint of it. */
  async #strangers(): Promise<readonly string[]> {
    const before = [...this.trusted]
    for (const { previous, next } of this.announced.toReversed()) if (has(before, next)) before.push(previous)
    const problems: string[] = []
    for (const proof of this.announced) {
      if (!has(before, proof.next))
        problems.push(formatProblem(proof, `${calledKey(proof.previous)} is not a key of the log that you trust`))
      else if ((await this.signersOf(proof.checkpoint, this.trusted)).length === 0)
        problems.push(formatProblem(proof, 'its checkpoint is not signed by a key of the log that you trust'))
    }
    return problems
  }
}

function has(keys: readonly NoteKey[], key: NoteKey): boolean {
  return keys.some(each => isSameKey(each, key))
}

function formatProblem({ index }: AnnouncementProof, problem: string): string {
  return `leaf ${index}, which announces another key of the log: ${problem}`
}
