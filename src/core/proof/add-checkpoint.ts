// The request of C2SP `tlog-witness` that asks a witness for its signature: `add-checkpoint`.
import { base64Of } from '../text/base64.ts'
import type { Hash } from './merkle-hash.ts'
import { type SignedNote, writeNote } from './signed-note.ts'

interface AddCheckpoint {
  /** The size of the tree that the witness signed last, 0 for none. */
  readonly old: number
  /** The proof that the tree grew out of that one. */
  readonly proof: readonly Hash[]
  readonly note: SignedNote
}

export function writeAddCheckpoint({ old, proof, note }: AddCheckpoint): string {
  return [`old ${old}`, ...proof.map(base64Of), '', writeNote(note)].join('\n')
}
