// The request of C2SP `tlog-witness` that asks a witness for its signature: `add-checkpoint`.
import { base64Of } from '../text/base64.ts'
import type { Hash } from './merkle-hash.ts'
import { formatNote, type SignedNote } from './signed-note.ts'

interface AddCheckpoint {
  /** The size of the tree that the witness signed last, 0 for none. */
  readonly old: number
  /** The proof that the tree grew out of that one. */
  readonly proof: readonly Hash[]
  readonly note: SignedNote
}

export function formatAddCheckpoint({ old, proof, note }: AddCheckpoint): string {
  return [`old ${old}`, ...proof.map(base64Of), '', formatNote(note)].join('\n')
}
