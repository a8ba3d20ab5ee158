// Newest checkpoint of the public log that this browser has seen, kept between visits, and its verdict on the log that is shown
// now. Nothing that contradicts it ever takes its place.
import { readCheckpoint } from '../../src/core/proof/checkpoint.ts'
import { isConsistent } from '../../src/core/proof/merkle-proof.ts'
import { readNote } from '../../src/core/proof/signed-note.ts'
import { bytesOfBase64 } from '../../src/core/text/base64.ts'
import type { LogGrowth } from '../../src/views/shapes/signatures.ts'

const place = 'assize-log-checkpoint'

export function keptNote(storage: Pick<Storage, 'getItem'>): string | null {
  try {
    return storage.getItem(place)
  } catch {
    // A browser may keep nothing at all.
    return null
  }
}

/** Keeps the larger of two checkpoints of the same origin. */
export function keepNote(storage: Pick<Storage, 'getItem' | 'setItem'>, note: string): void {
  const before = keptNote(storage)
  const [kept, given] = [before === null ? null : placeOf(before), placeOf(note)]
  if (given === null || (kept !== null && (kept.origin !== given.origin || kept.size >= given.size))) return
  try {
    storage.setItem(place, note)
  } catch {
    // Without storage the slips alone are kept.
  }
}

/** Place of a checkpoint; null where it cannot be read, as after somebody changed it. */
export function placeOf(note: string): { readonly origin: string; readonly size: number } | null {
  try {
    return readCheckpoint(readNote(note).text)
  } catch {
    return null
  }
}

/** Contradiction in words; null where the log grew out of the kept checkpoint. */
export function contradictionOf(note: string, growth: LogGrowth): string | null {
  const kept = readCheckpoint(readNote(note).text)
  if (growth.origin !== kept.origin)
    return `The log was started again as ${growth.origin}. The earlier log ${kept.origin}, of which this browser has seen ${kept.size} leaves, does not continue. The operator's reason: ${growth.forked ?? 'none was given'}.`
  if (growth.checkpoint === null || growth.proof === null)
    return `History was rewritten: this browser has seen a log of ${kept.size} leaves, and the one shown now is shorter.`
  const now = readCheckpoint(readNote(growth.checkpoint).text)
  const proof = growth.proof.map(hash => bytesOfBase64(hash) ?? new Uint8Array(0))
  if (isConsistent(kept, now, proof)) return null
  return `History was rewritten: the log of ${kept.size} leaves that this browser has seen is not part of the one shown now.`
}
