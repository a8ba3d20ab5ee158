// Reading series: which of them a workspace sees, and all vintages of one. Every query names the workspace or the owner
// itself; row-level security stands under it.
import type { Instant, Micros } from '../core/instant.ts'
import type { Frequency } from '../core/period.ts'
import type { DataType, SeriesProvider } from '../core/series.ts'
import { readClockRepairs, vintageSource } from './clock-repairs.ts'
import type { Transaction } from './database.ts'

export interface SeriesMetadata {
  readonly seq: number
  readonly recordedAt: Instant
  readonly name: string
  readonly unit: string
  readonly dataType: DataType
  readonly frequency: Frequency
}

export interface VisibleSeries {
  /** A workspace's id, or `public`. */
  readonly owner: string
  readonly id: string
  readonly provider: SeriesProvider
  readonly code: string
  readonly createdAt: string
  /** The place in the sequence from which the workspace sees it. */
  readonly since: number
  /** Oldest first. */
  readonly metadata: readonly SeriesMetadata[]
}

interface IndexRow extends SeriesMetadata {
  readonly owner: string
  readonly id: string
  readonly provider: SeriesProvider
  readonly code: string
  readonly createdAt: string
  readonly since: number
}

/** All series a workspace owns or follows, by id, each with every version of its metadata. */
export async function readVisibleSeries(tx: Transaction, workspaceId: string): Promise<VisibleSeries[]> {
  const rows = await tx<IndexRow[]>`
    select s.owner, s.id, s.provider, s.code, s.created_at as "createdAt", v.since,
      m.seq, m.recorded_at as "recordedAt", m.name, m.unit, m.data_type as "dataType", m.frequency
    from (
      select owner, id, null::bigint as since from series where owner = ${workspaceId}
      union all
      select series_owner, series_id, seq from follow where workspace_id = ${workspaceId}
    ) v
    join series s on s.owner = v.owner and s.id = v.id
    join series_metadata m on m.owner = s.owner and m.series_id = s.id
    order by s.id, m.seq`
  const repairs = await readClockRepairs(tx, workspaceId)
  const series: (VisibleSeries & { metadata: SeriesMetadata[] })[] = []
  for (const { owner, id, provider, code, createdAt, since, ...row } of rows) {
    const metadata = { ...row, recordedAt: repairs.instantOf(owner, row.seq, row.recordedAt) }
    const last = series.at(-1)
    if (last?.id === id) last.metadata.push(metadata)
    else series.push({ owner, id, provider, code, createdAt, since: since ?? metadata.seq, metadata: [metadata] })
  }
  return series
}

export interface VintageRow {
  readonly period: number
  readonly value: string | null
  readonly tag: string | null
  readonly flag: string | null
  readonly published: Micros
  readonly recorded: Micros
}

/** Every vintage of one series, by period, then oldest publication first. */
export async function readVintages(tx: Transaction, owner: string, seriesId: string): Promise<readonly VintageRow[]> {
  // One text for the whole series: taking thousands of small rows apart costs more than the query itself. Neither values
  // nor tags have tabs, and flags have no control characters; the flag comes last because it may be empty.
  const [row] = await tx<{ lines: string | null }[]>`
    select string_agg(concat_ws(E'\t', period, coalesce(value, ''), coalesce(tag, ''),
      (extract(epoch from published_at) * 1000000)::bigint, (extract(epoch from recorded_at) * 1000000)::bigint,
      flag), E'\n' order by period, published_at, seq) as lines
    from ${tx(await vintageSource(tx, owner))} where owner = ${owner} and series_id = ${seriesId}`
  return row?.lines == null ? [] : row.lines.split('\n').map(readVintage)
}

function readVintage(line: string): VintageRow {
  const [period, value, tag, published, recorded, flag = null] = line.split('\t') as [
    string,
    string,
    string,
    string,
    string,
    string?,
  ]
  return {
    period: Number.parseInt(period, 10),
    value: value === '' ? null : value,
    tag: tag === '' ? null : tag,
    flag,
    published: Number.parseInt(published, 10),
    recorded: Number.parseInt(recorded, 10),
  }
}
