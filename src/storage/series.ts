// Reading series: which of them a workspace sees, and all vintages of one. Every query names the workspace or the owner
// itself; row-level security is the safety net.
import type { Instant, Micros } from '../core/instant.ts'
import type { Frequency } from '../core/period.ts'
import type { DataType, SeriesProvider } from '../core/series.ts'
import { limits } from '../limits.ts'
import { readClockRepairs, vintageSource } from './clock-repairs.ts'
import { publicScope, type Transaction } from './database.ts'

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

/** Some of the series a workspace sees: by their ids, or as formulas name them (`PROVIDER/code` or an id). */
export type SeriesChoice = { readonly ids: readonly string[] } | { readonly references: readonly string[] }

/** The series a workspace owns or follows, all of them or those chosen, by id, each with every version of its metadata. */
export async function readVisibleSeries(
  tx: Transaction,
  workspaceId: string,
  choice: SeriesChoice | null = null,
): Promise<VisibleSeries[]> {
  const ids =
    choice === null ? null : 'ids' in choice ? choice.ids : await findNamed(tx, workspaceId, choice.references)
  const some = (column: string) => (ids === null ? tx`` : tx`and ${tx(column)} = any(${ids as string[]}::text[])`)
  const query = tx<IndexRow[]>`
    select s.owner, s.id, s.provider, s.code, s.created_at as "createdAt", v.since,
      m.seq, m.recorded_at as "recordedAt", m.name, m.unit, m.data_type as "dataType", m.frequency
    from (
      select owner, id, null::bigint as since from series where owner = ${workspaceId} ${some('id')}
      union all
      select series_owner, series_id, seq from follow where workspace_id = ${workspaceId} ${some('series_id')}
    ) v
    join series s on s.owner = v.owner and s.id = v.id
    join series_metadata m on m.owner = s.owner and m.series_id = s.id
    order by s.id, m.seq`
  const repairs = await readClockRepairs(tx, workspaceId)
  const series: (VisibleSeries & { metadata: SeriesMetadata[] })[] = []
  // In batches: a hundred thousand rows at once would keep all other requests waiting.
  for await (const rows of query.cursor(limits.rowsTogether))
    for (const { owner, id, provider, code, createdAt, since, ...row } of rows) {
      const metadata = { ...row, recordedAt: repairs.instantOf(owner, row.seq, row.recordedAt) }
      const last = series.at(-1)
      if (last?.id === id) last.metadata.push(metadata)
      else series.push({ owner, id, provider, code, createdAt, since: since ?? metadata.seq, metadata: [metadata] })
    }
  return series
}

/** The ids that references stand for, among what may be seen; found by the index of owner, provider and code. */
async function findNamed(
  tx: Transaction,
  workspaceId: string,
  references: readonly string[],
): Promise<readonly string[]> {
  const parts = references.map(splitReference)
  const rows = await tx<{ id: string }[]>`
    select s.id
    from unnest(${parts.map(([provider]) => provider)}::text[], ${parts.map(([, code]) => code)}::text[]) as w (provider, code)
    cross join unnest(${[workspaceId, publicScope]}::text[]) as o (owner)
    join series s on s.owner = o.owner and s.provider = w.provider and s.code = w.code`
  return [...references, ...rows.map(({ id }) => id)]
}

function splitReference(reference: string): readonly [provider: string, code: string] {
  const slash = reference.indexOf('/')
  return [reference.slice(0, Math.max(0, slash)), reference.slice(slash + 1)]
}

export interface VintageRow {
  readonly period: number
  readonly value: string | null
  readonly tag: string | null
  readonly flag: string | null
  readonly published: Micros
  readonly recorded: Micros
}

/** Vintages that are read in one statement: few enough for its time, enough for nearly every series. */
const vintagesTogether = 50_000

interface Piece {
  readonly lines: string | null
  readonly count: number
  /** The place of the last vintage. */
  readonly period: number | null
  readonly published: Instant | null
  readonly seq: number | null
}

/** Every vintage of one series, by period, then oldest publication first. */
export async function readVintages(tx: Transaction, owner: string, seriesId: string): Promise<readonly VintageRow[]> {
  return (await readVintagesUpTo(tx, owner, seriesId, Number.POSITIVE_INFINITY))!
}

/** The same; null where there are more than `most`. */
export async function readVintagesUpTo(
  tx: Transaction,
  owner: string,
  seriesId: string,
  most: number,
): Promise<readonly VintageRow[] | null> {
  const together = Math.min(vintagesTogether, most + 1)
  const rows: VintageRow[] = []
  let piece = await readPiece(tx, owner, seriesId, together, null)
  for (;;) {
    if (rows.length + piece.count > most) return null
    if (piece.lines !== null) for (const line of piece.lines.split('\n')) rows.push(readVintage(line))
    if (piece.count < together) return rows
    piece = await readPiece(tx, owner, seriesId, together, piece)
  }
}

/** At most this many vintages after a place. */
async function readPiece(
  tx: Transaction,
  owner: string,
  seriesId: string,
  together: number,
  after: Piece | null,
): Promise<Piece> {
  // One text for all of them: taking thousands of small rows apart costs more than the query itself. Neither values nor
  // tags have tabs, and flags have no control characters; the flag comes last because it may be empty.
  const behind =
    after === null ? tx`` : tx`and (period, published_at, seq) > (${after.period}, ${after.published}, ${after.seq})`
  const [piece] = await tx<Piece[]>`
    select string_agg(concat_ws(E'\t', period, coalesce(value, ''), coalesce(tag, ''),
        (extract(epoch from published_at) * 1000000)::bigint, (extract(epoch from recorded_at) * 1000000)::bigint,
        flag), E'\n' order by period, published_at, seq) as lines,
      count(*) as count,
      (array_agg(period order by period desc, published_at desc, seq desc))[1] as period,
      (array_agg(published_at order by period desc, published_at desc, seq desc))[1] as published,
      (array_agg(seq order by period desc, published_at desc, seq desc))[1] as seq
    from (
      select period, value, tag, published_at, recorded_at, flag, seq from ${tx(await vintageSource(tx, owner))}
      where owner = ${owner} and series_id = ${seriesId} ${behind}
      order by period, published_at, seq limit ${together}
    ) piece`
  return piece!
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
