// Quarantined answers: the parsed answer, the reason why it waits, and the decision. One at most waits for a series.
import { randomUUIDv7 } from 'node:crypto'
import type { Instant } from '../../core/time/instant.ts'
import { inWorkspace, publicScope, type Sql, withWorkspace } from '../postgres/database.ts'
import { packText, unpackText } from '../postgres/packed-text.ts'

export type Decision = 'released' | 'rejected' | 'overtaken'

export interface Decided {
  readonly decision: Decision
  readonly at: Instant
  /** The person who decided; `null` where nobody did. */
  readonly by: string | null
}

export interface QuarantineEntry {
  readonly id: string
  readonly seriesId: string
  readonly provider: string
  readonly code: string
  readonly foundAt: Instant
  readonly reason: string
  readonly decision: Decision | null
  readonly decidedAt: Instant | null
  /** The person who decided; `null` where nobody did: it waits, or was overtaken. */
  readonly decidedBy: string | null
  /** Drift it waits for, if it is held with others. */
  readonly driftId: string | null
}

/** Lists entries, oldest first; `waiting` alone, or the decided ones too; of these series, or of all. */
export function listQuarantine(
  sql: Sql,
  which: 'waiting' | 'all',
  seriesIds: readonly string[] | null = null,
): Promise<readonly QuarantineEntry[]> {
  return inWorkspace(sql, publicScope)<QuarantineEntry[]>`
    select q.id, q.series_id as "seriesId", s.provider, s.code, q.found_at as "foundAt", q.reason, q.decision,
      q.decided_at as "decidedAt", q.decided_by as "decidedBy", q.drift_id as "driftId"
    from quarantine q join series s on s.owner = q.owner and s.id = q.series_id
    where q.owner = ${publicScope} ${which === 'waiting' ? sql`and q.decision is null` : sql``}
      ${seriesIds === null ? sql`` : sql`and q.series_id = any(${seriesIds as string[]}::text[])`}
    order by q.found_at, q.id`
}

interface NewQuarantine {
  readonly seriesId: string
  readonly foundAt: Instant
  readonly reason: string
  readonly fingerprint: string
  readonly driftId?: string | null
  /** The parsed answer as JSON. */
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

/** Earlier decision on the same answer; `null` where there is none, or where another answer was decided after it. */
export async function decisionOn(sql: Sql, seriesId: string, fingerprint: string): Promise<Decision | null> {
  const [row] = await inWorkspace(sql, publicScope)<{ decision: Decision; fingerprint: string }[]>`
    select decision, fingerprint from quarantine
    where owner = ${publicScope} and series_id = ${seriesId} and decision in ('released', 'rejected')
    order by decided_at desc, id desc limit 1`
  return row?.fingerprint === fingerprint ? row.decision : null
}

/** A row that waits for a person: an answer, a calendar or a drift. It is decided once, whichever table it waits in. */
interface WaitingRow {
  readonly table: 'drift' | 'quarantine' | 'calendar_quarantine'
  readonly column: 'id' | 'series_id' | 'provider'
  readonly value: string
}

/** Whether it was still waiting. */
export async function decideWaiting(
  sql: Sql,
  { table, column, value }: WaitingRow,
  { decision, at, by }: Decided,
): Promise<boolean> {
  const { count } = await inWorkspace(sql, publicScope)`
    update ${sql(table)} set decision = ${decision}, decided_at = ${at}, decided_by = ${by}
    where owner = ${publicScope} and ${sql(column)} = ${value} and decision is null`
  return count > 0
}

/** Whether one was waiting. */
export function overtake(sql: Sql, seriesId: string, at: Instant): Promise<boolean> {
  const row = { table: 'quarantine', column: 'series_id', value: seriesId } as const
  return decideWaiting(sql, row, { decision: 'overtaken', at, by: null })
}

/** Whether it was still waiting. */
export function decide(sql: Sql, id: string, decided: Decided): Promise<boolean> {
  return decideWaiting(sql, { table: 'quarantine', column: 'id', value: id }, decided)
}

/** JSON of a quarantined answer; `null` where there is no such entry. */
export async function loadQuarantinedAnswer(sql: Sql, id: string): Promise<string | null> {
  const [row] = await inWorkspace(sql, publicScope)<
    { reading: Buffer }[]
  >`select reading from quarantine where owner = ${publicScope} and id = ${id}`
  return row === undefined ? null : (await unpackText(row.reading)).text
}
