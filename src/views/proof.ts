// The page Proof: the state of the public log, its witnesses, and the number of this person's signatures in it.
import { loadLogStanding } from '../storage/proof/log-summary.ts'
import { loadSignaturesSince } from '../storage/proof/slip-entries.ts'
import type { ProofPage } from './shapes/signatures.ts'
import type { Seat } from './sight/seat.ts'
import type { ViewContext } from './sight/view-parts.ts'
import { readWitnesses } from './sight/witnesses.ts'

export async function showProof({ installation: { sql }, log, config }: ViewContext, seat: Seat): Promise<ProofPage> {
  const [standing, asked, signed] = await Promise.all([
    loadLogStanding(sql, log.keys),
    readWitnesses(config.witnessesFile),
    loadSignaturesSince(sql, seat.workspace.id, 0, seat.person.id),
  ])
  const last = new Map(standing?.witnesses.map(each => [each.witness, { size: each.size, at: each.receivedAt }]))
  // A policy may give a witness another name than its key has.
  const named = new Map(asked.map(witness => [witness.id, witness]))
  const ids = [...new Set([...named.keys(), ...last.keys()])]
  return {
    origin: standing?.origin ?? null,
    keys: standing?.keys ?? [],
    stopped: standing?.stopped ?? null,
    checkpoint: standing?.checkpoint ?? null,
    witnesses: ids.map(id => ({
      name: named.get(id)?.name ?? id,
      key: named.get(id)?.key ?? null,
      last: last.get(id) ?? null,
    })),
    stamps: standing?.stamps.map(({ authority, size, stampedAt: at }) => ({ authority, size, at })) ?? [],
    signatures: signed.length,
  }
}
