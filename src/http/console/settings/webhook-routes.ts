// Console routes about webhooks. A secret in clear text is in exactly one answer, and nowhere else.
import { writers } from '../../../core/roles.ts'
import { listDeliveries, replayDeliveries } from '../../../storage/webhooks/deliveries.ts'
import {
  createWebhook,
  disableWebhook,
  enableWebhook,
  listWebhooks,
  rotateWebhook,
} from '../../../storage/webhooks/webhooks.ts'
import { actorOf } from '../../../views/sight/seat.ts'
import { openWebhooks } from '../../../webhooks/open-webhooks.ts'
import { type ConsoleParts, type ConsoleRoute, created, route } from '../frame/route.ts'

export function webhookRoutes({ installation, config, now }: ConsoleParts): readonly ConsoleRoute[] {
  const { sql } = installation
  const webhooks = openWebhooks({ ...installation, config, now })
  const roles = writers
  return [
    route('GET /webhooks', { roles, answer: ({ seat }) => listWebhooks(sql, seat.workspace.id) }),
    route('POST /webhooks', {
      roles,
      async answer({ seat, body: { url, events } }) {
        const endpoint = await webhooks.endpoint(url.trim())
        const workspaceId = seat.workspace.id
        return created(await createWebhook(webhooks, { workspaceId, url: endpoint, events, by: actorOf(seat) }))
      },
    }),
    route('POST /webhooks/:id/disable', {
      roles,
      async answer({ seat, params: { id } }) {
        await disableWebhook(webhooks, seat.workspace.id, id, actorOf(seat))
      },
    }),
    route('POST /webhooks/:id/enable', {
      roles,
      async answer({ seat, params: { id }, body: { from } }) {
        await enableWebhook(webhooks, seat.workspace.id, id, { from, by: actorOf(seat) })
      },
    }),
    route('POST /webhooks/:id/rotate', {
      roles,
      async answer({ seat, params: { id }, body: { overlapHours } }) {
        return created(await rotateWebhook(webhooks, seat.workspace.id, id, { overlapHours, by: actorOf(seat) }))
      },
    }),
    route('GET /webhooks/:id/deliveries', {
      roles,
      answer: ({ seat, params: { id } }) => listDeliveries(sql, { workspaceId: seat.workspace.id, webhookId: id }),
    }),
    route('POST /webhooks/:id/replay', {
      roles,
      async answer({ seat, params: { id }, body: { event } }) {
        const name = { workspaceId: seat.workspace.id, webhookId: id }
        const replay = { id: event, since: null, isFailedOnly: event === null }
        return { replayed: await replayDeliveries(sql, name, replay, { now: now(), by: actorOf(seat) }) }
      },
    }),
  ]
}
