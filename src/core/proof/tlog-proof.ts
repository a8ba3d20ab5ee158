// A file of C2SP `tlog-proof`: one leaf is in the tree of a checkpoint, which stands at the file's end with all its signatures.
import { Refusal } from '../refusal.ts'
import { base64Of, bytesOfBase64 } from '../text/base64.ts'
import { readCheckpoint, readHash, readWholeNumber } from './checkpoint.ts'
import type { Hash } from './merkle-hash.ts'
import { formatNote, readNote, type SignedNote } from './signed-note.ts'

export interface TlogProof {
  /** Bytes that identify the leaf; null where there are none. Nobody has signed them. */
  readonly extra: Uint8Array | null
  /** The leaf's place in the log. */
  readonly index: number
  readonly proof: readonly Hash[]
  readonly checkpoint: SignedNote
}

const firstLine = 'c2sp.org/tlog-proof@v1'

/** A tree has no more than 2 ** 63 leaves. */
export const longestProof = 63

export function formatTlogProof({ extra, index, proof, checkpoint }: TlogProof): string {
  const extraLine = extra === null ? [] : [`extra ${base64Of(extra)}`]
  return [firstLine, ...extraLine, `index ${index}`, ...proof.map(base64Of), '', formatNote(checkpoint)].join('\n')
}

export function readTlogProof(text: string): TlogProof {
  const end = text.indexOf('\n\n')
  const [first, ...lines] = text.slice(0, Math.max(end, 0)).split('\n')
  if (first !== firstLine) throw new Refusal('unreadable', `a proof begins with the line ${firstLine}`)
  const extra = lines[0]?.startsWith('extra ') === true ? readExtra(lines.shift()!) : null
  const indexLine = lines.shift()
  if (indexLine?.startsWith('index ') !== true) throw new Refusal('unreadable', 'a proof has a line "index"')
  if (lines.length > longestProof) throw new Refusal('unreadable', `a proof has at most ${longestProof} hashes`)
  const index = readWholeNumber(indexLine.slice('index '.length), 'the index of a proof')
  const [proof, checkpoint] = [lines.map(readHash), readNote(text.slice(end + 2))]
  readCheckpoint(checkpoint.text)
  return { extra, index, proof, checkpoint }
}

function readExtra(line: string): Uint8Array {
  const extra = bytesOfBase64(line.slice('extra '.length))
  if (extra === null) throw new Refusal('unreadable', 'what a proof has besides is not base64')
  return extra
}
