// What C2SP `tlog-witness` sends to a witness as `add-checkpoint`, and how a witness judges it: it signs a tree only if it grew
// out of the one it signed before.
import { Refusal } from '../refusal.ts'
import { base64Of } from '../text/base64.ts'
import { type Checkpoint, readCheckpoint, readHash, readWholeNumber } from './checkpoint.ts'
import { emptyRoot, type Hash, isSameHash } from './merkle-hash.ts'
import { isConsistent } from './merkle-proof.ts'
import type { NoteKey } from './note-key.ts'
import { checkNote, type NoteCheck } from './note-signature.ts'
import { readNote, type SignedNote, writeNote } from './signed-note.ts'
import { longestProof } from './tlog-proof.ts'

export interface AddCheckpoint {
  /** The size of the tree that the witness signed last, 0 for none. */
  readonly old: number
  /** That the tree grew out of that one. */
  readonly proof: readonly Hash[]
  readonly note: SignedNote
}

export function writeAddCheckpoint({ old, proof, note }: AddCheckpoint): string {
  return [`old ${old}`, ...proof.map(base64Of), '', writeNote(note)].join('\n')
}

export function readAddCheckpoint(body: string): AddCheckpoint & { readonly checkpoint: Checkpoint } {
  const end = body.indexOf('\n\n')
  const [first = '', ...proof] = body.slice(0, Math.max(end, 0)).split('\n')
  if (!first.startsWith('old ')) throw new Refusal('unreadable', 'the first line is "old" and a size')
  if (proof.length > longestProof) throw new Refusal('unreadable', `a proof has at most ${longestProof} hashes`)
  const old = readWholeNumber(first.slice('old '.length), 'the old size')
  const note = readNote(body.slice(end + 2))
  return { old, proof: proof.map(readHash), note, checkpoint: readCheckpoint(note.text) }
}

/** What is wrong with a checkpoint, as the protocol tells it apart. */
export type WitnessRefusal =
  | { readonly kind: 'unknown-log' | 'not-signed' | 'malformed' | 'not-grown'; readonly why: string }
  /** The size that the witness signed last is another. */
  | { readonly kind: 'other-size'; readonly size: number; readonly why: string }
  /** The log has signed two trees of one size. */
  | { readonly kind: 'two-roots'; readonly size: number; readonly why: string }

type LastSigned = Pick<Checkpoint, 'size' | 'root'>

/** Null where the witness may sign. `logs` are the keys of the logs it watches; the name of a key is the log's origin. */
export async function judgeCheckpoint(
  subtle: NoteCheck,
  { old, proof, note, checkpoint }: AddCheckpoint & { readonly checkpoint: Checkpoint },
  logs: readonly NoteKey[],
  last: LastSigned | null,
): Promise<WitnessRefusal | null> {
  const { origin, size, root } = checkpoint
  const keys = logs.filter(({ name }) => name === origin)
  if (keys.length === 0) return { kind: 'unknown-log', why: `the log ${origin} is not watched here` }
  const checked = await checkNote(subtle, note, keys)
  if (!checked.some(({ verdict }) => verdict === 'holds'))
    return { kind: 'not-signed', why: `no known key of ${origin} has signed this checkpoint` }
  if (old > size) return { kind: 'malformed', why: `the old size ${old} is greater than the size ${size}` }
  const before = last ?? { size: 0, root: emptyRoot }
  if (old !== before.size)
    return { kind: 'other-size', size: before.size, why: `the size signed last is ${before.size}, not ${old}` }
  if (old > 0 && old === size && !isSameHash(root, before.root))
    return { kind: 'two-roots', size, why: `${origin} has signed two trees of ${size} leaves` }
  if (!isConsistent(before, { size, root }, proof))
    return { kind: 'not-grown', why: `no proof that the tree of ${size} leaves grew out of the one of ${old}` }
  return null
}
