// Public log in an evidence package: slips of everything signed in it, and checkpoints.
import { base64Of } from '../../core/text/base64.ts'
import { signedKinds } from '../../formats/evidence/check-log.ts'
import { formatLogFile, logPath, slipPath } from '../../formats/evidence/log-file.ts'
import { loadLogEvidence } from '../../storage/proof/log-evidence.ts'
import type { WantedSlip } from '../../storage/proof/slips.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { readWitnesses } from '../sight/witnesses.ts'

/** A signature in the package, by its entry. */
export interface SignedEntry {
  readonly seq: number
  readonly personId: string | null
}

/** Entry of a stored signature. */
export function signedEntry({
  seq,
  given,
}: {
  readonly seq: number
  readonly given: { readonly personId: string | null }
}): SignedEntry {
  return { seq, personId: given.personId }
}

interface ChainEntries {
  readonly entries: readonly { readonly seq: number; readonly kind: string }[]
}

/**
 * Adds nothing where nothing is signed in the log, or where the log is stopped: the package then says that much rests on the
 * operator. `chain`: its part of the chain, which has the contents; without one, people have the contents of their own signatures.
 */
export async function addLog(
  { installation, log, config }: ViewContext,
  { workspace, person }: Seat,
  signed: readonly SignedEntry[],
  chain: ChainEntries | null,
  files: Map<string, string>,
): Promise<void> {
  const { stopped } = await log.advance(workspace.id)
  if (stopped !== null) return
  const published = chain?.entries.filter(({ kind }) => signedKinds.includes(kind)).map(({ seq }) => seq) ?? []
  const own = new Map(signed.map(({ seq, personId }) => [seq, chain === null && personId === person.id]))
  const seqs = [...new Set([...own.keys(), ...published])].sort((a, b) => a - b)
  const wanted = seqs.map((seq): WantedSlip => ({ seq, hasContent: own.get(seq) === true }))
  const found = await loadLogEvidence(installation.sql, log.keys, workspace.id, wanted)
  if (found === null) return
  const { origin, keys, checkpoint, earlier, stamps, announcements, slips } = found
  for (const [i, slip] of slips.entries()) files.set(slipPath(seqs[i]!), slip)
  const file = {
    format: 'assize-log/1',
    origin,
    keys,
    witnesses: await readWitnesses(config.witnessesFile),
    checkpoint,
    earlier: earlier.map(each => ({ checkpoint: each.checkpoint, proof: each.proof.map(base64Of) })),
    stamps: stamps.map(({ size, authority, stampedAt, token }) => ({
      size,
      authority,
      stampedAt,
      token: base64Of(token),
    })),
    ...(announcements.length === 0
      ? {}
      : { announcements: announcements.map(each => ({ ...each, proof: each.proof.map(base64Of) })) }),
  } as const
  files.set(logPath, formatLogFile(file))
}
