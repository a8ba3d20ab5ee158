// Readings that wait for a person: what was read, why it waits, and how it was decided. One at most waits for a series.
import { randomUUIDv7 } from 'node:crypto'
import type { Instant } from '../../core/time/instant.ts'
import { publicScope, type Sql, withWorkspace } from '../postgres/database.ts'
import { packText, unpackText } from '../postgres/packed-text.ts'

type Decision = 'released' | 'rejected' | 'overtaken'

export interface QuarantineEntry {
  readonly id: string
  readonly seriesId: string
  readonly provider: string
  readonly code: string
  readonly foundAt: Instant
  readonly reason: string
  readonly decision: Decision | null
  readonly decidedAt: Instant | null
  /** `null` where nobody did: it waits, was overtaken, or is from before this was recorded. */
  readonly decidedBy: string | null
  /** The drift it waits for, if it is held with others. */
  readonly driftId: string | null
}

/** Oldest first; `waiting` alone, or the decided ones too; of these series, or of all. */
export function listQuarantine(
  sql: Sql,
  which: 'waiting' | 'all',
  seriesIds: readonly string[] | null = null,
): Promise<readonly QuarantineEntry[]> {
  return withWorkspace(
    sql,
    publicScope,
    tx => tx<QuarantineEntry[]>`
      select q.id, q.series_id as "seriesId", s.provider, s.code, q.found_at as "foundAt", q.reason, q.decision,
        q.decided_at as "decidedAt", q.decided_by as "decidedBy", q.drift_id as "driftId"
      from quarantine q join series s on s.owner = q.owner and s.id = q.series_id
      where q.owner = ${publicScope} ${which === 'waiting' ? tx`and q.decision is null` : tx``}
        ${seriesIds === null ? tx`` : tx`and q.series_id = any(${seriesIds as string[]}::text[])`}
      order by q.found_at, q.id`,
  )
}

interface NewQuarantine {
  readonly seriesId: string
  readonly foundAt: Instant
  readonly reason: string
  readonly fingerprint: string
  readonly driftId?: string | null
  /** As JSON. */
  readonly reading: string
}

/** Stores a quarantined answer, in place of one that waits for the same series. */
export async function quarantineAnswer(
  sql: Sql,
  { seriesId, foundAt, reason, fingerprint, driftId = null, reading }: NewQuarantine,
): Promise<void> {
  const { packed } = await packText(reading)
  await withWorkspace(sql, publicScope, async tx => {
    await tx`select set_config('statement_timeout', '60s', true)`
    await tx`
      insert into quarantine (owner, id, series_id, found_at, reason, fingerprint, drift_id, reading)
      values (${publicScope}, ${randomUUIDv7()}, ${seriesId}, ${foundAt}, ${reason}, ${fingerprint}, ${driftId}, ${packed})
      on conflict (owner, series_id) where decision is null do update set
        reason = excluded.reason, fingerprint = excluded.fingerprint, drift_id = excluded.drift_id,
        reading = excluded.reading`
  })
}

/** How the same answer was decided before; `null` where it was not, or where another was decided after it. */
export async function decisionOn(sql: Sql, seriesId: string, fingerprint: string): Promise<Decision | null> {
  const [row] = await withWorkspace(
    sql,
    publicScope,
    tx => tx<{ decision: Decision; fingerprint: string }[]>`
      select decision, fingerprint from quarantine
      where owner = ${publicScope} and series_id = ${seriesId} and decision in ('released', 'rejected')
      order by decided_at desc, id desc limit 1`,
  )
  return row?.fingerprint === fingerprint ? row.decision : null
}

/** Whether one was waiting. */
export async function overtake(sql: Sql, seriesId: string, at: Instant): Promise<boolean> {
  const { count } = await withWorkspace(
    sql,
    publicScope,
    tx => tx`update quarantine set decision = 'overtaken', decided_at = ${at}
      where owner = ${publicScope} and series_id = ${seriesId} and decision is null`,
  )
  return count > 0
}

/** Whether it was still waiting. */
export async function decide(
  sql: Sql,
  id: string,
  { decision, at, by }: { readonly decision: Decision; readonly at: Instant; readonly by: string },
): Promise<boolean> {
  const { count } = await withWorkspace(
    sql,
    publicScope,
    tx => tx`update quarantine set decision = ${decision}, decided_at = ${at}, decided_by = ${by}
      where owner = ${publicScope} and id = ${id} and decision is null`,
  )
  return count > 0
}

/** The JSON that was quarantined; `null` where there is no such entry. */
export async function readQuarantinedAnswer(sql: Sql, id: string): Promise<string | null> {
  const [row] = await withWorkspace(
    sql,
    publicScope,
    tx => tx<{ reading: Buffer }[]>`select reading from quarantine where owner = ${publicScope} and id = ${id}`,
  )
  return row === undefined ? null : (await unpackText(row.reading)).text
}
