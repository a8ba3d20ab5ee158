// Stored answers of parties to a proposal that both have to sign, a correction or a change of terms: signatures and refusals.

import type { Party } from '../../core/parties.ts'
import type { Statement } from '../../core/receipt/objection.ts'
import type { RedactedName } from '../../core/receipt/party-signature.ts'
import type { Instant } from '../../core/time/instant.ts'
import { redactedBy } from '../log/chain-contents.ts'
import type { ClockRepairs } from '../log/clock-repairs.ts'
import type { Transaction } from '../postgres/database.ts'
import type { StoredStatement } from './objections.ts'
import type { Signing } from './signing.ts'
import { batchOfSigning } from './signing-batches.ts'

export interface ProposalSignature {
  readonly party: Party
  readonly signedBy: string
  readonly signedAt: Instant
  /** Instant in the row: differs where a clock was ahead and was repaired since. */
  readonly storedAt: Instant
  readonly seq: number
  readonly given: Signing
  readonly seal: Buffer
}

interface ProposalRefusal extends Statement, StoredStatement {
  readonly reason: string
}

export interface ProposalAnswers {
  /** Signatures in the order they were given. */
  readonly signatures: readonly ProposalSignature[]
  readonly refusal: ProposalRefusal | null
}

/** Tables of answers, and their columns with the id of the proposal. */
interface AnswerTables {
  readonly signatures: string
  readonly refusals: string
  readonly key: string
}

type OfProposal<T> = T & { readonly proposalId: string }

/** Answers to these proposals, with the instants that count. */
export async function loadAnswers(
  tx: Transaction,
  workspaceId: string,
  { signatures, refusals, key }: AnswerTables,
  ids: readonly string[],
  repairs: ClockRepairs,
): Promise<(id: string) => ProposalAnswers> {
  const [signed, refused] = await Promise.all([
    tx<OfProposal<Omit<ProposalSignature, 'given'> & Omit<Signing, 'redacted'> & { redacted: RedactedName | null }>[]>`
      select s.${tx(key)} as "proposalId", s.party, s.signed_by as "signedBy", s.signed_at as "signedAt",
        s.signed_at as "storedAt", s.seq, s.seal, g.person_id as "personId", g.name, g.from_address as "fromAddress", g.means,
        g.periods as together, g.passkey, g.provider, g.origin, ${batchOfSigning(tx)} as batch,
        ${redactedBy(tx, workspaceId, 's.seq')} as redacted
      from ${tx(signatures)} s join signing g on g.workspace_id = s.workspace_id and g.id = s.signing_id
        left join signing_batch b on b.workspace_id = g.workspace_id and b.id = g.batch_id
      where s.workspace_id = ${workspaceId} and s.${tx(key)} = any(${ids as string[]}::text[]) order by s.seq`,
    tx<OfProposal<ProposalRefusal>[]>`
      select ${tx(key)} as "proposalId", party, reason, said_by as by, person_id as "personId", name,
        from_address as "fromAddress", means, seq, recorded_at as at, recorded_at as "storedAt", seal
      from ${tx(refusals)} where workspace_id = ${workspaceId} and ${tx(key)} = any(${ids as string[]}::text[])`,
  ])
  const at = (seq: number, instant: Instant) => repairs.instantOf(workspaceId, seq, instant)
  const signaturesOf = groupByProposal(signed)
  const refusalsOf = groupByProposal(refused)
  return id => {
    const [refusal] = refusalsOf(id)
    return {
      signatures: signaturesOf(id).map(
        ({ personId, name, fromAddress, means, together, passkey, provider, origin, batch, redacted, ...row }) => ({
          ...row,
          signedAt: at(row.seq, row.signedAt),
          given: {
            personId,
            name,
            fromAddress,
            means,
            together,
            passkey,
            provider,
            origin,
            batch,
            ...(redacted === null ? {} : { redacted }),
          },
        }),
      ),
      refusal: refusal === undefined ? null : { ...refusal, at: at(refusal.seq, refusal.at) },
    }
  }
}

function groupByProposal<T extends { readonly proposalId: string }>(rows: readonly T[]) {
  const groups = Map.groupBy(rows, ({ proposalId }) => proposalId)
  return (id: string) => (groups.get(id) ?? []).map(({ proposalId: _id, ...row }) => row)
}
