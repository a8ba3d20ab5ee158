// A workspace's own series for an import: the present ones, new ones, and new descriptions. Many are written at a time, each with
// its place in the sequence. It writes no observations, changes no row and never touches a public series.

import type { DataType } from '../../core/series/series.ts'
import type { Frequency } from '../../core/time/period.ts'
import { limits } from '../../limits.ts'
import type { OpenLog } from '../log/append.ts'
import { hashContent } from '../log/content.ts'
import { metadataContent } from '../log/series-kinds.ts'
import type { Queryable, Transaction } from '../postgres/database.ts'
import { enforceQuota } from '../workspaces/quotas.ts'

export interface SeriesDescription {
  readonly provider: string
  readonly code: string
  readonly name: string
  readonly unit: string
  readonly dataType: DataType
  readonly frequency: Frequency
  readonly description: string
}

export interface OwnSeries extends SeriesDescription {
  readonly id: string
}

/** Own series by `PROVIDER/code`. */
export interface WorkspaceSeries {
  readonly own: ReadonlyMap<string, OwnSeries>
  readonly followed: ReadonlySet<string>
}

/** Reads the series inside a transaction of the workspace. The newest description counts. */
export async function loadSeriesOfWorkspace(tx: Queryable, workspace: string): Promise<WorkspaceSeries> {
  const own = await tx<OwnSeries[]>`
    select s.id, s.provider, s.code, m.name, m.unit, m.data_type as "dataType", m.frequency, m.description
    from series s join lateral (
      select * from series_metadata m where m.owner = s.owner and m.series_id = s.id order by m.seq desc limit 1) m on true
    where s.owner = ${workspace}`
  const followed = await tx<{ provider: string; code: string }[]>`
    select s.provider, s.code from follow f join series s on s.owner = f.series_owner and s.id = f.series_id
    where f.workspace_id = ${workspace}`
  return {
    own: new Map(own.map(series => [referenceOf(series), series])),
    followed: new Set(followed.map(referenceOf)),
  }
}

function referenceOf({ provider, code }: { readonly provider: string; readonly code: string }): string {
  return `${provider}/${code}`
}

/** Descriptions that wait in a table of this session for the entry that they belong to. */
interface StagedSeries {
  /** Makes the new series and appends every description, while the log is open. */
  append(log: OpenLog): Promise<void>
}

/**
 * Copies new series, and new descriptions of stored ones, to a table from which a few statements append them. It runs before the
 * entry begins: nobody waits for a million of them to come here and be hashed.
 */
export async function stageSeries(
  tx: Transaction,
  given: { readonly created: Iterable<OwnSeries>; readonly described: Iterable<OwnSeries> },
): Promise<StagedSeries> {
  let place = 0
  for (const [isNew, series] of [
    [true, given.created],
    [false, given.described],
  ] as const)
    for (const batch of batches(series)) {
      // Most files describe nothing new.
      if (place === 0) await makeStagedDescriptions(tx)
      const hashes = batch.map(one => hashContent(metadataContent(one), null).toString('hex'))
      await tx`
        insert into staged_descriptions
          (place, is_new, id, provider, code, name, unit, data_type, frequency, description, hash)
        select ${place}::integer + t.n, ${isNew}::boolean, t.id, t.provider, t.code, t.name, t.unit, t.data_type,
          t.frequency, t.description, decode(t.hash, 'hex')
        from unnest(${column(batch, 'id')}::text[], ${column(batch, 'provider')}::text[], ${column(batch, 'code')}::text[],
          ${column(batch, 'name')}::text[], ${column(batch, 'unit')}::text[], ${column(batch, 'dataType')}::text[],
          ${column(batch, 'frequency')}::text[], ${column(batch, 'description')}::text[], ${hashes}::text[])
          with ordinality as t (id, provider, code, name, unit, data_type, frequency, description, hash, n)`
      place += batch.length
    }
  if (place === 0) return { append: async () => {} }
  await tx`analyze staged_descriptions`
  return { append: log => appendStaged(tx, log) }
}

async function makeStagedDescriptions(tx: Transaction): Promise<void> {
  await tx`
    create temporary table staged_descriptions (
      place bigint not null, is_new boolean not null, id text collate "C" not null, provider text not null,
      code text not null, name text not null, unit text not null, data_type text not null, frequency text not null,
      description text not null, hash bytea not null
    ) on commit drop`
}

async function appendStaged(tx: Transaction, { scope, recordedAt }: OpenLog): Promise<void> {
  // Rows that this transaction adds are in no statistics: thinking the tables empty, the planner would check ten thousand new
  // series against each other one by one, which takes minutes under the lock.
  await tx`set local enable_nestloop = off`
  const { count } = await tx`
    insert into series (owner, id, provider, code, created_at)
    select ${scope}, id, provider, code, ${recordedAt}::timestamptz from staged_descriptions where is_new order by id`
  if (count > 0) await enforceQuota(tx, scope, 'series')
  await tx`
    insert into series_metadata (owner, series_id, seq, name, unit, data_type, frequency, description, recorded_at)
    select ${scope}, d.id, p.seq, d.name, d.unit, d.data_type, d.frequency, d.description, ${recordedAt}::timestamptz
    from append_publications('metadata', array(select id from staged_descriptions order by place),
      array(select hash from staged_descriptions order by place)) as p
    join staged_descriptions d on d.id = p.subject`
  await tx`drop table staged_descriptions`
}

/** Creates series, each with its first description. The ids are the caller's: observations may be staged under them before. */
export async function createSeries(tx: Transaction, log: OpenLog, series: Iterable<OwnSeries>): Promise<void> {
  await (await stageSeries(tx, { created: series, described: [] })).append(log)
}

export async function changeMetadata(tx: Transaction, log: OpenLog, series: Iterable<OwnSeries>): Promise<void> {
  await (await stageSeries(tx, { created: [], described: series })).append(log)
}

function column(batch: readonly OwnSeries[], name: keyof OwnSeries): string[] {
  return batch.map(one => one[name])
}

function* batches<T>(items: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < limits.seriesPerStatement) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
