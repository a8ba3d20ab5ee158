// Reading of series: those that a workspace sees, and all vintages of one. Every query names the workspace or the owner itself;
// row-level security is the safety net.

import type { Instant, Micros } from '../../core/time/instant.ts'
import { loadClockRepairs, vintageSource } from '../log/clock-repairs.ts'
import { readingByKeys } from '../postgres/cells.ts'
import { publicScope, readingPublic, type Transaction } from '../postgres/database.ts'
import { Descriptions, loadAllPages, loadFollows, loadPagesOf } from './series-pages.ts'
import type { VisibleSeries } from './visible-series.ts'

/** Choice of some series that a workspace sees: by their ids, or as formulas name them (`PROVIDER/code` or an id). */
type SeriesChoice = { readonly ids: readonly string[] } | { readonly references: readonly string[] }

/**
 * The series a workspace owns or follows, all of them or those chosen, by id, each with every version of its metadata. They come
 * in pages: a hundred thousand rows at once would keep everybody else waiting, and take longer than a statement may.
 */
export async function loadVisibleSeries(
  tx: Transaction,
  workspaceId: string,
  choice: SeriesChoice | null = null,
): Promise<VisibleSeries[]> {
  const ids =
    choice === null ? null : 'ids' in choice ? choice.ids : await findNamed(tx, workspaceId, choice.references)
  return readingByKeys(tx, () => loadChosen(tx, workspaceId, ids))
}

