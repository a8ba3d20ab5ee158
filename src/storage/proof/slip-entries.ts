// Entries of a workspace that are signatures: the newest ones, and all of one signed thing.
import { type EntryKind, entryKinds } from '../log/entry-kinds.ts'
import { type Sql, withWorkspace } from '../postgres/database.ts'

/** Kinds by which a party signs something. */
const signatureKinds = ['signature', 'correction-signature', 'terms-signature'] as const satisfies readonly EntryKind[]

/** The signatures that were given after an entry, by one person or, for null, by anybody. */
export async function loadSignaturesSince(
  sql: Sql,
  scope: string,
  after: number,
  personId: string | null,
): Promise<readonly number[]> {
  return withWorkspace(sql, scope, async tx => {
    const seqs: number[] = []
    for (const kind of signatureKinds) {
      const rows = await tx<{ seq: number }[]>`
        select r.seq from ${tx(entryKinds[kind].table)} r
        join signing g on g.workspace_id = r.workspace_id and g.id = r.signing_id
        where r.workspace_id = ${scope} and r.seq > ${after}
          and (${personId}::text is null or g.person_id = ${personId})`
      seqs.push(...rows.map(({ seq }) => seq))
    }
    return seqs.sort((a, b) => a - b)
  })
}

/** Signature entries of an agreement (by slug or id, of one period or all), of a correction or of a change of terms (by id). */
export async function findSignatureEntries(
  sql: Sql,
  scope: string,
  { subject, period }: { readonly subject: string; readonly period: string | null },
): Promise<readonly number[]> {
  return withWorkspace(sql, scope, async tx => {
    const rows = await tx<{ seq: number }[]>`
      select o.seq from sign_off o join agreement a on a.workspace_id = o.workspace_id and a.id = o.agreement_id
      where o.workspace_id = ${scope} and ${subject} in (a.id, a.slug) and (${period}::text is null or o.period = ${period})
      union all
      select seq from correction_signature where workspace_id = ${scope} and correction_id = ${subject}
      union all
      select seq from terms_change_signature where workspace_id = ${scope} and change_id = ${subject}
      order by seq`
    return rows.map(({ seq }) => seq)
  })
}

/** The entries that say what was erased of these since, by which a slip says why it has no content. */
export async function findRedactionEntries(
  sql: Sql,
  scope: string,
  seqs: readonly number[],
): Promise<readonly number[]> {
  return withWorkspace(sql, scope, async tx => {
    const rows = await tx<{ seq: number }[]>`
      select seq from redaction where scope = ${scope} and entry = any(${seqs as number[]}::bigint[]) order by seq`
    return rows.map(({ seq }) => seq)
  })
}
