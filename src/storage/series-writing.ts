// A workspace's own series as an import needs them: what is there, new ones, and new descriptions. Many at a time, each
// with its place in the sequence. It writes no observations, changes no row and never touches a public series.
import type { Frequency } from '../core/period.ts'
import type { DataType } from '../core/series.ts'
import { limits } from '../limits.ts'
import { hashContent, metadataContent } from './content.ts'
import type { Queryable, Transaction } from './database.ts'
import { appendAll, type Publication } from './publish.ts'

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

/** By `PROVIDER/code`. */
export interface WorkspaceSeries {
  readonly own: ReadonlyMap<string, OwnSeries>
  readonly followed: ReadonlySet<string>
}

/** Inside a transaction of the workspace. The newest description counts. */
export async function readSeriesOfWorkspace(tx: Queryable, workspace: string): Promise<WorkspaceSeries> {
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

export function referenceOf({ provider, code }: { readonly provider: string; readonly code: string }): string {
  return `${provider}/${code}`
}

/** The ids are the caller's: observations may be staged under them before the series is there. */
export async function createSeries(
  tx: Transaction,
  publication: Publication,
  series: Iterable<OwnSeries>,
): Promise<void> {
  // What this transaction adds is in no statistics: thinking the tables empty, the planner would check ten thousand new
  // series against each other one by one, which takes minutes under the lock.
  await tx`set local enable_nestloop = off`
  for (const batch of batches(series)) {
    await tx`
      insert into series (owner, id, provider, code, created_at)
      select ${publication.scope}, t.*, ${publication.recordedAt}::timestamptz
      from unnest(${column(batch, 'id')}::text[], ${column(batch, 'provider')}::text[],
        ${column(batch, 'code')}::text[]) as t`
    await describe(tx, publication, batch)
  }
}

/** Appends a description to each series. */
export async function changeMetadata(
  tx: Transaction,
  publication: Publication,
  series: Iterable<OwnSeries>,
): Promise<void> {
  for (const batch of batches(series)) await describe(tx, publication, batch)
}

async function describe(tx: Transaction, publication: Publication, batch: readonly OwnSeries[]): Promise<void> {
  const hashes = batch.map(one => hashContent(metadataContent(one)))
  const seqs = await appendAll(tx, 'metadata', column(batch, 'id'), hashes)
  await tx`
    insert into series_metadata (owner, series_id, seq, name, unit, data_type, frequency, description, recorded_at)
    select ${publication.scope}, t.*, ${publication.recordedAt}::timestamptz
    from unnest(${column(batch, 'id')}::text[], ${seqs as number[]}::bigint[], ${column(batch, 'name')}::text[],
      ${column(batch, 'unit')}::text[], ${column(batch, 'dataType')}::text[], ${column(batch, 'frequency')}::text[],
      ${column(batch, 'description')}::text[]) as t`
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