async function loadChosen(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[] | null,
): Promise<VisibleSeries[]> {
  const pages = ids === null ? loadAllPages(tx, workspaceId) : loadPagesOf(tx, workspaceId, ids)
  // The queries are sent together: for a few series the round trip is all the time it takes.
  const [repairs, follows, first] = await Promise.all([
    loadClockRepairs(tx, workspaceId),
    loadFollows(tx, workspaceId, ids),
    pages.next(),
  ])
  const described = new Descriptions(repairs)
  const own: VisibleSeries[] = []
  for (let page = first; page.done !== true; page = await pages.next())
    own.push(...described.read(workspaceId, page.value, null))
  if (follows.size === 0) return own
  const followed: VisibleSeries[] = []
  await readingPublic(tx, workspaceId, async () => {
    for await (const page of loadPagesOf(tx, publicScope, [...follows.keys()]))
      followed.push(...described.read(publicScope, page, follows))
  })
  // The two lists are in order: sorting them is little more than putting them together.
  return [...own, ...followed].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/**
 * The ids that references stand for, seen or not; found by the index of owner, provider and code. Each is looked up by
 * itself: in a join with new series that have no statistics yet, the planner would compare each with each.
 */
async function findNamed(
  tx: Transaction,
  workspaceId: string,
  references: readonly string[],
): Promise<readonly string[]> {
  const parts = references.map(splitReference).filter(([provider]) => provider !== '')
  const find = async (owner: string) => {
    const rows = await tx<{ id: string }[]>`
      select s.id
      from unnest(${parts.map(([provider]) => provider)}::text[], ${parts.map(([, code]) => code)}::text[]) as w (provider, code)
      cross join lateral (
        select id from series where owner = ${owner} and provider = w.provider and code = w.code limit 1) s`
    return rows.map(({ id }) => id)
  }
  if (parts.length === 0) return references
  const found = [...(await find(workspaceId)), ...(await readingPublic(tx, workspaceId, () => find(publicScope)))]
  return [...references, ...found]
}

function splitReference(reference: string): readonly [provider: string, code: string] {
  const slash = reference.indexOf('/')
  return [reference.slice(0, Math.max(0, slash)), reference.slice(slash + 1)]
}

export interface SeriesPageRequest {
  /** Id before the page. */
  readonly after: string
  readonly provider: string | null
  /** Place in the workspace's sequence up to which entries count; `null` for all of them. */
  readonly seq: number | null
  readonly most: number
}

/** Ids of the next series that a workspace owns or follows, in their order: one page, however many there are. */
export async function findSeriesPage(
  tx: Transaction,
  workspaceId: string,
  { after, provider, seq, most }: SeriesPageRequest,
): Promise<readonly string[]> {
  const ofProvider = provider === null ? tx`` : tx`and s.provider = ${provider}`
  const rows = await tx<{ id: string }[]>`
    (select s.id from series s where s.owner = ${workspaceId} and s.id > ${after} ${ofProvider}
      ${
        seq === null
          ? tx``
          : tx`and exists (select 1 from series_metadata m
              where m.owner = s.owner and m.series_id = s.id and m.seq <= ${seq})`
      }
      order by s.id limit ${most})
    union all
    (select f.series_id from follow f
      ${provider === null ? tx`` : tx`join series s on s.owner = f.series_owner and s.id = f.series_id`}
      where f.workspace_id = ${workspaceId} and f.series_id > ${after} ${ofProvider}
        ${seq === null ? tx`` : tx`and f.seq <= ${seq}`}
      order by f.series_id limit ${most})
    order by id limit ${most}`
  return rows.map(({ id }) => id)
}

export interface VintageRow {
  readonly period: number
  readonly value: string | null
  readonly tag: string | null
  readonly flag: string | null
  readonly published: Micros
  readonly recorded: Micros
}

/** Vintages read in one statement: few enough for its time, enough for nearly every series. */
const vintagesTogether = 50_000

interface Piece {
  readonly lines: string | null
  readonly count: number
  /** Place of the last vintage. */
  readonly period: number | null
  readonly published: Instant | null
  readonly seq: number | null
}

/** Every vintage of one series, by period, then oldest publication first. */
export async function loadVintages(tx: Transaction, owner: string, seriesId: string): Promise<readonly VintageRow[]> {
  return (await loadVintagesUpTo(tx, owner, seriesId, Number.POSITIVE_INFINITY))!
}

/** Vintages of one series; null where there are more than `most`. */
export async function loadVintagesUpTo(
  tx: Transaction,
  owner: string,
  seriesId: string,
  most: number,
): Promise<readonly VintageRow[] | null> {
  const read = () => loadPieces(tx, owner, seriesId, most)
  if (owner !== publicScope) return read()
  const viewer = await findViewer(tx, seriesId)
  return viewer === null ? [] : readingPublic(tx, viewer, read)
}

/** Workspace of this transaction, if it sees the public series: as a follower, or as a scope that sees all of them. */
async function findViewer(tx: Transaction, seriesId: string): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    select w.id from (select current_setting('assize.workspace') as id) w
    where w.id in (${publicScope}, '*')
      or exists (select 1 from follow f where f.workspace_id = w.id and f.series_id = ${seriesId})`
  return row?.id ?? null
}

async function loadPieces(
  tx: Transaction,
  owner: string,
  seriesId: string,
  most: number,
): Promise<readonly VintageRow[] | null> {
  const together = Math.min(vintagesTogether, most + 1)
  const rows: VintageRow[] = []
  let piece = await loadPiece(tx, owner, seriesId, together, null)
  for (;;) {
    if (rows.length + piece.count > most) return null
    if (piece.lines !== null) for (const line of piece.lines.split('\n')) rows.push(readVintage(line))
    if (piece.count < together) return rows
    piece = await loadPiece(tx, owner, seriesId, together, piece)
  }
}

/** Reads at most this many vintages after a place. */
async function loadPiece(
  tx: Transaction,
  owner: string,
  seriesId: string,
  together: number,
  after: Piece | null,
): Promise<Piece> {
  const behind =
    after === null ? tx`` : tx`and (period, published_at, seq) > (${after.period}, ${after.published}, ${after.seq})`
  const [piece] = await tx<Piece[]>`
    select ${linesOf(tx)} as lines, count(*) as count,
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

/**
 * Vintages as one text: taking thousands of small rows apart costs more than the query itself. Neither values nor tags have tabs,
 * and flags have no control characters; the flag comes last because it may be empty.
 */
export function linesOf(tx: Transaction) {
  return tx`
    string_agg(concat_ws(E'\t', period, coalesce(value, ''), coalesce(tag, ''),
      (extract(epoch from published_at) * 1000000)::bigint, (extract(epoch from recorded_at) * 1000000)::bigint,
      flag), E'\n' order by period, published_at, seq)`
}

export function readLines(lines: string | null): VintageRow[] {
  return lines === null ? [] : lines.split('\n').map(readVintage)
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
