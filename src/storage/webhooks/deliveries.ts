// Deliveries to webhooks: one row for each event and webhook, tried by one process at a time until its receiver has it, or it is
// given up. The body is sealed, so that a row that was added with SQL alone is neither signed nor sent.
import type { WebhookEvent } from '../../core/people/webhook-events.ts'
import { Refusal } from '../../core/refusal.ts'
import { counted } from '../../core/text/counts.ts'
import type { Instant } from '../../core/time/instant.ts'
import { inWorkspace, type Queryable, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { type Actor, noteActivity } from '../workspaces/activity.ts'
import { webhookBounds } from './webhook-bounds.ts'

export interface WebhookName {
  readonly workspaceId: string
  readonly webhookId: string
}

export interface NewDelivery {
  /** Id for every webhook and every attempt. */
  readonly id: string
  readonly type: WebhookEvent
  readonly subject: string
  readonly body: string
  /** Seal, another for each webhook. */
  readonly sealFor: (webhookId: string) => Buffer
}

/** Adds deliveries to each of these webhooks, except those that were there, in one statement. */
export async function addDeliveries(
  tx: Transaction,
  workspaceId: string,
  webhookIds: readonly string[],
  deliveries: readonly NewDelivery[],
  now: Instant,
): Promise<void> {
  const rows = webhookIds.flatMap(webhookId => deliveries.map(delivery => ({ webhookId, ...delivery })))
  if (rows.length === 0) return
  await tx`
    insert into webhook_delivery (workspace_id, webhook_id, id, type, subject, body, seal, made_at, due_at)
    select ${workspaceId}, g.webhook_id, g.id, g.type, g.subject, g.body, decode(g.seal, 'hex'), ${now}, ${now} from unnest(
      ${rows.map(({ webhookId }) => webhookId)}::text[], ${rows.map(({ id }) => id)}::text[],
      ${rows.map(({ type }) => type)}::text[], ${rows.map(({ subject }) => subject)}::text[],
      ${rows.map(({ body }) => body)}::text[],
      ${rows.map(({ webhookId, sealFor }) => sealFor(webhookId).toString('hex'))}::text[])
      as g (webhook_id, id, type, subject, body, seal)
    on conflict (workspace_id, webhook_id, id) do nothing`
}

export interface DueWebhook extends WebhookName {
  /** Whether its last attempt failed. */
  readonly isFailing: boolean
}

/** Webhooks with something to send, the longest waiting first. */
export async function listDue(sql: Queryable, now: Instant): Promise<readonly DueWebhook[]> {
  return sql<DueWebhook[]>`
    select workspace_id as "workspaceId", webhook_id as "webhookId", is_failing as "isFailing" from webhooks_due(${now})`
}

export interface ClaimedDelivery {
  readonly id: string
  readonly type: WebhookEvent
  readonly body: string
  readonly seal: Buffer
  readonly attempts: number
}

/** Claims the oldest due deliveries for this process alone, until the claim ends. */
export function claimDeliveries(
  sql: Sql,
  { workspaceId, webhookId }: WebhookName,
  { now, until, most }: { readonly now: Instant; readonly until: Instant; readonly most: number },
): Promise<readonly ClaimedDelivery[]> {
  return inWorkspace(sql, workspaceId)<ClaimedDelivery[]>`
    with due as materialized (
      select o.id from webhook_delivery o
      where o.workspace_id = ${workspaceId} and o.webhook_id = ${webhookId} and o.outcome is null and o.due_at <= ${now}
      order by o.due_at, o.made_at, o.id limit ${most} for update skip locked)
    update webhook_delivery d set attempts = d.attempts + 1, due_at = ${until}, last_at = ${now} from due
    where d.workspace_id = ${workspaceId} and d.webhook_id = ${webhookId} and d.id = due.id
    returning d.id, d.type, d.body, d.seal, d.attempts`
}

export interface Attempt {
  readonly status: number | null
  /** Words for the failure. */
  readonly trouble: string | null
  /** Instant of the next attempt; null: it is over. */
  readonly againAt: Instant | null
  /** The receiver asked for nothing before then. */
  readonly pausedUntil: Instant | null
}

export function saveAttempt(
  sql: Sql,
  { workspaceId, webhookId }: WebhookName,
  id: string,
  { status, trouble, againAt, pausedUntil }: Attempt,
  now: Instant,
): Promise<void> {
  const outcome = trouble === null ? 'DELIVERED' : againAt === null ? 'FAILED' : null
  return withWorkspace(sql, workspaceId, async tx => {
    await tx`
      update webhook_delivery set status = ${status}, trouble = ${trouble?.slice(0, 200) ?? null}, outcome = ${outcome},
        done_at = ${outcome === null ? null : now}, due_at = ${againAt ?? now}
      where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and id = ${id} and outcome is null`
    if (trouble === null)
      await tx`
        update webhook_state set failing_since = null, last_success_at = ${now}, delivered = delivered + 1
        where workspace_id = ${workspaceId} and webhook_id = ${webhookId}`
    else
      await tx`
        update webhook_state set failing_since = coalesce(failing_since, ${now}), failed = failed + ${outcome === 'FAILED' ? 1 : 0},
          paused_until = greatest(paused_until, ${pausedUntil}::timestamptz)
        where workspace_id = ${workspaceId} and webhook_id = ${webhookId}`
  })
}

/** Returns a claimed delivery without an answer: the next process sends it at once. */
export function returnClaim(
  sql: Sql,
  { workspaceId, webhookId }: WebhookName,
  id: string,
  now: Instant,
): Promise<void> {
  return withWorkspace(sql, workspaceId, async tx => {
    await tx`
      update webhook_delivery set due_at = ${now}, attempts = attempts - 1
      where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and id = ${id} and outcome is null`
  })
}

export interface Delivery {
  readonly id: string
  readonly type: WebhookEvent
  readonly subject: string
  readonly madeAt: Instant
  readonly attempts: number
  readonly lastAt: Instant | null
  readonly status: number | null
  readonly trouble: string | null
  /** WAITING: it is tried again at `dueAt`. */
  readonly outcome: 'WAITING' | 'DELIVERED' | 'FAILED'
  readonly dueAt: Instant | null
}

/** Deliveries, newest first. Refuses a webhook that is not there. */
export function listDeliveries(
  sql: Sql,
  { workspaceId, webhookId }: WebhookName,
  which: 'all' | Delivery['outcome'] = 'all',
): Promise<readonly Delivery[]> {
  return withWorkspace(sql, workspaceId, async tx => {
    await requireThere(tx, workspaceId, webhookId)
    return tx<Delivery[]>`
      select id, type, subject, made_at as "madeAt", attempts, last_at as "lastAt", status, trouble,
        coalesce(outcome, 'WAITING') as outcome, case when outcome is null then due_at end as "dueAt"
      from webhook_delivery where workspace_id = ${workspaceId} and webhook_id = ${webhookId}
        ${which === 'all' ? tx`` : tx`and coalesce(outcome, 'WAITING') = ${which}`}
      order by made_at desc, id desc limit ${webhookBounds.listed}`
  })
}

async function requireThere(tx: Transaction, workspaceId: string, webhookId: string): Promise<void> {
  const [row] = await tx`select 1 from webhook where workspace_id = ${workspaceId} and id = ${webhookId}`
  if (row === undefined) throw new Refusal('not-found', `there is no webhook "${webhookId.slice(0, 60)}"`)
}

/** Choice of deliveries to send again: one by its id, those since an instant, or those that were given up. */
interface Replay {
  readonly id: string | null
  readonly since: Instant | null
  readonly isFailedOnly: boolean
}

/** Sends deliveries again under the same ids, from now on as if they were new, and returns their number. */
export function replayDeliveries(
  sql: Sql,
  { workspaceId, webhookId }: WebhookName,
  { id, since, isFailedOnly }: Replay,
  { now, by }: { readonly now: Instant; readonly by: Actor },
): Promise<number> {
  return withWorkspace(sql, workspaceId, async tx => {
    await requireThere(tx, workspaceId, webhookId)
    const rows = await tx`
      update webhook_delivery d set due_at = ${now}, attempts = 0, outcome = null, done_at = null
      where d.workspace_id = ${workspaceId} and d.webhook_id = ${webhookId} and d.id in (
        select o.id from webhook_delivery o where o.workspace_id = ${workspaceId} and o.webhook_id = ${webhookId}
          ${id === null ? tx`` : tx`and o.id = ${id}`} ${since === null ? tx`` : tx`and o.made_at >= ${since}`}
          ${isFailedOnly ? tx`and o.outcome = 'FAILED'` : tx`and o.outcome is not null`}
        order by o.made_at, o.id limit ${webhookBounds.replayed})
      returning 1`
    if (id !== null && rows.length === 0)
      throw new Refusal('not-found', `there is no delivery "${id.slice(0, 60)}" that is over`)
    if (rows.length > 0) {
      const what = `webhook: ${counted(rows.length, 'event')} sent again`
      await noteActivity(tx, workspaceId, { ...by, act: 'webhook.change', what, subject: webhookId })
    }
    return rows.length
  })
}

export async function pruneDeliveries(sql: Queryable, before: Instant): Promise<number> {
  const [row] = await sql<{ deleted: number }[]>`select prune_webhook_deliveries(${before}, 1000) as deleted`
  return row!.deleted
}

export interface WebhookHealth {
  readonly waiting: number
  readonly oldestSeconds: number
  readonly delivered: number
  readonly failed: number
  readonly enabled: number
  readonly failing: number
  readonly disabled: number
}

export async function loadWebhookHealth(sql: Queryable): Promise<WebhookHealth> {
  const [row] = await sql<WebhookHealth[]>`
    select waiting, oldest_seconds as "oldestSeconds", delivered, failed, enabled, failing, disabled from webhook_health()`
  return row!
}
