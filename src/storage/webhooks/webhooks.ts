// Webhooks: addresses that get the events of a workspace. The secret that signs is kept encrypted, bound to the webhook, and
// shown once. Every change is in the access log, and a row that differs from the log is as if it did not exist: nothing is sent
// to an address that was put in with SQL alone.
import { createHash, randomBytes } from 'node:crypto'
import { type DisabledWhy, isWebhookEvent, type WebhookEvent, webhookEvents } from '../../core/people/webhook-events.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Instant, instantOfMicros, microsOf, parseInstant } from '../../core/time/instant.ts'
import type { SealedText } from '../keys/sealed-text.ts'
import { type AccessFacts, confirmAll, recordsAccess } from '../log/access-log.ts'
import { addNotices } from '../people/mail.ts'
import { loadMemberStates } from '../people/people.ts'
import { type Queryable, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { type Actor, noteActivity } from '../workspaces/activity.ts'
import { lockForQuota } from '../workspaces/quotas.ts'
import { webhookBounds } from './webhook-bounds.ts'
import { addState, beginAgain } from './webhook-places.ts'

export interface Webhook {
  readonly id: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly madeBy: string
  readonly createdAt: Instant
  readonly disabledAt: Instant | null
  readonly disabledWhy: DisabledWhy | null
  /** Instant until which the secret before it signs as well. */
  readonly oldUntil: Instant | null
}

export interface WebhookState {
  readonly waiting: number
  readonly delivered: number
  readonly failed: number
  readonly failingSince: Instant | null
  readonly pausedUntil: Instant | null
  readonly lastSuccessAt: Instant | null
}

/** The secret in clear: to be shown once. */
export interface IssuedWebhook {
  readonly id: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly secret: string
}

export interface WebhookContext {
  readonly sql: Sql
  readonly secrets: SealedText
  readonly now: () => Instant
}

interface NewWebhook {
  readonly workspaceId: string
  /** Checked: see `webhooks/endpoint-address.ts`. */
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly by: Actor
}

/** Reads events, each once, in the order of the list; refuses unknown ones. */
export function readEvents(texts: readonly string[]): readonly WebhookEvent[] {
  const unknown = texts.find(text => !isWebhookEvent(text))
  if (unknown !== undefined)
    throw new Refusal('invalid', `there is no event "${unknown.slice(0, 60)}"; there are ${webhookEvents.join(', ')}`)
  if (texts.length === 0) throw new Refusal('invalid', 'name at least one event')
  return webhookEvents.filter(event => texts.includes(event))
}

export function createWebhook({ sql, secrets, now }: WebhookContext, given: NewWebhook): Promise<IssuedWebhook> {
  const { workspaceId, url, events, by } = given
  const id = makeIdentifier('whk')
  const secret = makeSecret()
  return withWorkspace(sql, workspaceId, async tx => {
    recordsAccess(tx)
    await lockForQuota(tx, workspaceId)
    await tx`
      insert into webhook (workspace_id, id, url, events, secret, made_by, created_at)
      values (${workspaceId}, ${id}, ${url}, ${[...events]}::text[], ${secrets.seal(boundToWebhook(workspaceId, id), secret)},
        ${by.who}, ${now()})`
    await refuseTooMany(tx, workspaceId)
    await addState(tx, workspaceId, id)
    // The webhook is named by its id alone: people who may not look at webhooks read this too.
    await noteActivity(tx, workspaceId, {
      ...by,
      act: 'webhook.create',
      what: `webhook created: ${events.join(', ')}`,
      subject: id,
    })
    return { id, url, events, secret }
  })
}

/** A secret of Standard Webhooks: 24 to 64 random bytes. */
function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Context that binds a secret: it cannot be read under another webhook. */
export function boundToWebhook(workspaceId: string, id: string): string {
  return JSON.stringify([workspaceId, id])
}

/** Refuses a webhook over the bound; called after `lockForQuota`, so that two at once do not both fit. */
async function refuseTooMany(tx: Transaction, workspaceId: string): Promise<void> {
  const [row] = await tx<{ enabled: number; kept: number }[]>`
    select count(*) filter (where disabled_at is null) as enabled, count(*) as kept
    from webhook where workspace_id = ${workspaceId}`
  const { each, kept } = webhookBounds
  if (row!.enabled > each)
    throw new Refusal(
      'conflict',
      `a workspace may have ${each} webhooks that are enabled; disable one that is not used`,
    )
  if (row!.kept > kept)
    throw new Refusal('conflict', `a workspace keeps at most ${kept} webhooks, disabled ones included, and has as many`)
}

interface SecretsRow {
  readonly id: string
  readonly secret: Buffer
  readonly oldSecret: Buffer | null
}

interface KnownWebhook extends Webhook, Pick<SecretsRow, 'secret' | 'oldSecret'> {}

/** Webhooks whose rows equal the log, the newest first. */
async function loadKnown(tx: Transaction, workspaceId: string, id: string | null): Promise<readonly KnownWebhook[]> {
  const rows = await tx<SecretsRow[]>`
    select id, secret, old_secret as "oldSecret" from webhook
    where workspace_id = ${workspaceId} ${id === null ? tx`` : tx`and id = ${id}`} order by id desc`
  const said = await confirmAll(
    tx,
    'webhook',
    workspaceId,
    rows.map(row => row.id),
  )
  return rows.flatMap(row => webhookOf(row, said.get(row.id) ?? null) ?? [])
}

function webhookOf(row: SecretsRow, said: AccessFacts['webhook'] | null): KnownWebhook | null {
  if (said === null || said.secret !== hashOf(row.secret)) return null
  if ((said.old_secret ?? null) !== (row.oldSecret === null ? null : hashOf(row.oldSecret))) return null
  return {
    ...row,
    url: said.url,
    events: said.events.filter(isWebhookEvent),
    madeBy: said.made_by,
    createdAt: parseInstant(said.created_at)!,
    disabledAt: instantOf(said.disabled_at),
    disabledWhy: (said.disabled_why ?? null) as DisabledWhy | null,
    oldUntil: instantOf(said.old_until),
  }
}

function hashOf(sealed: Buffer): string {
  return createHash('sha256').update(sealed).digest('hex')
}

function instantOf(text: string | undefined): Instant | null {
  return text === undefined ? null : parseInstant(text)
}

export function listWebhooks(sql: Sql, workspaceId: string): Promise<readonly (Webhook & WebhookState)[]> {
  return withWorkspace(sql, workspaceId, async tx => {
    const known = await loadKnown(tx, workspaceId, null)
    const states = await tx<(WebhookState & { id: string })[]>`
      select t.webhook_id as id, t.delivered, t.failed, t.failing_since as "failingSince", t.paused_until as "pausedUntil",
        t.last_success_at as "lastSuccessAt", (
          select count(*) from webhook_delivery d
          where d.workspace_id = t.workspace_id and d.webhook_id = t.webhook_id and d.outcome is null) as waiting
      from webhook_state t where t.workspace_id = ${workspaceId}`
    const byId = new Map(states.map(({ id, ...state }) => [id, state]))
    return known.map(({ secret: _, oldSecret: __, ...webhook }) => ({ ...webhook, ...byId.get(webhook.id)! }))
  })
}

/** Webhooks of a workspace, enabled or not. */
export function loadWebhooks(tx: Transaction, workspaceId: string): Promise<readonly Webhook[]> {
  return loadKnown(tx, workspaceId, null)
}

/** A webhook; null where there is none that counts. */
export async function loadWebhook(tx: Transaction, workspaceId: string, id: string): Promise<Webhook | null> {
  const [webhook] = await loadKnown(tx, workspaceId, id)
  return webhook ?? null
}

async function requireWebhook(tx: Transaction, workspaceId: string, id: string): Promise<KnownWebhook> {
  await tx`select 1 from webhook where workspace_id = ${workspaceId} and id = ${id} for update`
  const [webhook] = await loadKnown(tx, workspaceId, id)
  if (webhook === undefined) throw noSuchWebhook(id)
  return webhook
}

function noSuchWebhook(id: string): Refusal {
  return new Refusal('not-found', `there is no webhook "${id.slice(0, 60)}"`)
}

/** Finds the workspace of a webhook for the operator, who names it by its id alone. */
export async function findWorkspaceOfWebhook(owner: Queryable, id: string): Promise<string> {
  const [row] = await owner<{ workspace_id: string }[]>`select workspace_id from webhook where id = ${id}`
  if (row === undefined) throw noSuchWebhook(id)
  return row.workspace_id
}

/** A webhook that sends: enabled, with the secrets in clear that sign now; null where it does not. */
export interface SendingWebhook extends Webhook {
  readonly signedWith: readonly string[]
}

export function findSending(
  { sql, secrets, now }: WebhookContext,
  workspaceId: string,
  id: string,
): Promise<SendingWebhook | null> {
  return withWorkspace(sql, workspaceId, async tx => {
    const [known] = await loadKnown(tx, workspaceId, id)
    if (known === undefined || known.disabledAt !== null) return null
    const { secret, oldSecret, ...webhook } = known
    const isOldToo = oldSecret !== null && webhook.oldUntil !== null && webhook.oldUntil > now()
    const sealed = isOldToo ? [secret, oldSecret] : [secret]
    const clear = sealed.map(each => secrets.open(boundToWebhook(workspaceId, id), each))
    return clear.some(each => each === null) ? null : { ...webhook, signedWith: clear as string[] }
  })
}

/** Disabling twice is no error; the first time counts. */
export function disableWebhook(
  { sql, now }: Pick<WebhookContext, 'sql' | 'now'>,
  workspaceId: string,
  id: string,
  by: Actor,
): Promise<Webhook> {
  return withWorkspace(sql, workspaceId, async tx => {
    recordsAccess(tx)
    const webhook = await requireWebhook(tx, workspaceId, id)
    if (webhook.disabledAt === null) {
      await setDisabled(tx, workspaceId, id, now(), 'PERSON')
      await noteActivity(tx, workspaceId, {
        ...by,
        act: 'webhook.disable',
        what: 'webhook disabled',
        subject: id,
      })
    }
    return withoutSecrets((await loadKnown(tx, workspaceId, id))[0]!)
  })
}

async function setDisabled(tx: Transaction, workspaceId: string, id: string, at: Instant, why: DisabledWhy) {
  await tx`
    update webhook set disabled_at = ${at}, disabled_why = ${why}
    where workspace_id = ${workspaceId} and id = ${id} and disabled_at is null`
}

function withoutSecrets({ secret: _, oldSecret: __, ...webhook }: KnownWebhook): Webhook {
  return webhook
}

/**
 * Disables a webhook by itself: the owners and its maker are told. False where it was disabled already, or is none that counts.
 */
export function disableByItself(
  { sql, now }: Pick<WebhookContext, 'sql' | 'now'>,
  workspaceId: string,
  id: string,
  why: 'GONE' | 'FAILING',
): Promise<boolean> {
  const words = {
    GONE: 'was disabled: its receiver answered 410 Gone',
    FAILING: 'was disabled: nothing was delivered for 5 days',
  }[why]
  return withWorkspace(sql, workspaceId, async tx => {
    recordsAccess(tx)
    const webhook = await loadWebhook(tx, workspaceId, id)
    if (webhook === null || webhook.disabledAt !== null) return false
    const at = now()
    await setDisabled(tx, workspaceId, id, at, why)
    const by = { who: 'assize', fromAddress: null }
    await noteActivity(tx, workspaceId, {
      ...by,
      act: 'webhook.disable',
      what: `webhook ${words}`,
      subject: id,
    })
    const members = (await loadMemberStates(tx, workspaceId)).filter(({ hasJoined }) => hasJoined)
    const told = members.filter(({ role, email }) => role === 'owner' || email === webhook.madeBy)
    const facts = {
      name: `The webhook to ${new URL(webhook.url).host}`,
      period: null,
      words,
      path: '/settings/webhooks',
      agreement: null,
    }
    await addNotices(
      tx,
      workspaceId,
      told.map(({ email }) => ({ email, kind: 'webhook' as const, about: `${id} ${at}`, facts })),
    )
    return true
  })
}

/**
 * Enables a webhook, which goes on where it stopped, with the events of meanwhile, or begins now. The person who enables it looks
 * after it from then on.
 */
export function enableWebhook(
  { sql }: Pick<WebhookContext, 'sql'>,
  workspaceId: string,
  id: string,
  { from, by }: { readonly from: 'stopped' | 'now'; readonly by: Actor },
): Promise<Webhook> {
  return withWorkspace(sql, workspaceId, async tx => {
    recordsAccess(tx)
    const webhook = await requireWebhook(tx, workspaceId, id)
    if (webhook.disabledAt !== null) {
      await lockForQuota(tx, workspaceId)
      await tx`
        update webhook set disabled_at = null, disabled_why = null, made_by = ${by.who}
        where workspace_id = ${workspaceId} and id = ${id}`
      await refuseTooMany(tx, workspaceId)
      await beginAgain(tx, workspaceId, id, from)
      const what = from === 'now' ? 'webhook enabled from now on' : 'webhook enabled'
      await noteActivity(tx, workspaceId, {
        ...by,
        act: 'webhook.enable',
        what,
        subject: id,
      })
    }
    return withoutSecrets((await loadKnown(tx, workspaceId, id))[0]!)
  })
}

/** A new secret; the one before it signs as well for the overlap. The one before that no longer does. */
export function rotateWebhook(
  { sql, secrets, now }: WebhookContext,
  workspaceId: string,
  id: string,
  { overlapHours, by }: { readonly overlapHours: number; readonly by: Actor },
): Promise<IssuedWebhook> {
  const secret = makeSecret()
  return withWorkspace(sql, workspaceId, async tx => {
    recordsAccess(tx)
    const { url, events, secret: before } = await requireWebhook(tx, workspaceId, id)
    const until = overlapHours === 0 ? null : instantOfMicros(microsOf(now()) + overlapHours * 3_600_000_000)
    await tx`
      update webhook set secret = ${secrets.seal(boundToWebhook(workspaceId, id), secret)},
        old_secret = ${until === null ? null : before}, old_until = ${until}
      where workspace_id = ${workspaceId} and id = ${id}`
    const what = `webhook secret rotated; the old one ${overlapHours === 0 ? 'ended' : `signs for ${overlapHours} h more`}`
    await noteActivity(tx, workspaceId, { ...by, act: 'webhook.change', what, subject: id })
    return { id, url, events, secret }
  })
}
