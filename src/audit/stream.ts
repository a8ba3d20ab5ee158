// The audit stream: writes every act to standard output, in order and at least once. It numbers new acts, reads those after the
// position stored in the database, writes them, and moves the position on. Of several processes one writes at a time (decision
// 0801). A failed write is tried again from the same position, so that nothing is lost while nobody reads.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadActs, numberActs } from '../storage/audit/audit-acts.ts'
import { type AuditHold, holdPlace, leavePlace, movePlace, noteFailing } from '../storage/audit/audit-places.ts'
import type { Sql } from '../storage/postgres/database.ts'
import { auditLimits } from './audit-limits.ts'
import { ocsfLine } from './ocsf.ts'

interface StreamLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

interface StreamContext {
  readonly sql: Sql
  /** Name under which the position is stored. */
  readonly name: string
  /** Writes whole lines. When it resolves, all of them are where they belong. */
  readonly write: (text: string, signal: AbortSignal) => Promise<void>
  readonly log: StreamLog
  readonly nowMs: () => number
}

export class AuditStreaming {
  readonly #parts: StreamContext
  readonly #hold: AuditHold
  #failures = 0
  #warnedMs = Number.NEGATIVE_INFINITY

  constructor(parts: StreamContext, holdMs: number = auditLimits.holdMs) {
    this.#parts = parts
    this.#hold = { destination: parts.name, holder: randomBytes(12).toString('base64url'), holdMs }
  }

  /** Writes one batch. Returns the number of acts; null while another process writes. */
  async turn(signal: AbortSignal): Promise<number | null> {
    const { sql, write } = this.#parts
    const from = await holdPlace(sql, this.#hold)
    if (from === null) return null
    await numberActs(sql, auditLimits.numbered)
    const batch = await loadActs(sql, from, auditLimits.lines)
    if (batch.length === 0) return 0
    const text = batch.map(each => `${ocsfLine(each)}\n`).join('')
    await write(text, AbortSignal.any([signal, AbortSignal.timeout(auditLimits.writeMs)]))
    const isMoved = await movePlace(sql, this.#hold, { from, to: batch.at(-1)!.number })
    return isMoved ? batch.length : null
  }

  /** Runs until it is stopped; then another process may go on at once. */
  async run(signal: AbortSignal, tickMs: number = auditLimits.tickMs): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = await this.#once(signal, tickMs)
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
    await this.end()
  }

  async end(): Promise<void> {
    await leavePlace(this.#parts.sql, this.#hold).catch(() => {})
  }

  /** Writes once and returns the pause before the next turn. */
  async #once(signal: AbortSignal, tickMs: number): Promise<number> {
    try {
      const told = await this.turn(signal)
      if (told !== null && told > 0) this.#arrived()
      return told !== null && told > 0 ? 0 : tickMs
    } catch (error) {
      if (signal.aborted) return 0
      return this.#failed(error)
    }
  }

  #arrived(): void {
    if (this.#failures > 0) this.#parts.log.info({}, 'the audit stream goes on')
    this.#failures = 0
    this.#warnedMs = Number.NEGATIVE_INFINITY
  }

  async #failed(error: unknown): Promise<number> {
    const { sql, log, nowMs } = this.#parts
    const { first, most } = auditLimits.retriesMs
    const waitMs = Math.min(first * 2 ** Math.min(this.#failures++, 20), most)
    await noteFailing(sql, this.#hold).catch(() => {})
    if (nowMs() - this.#warnedMs >= auditLimits.warnEveryMs) {
      this.#warnedMs = nowMs()
      const reason = error instanceof Error ? error.message : String(error)
      log.warn({ reason }, 'the audit stream is interrupted; acts that are not written yet wait')
    }
    return waitMs
  }
}
