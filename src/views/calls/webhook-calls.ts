// Console calls about webhooks. Under `/console/w/:workspace`, for owner and editor, like keys.

import { webhookEvents } from '../../core/people/webhook-events.ts'
import { Type } from '../../formats/json-schema.ts'
import { webhookBounds } from '../../storage/webhooks/webhook-bounds.ts'
import type { DeliveryRow, IssuedWebhook, WebhookRow } from '../shapes/webhooks.ts'
import { answers, type Calls, closed, nothing } from './call.ts'

const webhookBody = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: webhookBounds.urlLength }),
    events: Type.Array(Type.Enum([...webhookEvents]), { minItems: 1, maxItems: webhookEvents.length }),
  },
  closed,
)
const enableBody = Type.Object({ from: Type.Enum(['stopped', 'now']) }, closed)
const rotateBody = Type.Object(
  { overlapHours: Type.Integer({ minimum: 0, maximum: webhookBounds.overlapHours }) },
  closed,
)
/** Id of one event; null: every event that was given up. */
const replayBody = Type.Object({ event: Type.Union([Type.String({ maxLength: 40 }), Type.Null()]) }, closed)

export const webhookCalls = {
  'GET /webhooks': { answer: answers<readonly WebhookRow[]>() },
  /** 201 with the secret, once. */
  'POST /webhooks': { body: webhookBody, answer: answers<IssuedWebhook>() },
  'POST /webhooks/:id/disable': { answer: nothing },
  'POST /webhooks/:id/enable': { body: enableBody, answer: nothing },
  /** 201 with the new secret, once. */
  'POST /webhooks/:id/rotate': { body: rotateBody, answer: answers<IssuedWebhook>() },
  /** The newest hundred deliveries. */
  'GET /webhooks/:id/deliveries': { answer: answers<readonly DeliveryRow[]>() },
  'POST /webhooks/:id/replay': { body: replayBody, answer: answers<{ readonly replayed: number }>() },
} satisfies Calls
