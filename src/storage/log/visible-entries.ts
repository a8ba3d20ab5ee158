// Entries as a workspace sees them: its own, and those of the public series it follows. The numbers of the public
// sequence stay inside: they would tell how busy others are.
import { type Instant, instantOfMicros } from '../../core/time/instant.ts'
import { publicScope, type Transaction } from '../postgres/database.ts'
import { loadClockRepairs } from './clock-repairs.ts'

const never: Instant = instantOfMicros(0)

/** Instant of the newest visible entry; the earliest instant if there is none. */
export async function loadNewestSeen(tx: Transaction, workspaceId: string): Promise<Instant> {
  const rows = await tx<{ scope: string; seq: number; recordedAt: Instant }[]>`
    (select scope, seq, recorded_at as "recordedAt" from publication where scope = ${workspaceId} order by seq desc limit 1)
    union all
    (select ${publicScope}, newest.seq, newest.recorded_at
     from follow f cross join lateral (
       select p.seq, p.recorded_at from publication p where p.scope = f.series_owner and p.subject = f.series_id
       order by p.seq desc limit 1) newest
     where f.workspace_id = ${workspaceId} order by newest.seq desc limit 1)`
  const repairs = await loadClockRepairs(tx, workspaceId)
  const instants = rows.map(({ scope, seq, recordedAt }) => repairs.instantOf(scope, seq, recordedAt))
  return [never, ...instants].sort().at(-1)!
}

/** Instants at which these series last had a vintage recorded. Series that the workspace does not see are left out. */
export async function loadUpdates(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Instant>> {
  const rows = await tx<{ id: string; scope: string; seq: number; recordedAt: Instant }[]>`
    select asked.id, o.scope, newest.seq, newest.recorded_at as "recordedAt"
    from unnest(${ids as string[]}::text[]) as asked (id)
    cross join unnest(${[workspaceId, publicScope]}::text[]) as o (scope)
    cross join lateral (
      select p.seq, p.recorded_at from publication p
      where p.scope = o.scope and p.subject = asked.id and p.kind = 'observations' order by p.seq desc limit 1) newest`
  const repairs = await loadClockRepairs(tx, workspaceId)
  return new Map(rows.map(({ id, scope, seq, recordedAt }) => [id, repairs.instantOf(scope, seq, recordedAt)]))
}
