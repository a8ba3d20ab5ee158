// Retention of acts for as many days as the operator asks for. An act that the stream has not written yet is not deleted.
import { setTimeout as sleep } from 'node:timers/promises'
import { instantOfMicros } from '../core/time/instant.ts'
import { pruneActs } from '../storage/audit/audit-acts.ts'
import type { Sql } from '../storage/postgres/database.ts'
import { auditLimits } from './audit-limits.ts'

interface RetentionContext {
  readonly sql: Sql
  /** Name under which the stream's position is stored; null without a stream. */
  readonly destination: string | null
  readonly keptDays: number
  readonly log: { info(facts: object, message: string): void; warn(facts: object, message: string): void }
  readonly nowMs: () => number
}

/** Prunes until it is stopped; a failure is tried again the next time. */
export async function keepPruning(parts: RetentionContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pruneOnce(parts, signal).catch(error =>
      parts.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'old acts were not deleted'),
    )
    await sleep(auditLimits.pruneMs, undefined, { signal }).catch(() => {})
  }
}

/** Deletes old acts and returns their number. */
export async function pruneOnce(
  { sql, destination, keptDays, log, nowMs }: RetentionContext,
  signal: AbortSignal,
): Promise<number> {
  const before = instantOfMicros((nowMs() - keptDays * 86_400_000) * 1000)
  let deleted = 0
  for (let last: number = auditLimits.pruned; last === auditLimits.pruned && !signal.aborted; deleted += last)
    last = await pruneActs(sql, destination, before, auditLimits.pruned)
  if (deleted > 0) log.info({ deleted, before }, `acts that are older than ${keptDays} days were deleted`)
  return deleted
}
