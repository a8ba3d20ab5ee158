// Place of each webhook: how far it was told in the two sequences that its workspace sees. The place and the deliveries that lead
// up to it change in one transaction, so that a restart loses none and two processes make none twice.
import type { Instant } from '../../core/time/instant.ts'
import { publicScope, type Queryable, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { type FeedPlace, loadPlaceMark, loadSeen } from '../upkeep/change-feed-entries.ts'
import { addDeliveries, type NewDelivery, type WebhookName } from './deliveries.ts'

/** A place with the mark of each sequence there. */
export interface WebhookPlace extends FeedPlace {
  readonly ownMark: string
  readonly publicMark: string
}

export async function addState(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  const place = await loadNewestPlace(tx, workspaceId)
  await tx`
    insert into webhook_state (workspace_id, webhook_id, own_seq, own_mark, public_seq, public_mark, looked_own, looked_public)
    values (${workspaceId}, ${id}, ${place.own}, ${place.ownMark}, ${place.public}, ${place.publicMark}, ${place.own},
      ${place.public})`
}

async function loadNewestPlace(tx: Transaction, workspaceId: string): Promise<WebhookPlace> {
  const { newest } = await loadSeen(tx, workspaceId, { own: 0, public: 0 }, [], 0)
  const [ownMark, publicMark] = await Promise.all([
    loadPlaceMark(tx, workspaceId, newest.own),
    loadPlaceMark(tx, publicScope, newest.public),
  ])
  return { ...newest, ownMark: ownMark ?? '', publicMark: publicMark ?? '' }
}

/** Begins again from where the webhook stopped, or from now on, without deliveries that still wait. */
export async function beginAgain(
  tx: Transaction,
  workspaceId: string,
  id: string,
  from: 'stopped' | 'now',
): Promise<void> {
  await tx`
    update webhook_state set failing_since = null, paused_until = null
    where workspace_id = ${workspaceId} and webhook_id = ${id}`
  if (from === 'stopped') return
  const place = await loadNewestPlace(tx, workspaceId)
  await tx`
    delete from webhook_delivery where workspace_id = ${workspaceId} and webhook_id = ${id} and outcome is null`
  await savePlace(tx, workspaceId, id, place, place)
}

async function savePlace(
  tx: Transaction,
  workspaceId: string,
  id: string,
  place: WebhookPlace,
  looked: FeedPlace | null,
): Promise<void> {
  await tx`
    update webhook_state set own_seq = ${place.own}, own_mark = ${place.ownMark}, public_seq = ${place.public},
      public_mark = ${place.publicMark}, leased_until = null,
      looked_own = greatest(looked_own, ${looked?.own ?? 0}), looked_public = greatest(looked_public, ${looked?.public ?? 0})
    where workspace_id = ${workspaceId} and webhook_id = ${id}`
}

/** Webhooks that something may have happened for. */
export async function listBehind(sql: Queryable, now: Instant): Promise<readonly WebhookName[]> {
  return sql<WebhookName[]>`
    select workspace_id as "workspaceId", webhook_id as "webhookId" from webhooks_behind(${now})`
}

/** Leases the place for this process until the lease ends; null where another has it, or very much waits to be sent. */
export function leasePlace(
  sql: Sql,
  { workspaceId, webhookId }: WebhookName,
  { now, until, mostWaiting }: { readonly now: Instant; readonly until: Instant; readonly mostWaiting: number },
): Promise<WebhookPlace | null> {
  return withWorkspace(sql, workspaceId, async tx => {
    const [row] = await tx<{ own: number; ownMark: string; shared: number; publicMark: string }[]>`
      update webhook_state t set leased_until = ${until}
      where t.workspace_id = ${workspaceId} and t.webhook_id = ${webhookId}
        and (t.leased_until is null or t.leased_until <= ${now})
        and (select count(*) from (
          select 1 from webhook_delivery d where d.workspace_id = t.workspace_id and d.webhook_id = t.webhook_id
            and d.outcome is null limit ${mostWaiting}) w) < ${mostWaiting}
      returning t.own_seq as own, t.own_mark as "ownMark", t.public_seq as shared, t.public_mark as "publicMark"`
    if (row === undefined) return null
    return { own: row.own, ownMark: row.ownMark, public: row.shared, publicMark: row.publicMark }
  })
}

interface DeliveredSpan {
  readonly from: WebhookPlace
  readonly to: WebhookPlace
  /** Place up to which everything was looked at; null if something was not. */
  readonly looked: FeedPlace | null
  readonly deliveries: readonly NewDelivery[]
}

/** Moves the place on and adds the deliveries on the way; does nothing where another process has moved it. */
export function moveOn(
  sql: Sql,
  { workspaceId, webhookId }: WebhookName,
  told: DeliveredSpan,
  now: Instant,
): Promise<boolean> {
  const { from, to, looked, deliveries } = told
  return withWorkspace(sql, workspaceId, async tx => {
    const rows = await tx`
      select 1 from webhook_state where workspace_id = ${workspaceId} and webhook_id = ${webhookId}
        and own_seq = ${from.own} and public_seq = ${from.public} for update`
    if (rows.length === 0) return false
    await addDeliveries(tx, workspaceId, [webhookId], deliveries, now)
    await savePlace(tx, workspaceId, webhookId, to, looked)
    return true
  })
}

/** A fact that is true now, and is told when it becomes true. */
export interface WebhookFact {
  readonly kind: string
  readonly about: string
  /** Parts of the fact; each that is added is told. */
  readonly holds: readonly string[]
}

/** Instant of the first webhook of a workspace, by the access log; null once somebody has looked since. */
export async function loadUnlookedSince(tx: Transaction, workspaceId: string): Promise<Instant | null> {
  const [row] = await tx<{ at: Instant | null }[]>`
    select min(at) as at from access_entry where scope = ${workspaceId} and kind = 'webhook'
      and not exists (select 1 from webhook_look where workspace_id = ${workspaceId})`
  return row!.at
}

interface FactScan {
  readonly facts: readonly WebhookFact[]
  /** Facts that were true when the first webhook was made: they are known at the first look. */
  readonly first: readonly WebhookFact[]
  readonly now: Instant
}

/**
 * Replaces the known facts of a workspace by the present ones, and returns the new ones. Inside a transaction of the workspace;
 * another process that looks at the same time waits for its end.
 */
export async function replaceFacts(
  tx: Transaction,
  workspaceId: string,
  { facts, first, now }: FactScan,
): Promise<readonly WebhookFact[]> {
  const looked = await tx`
    insert into webhook_look (workspace_id, looked_at) values (${workspaceId}, ${now})
    on conflict (workspace_id) do update set looked_at = excluded.looked_at returning (xmax = 0) as is_first`
  const isFirst = (looked[0] as { is_first: boolean }).is_first
  const kept = await tx<WebhookFact[]>`select kind, about, holds from webhook_fact where workspace_id = ${workspaceId}`
  const before = holdsByName(kept)
  const changed = facts.filter(fact => {
    const { holds } = fact
    const was = before.get(nameOf(fact))
    return was === undefined || was.length !== holds.length || holds.some((each, i) => each !== was[i])
  })
  const still = new Set(facts.map(nameOf))
  const gone = kept.filter(fact => !still.has(nameOf(fact)))
  await tx`
    delete from webhook_fact f using unnest(${gone.map(({ kind }) => kind)}::text[], ${gone.map(({ about }) => about)}::text[])
      as g (kind, about)
    where f.workspace_id = ${workspaceId} and f.kind = g.kind and f.about = g.about`
  // Parts contain no line break.
  await tx`
    insert into webhook_fact (workspace_id, kind, about, holds)
    select ${workspaceId}, g.kind, g.about, coalesce(string_to_array(nullif(g.holds, ''), chr(10)), '{}') from unnest(
      ${changed.map(({ kind }) => kind)}::text[], ${changed.map(({ about }) => about)}::text[],
      ${changed.map(({ holds }) => holds.join('\n'))}::text[]) as g (kind, about, holds)
    on conflict (workspace_id, kind, about) do update set holds = excluded.holds`
  const known = isFirst ? holdsByName(first) : before
  return changed.flatMap(fact => {
    const was = known.get(nameOf(fact))
    const added = fact.holds.filter(each => was?.includes(each) !== true)
    return added.length === 0 && was !== undefined ? [] : [{ ...fact, holds: added }]
  })
}

function nameOf({ kind, about }: WebhookFact): string {
  return `${kind} ${about}`
}

function holdsByName(facts: readonly WebhookFact[]): ReadonlyMap<string, readonly string[]> {
  return new Map(facts.map(fact => [nameOf(fact), fact.holds]))
}

export async function listWorkspacesWithWebhooks(sql: Queryable): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`select workspaces_with_webhooks() as id`
  return rows.map(({ id }) => id)
}

/** Webhooks that have failed without a success since before an instant. */
export async function listFailing(sql: Queryable, since: Instant): Promise<readonly WebhookName[]> {
  return sql<WebhookName[]>`
    select workspace_id as "workspaceId", webhook_id as "webhookId" from webhooks_failing(${since})`
}
