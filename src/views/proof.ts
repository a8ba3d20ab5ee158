// The page Proof: how the public log stands, who vouches for it, and how many signatures of this person are in it.
import { readFile } from 'node:fs/promises'
import { writeNoteKey } from '../core/proof/note-key.ts'
import { readPolicy } from '../core/proof/policy.ts'
import { Refusal } from '../core/refusal.ts'
import { readLogStanding } from '../storage/proof/log-standing.ts'
import { readSignaturesSince } from '../storage/proof/slip-entries.ts'
import type { ProofPage } from './shapes/proof.ts'
import type { Seat } from './sight/seat.ts'
import type { ViewParts } from './sight/view-parts.ts'

export async function showProof({ installation: { sql }, log, config }: ViewParts, seat: Seat): Promise<ProofPage> {
  const [standing, asked, signed] = await Promise.all([
    readLogStanding(sql, log.keys),
    readWitnesses(config.witnessesFile),
    readSignaturesSince(sql, seat.workspace.id, 0, seat.person.id),
  ])
  const last = new Map(standing?.witnesses.map(each => [each.witness, { size: each.size, at: each.receivedAt }]))
  const keys = new Map(asked.map(({ name, key }) => [name, key]))
  const names = [...new Set([...keys.keys(), ...last.keys()])]
  return {
    origin: standing?.origin ?? null,
    keys: standing?.keys ?? [],
    stopped: standing?.stopped ?? null,
    checkpoint: standing?.checkpoint ?? null,
    witnesses: names.map(name => ({ name, key: keys.get(name) ?? null, last: last.get(name) ?? null })),
    stamps: standing?.stamps.map(({ authority, size, stampedAt: at }) => ({ authority, size, at })) ?? [],
    signatures: signed.length,
  }
}

/** Those that the operator has the server ask, by their names in its policy. A file that cannot be read is reported elsewhere. */
export async function readWitnesses(
  path: string | null,
): Promise<readonly { readonly name: string; readonly key: string }[]> {
  if (path === null) return []
  try {
    const { witnesses } = readPolicy(await readFile(path, 'utf8'))
    return witnesses.map(({ name, key }) => ({ name, key: writeNoteKey(key) }))
  } catch (error) {
    if (error instanceof Refusal || (error as NodeJS.ErrnoException).code !== undefined) return []
    throw error
  }
}
