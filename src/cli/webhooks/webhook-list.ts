// `webhook list`: the webhooks of a workspace, and the state of their deliveries.
import { listWebhooks, type Webhook, type WebhookState } from '../../storage/webhooks/webhooks.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { toTheSecond } from '../frame/clock.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'
import { stateWords } from './webhook-command.ts'

export const webhookListCommand = workspaceCommand({
  name: 'webhook list',
  usage: '--workspace W',
  summary: 'Lists the webhooks of a workspace and the state of their deliveries.',
  async work({ sql, workspace }) {
    const webhooks = await listWebhooks(sql, workspace.id)
    const rows = webhooks.map(webhook => [
      webhook.id,
      webhook.url,
      webhook.events.join(','),
      `by ${webhook.madeBy}`,
      stateWords(webhook),
      `${webhook.waiting} waiting`,
      healthWords(webhook),
    ])
    return { json: webhooks, words: rows.length === 0 ? `${workspace.slug} has no webhooks\n` : alignRows(rows) }
  },
})

function healthWords({ failingSince, lastSuccessAt }: Webhook & WebhookState): string {
  if (failingSince !== null) return `failing since ${toTheSecond(failingSince)}`
  return lastSuccessAt === null ? 'nothing delivered yet' : `last delivered ${toTheSecond(lastSuccessAt)}`
}
