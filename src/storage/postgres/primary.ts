// Whether the server that answers is the primary at this moment. One that was cut off, or frozen and woken, still says so of
// itself when another was promoted long ago. Where commits wait for a standby, it cannot confirm one any more, because its
// standby follows another: so a statement that counts on the present writes a few bytes, and its answer comes when they are
// confirmed (decision 0791). Without such a standby nothing is written.
import { ConnectionError } from './connection-error.ts'
import type { Queryable } from './sql.ts'

export interface Confirmed {
  readonly isStandby: boolean
  /** Where the bytes are; only there so that they are written. */
  readonly written: string | null
}

/**
 * How long an answer is waited for: a frozen server sends none, and one whose standby left does not confirm. A request waits as long as
 * a statement may take and its commit; a heartbeat must not be older than what it says.
 */
export const confirmWithinMs = { request: 10_000, heartbeat: 3_000 } as const

/** One row, for a `from`. */
export function confirmation(sql: Queryable): unknown {
  return sql`(
    select pg_is_in_recovery() as is_standby,
      case when not pg_is_in_recovery() and current_setting('synchronous_standby_names') <> ''
        then pg_logical_emit_message(true, 'assize', 'still the primary')::text end as written
    offset 0)`
}

/** The rows of a statement with a confirmation in it. */
export async function inTime<T extends Confirmed>(
  asked: PromiseLike<readonly T[]>,
  what: keyof typeof confirmWithinMs,
): Promise<readonly T[]> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(ConnectionError.of('NOT_CONFIRMED')), confirmWithinMs[what])
  try {
    const rows = await Promise.race([asked, late.promise])
    if (rows[0]!.isStandby) throw ConnectionError.of('STANDBY')
    return rows
  } finally {
    clearTimeout(timer)
  }
}
