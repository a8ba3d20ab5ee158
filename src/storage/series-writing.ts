// A workspace's own series as an import needs them: what is there, new ones, and new descriptions. Many at a time, each
// with its place in the sequence. It writes no observations, changes no row and never touches a public series.
import type { Frequency } from '../core/period.ts'
import type { DataType } from '../core/series.ts'
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
  series: readonly OwnSeries[],
): Promise<void> {
  if (series.length === 0) return
  await tx`
    insert into series (owner, id, provider, code, created_at)
    select ${publication.scope}, t.id, t.provider, t.code, ${publication.recordedAt}::timestamptz
    from unnest(${series.map(({ id }) => id)}::text[], ${series.map(({ provider }) => provider)}::text[],
      ${series.map(({ code }) => code)}::text[]) as t (id, provider, code)`
  await changeMetadata(tx, publication, series)
}

/** Appends a description to each series. */
export async function changeMetadata(
  tx: Transaction,
  publication: Publication,
  series: readonly OwnSeries[],
): Promise<void> {
  if (series.length === 0) return
  const column = (name: keyof OwnSeries) => series.map(one => one[name] as string)
  const hashes = series.map(one => hashContent(metadataContent(one)))
  const seqs = await appendAll(tx, 'metadata', column('id'), hashes)
  await tx`
    insert into series_metadata (owner, series_id, seq, name, unit, data_type, frequency, description, recorded_at)
    select ${publication.scope}, t.*, ${publication.recordedAt}::timestamptz
    from unnest(${column('id')}::text[], ${seqs as number[]}::bigint[], ${column('name')}::text[],
      ${column('unit')}::text[], ${column('dataType')}::text[], ${column('frequency')}::text[],
      ${column('description')}::text[]) as t`
}
