// What one touch of a passkey signed for several agreements, as it is stored: the list of entries and the assertion over it. Acts
// of signing name it within minutes of the touch; rows are added, never changed.

import type { PasskeyAssertion } from '../../core/receipt/party-signature.ts'
import type { SignerOrigin } from '../../core/receipt/signer-origin.ts'
import { type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { isIdentifier, makeIdentifier } from '../postgres/identifier.ts'

/** Beside `signing g left join signing_batch b`: the place of an act in its batch, or null. */
export function batchOfSigning(tx: Transaction) {
  return tx`case when g.batch_id is not null
    then jsonb_build_object('id', g.batch_id, 'salt', g.batch_salt, 'entries', b.entries) end`
}

interface NewBatch {
  readonly personId: string
  /** Ascending. */
  readonly entries: readonly string[]
  readonly passkey: PasskeyAssertion
  readonly origin: SignerOrigin
}

export interface KeptBatch extends NewBatch {
  readonly id: string
}

/** Its id. */
export function insertBatch(sql: Sql, workspaceId: string, batch: NewBatch): Promise<string> {
  const { personId, entries, passkey, origin } = batch
  const id = makeIdentifier('sgb')
  return withWorkspace(sql, workspaceId, async tx => {
    await tx`
      insert into signing_batch (workspace_id, id, person_id, entries, passkey, origin)
      values (${workspaceId}, ${id}, ${personId}, ${tx.json([...entries])}, ${tx.json(passkey as never)}, ${tx.json(origin as never)})`
    return id
  })
}

/** That of a person, while it can still be used; null otherwise. */
export async function readBatch(
  sql: Sql,
  workspaceId: string,
  wanted: { readonly id: string; readonly personId: string; readonly forSeconds: number },
): Promise<KeptBatch | null> {
  const { id, personId, forSeconds } = wanted
  if (!isIdentifier('sgb', id)) return null
  const [row] = await withWorkspace(
    sql,
    workspaceId,
    tx => tx<KeptBatch[]>`
      select id, person_id as "personId", entries, passkey, origin from signing_batch
      where workspace_id = ${workspaceId} and id = ${id} and person_id = ${personId}
        and made_at > clock_timestamp() - make_interval(secs => ${forSeconds})`,
  )
  return row ?? null
}
