// Recent changes of some series, each with the value it replaced: for people who want to know what moved. A series that has just
// come in is one line, not all of its history.

import type { VersionTag } from '../../core/series/series.ts'
import type { Instant } from '../../core/time/instant.ts'
import { inWorkspace, type Sql, type Transaction } from '../postgres/database.ts'
import type { VisibleSeries } from './visible-series.ts'

export interface RecentChange {
  readonly seriesId: string
  /** Running number of the period. */
  readonly period: number
  /** Value; `null` for a withdrawal. */
  readonly value: string | null
  /** Value that the period had before by publication; `null` where it had none. */
  readonly before: string | null
  readonly tag: VersionTag | null
  readonly publishedAt: Instant
  readonly recordedAt: Instant
}

interface RecentOptions {
  readonly series: readonly Owned[]
  readonly since: Instant
  readonly most: number
  /** Most periods of one series that came together, the newest. */
  readonly mostTogether: number
}

type Owned = Pick<VisibleSeries, 'owner' | 'id'>

/**
 * Series among many that changed last, the newest first: the newest changes are found among them. The query looks at the last
 * publication of each series, and at none of its history.
 */
export async function loadNewestChanged(
  sql: Sql,
  { series, since, most }: Pick<RecentOptions, 'series' | 'since' | 'most'>,
): Promise<readonly Owned[]> {
  const found: (Owned & { readonly recordedAt: Instant })[] = []
  // Entries of a scope are seen from inside it alone.
  for (const [owner, own] of Map.groupBy(series, each => each.owner)) {
    const ids = own.map(({ id }) => id)
    found.push(
      ...(await inWorkspace(sql, owner)<(Owned & { recordedAt: Instant })[]>`
        select ${owner}::text as owner, s.id, p.recorded_at as "recordedAt"
        from unnest(${ids}::text[]) as s (id)
        cross join lateral (
          select p.recorded_at from publication p
          where p.scope = ${owner} and p.subject = s.id and p.kind = 'observations' order by p.seq desc limit 1) p
        where p.recorded_at >= ${since}
        order by p.recorded_at desc, s.id limit ${most}`),
    )
  }
  return found
    .sort((a, b) => (a.recordedAt > b.recordedAt || (a.recordedAt === b.recordedAt && a.id < b.id) ? -1 : 1))
    .slice(0, most)
}

/** Changes, newest first. Inside a transaction of the workspace. */
export function loadRecentChanges(
  tx: Transaction,
  { series, since, most, mostTogether }: RecentOptions,
): Promise<readonly RecentChange[]> {
  return tx<RecentChange[]>`
    select r.series_id as "seriesId", r.period, r.value, r.tag, r.published_at as "publishedAt",
      r.recorded_at as "recordedAt",
      case when not r.is_first then (
        select p.value from vintage p
        where p.owner = r.owner and p.series_id = r.series_id and p.period = r.period
          and (p.published_at, p.seq) < (r.published_at, r.seq)
        order by p.published_at desc, p.seq desc limit 1) end as before
    from (
      select n.*, row_number() over (partition by n.owner, n.series_id, n.seq order by n.period desc) as place
      from (
        -- Several vintages of a period that came together are one change. The window keeps the planner to one look at
        -- each series.
        select distinct on (v.owner, v.series_id, v.seq, v.period) v.*, v.seq = v.first_seq as is_first
        from unnest(${series.map(({ owner }) => owner)}::text[], ${series.map(({ id }) => id)}::text[]) as s (owner, id)
        cross join lateral (
          select o.*, min(o.seq) over () as first_seq from vintage o where o.owner = s.owner and o.series_id = s.id) v
        where v.recorded_at >= ${since}
        order by v.owner, v.series_id, v.seq, v.period, v.published_at desc
      ) n
    ) r
    where r.place <= case when r.is_first then 1 else ${mostTogether}::integer end
    order by r.recorded_at desc, r.series_id, r.period desc
    limit ${most}`
}
