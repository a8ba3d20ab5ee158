// The state of each public series at its provider: its last request, its last change, its trouble in words. Each series has one
// row, rewritten after every request.
import type { Instant } from '../../core/time/instant.ts'
import { inWorkspace, publicScope, type Sql, type Transaction } from '../postgres/database.ts'

export interface SeriesState {
  readonly lastAskedAt: Instant
  readonly lastAnsweredAt: Instant | null
  readonly lastChangedAt: Instant | null
  readonly rangeAskedAt: Instant | null
  readonly wholeAskedAt: Instant | null
  readonly trouble: string | null
  readonly troubleSince: Instant | null
  readonly notice: string | null
  readonly requestHash: string | null
  readonly etag: string | null
  readonly lastModified: string | null
}

/** Changes after one request: times that are null stay as they were, all else is replaced. */
interface StateChange extends Omit<SeriesState, 'troubleSince'> {
  readonly seriesId: string
}

/** The columns of `series_state` under their names here, for joins. */
export function stateColumns(tx: Transaction) {
  return tx`
    st.last_asked_at as "lastAskedAt", st.last_answered_at as "lastAnsweredAt", st.last_changed_at as "lastChangedAt",
    st.range_asked_at as "rangeAskedAt", st.whole_asked_at as "wholeAskedAt", st.trouble,
    st.trouble_since as "troubleSince", st.notice, st.question_hash as "requestHash", st.etag,
    st.last_modified as "lastModified"`
}

/** States of the series a workspace follows, by id. */
export async function loadStates(tx: Transaction, workspaceId: string): Promise<ReadonlyMap<string, SeriesState>> {
  const rows = await tx<(SeriesState & { id: string })[]>`
    select f.series_id as id, ${stateColumns(tx)}
    from follow f join series_state st on st.owner = f.series_owner and st.series_id = f.series_id
    where f.workspace_id = ${workspaceId}`
  return new Map(rows.map(({ id, ...state }) => [id, state]))
}

/** Troubles of the series a workspace follows, by id. */
export function loadTroubles(
  tx: Transaction,
  workspaceId: string,
): Promise<readonly { readonly id: string; readonly trouble: string }[]> {
  return tx<{ id: string; trouble: string }[]>`
    select f.series_id as id, st.trouble
    from follow f join series_state st on st.owner = f.series_owner and st.series_id = f.series_id
    where f.workspace_id = ${workspaceId} and st.trouble is not null
    order by f.series_id`
}

export async function saveState(sql: Sql, change: StateChange): Promise<void> {
  const { seriesId, lastAskedAt, lastAnsweredAt, lastChangedAt, rangeAskedAt, wholeAskedAt } = change
  const { trouble, notice, requestHash, etag, lastModified } = change
  await inWorkspace(sql, publicScope)`
    insert into series_state as s (owner, series_id, last_asked_at, last_answered_at, last_changed_at, range_asked_at,
      whole_asked_at, trouble, trouble_since, notice, question_hash, etag, last_modified)
    values (${publicScope}, ${seriesId}, ${lastAskedAt}, ${lastAnsweredAt}, ${lastChangedAt}, ${rangeAskedAt},
      ${wholeAskedAt}, ${trouble}, ${trouble === null ? null : lastAskedAt}, ${notice}, ${requestHash}, ${etag},
      ${lastModified})
    on conflict (owner, series_id) do update set
      last_asked_at = excluded.last_asked_at,
      last_answered_at = coalesce(excluded.last_answered_at, s.last_answered_at),
      last_changed_at = coalesce(excluded.last_changed_at, s.last_changed_at),
      range_asked_at = coalesce(excluded.range_asked_at, s.range_asked_at),
      whole_asked_at = coalesce(excluded.whole_asked_at, s.whole_asked_at),
      trouble = excluded.trouble,
      -- The same trouble or another: since then it has not been well.
      trouble_since = case when excluded.trouble is null then null
        else coalesce(s.trouble_since, excluded.trouble_since) end,
      notice = excluded.notice,
      question_hash = excluded.question_hash,
      etag = excluded.etag,
      last_modified = excluded.last_modified`
}
