// How each series of a workspace stands at its ends, for lists that people read: the first period, the newest value and
// the one before it. Unlike series-overview.ts it counts nothing: it looks at a few rows of each series and leaves the
// rest of the history alone, so that thousands of series take a fraction of a second.
import type { Instant } from '../core/instant.ts'
import type { VersionTag } from '../core/series.ts'
import type { Transaction } from './database.ts'

export interface SeriesHead {
  readonly id: string
  /** Running numbers of periods. */
  readonly first: number | null
  readonly last: number | null
  readonly value: string | null
  readonly tag: VersionTag | null
  readonly publishedAt: Instant | null
  /** Of the period before the last one that has a value. */
  readonly previousValue: string | null
  /** When the workspace's own series last got a value; `null` for what it follows, whose state says it. */
  readonly changedAt: Instant | null
}

/** By id; those the workspace does not see are left out. Inside a transaction of the workspace. */
export async function readSeriesHeads(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SeriesHead>> {
  // The newest vintage of a period decides whether it has a value. The key of the table is the order wanted here, so each
  // lateral walks it from one end and stops after one period or two. The planner, misled by the policies of the table,
  // would gather and sort every vintage instead: that takes ten times as long.
  await tx`set local enable_bitmapscan = off`
  const rows = await tx<SeriesHead[]>`
    select seen.id, earliest.period as first, latest.period as last, latest.value, latest.tag,
      latest.published_at as "publishedAt", latest.before as "previousValue", changed.recorded_at as "changedAt"
    from (
      select owner, id from series where owner = ${workspaceId}
      union all
      select series_owner, series_id from follow where workspace_id = ${workspaceId}
    ) seen
    left join lateral (
      select period from (
        select distinct on (v.period) v.period, v.value from vintage v where v.owner = seen.owner and v.series_id = seen.id
        order by v.period, v.published_at desc, v.seq desc) newest
      where value is not null order by period limit 1) earliest on true
    left join lateral (
      select period, value, tag, published_at, lead(value) over (order by period desc) as before from (
        select * from (
          select distinct on (v.period) v.period, v.value, v.tag, v.published_at from vintage v
          where v.owner = seen.owner and v.series_id = seen.id
          order by v.period desc, v.published_at desc, v.seq desc) newest
        where value is not null order by period desc limit 2) two
      order by period desc limit 1) latest on true
    left join lateral (
      select p.recorded_at from publication p
      where p.scope = seen.owner and p.subject = seen.id and p.kind = 'observations' order by p.seq desc limit 1
    ) changed on true
    where seen.id = any(${ids as string[]}::text[])`
  return new Map(rows.map(row => [row.id, row]))
}

/** What is said about a series besides its name and unit. */
export async function readDescription(tx: Transaction, owner: string, seriesId: string): Promise<string> {
  const [row] = await tx<{ description: string }[]>`
    select description from series_metadata where owner = ${owner} and series_id = ${seriesId} order by seq desc limit 1`
  return row?.description ?? ''
}
