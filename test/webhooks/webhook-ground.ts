// Webhooks of a workspace over the real database, sent under a clock that a test sets: nothing waits for a retry.

import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import { readConfig } from '../../src/config.ts'
import type { WebhookEvent } from '../../src/core/people/webhook-events.ts'
import { type Instant, instantOfMicros, microsOf } from '../../src/core/time/instant.ts'
import { Freshness } from '../../src/read/freshness.ts'
import { Library } from '../../src/read/library.ts'
import { unbounded } from '../../src/read/memory/library-bounds.ts'
import type { Sql } from '../../src/storage/postgres/database.ts'
import { type Delivery, listDeliveries } from '../../src/storage/webhooks/deliveries.ts'
import { webhookSecrets } from '../../src/storage/webhooks/webhook-secrets.ts'
import {
  createWebhook,
  type WebhookContext as Ground,
  type IssuedWebhook,
  listWebhooks,
} from '../../src/storage/webhooks/webhooks.ts'
import { Delivering, type DeliveryOptions } from '../../src/webhook-delivery.ts'
import { type Api, ownFolder, type Tenant } from '../support/houses/api.ts'
import type { Received } from './receiver.ts'

export const by = { who: 'eva@editor.test', fromAddress: null }

export class WebhookClock {
  #at: Instant = instantOfMicros(Date.now() * 1000)

  readonly now = (): Instant => this.#at

  forward(seconds: number): void {
    this.#at = instantOfMicros(microsOf(this.#at) + seconds * 1_000_000)
  }
}

type Database = Pick<Api, 'sql' | 'ring' | 'target'>

/** Everything of one process that delivers. */
export class WebhookProcess {
  readonly api: Database
  readonly clock: WebhookClock
  readonly delivering: Delivering
  readonly logged: string[] = []

  constructor(
    api: Database,
    clock: WebhookClock = new WebhookClock(),
    options: DeliveryOptions & { readonly sql?: Sql } = {},
  ) {
    const { sql = api.sql, ...more } = options
    this.api = api
    this.clock = clock
    const { config } = readConfig({
      ASSIZE_PRIVATE_HOSTS: '127.0.0.1',
      ASSIZE_PUBLIC_URL: 'https://prices.example',
      ...ownFolder(),
    })
    const library = new Library(sql, 1024 * 1024, { seals: new Seal(api.ring).rows, report: () => {} }, unbounded)
    const note = (facts: object, message: string) => void this.logged.push(JSON.stringify({ ...facts, message }))
    const log = { debug: note, info: note, warn: note, error: note }
    // It keeps up when it is asked to, as the one beside mail does.
    new Freshness({
      sql,
      target: api.target,
      changes: library.changes,
      log,
      onKeyChange: () => {},
      revive: async () => {},
    })
    const ground = { sql, ring: api.ring, config: config!, library, log }
    this.delivering = new Delivering(ground, { now: clock.now, random: () => 0.5, ...more })
  }

  get ground(): Ground {
    return { sql: this.api.sql, secrets: webhookSecrets(this.api.ring), now: this.clock.now }
  }

  create({ id: workspaceId }: Tenant, url: string, events: readonly WebhookEvent[]): Promise<IssuedWebhook> {
    return createWebhook(this.ground, { workspaceId, url, events, by })
  }

  /** Until nothing more is due. */
  async deliver(): Promise<void> {
    const { signal } = new AbortController()
    while (await this.delivering.turn(signal)) await this.delivering.settled()
  }

  /** One round of attempts alone. */
  async attempt(): Promise<void> {
    await this.delivering.turn(new AbortController().signal)
    await this.delivering.settled()
  }

  deliveries({ id: workspaceId }: Tenant, webhookId: string): Promise<readonly Delivery[]> {
    return listDeliveries(this.api.sql, { workspaceId, webhookId })
  }

  async state({ id }: Tenant, webhookId: string) {
    return (await listWebhooks(this.api.sql, id)).find(each => each.id === webhookId)!
  }
}

/** As a receiver would, at the time the message says: the library compares it with the clock of the machine. */
export function verified({ body, headers }: Received, secret: string): boolean {
  const now = Number.parseInt(`${headers['webhook-timestamp']}`, 10) * 1000
  vi.useFakeTimers({ toFake: ['Date'], now })
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  } finally {
    vi.useRealTimers()
  }
}
