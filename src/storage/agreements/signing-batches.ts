// Stored batches: the list of entries that one act signed for several agreements and, of a touch of a passkey or a sign-in at a
// provider, the signature over it. Acts of signing name it within minutes; rows are added, never changed.

import type { ProviderProof } from '../../core/identity/provider-signature.ts'
import type { PasskeyAssertion } from '../../core/receipt/party-signature.ts'
import type { SignerOrigin } from '../../core/receipt/signer-origin.ts'
import { inWorkspace, type Sql, type Transaction } from '../postgres/database.ts'
import { isIdentifier, makeIdentifier } from '../postgres/identifier.ts'

/** Place of an act in its batch, or null; beside `signing g left join signing_batch b`. */
export function batchOfSigning(tx: Transaction) {
  return tx`case when g.batch_id is not null
    then jsonb_build_object('id', g.batch_id, 'salt', g.batch_salt, 'entries', b.entries) end`
}

interface NewBatch {
  /** Account; null for an address that no member has. */
  readonly personId: string | null
  /** Entries in ascending order. */
  readonly entries: readonly string[]
  /** Proofs: all null for a list that was signed by password or by the operator; else one of the first two is set. */
  readonly passkey: PasskeyAssertion | null
  readonly provider: ProviderProof | null
  readonly origin: SignerOrigin | null
}

interface StoredBatch extends Pick<NewBatch, 'entries' | 'passkey' | 'provider'> {
  readonly id: string
  readonly origin: SignerOrigin
}

/** Inserts a batch, and returns its id. */
export async function insertBatch(tx: Transaction, workspaceId: string, batch: NewBatch): Promise<string> {
  const { personId, entries, passkey, provider, origin } = batch
  const id = makeIdentifier('sgb')
  const json = (value: object | null) => (value === null ? null : tx.json(value as never))
  await tx`
    insert into signing_batch (workspace_id, id, person_id, entries, passkey, provider, origin)
    values (${workspaceId}, ${id}, ${personId}, ${tx.json([...entries])}, ${json(passkey)}, ${json(provider)},
      ${json(origin)})`
  return id
}

/** Batch of a person, while it can still be used; null otherwise. */
export async function loadBatch(
  sql: Sql,
  workspaceId: string,
  wanted: { readonly id: string; readonly personId: string; readonly forSeconds: number },
): Promise<StoredBatch | null> {
  const { id, personId, forSeconds } = wanted
  if (!isIdentifier('sgb', id)) return null
  const [row] = await inWorkspace(sql, workspaceId)<StoredBatch[]>`
    select id, entries, passkey, provider, origin from signing_batch
    where workspace_id = ${workspaceId} and id = ${id} and person_id = ${personId} and origin is not null
      and made_at > clock_timestamp() - make_interval(secs => ${forSeconds})`
  return row ?? null
}
