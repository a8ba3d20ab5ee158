// Tells a destination every act, in order and at least once: gives numbers to what has none, reads what comes after the place that is
// kept in the database, sends it, and moves the place on when the destination has it. Of several processes one tells at a time
// (decision 0801). What fails is tried again from where it was, so that nothing is lost while a destination is away.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Act, acts, auditClasses } from '../core/people/acts.ts'
import { microsOf } from '../core/time/instant.ts'
import { type NotedAct, numberActs, readActs } from '../storage/audit/audit-acts.ts'
import { type AuditHold, holdPlace, leavePlace, movePlace, noteFailing } from '../storage/audit/audit-places.ts'
import type { Sql } from '../storage/postgres/database.ts'
import { auditLimits } from './audit-limits.ts'
import { AskedToWait, type AuditLine, type Destination } from './audit-line.ts'
import { ocsfLine } from './ocsf.ts'

interface StreamLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

interface StreamParts {
  readonly sql: Sql
  /** What its place is kept under. */
  readonly name: string
  readonly destination: Destination
  readonly log: StreamLog
  readonly nowMs: () => number
}

export class AuditStreaming {
  readonly #parts: StreamParts
  readonly #hold: AuditHold
  #failures = 0
  #warnedMs = Number.NEGATIVE_INFINITY

  constructor(parts: StreamParts, holdMs: number = auditLimits.holdMs) {
    this.#parts = parts
    this.#hold = { destination: parts.name, holder: randomBytes(12).toString('base64url'), holdMs }
  }

  /** Tells one batch. How many acts; null while another process tells this destination. */
  async turn(signal: AbortSignal): Promise<number | null> {
    const { sql, destination } = this.#parts
    const from = await holdPlace(sql, this.#hold)
    if (from === null) return null
    await numberActs(sql, auditLimits.numbered)
    const batch = fitting(await readActs(sql, from, auditLimits.lines))
    if (batch.length === 0) return 0
    await destination.send(
      batch.map(({ line }) => line),
      AbortSignal.any([signal, AbortSignal.timeout(auditLimits.answerMs)]),
    )
    const isMoved = await movePlace(sql, this.#hold, { from, to: batch.at(-1)!.number })
    return isMoved ? batch.length : null
  }

  /** Until it is stopped; then another process may go on at once. */
  async run(signal: AbortSignal, tickMs: number = auditLimits.tickMs): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = await this.#once(signal, tickMs)
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
    await this.end()
  }

  async end(): Promise<void> {
    const { sql, destination } = this.#parts
    await destination.close().catch(() => {})
    await leavePlace(sql, this.#hold).catch(() => {})
  }

  /** How long to wait before the next turn. */
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
    const { log, name } = this.#parts
    if (this.#failures > 0) log.info({ destination: name }, 'the audit stream goes on')
    this.#failures = 0
    this.#warnedMs = Number.NEGATIVE_INFINITY
  }

  async #failed(error: unknown): Promise<number> {
    const { sql, log, name, nowMs } = this.#parts
    const { first, most, asked } = auditLimits.retriesMs
    const waitMs = Math.min(first * 2 ** Math.min(this.#failures++, 20), most)
    await noteFailing(sql, this.#hold).catch(() => {})
    if (nowMs() - this.#warnedMs >= auditLimits.warnEveryMs) {
      this.#warnedMs = nowMs()
      const reason = error instanceof Error ? error.message : String(error)
      log.warn({ destination: name, reason }, 'the audit stream is interrupted; what is not told yet waits')
    }
    return error instanceof AskedToWait ? Math.min(Math.max(error.waitMs, waitMs), asked) : waitMs
  }
}

/** As many as fit into a batch, and one at least. */
function fitting(noted: readonly NotedAct[]): readonly { readonly number: number; readonly line: AuditLine }[] {
  let bytes = 0
  const batch: { number: number; line: AuditLine }[] = []
  for (const each of noted) {
    const line = lineOf(each)
    bytes += Buffer.byteLength(line.text) + 1
    if (batch.length > 0 && bytes > auditLimits.bytes) break
    batch.push({ number: each.number, line })
  }
  return batch
}

function lineOf(noted: NotedAct): AuditLine {
  const rule = Object.hasOwn(acts, noted.act) ? acts[noted.act as Act] : null
  return {
    text: ocsfLine(noted),
    atMs: Math.floor(microsOf(noted.at) / 1000),
    severity: rule?.severity ?? 1,
    classUid: auditClasses[rule?.of ?? 'entity'].uid,
  }
}
