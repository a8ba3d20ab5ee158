// Deliveries of log entries: reads the changes behind the place of each webhook, with the sight of a key that may read the kinds
// it names, and moves the place on. Untold changes stay in the log, so that a restart loses nothing.
import { type ChangeEvent, changeEvents } from '../core/people/webhook-events.ts'
import { type Change, readChanges } from '../read/change-feed.ts'
import { scopeFor } from '../read/change-kinds.ts'
import { withWorkspace } from '../storage/postgres/database.ts'
import type { WebhookName } from '../storage/webhooks/deliveries.ts'
import { leasePlace, listBehind, moveOn, type WebhookPlace } from '../storage/webhooks/webhook-places.ts'
import { loadWebhook, type Webhook } from '../storage/webhooks/webhooks.ts'
import { bodyGroundOf, type DeliveryParts, later } from './delivery-parts.ts'
import { deliveryOf, type TellableEvent } from './event-body.ts'
import { webhookLimits } from './webhook-limits.ts'

/**
 * Reads one page for each webhook that is behind, so that nobody waits for one with very much. Returns the number of deliveries.
 */
export async function feedAll(parts: DeliveryParts, signal: AbortSignal): Promise<number> {
  let made = 0
  for (const name of await listBehind(parts.sql, parts.now())) {
    if (signal.aborted) break
    try {
      made += await feedOne(parts, name)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      parts.log.warn(
        { webhook: name.webhookId, reason },
        'changes could not be read for a webhook; they are read later',
      )
    }
  }
  return made
}

async function feedOne(parts: DeliveryParts, name: WebhookName): Promise<number> {
  const { sql } = parts
  const { workspaceId, webhookId } = name
  const now = parts.now()
  const until = later(now, webhookLimits.leaseMs)
  const from = await leasePlace(sql, name, { now, until, mostWaiting: webhookLimits.waiting })
  if (from === null) return 0
  const webhook = await withWorkspace(sql, workspaceId, tx => loadWebhook(tx, workspaceId, webhookId))
  // A webhook that the access log does not know is told nothing.
  if (webhook === null) return 0
  const { changes, place, newest } = await readSeenBy(parts, workspaceId, webhook, from)
  const ground = await bodyGroundOf(parts, workspaceId)
  const cursor = parts.cursorOf(workspaceId, { ...from, skipped: null })
  const deliveries = changes.map(change => deliveryOf(ground, eventOf(change, cursor)))
  const isMoved = await moveOn(sql, name, { from, to: place, looked: newest, deliveries }, parts.now())
  return isMoved ? deliveries.length : 0
}

async function readSeenBy(parts: DeliveryParts, workspaceId: string, { events }: Webhook, from: WebhookPlace) {
  const kinds = events.filter((event): event is ChangeEvent => Object.hasOwn(changeEvents, event))
  const asked = { workspaceId, scope: scopeFor(kinds), kinds, limit: webhookLimits.page }
  const ground = { ...parts, nameOf: (place: string) => parts.nameOf(workspaceId, place) }
  return readChanges(ground, asked, { ...from, skipped: null })
}

function eventOf({ id, at, kind, subject, periods, pams }: Change, cursor: string): TellableEvent {
  return { id, type: kind, at, subject, periods, agreement: pams.length === 1 ? pams[0]! : null, cursor }
}
