// Follows of public series by workspaces. A workspace does not follow a code that it has imported itself: one code must not mean
// two series.
import { Refusal } from '../../core/refusal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { appending } from '../log/append.ts'
import { appendEntry } from '../log/entry-rows.ts'
import { inWorkspace, type Queryable, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { enforceQuota, refuseOverQuota } from '../workspaces/quotas.ts'

/** Ids of the public series that a workspace follows; with a cut, since then at the latest. */
export async function loadFollowed(
  sql: Sql,
  workspaceId: string,
  cut: Instant | null = null,
): Promise<ReadonlySet<string>> {
  const rows = await inWorkspace(sql, workspaceId)<{ id: string }[]>`
    select series_id as id from follow
    where workspace_id = ${workspaceId} and (${cut}::timestamptz is null or recorded_at <= ${cut})`
  return new Set(rows.map(({ id }) => id))
}

export async function countFollowers(sql: Queryable, seriesId: string): Promise<number> {
  return (await sql`select followers_of(${seriesId})`).length
}

/** Codes among these that the workspace has imported, in any case of letters. */
export function loadImported(
  sql: Sql,
  workspaceId: string,
  provider: string,
  codes: readonly string[],
): Promise<readonly string[]> {
  return withWorkspace(sql, workspaceId, tx => findImported(tx, workspaceId, provider, codes))
}

async function findImported(
  tx: Transaction,
  workspaceId: string,
  provider: string,
  codes: readonly string[],
): Promise<readonly string[]> {
  const lower = codes.map(code => code.toLowerCase())
  const rows = await tx<{ code: string }[]>`
    select code from series where owner = ${workspaceId} and provider = ${provider}
      and lower(code) = any(${lower}::text[]) order by code`
  return rows.map(({ code }) => code)
}

interface FollowedSeries {
  readonly id: string
  readonly provider: string
  readonly code: string
}

/** Whether it is new that the workspace follows the series. */
export function followSeries(sql: Sql, workspaceId: string, series: FollowedSeries): Promise<boolean> {
  return appending(sql, workspaceId, async (tx, log) => {
    const [stored] = await tx`
      select 1 from follow where workspace_id = ${workspaceId} and series_id = ${series.id}`
    if (stored !== undefined) return false
    const imported = await findImported(tx, workspaceId, series.provider, [series.code])
    if (imported.length > 0) throw importedRefusal(series.provider, imported[0]!)
    await appendEntry(tx, log, 'follow', { subject: series.id, facts: { seriesId: series.id } })
    await enforceQuota(tx, workspaceId, 'series')
    return true
  })
}

/** Refuses, before any provider is asked, series that the workspace has no room for. */
export function refuseTooManyFollows(
  sql: Sql,
  workspaceId: string,
  wanted: readonly { readonly provider: string; readonly codes: readonly string[] }[],
): Promise<void> {
  return withWorkspace(sql, workspaceId, async tx => {
    let fresh = 0
    for (const { provider, codes } of wanted) {
      const lower = codes.map(code => code.toLowerCase())
      const [row] = await tx<{ count: number }[]>`
        select count(*) from follow f join series s on s.owner = f.series_owner and s.id = f.series_id
        where f.workspace_id = ${workspaceId} and s.provider = ${provider} and lower(s.code) = any(${lower}::text[])`
      fresh += codes.length - row!.count
    }
    if (fresh > 0) await refuseOverQuota(tx, workspaceId, 'series', fresh)
  })
}

export function importedRefusal(provider: string, code: string): Refusal {
  return new Refusal(
    'conflict',
    `${provider}/${code} was imported into this workspace, so it cannot be followed as well`,
  )
}
