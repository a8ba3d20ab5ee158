// Upkeep of webhooks: those that have failed for days are disabled, and old deliveries are deleted.
import { pruneDeliveries } from '../storage/webhooks/deliveries.ts'
import { webhookBounds } from '../storage/webhooks/webhook-bounds.ts'
import { listFailing } from '../storage/webhooks/webhook-places.ts'
import { disableByItself } from '../storage/webhooks/webhooks.ts'
import { type DeliveryParts, later } from './delivery-parts.ts'
import { webhookLimits } from './webhook-limits.ts'

export async function keepUp(parts: DeliveryParts): Promise<void> {
  const now = parts.now()
  for (const { workspaceId, webhookId } of await listFailing(parts.sql, later(now, -webhookLimits.failingMs)))
    if (await disableByItself(parts, workspaceId, webhookId, 'FAILING'))
      parts.log.warn({ webhook: webhookId }, 'a webhook was disabled: nothing was delivered for 5 days')
  await pruneDeliveries(parts.sql, later(now, -webhookBounds.keptDays * 86_400_000))
}
