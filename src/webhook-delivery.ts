// Composition root of webhooks: their sources, their sending, and their pace. It runs next to mail, over the same library;
// `serve` of several processes share the work by what they claim in the database.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, publicUrlOf } from './config.ts'
import { type Instant, instantOfMicros } from './core/time/instant.ts'
import { allChanges, formatFeedPlace } from './http/frame/feed-place.ts'
import type { Log } from './http/frame/request-log.ts'
import { SealedCursors } from './http/frame/sealed-cursor.ts'
import { userAgent } from './ingest/ingest-connections.ts'
import { type Resolve, resolveBySystem } from './outbound/address.ts'
import { guardedRequests } from './outbound/guarded-request.ts'
import { PrivateHosts } from './outbound/private-hosts.ts'
import type { Library } from './read/library.ts'
import type { KeyRing } from './storage/keys/key-ring.ts'
import { type Sql, withWorkspace } from './storage/postgres/database.ts'
import { isPublicSettled } from './storage/upkeep/change-feed-entries.ts'
import { webhookSecrets } from './storage/webhooks/webhook-secrets.ts'
import type { DeliveryParts } from './webhooks/delivery-parts.ts'
import { lookForEvents } from './webhooks/derived-events.ts'
import { Dispatch } from './webhooks/dispatch.ts'
import { feedAll } from './webhooks/log-events.ts'
import { keepUp } from './webhooks/upkeep.ts'
import { webhookLimits } from './webhooks/webhook-limits.ts'

interface DeliveryContext {
  readonly sql: Sql
  readonly ring: KeyRing
  readonly config: Config
  readonly library: Library
  readonly log: Log
}

export interface DeliveryOptions {
  readonly now?: () => Instant
  readonly random?: () => number
  readonly resolve?: Resolve
  readonly answerMs?: number
}

export class Delivering {
  readonly #parts: DeliveryParts
  readonly #dispatch: Dispatch
  readonly #log: Log

  constructor({ sql, ring, config, library, log }: DeliveryContext, options: DeliveryOptions = {}) {
    const sealed = new SealedCursors(ring, 'feed cursors')
    const privateHosts = new PrivateHosts(config.privateHosts)
    this.#log = log
    this.#parts = {
      sql,
      library,
      secrets: webhookSecrets(ring),
      now: options.now ?? (() => instantOfMicros(Date.now() * 1000)),
      snapshot: (workspaceId, read) => withWorkspace(sql, workspaceId, read, 'snapshot'),
      isPublicSettled: at => isPublicSettled(sql, at),
      nameOf: (workspaceId, place) => sealed.nameOf(workspaceId, place),
      cursorOf: (workspaceId, place) => formatFeedPlace(sealed, workspaceId, allChanges, place),
      ask: guardedRequests({
        resolve: options.resolve ?? resolveBySystem,
        privateHosts,
        userAgent: userAgent(config.contact),
      }),
      privateHosts,
      publicUrl: publicUrlOf(config),
      ring,
      random: options.random ?? Math.random,
      ...(options.answerMs === undefined ? {} : { answerMs: options.answerMs }),
      log,
    }
    this.#dispatch = new Dispatch(this.#parts)
  }

  /** Looks for derived events of a workspace. */
  look(workspaceId: string): Promise<number> {
    return lookForEvents(this.#parts, workspaceId)
  }

  /** Makes deliveries of log entries, and begins to send due ones. Returns whether there may be more. */
  async turn(signal: AbortSignal): Promise<boolean> {
    const made = await feedAll(this.#parts, signal)
    const begun = await this.#dispatch.begin(signal)
    return made + begun > 0
  }

  keepUp(): Promise<void> {
    return keepUp(this.#parts)
  }

  settled(): Promise<void> {
    return this.#dispatch.settled()
  }

  /**
   * Runs until it is stopped. Feeding, sending and upkeep run apart: with much to read for many webhooks, or very long logs,
   * sending does not wait for it.
   */
  async run(signal: AbortSignal, tickMs: number = webhookLimits.tickMs): Promise<void> {
    const feed = async () => (await feedAll(this.#parts, signal)) > 0
    const send = async () => (await this.#dispatch.begin(signal)) > 0
    const keepUp = async () => {
      await this.keepUp()
      return false
    }
    await Promise.all([
      this.#repeat(feed, tickMs, signal),
      this.#repeat(send, tickMs, signal),
      this.#repeat(keepUp, webhookLimits.upkeepMs, signal),
    ])
    await this.#dispatch.end()
  }

  /** Repeats the work; a failure, for example because the database cannot be reached, is tried again. */
  async #repeat(work: () => Promise<boolean>, pauseMs: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isBusy = await work().catch(error => {
        this.#log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'webhooks')
        return false
      })
      // Busy work only takes a breath.
      await sleep(isBusy ? Math.min(pauseMs, webhookLimits.breathMs) : pauseMs, undefined, { signal }).catch(() => {})
    }
  }
}
