// The parts for managing webhooks, for pages and commands: the seals of their secrets, a clock, and the check of an address.

import type { Config } from '../config.ts'
import type { Instant } from '../core/time/instant.ts'
import { resolveBySystem } from '../outbound/address.ts'
import { PrivateHosts } from '../outbound/private-hosts.ts'
import type { KeyRing } from '../storage/keys/key-ring.ts'
import type { Sql } from '../storage/postgres/database.ts'
import { webhookSecrets } from '../storage/webhooks/webhook-secrets.ts'
import type { WebhookContext } from '../storage/webhooks/webhooks.ts'
import { readEndpoint } from './endpoint-address.ts'

interface WebhookInstallation {
  readonly sql: Sql
  readonly ring: KeyRing
  readonly config: Pick<Config, 'privateHosts'>
  readonly now: () => Instant
}

export interface ManagedWebhooks extends WebhookContext {
  /** Refuses an address that nothing may be sent to. */
  readonly endpoint: (text: string) => Promise<string>
}

export function openWebhooks({ sql, ring, config, now }: WebhookInstallation): ManagedWebhooks {
  const privateHosts = new PrivateHosts(config.privateHosts)
  return {
    sql,
    now,
    secrets: webhookSecrets(ring),
    endpoint: text => readEndpoint(text, resolveBySystem, privateHosts),
  }
}
