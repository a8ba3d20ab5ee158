// Freshness of memory: every entry of the log is notified, and where notifications fail, the database is queried before each
// answer. An end-to-end heartbeat through the database shows whether notifications arrive, and that the server which sends them is
// still the primary: memory counts for a few seconds after the last heartbeat was sent.

import { setTimeout as sleep } from 'node:timers/promises'
import { entryChannel, loadEntriesSince, loadNewest, readNotice, sendBeat } from '../storage/log/append.ts'
import type { DatabaseTarget, Sql } from '../storage/postgres/database.ts'
import { openApplication, openListener } from '../storage/postgres/database.ts'
import { databaseTroubleOf } from '../storage/postgres/database-errors.ts'
import { apiKeyChannel } from '../storage/workspaces/api-keys.ts'
import type { Changes } from './memory/changes.ts'

export interface FreshnessLog {
  warn(facts: object, message: string): void
  info(facts: object, message: string): void
}

interface FreshnessContext {
  readonly sql: Sql
  readonly target: DatabaseTarget
  readonly changes: Changes
  readonly log: FreshnessLog
  /** Restarts the database if it is the embedded one; called when the database cannot be reached. */
  readonly revive: () => Promise<void>
  /** A key was revoked or its expiry changed. */
  readonly onKeyChange: (keyId: string) => void
}

/** More entries than this are not listed one by one. */
const mostEntries = 10_000
/** Reasons why no notifications arrive: trouble of the database, its silence, or anything else that went wrong. */
export const deafReasons = ['away', 'slow', 'locked', 'full', 'silent', 'closed', 'other'] as const
type DeafReason = (typeof deafReasons)[number]

const heartbeatMs = 1_000
/**
 * Shorter than what a cluster waits before it promotes another primary: until then nothing can be confirmed elsewhere
 * (decision 0791).
 */
const silenceMs = 3_000

export class Freshness {
  readonly #parts: FreshnessContext
  #listener: Sql | null = null
  #isHearing = false
  #isStopped = false
  #isWatching = false
  #deafReason: DeafReason | null = null
  /** The error that was logged last in this outage: it is not logged twice. */
  #told: string | null = null
  /** Connection for heartbeats: they go the way of statements, but wait behind none of them. */
  #beating: Sql | null = null
  /** When the last heartbeat that came back was sent, by a clock that nobody sets. */
  #confirmedMs = performance.now()
  /** When notifications last stopped. */
  #lostMs = Number.NEGATIVE_INFINITY
  /** Settled once a heartbeat arrives on the listening connection. */
  #heard = Promise.withResolvers<void>()
  #timer: NodeJS.Timeout | null = null
  readonly #beat = `beat ${process.pid} ${Math.random().toString(36).slice(2)} `

  constructor(parts: FreshnessContext) {
    this.#parts = parts
    parts.changes.keepUpWith({
      newest: scopes => loadNewest(parts.sql, scopes),
      since: marks => loadEntriesSince(parts.sql, marks, mostEntries),
    })
  }

  /** Whether cached values may be served without a query. */
  get isHearing(): boolean {
    return this.#isHearing && performance.now() - this.#confirmedMs <= silenceMs
  }

  /** Whether it has received everything for so long. */
  hasHeardFor(ms: number): boolean {
    return this.isHearing && performance.now() - this.#lostMs > ms
  }

