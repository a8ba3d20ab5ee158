// Instants up to which each person has looked at the effects of publications.
import type { Instant } from '../../core/time/instant.ts'
import { type Sql, withWorkspace } from '../postgres/database.ts'

/** The instant; null where they have not looked yet. */
export function loadSeenUntil(sql: Sql, workspaceId: string, personId: string): Promise<Instant | null> {
  return withWorkspace(sql, workspaceId, async tx => {
    const [row] = await tx<{ seenUntil: Instant }[]>`
      select seen_until as "seenUntil" from radar_seen
      where workspace_id = ${workspaceId} and person_id = ${personId}`
    return row?.seenUntil ?? null
  })
}

/** Sets the instant; null: as if they had never looked. */
export function setSeenUntil(sql: Sql, workspaceId: string, personId: string, until: Instant | null): Promise<void> {
  return withWorkspace(sql, workspaceId, async tx => {
    if (until === null) {
      await tx`delete from radar_seen where workspace_id = ${workspaceId} and person_id = ${personId}`
      return
    }
    await tx`
      insert into radar_seen (workspace_id, person_id, seen_until) values (${workspaceId}, ${personId}, ${until})
      on conflict (workspace_id, person_id) do update set seen_until = excluded.seen_until`
  })
}
