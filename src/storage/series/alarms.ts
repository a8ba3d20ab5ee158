// Stored alarms of a workspace: raised once for each series and period, cleared once.
import type { Alarm, AlarmChanges, OpenAlarm } from '../../core/calendar/alarm.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Queryable, Transaction } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'

export interface StoredAlarm extends OpenAlarm {
  readonly id: string
}

/** Open alarms, the newest first. */
export function loadOpenAlarms(tx: Transaction, workspaceId: string): Promise<readonly StoredAlarm[]> {
  return tx<StoredAlarm[]>`
    select id, series_id as "seriesId", period, cause, expected_at as "expectedAt", raised_at as "raisedAt"
    from alarm where workspace_id = ${workspaceId} and cleared_at is null
    order by raised_at desc, series_id, period`
}

/** Saves alarms; those that another process has raised or cleared meanwhile stay as they are. */
export async function saveAlarms(
  tx: Transaction,
  workspaceId: string,
  { raised, cleared, restated }: AlarmChanges<StoredAlarm>,
  at: Instant,
): Promise<void> {
  const column = <T>(read: (alarm: Alarm) => T) => raised.map(read)
  if (cleared.length > 0)
    await tx`
      update alarm a set cleared_at = ${at}, cleared_by = given.by
      from unnest(${cleared.map(({ alarm }) => alarm.id)}::text[], ${cleared.map(({ by }) => by)}::text[]) as given (id, by)
      where a.workspace_id = ${workspaceId} and a.id = given.id and a.cleared_at is null`
  if (restated.length > 0)
    await tx`
      update alarm a set cause = given.cause
      from unnest(${restated.map(({ alarm }) => alarm.id)}::text[], ${restated.map(({ cause }) => cause)}::text[])
        as given (id, cause)
      where a.workspace_id = ${workspaceId} and a.id = given.id and a.cleared_at is null`
  if (raised.length > 0)
    await tx`
      insert into alarm (workspace_id, id, series_id, period, cause, expected_at, raised_at)
      select ${workspaceId}, id, series_id, period, cause, expected_at, ${at} from unnest(
        ${column(() => makeIdentifier('alm'))}::text[], ${column(({ seriesId }) => seriesId)}::text[],
        ${column(({ period }) => period)}::text[], ${column(({ cause }) => cause)}::text[],
        ${column(({ expectedAt }) => expectedAt)}::text[])
        as given (id, series_id, period, cause, expected_at)
      on conflict (workspace_id, series_id, period, (cause = 'CANCELLED')) where cleared_at is null do nothing`
}

/** Workspaces in which something can be waited for. */
export async function listWorkspacesWithAgreements(sql: Queryable): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`select workspaces_with_agreements() as id`
  return rows.map(({ id }) => id)
}

export interface LateSeries {
  readonly provider: string
  readonly late: number
}

/** Late series over all workspaces, for monitoring. */
export function loadLateSeries(sql: Queryable): Promise<readonly LateSeries[]> {
  return sql<LateSeries[]>`select provider, late from late_series()`
}
