// The parts that deliveries are made and sent with.

import { type Instant, instantOfMicros, microsOf } from '../core/time/instant.ts'
import type { AskGuarded } from '../outbound/guarded-request.ts'
import type { PrivateHosts } from '../outbound/private-hosts.ts'
import type { ChangesContext } from '../read/change-feed.ts'
import type { MarkedPlace } from '../read/feed-page.ts'
import type { KeyRing } from '../storage/keys/key-ring.ts'
import type { WebhookContext } from '../storage/webhooks/webhooks.ts'
import { loadWorkspace } from '../storage/workspaces/workspaces.ts'
import type { BodyContext } from './event-body.ts'

interface DeliveryLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

export interface DeliveryParts
  extends WebhookContext,
    Pick<ChangesContext, 'library' | 'snapshot' | 'isPublicSettled'> {
  /** A name for a place in a workspace that does not reveal its number. */
  readonly nameOf: (workspaceId: string, place: string) => string
  /** A cursor of `/ext/v1/changes`. */
  readonly cursorOf: (workspaceId: string, place: MarkedPlace) => string
  readonly ask: AskGuarded
  readonly privateHosts: PrivateHosts
  readonly publicUrl: string
  readonly ring: KeyRing
  /** A number from 0 to 1. */
  readonly random: () => number
  readonly answerMs?: number
  readonly log: DeliveryLog
}

export async function bodyGroundOf({ sql, publicUrl, ring }: DeliveryParts, workspaceId: string): Promise<BodyContext> {
  const { slug } = await loadWorkspace(sql, workspaceId)
  return { workspace: slug, workspaceId, publicUrl, ring }
}

export function later(now: Instant, ms: number): Instant {
  return instantOfMicros(microsOf(now) + Math.round(ms) * 1000)
}
