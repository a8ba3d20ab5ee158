// The ends of each series of a workspace, for lists that people read: the first period, the newest value and
// the one before it. Unlike series-overview.ts it counts nothing: it looks at a few rows of each series and leaves the
// rest of the history alone, so that thousands of series take a fraction of a second.

import type { VersionTag } from '../../core/series/series.ts'
import type { Instant } from '../../core/time/instant.ts'
import { vintageSource } from '../log/clock-repairs.ts'
import type { Transaction } from '../postgres/database.ts'

export interface SeriesHead {
  /** A workspace's id, or `public`. */
  readonly owner: string
  readonly id: string
  /** Running numbers of periods. */
  readonly first: number | null
  readonly last: number | null
  readonly value: string | null
  readonly tag: VersionTag | null
  readonly publishedAt: Instant | null
  readonly recordedAt: Instant | null
  /** Value of the period before the last one that has a value. */
  readonly previousValue: string | null
  /** Instant of the last value of the workspace's own series; `null` for a followed one, whose state has it. */
  readonly changedAt: Instant | null
}

/** Heads by id; series that the workspace does not see are left out. */
export async function loadSeriesHeads(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SeriesHead>> {
  await keepToTheKey(tx)
  const vintage = tx(await vintageSource(tx, workspaceId))
  // The newest vintage of a period decides whether it has a value. From either end, period by period, one look at the key each: a
  // period of a million vintages takes no longer than one of two. The bounds are plain columns, because under row-level security
  // an expression would not be looked up in the key. The series are looked up one by one too: in a join with new ones that have
  // no statistics yet, the planner would compare each with each.
  const rows = await tx<SeriesHead[]>`
    select seen.owner, seen.id, earliest.period as first, latest.period as last, latest.value, latest.tag,
      latest.published_at as "publishedAt", latest.recorded_at as "recordedAt", latest.before as "previousValue", changed.recorded_at as "changedAt"
    from (
      select s.owner, s.id from unnest(${ids as string[]}::text[]) as asked (id) cross join lateral (
        select owner, id from series where owner = ${workspaceId} and id = asked.id limit 1) s
      union all
      select f.series_owner, f.series_id from unnest(${ids as string[]}::text[]) as asked (id) cross join lateral (
        select series_owner, series_id from follow where workspace_id = ${workspaceId} and series_id = asked.id limit 1) f
    ) seen
    left join lateral (
      with recursive forth as (
        select ${beforeAll}::integer as period, null::text as value
        union all
        select newest.period, newest.value from forth cross join lateral (
          select v.period from ${vintage} v
          where v.owner = seen.owner and v.series_id = seen.id and v.period > forth.period
          order by v.period, v.published_at, v.seq limit 1) next
        cross join lateral (
          select v.period, v.value from ${vintage} v
          where v.owner = seen.owner and v.series_id = seen.id and v.period = next.period
          order by v.published_at desc, v.seq desc limit 1) newest
        where forth.value is null
      )
      select period from forth where value is not null) earliest on true
    left join lateral (
      with recursive back as (
        select ${afterAll}::integer as period, null::text as value, null::text as tag, null::timestamptz as published_at,
          null::timestamptz as recorded_at, 0 as found
        union all
        select newest.period, newest.value, newest.tag, newest.published_at, newest.recorded_at,
          back.found + (newest.value is not null)::integer
        from back cross join lateral (
          select v.period, v.value, v.tag, v.published_at, v.recorded_at from ${vintage} v
          where v.owner = seen.owner and v.series_id = seen.id and v.period < back.period
          order by v.period desc, v.published_at desc, v.seq desc limit 1) newest
        where back.found < 2
      )
      select min(period) filter (where found = 1) as period, min(value) filter (where found = 1) as value,
        min(tag) filter (where found = 1) as tag, min(published_at) filter (where found = 1) as published_at,
        min(recorded_at) filter (where found = 1) as recorded_at,
        min(value) filter (where found = 2) as before
      from back where value is not null) latest on true
    left join lateral (
      select p.recorded_at from publication p
      where p.scope = seen.owner and p.subject = seen.id and p.kind = 'observations' order by p.seq desc limit 1
    ) changed on true`
  return new Map(rows.map(row => [row.id, row]))
}

/** Running numbers of periods lie between these. */
const beforeAll = -2_147_483_648
const afterAll = 2_147_483_647

/**
 * The planner judges a table by its last look at it. One workspace's import of a million vintages, not yet looked at, makes it
 * gather and sort them all for every series of everybody; so it is left no choice but the key, whose order is the one wanted
 * here.
 */
async function keepToTheKey(tx: Transaction): Promise<void> {
  await tx`select set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true),
    set_config('enable_sort', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('enable_material', 'off', true)`
}

export async function loadDescription(tx: Transaction, owner: string, seriesId: string): Promise<string> {
  const [row] = await tx<{ description: string }[]>`
    select description from series_metadata where owner = ${owner} and series_id = ${seriesId} order by seq desc limit 1`
  return row?.description ?? ''
}

/** Newest description of each of these series, by id. Inside a transaction of the workspace. */
export async function loadDescriptions(
  tx: Transaction,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx<{ id: string; description: string }[]>`
    select distinct on (series_id) series_id as id, description from series_metadata
    where series_id = any(${seriesIds as string[]}::text[]) order by series_id, seq desc`
  return new Map(rows.map(({ id, description }) => [id, description]))
}
