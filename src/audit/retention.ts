// Keeps acts for as many days as the operator asks for. Nothing goes that the stream has not written yet.
import { setTimeout as sleep } from 'node:timers/promises'
import { instantOfMicros } from '../core/time/instant.ts'
import { pruneActs } from '../storage/audit/audit-acts.ts'
import type { Sql } from '../storage/postgres/database.ts'
import { auditLimits } from './audit-limits.ts'

interface RetentionContext {
  readonly sql: Sql
  /** What the place of the stream is kept under; null where there is none. */
  readonly destination: string | null
  readonly keptDays: number
  readonly log: { info(facts: object, message: string): void; warn(facts: object, message: string): void }
  readonly nowMs: () => number
}

/** Until it is stopped; what fails is tried again the next time. */
export async function keepPruning(parts: RetentionContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pruneOnce(parts, signal).catch(error =>
      parts.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'old acts were not deleted'),
    )
    await sleep(auditLimits.pruneMs, undefined, { signal }).catch(() => {})
  }
}

/** How many were deleted. */
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