  /** Null while notifications arrive. */
  get deafReason(): DeafReason | null {
    return this.isHearing ? null : (this.#deafReason ?? 'silent')
  }

  async start(): Promise<void> {
    this.#beating = openApplication(this.#parts.target, { connections: 1, name: 'assize heartbeat' })
    await this.#listen()
    this.#timer = setInterval(() => void this.#watch(), heartbeatMs)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#isHearing = false
    if (this.#timer !== null) clearInterval(this.#timer)
    const ending = [this.#listener, this.#beating].map(sql => sql?.end({ timeout: 1 }).catch(() => {}))
    await Promise.all(ending)
  }

  /** Catches up before an answer while no notifications arrive. */
  catchUp(scopes: readonly string[] | null = null): Promise<void> {
    return this.#parts.changes.catchUp(scopes)
  }

  async #listen(): Promise<void> {
    let isOpen = true
    let current: Sql | null = null
    const closed = 'the connection that listens was closed'
    const listener: Sql = await openListener(this.#parts.target, [entryChannel, apiKeyChannel], {
      onNotice: (channel, payload) => this.#hear(channel, payload),
      onClose: () => {
        isOpen = false
        // Ignores a listener that was left already.
        if (current !== null && current === this.#listener) this.#lose('closed', closed)
      },
    })
    try {
      // Listens first and queries afterwards, so that nothing is missed in between.
      await this.catchUp()
      if (!isOpen) throw new Error(closed)
    } catch (error) {
      await listener.end({ timeout: 1 }).catch(() => {})
      throw error
    }
    if (this.#isStopped) {
      await listener.end({ timeout: 1 })
      return
    }
    current = listener
    this.#listener = listener
    // The listener's server may differ from that of the statements: only a heartbeat that arrives on it shows that they are one.
    this.#heard = Promise.withResolvers()
    await this.#sendBeat()
    await Promise.race([this.#heard.promise, sleep(silenceMs, undefined, { ref: false })])
  }

  #sendBeat(): Promise<void> {
    return sendBeat(this.#beating!, `${this.#beat}${performance.now()}`)
  }

  #hear(channel: string, payload: string): void {
    if (channel === apiKeyChannel) {
      this.#parts.onKeyChange(payload)
      return
    }
    if (payload.startsWith(this.#beat)) {
      this.#confirmedMs = Number.parseFloat(payload.slice(this.#beat.length))
      this.#isHearing = this.#listener !== null
      this.#heard.resolve()
    }
    if (payload.startsWith('beat')) return
    this.#parts.changes.notified(readNotice(payload))
  }

  #lose(reason: DeafReason, why: string): void {
    this.#deafReason = reason
    if (this.#listener === null || this.#isStopped) return
    this.#isHearing = false
    this.#lostMs = performance.now()
    this.#parts.log.warn({}, `${why}: the database is queried before every answer until it is back`)
    const lost = this.#listener
    this.#listener = null
    void lost?.end({ timeout: 0 }).catch(() => {})
  }

  /**
   * Sends a heartbeat through the database; if nothing comes back, or nothing listens, reconnects. One check at a
   * time.
   */
  async #watch(): Promise<void> {
    if (this.#isWatching || this.#isStopped) return
    this.#isWatching = true
    try {
      await this.#sendBeat()
      if (!this.isHearing) this.#lose('silent', 'no notification from the database')
      if (this.#listener === null && !this.#isStopped) {
        await this.#listen()
        this.#deafReason = null
        this.#told = null
        this.#parts.log.info({}, 'listening to the database again')
      }
    } catch (error) {
      this.#fail(error)
      if (!this.#isStopped)
        await this.#parts.revive().catch(failure => this.#tell(failure, 'the database cannot be restarted'))
    } finally {
      this.#isWatching = false
    }
  }

  /** After any error, nothing cached is served without a query until a heartbeat comes through again. */
  #fail(error: unknown): void {
    const trouble = databaseTroubleOf(error)
    this.#lose(trouble ?? 'other', trouble === 'away' ? 'the database cannot be reached' : 'the heartbeat failed')
    this.#tell(error, 'no heartbeat through the database')
  }

  /** Logs each different error of an outage once, however often it is tried. */
  #tell(error: unknown, what: string): void {
    const { name, code, message } = (error ?? {}) as { name?: unknown; code?: unknown; message?: unknown }
    const told = `${what} ${String(name)} ${String(code)} ${String(message)}`
    if (this.#isStopped || told === this.#told) return
    this.#told = told
    this.#parts.log.warn({ error: { name, code, message } }, what)
  }
}
