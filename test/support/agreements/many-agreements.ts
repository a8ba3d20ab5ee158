// A workspace with very many formulas: copies of one with its price lists, made by the database at once. As the program would store them, except
// for their place in the sequence, which is that of the first.
import type { Sql } from '../../../src/storage/postgres/database.ts'

/** `count` copies, with the slugs `copy-00001` and so on. */
export async function copyAgreement(
  owner: Sql,
  workspaceId: string,
  agreementId: string,
  count: number,
): Promise<void> {
  const copies = owner`(
    select n, 'pam_0' || right(${workspaceId}, 17) || lpad(n::text, 8, '0') as id, 'copy-' || lpad(n::text, 5, '0') as slug
    from generate_series(1, ${count}::integer) n) as c`
  await owner.begin(async tx => {
    await tx`insert into agreement (workspace_id, id, slug, created_at)
      select a.workspace_id, c.id, c.slug, a.created_at from agreement a, ${copies} where a.id = ${agreementId} and a.workspace_id = ${workspaceId}`
    await tx`insert into agreement_state (workspace_id, agreement_id, seq, name, description, status, parties, billing, recorded_at)
      select s.workspace_id, c.id, s.seq, 'Copy ' || c.n, s.description, s.status, s.parties, s.billing, s.recorded_at
      from agreement_state s, ${copies} where s.agreement_id = ${agreementId} and s.workspace_id = ${workspaceId}`
    await tx`insert into formula (workspace_id, agreement_id, version, seq, document, document_text, effective_from, created_by, recorded_at)
      select f.workspace_id, c.id, f.version, f.seq, f.document, f.document_text, f.effective_from, f.created_by, f.recorded_at
      from formula f, ${copies} where f.agreement_id = ${agreementId} and f.workspace_id = ${workspaceId}`
    await tx`insert into price_list (workspace_id, agreement_id, version, seq, from_period, from_date, items, list_rows, created_by, recorded_at)
      select l.workspace_id, c.id, l.version, l.seq, l.from_period, l.from_date, l.items, l.list_rows, l.created_by, l.recorded_at
      from price_list l, ${copies} where l.agreement_id = ${agreementId} and l.workspace_id = ${workspaceId}`
  })
  await owner`analyze agreement, agreement_state, formula, price_list`
}
