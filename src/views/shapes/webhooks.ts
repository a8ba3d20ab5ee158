// Wire types of the console: webhooks and their deliveries.
import type { DisabledWhy, WebhookEvent } from '../../core/people/webhook-events.ts'

export interface WebhookRow {
  readonly id: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  /** An address, or `operator`. */
  readonly madeBy: string
  readonly createdAt: string
  readonly disabledAt: string | null
  readonly disabledWhy: DisabledWhy | null
  /** Until then the secret before the newest signs as well. */
  readonly oldUntil: string | null
  readonly waiting: number
  readonly delivered: number
  readonly failed: number
  readonly failingSince: string | null
  readonly pausedUntil: string | null
  readonly lastSuccessAt: string | null
}

export interface IssuedWebhook {
  readonly id: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly secret: string
}

export interface DeliveryRow {
  readonly id: string
  readonly type: WebhookEvent
  readonly subject: string
  readonly madeAt: string
  readonly attempts: number
  readonly lastAt: string | null
  readonly status: number | null
  readonly trouble: string | null
  readonly outcome: 'WAITING' | 'DELIVERED' | 'FAILED'
  readonly dueAt: string | null
}
