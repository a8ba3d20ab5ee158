// Billing details of companies for notes. Rows are added, never changed: the newest row of a company counts, and for a note the
// newest one before it, so that the same note can be written again. A row without our seal is not used: an account that was
// changed with SQL alone would send money elsewhere.
import { detailProblems, ownSlug, type PartyTexts, trimDetails } from '../../core/billing/party-fields.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Role, writers } from '../../core/roles.ts'
import { canonicalJson } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import { appending } from '../log/append.ts'
import { appendEntry } from '../log/entry-rows.ts'
import { rowSealsOf } from '../log/row-seals.ts'
import { loadOwnCompanies } from '../people/company-people.ts'
import { findCompany } from '../people/parties.ts'
import { type Acting, loadActing, sideOf } from '../people/people-events.ts'
import type { Sql, Transaction } from '../postgres/database.ts'
import { type Actor, noteActivity } from '../workspaces/activity.ts'

interface StoredDetails {
  readonly slug: string
  readonly details: PartyTexts
  readonly setBy: string
  readonly recordedAt: Instant
}

/** Finds the owner of billing details: a company, or under `ownSlug` the workspace. */
export async function findBillingParty(
  tx: Transaction,
  workspaceId: string,
  slug: string,
): Promise<{ readonly id: string | null; readonly name: string }> {
  if (slug !== ownSlug) return findCompany(tx, workspaceId, slug)
  const [row] = await tx<{ name: string }[]>`select name from workspace where id = ${workspaceId}`
  return { id: null, name: row!.name }
}

/** Details by slug, of companies that have some. */
export async function loadBillingDetails(
  tx: Transaction,
  workspaceId: string,
  /** Number of an entry, for the details that counted before it; null for those that count now. */
  before: number | null = null,
): Promise<ReadonlyMap<string, StoredDetails>> {
  const rows = await tx<(StoredDetails & { subject: string; seq: number; seal: Buffer })[]>`
    select distinct on (b.party_id) coalesce(p.slug, ${ownSlug}) as slug, coalesce(b.party_id, b.workspace_id) as subject, b.seq,
      b.details, b.set_by as "setBy", b.recorded_at as "recordedAt", b.seal
    from party_billing b left join party p on p.workspace_id = b.workspace_id and p.id = b.party_id
    where b.workspace_id = ${workspaceId} and (${before}::bigint is null or b.seq < ${before}::bigint)
    order by b.party_id, b.seq desc`
  const seals = rowSealsOf(tx)
  for (const row of rows) {
    const place = { scope: workspaceId, subject: row.subject }
    if (!seals.holds('party-billing', place, row, { seq: row.seq, at: row.recordedAt, seal: row.seal }))
      throw new Refusal(
        'broken',
        `the billing details of ${row.slug} were changed in the database itself: run assize verify --chain`,
      )
  }
  return new Map(
    rows.map(({ slug, details, setBy, recordedAt }) => [slug, { slug, details, setBy, recordedAt }] as const),
  )
}

/** Why somebody may not change them; null where they may. Each side keeps its own, once it has people here. */
export function whyNotKeep(acting: Acting, slug: string, isOwn: boolean): string | null {
  const { role } = acting
  if (sideOf(acting, slug) === 'OPERATOR') return null
  if (acting.company === slug) return role === 'viewer' ? 'people who only read change no billing details' : null
  if (!writers.some(each => each === (role as Role)))
    return 'only people of the company, or who manage the workspace, change its billing details'
  return isOwn ? `${slug} keeps its own billing details: somebody of ${slug} changes them` : null
}

/** Replaces all details. Says whether anything changed. */
export function keepBillingDetails(
  sql: Sql,
  workspaceId: string,
  slug: string,
  /** Makes the new details from the present ones. */
  change: (kept: PartyTexts) => PartyTexts,
  by: Actor,
): Promise<{ readonly details: PartyTexts; readonly isChanged: boolean }> {
  return appending(sql, workspaceId, async (tx, log) => {
    const party = await findBillingParty(tx, workspaceId, slug)
    const acting = await loadActing(tx, workspaceId, by)
    const whyNot = whyNotKeep(acting, slug, (await loadOwnCompanies(tx, workspaceId)).has(slug))
    if (whyNot !== null) throw new Refusal('forbidden', whyNot)
    const kept = (await loadBillingDetails(tx, workspaceId)).get(slug)?.details ?? {}
    const details = trimDetails(change(kept))
    // A kept text that was right then stays, whatever an erasure made of it.
    const fresh = Object.fromEntries(Object.entries(details).filter(([key, text]) => kept[key] !== text))
    const problems = detailProblems(fresh, null)
    if (problems.length > 0) throw new Refusal('invalid', problems.join('; '))
    if (canonicalJson(details) === canonicalJson(kept)) return { details, isChanged: false }
    await appendEntry(tx, log, 'party-billing', {
      subject: party.id ?? workspaceId,
      facts: { details, setBy: by.who },
      beside: { party_id: party.id },
    })
    const changed = [...new Set([...Object.keys(kept), ...Object.keys(details)])].filter(
      key => kept[key] !== details[key],
    )
    const what = `billing details changed: ${changed.sort().join(', ')}`
    await noteActivity(tx, workspaceId, {
      ...by,
      act: 'party.billing',
      what,
      subject: slug === ownSlug ? party.name : `${party.name} (${slug})`,
    })
    return { details, isChanged: true }
  })
}
