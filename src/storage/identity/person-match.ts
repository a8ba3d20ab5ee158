// Traces that show that two accounts are of one person: the same address, also behind a link for a new password, a passkey, or a
// subject of an identity provider. That two accounts without any of them are two people is not known, and nothing says so.
import type { SignerOrigin } from '../../core/receipt/signer-origin.ts'
import type { Transaction } from '../postgres/database.ts'

/** Traces of an account, as texts: two accounts with a common one are of one person. */
export type Traces = ReadonlySet<string>

/** Traces of everybody in the workspace, by account. */
export async function loadTraces(tx: Transaction, workspaceId: string): Promise<ReadonlyMap<string, Traces>> {
  const rows = await tx<{ id: string; trace: string }[]>`
    select m.person_id as id, t.trace from member m
    join person p on p.id = m.person_id
    cross join lateral (
      select 'account ' || m.person_id as trace
      union all select 'account ' || m.replaces where m.replaces is not null
      union all select 'address ' || lower(p.email)
      union all select unnest(array['key ' || k.public_key, 'credential ' || k.credential_id]) from passkeys_of(m.person_id) k
      union all select 'subject ' || i.issuer || ' ' || l.subject from identity_link l
        join identity_provider i on i.workspace_id = l.workspace_id and i.id = l.provider_id
        where l.workspace_id = m.workspace_id and l.person_id = m.person_id) t
    where m.workspace_id = ${workspaceId}`
  const byAccount = Map.groupBy(rows, ({ id }) => id)
  return new Map([...byAccount].map(([id, own]) => [id, new Set(own.map(({ trace }) => trace))]))
}

interface Signed {
  readonly signedBy: string
  readonly personId: string | null
  readonly origin: SignerOrigin | null
}

/** Traces of a signer, as they were recorded then. */
export function tracesOfSigner({ signedBy, personId, origin }: Signed): Traces {
  return new Set([
    `address ${signedBy.trim().toLowerCase()}`,
    ...(personId === null ? [] : [`account ${personId}`]),
    ...(origin?.passkeys ?? []).map(({ id }) => `credential ${id}`),
    ...(origin?.identities ?? []).map(({ issuer, subject }) => `subject ${issuer} ${subject}`),
  ])
}

export function isOnePerson(a: Traces, b: Traces): boolean {
  return !a.isDisjointFrom(b)
}
