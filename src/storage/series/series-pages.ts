// Series and their descriptions page by page, straight from their keys, each page as one text. For lists of a hundred thousand:
// no statement takes long, and none looks at more than its page.

import type { DataType, SeriesProvider } from '../../core/series/series.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Frequency } from '../../core/time/period.ts'
import { limits } from '../../limits.ts'
import type { ClockRepairs } from '../log/clock-repairs.ts'
import { type Fragment, readCells, SharedWords } from '../postgres/cells.ts'
import type { Transaction } from '../postgres/database.ts'
import type { SeriesMetadata, VisibleSeries } from './visible-series.ts'

/** Some series of one owner and all their descriptions, each in the order of the ids. */
interface DescribedPage {
  readonly series: readonly SeriesCells[]
  readonly metadata: readonly MetadataCells[]
}

type SeriesCells = readonly [id: string, provider: SeriesProvider, code: string, createdAt: Instant]

type MetadataCells = readonly [
  id: string,
  seq: number,
  recordedAt: Instant,
  name: string,
  unit: string,
  dataType: DataType,
  frequency: Frequency,
]

/** Reads all series of one owner, page by page in the order of their ids. */
export async function* loadAllPages(tx: Transaction, owner: string): AsyncGenerator<DescribedPage> {
  for (let after = ''; ; ) {
    const next = tx`
      select ${seriesColumns(tx)} from series
      where owner = ${owner} and id > ${after} order by id limit ${limits.rowsTogether}`
    const series = await loadSeriesCells(tx, next)
    const last = series.at(-1)?.[0]
    if (last === undefined) return
    const theirs = tx`
      select ${metadataColumns(tx)} from series_metadata
      where owner = ${owner} and series_id > ${after} and series_id <= ${last}`
    const metadata = await loadMetadataCells(tx, theirs)
    yield { series, metadata }
    if (series.length < limits.rowsTogether) return
    after = last
  }
}

/**
 * Reads these series of one owner, page by page in the order given. Each is looked up by itself: without statistics, as after a
 * large import, the planner would compare every row of the owner with every id of a page. `limit` and `offset` keep it from
 * making a join of the lookups.
 */
export async function* loadPagesOf(
  tx: Transaction,
  owner: string,
  ids: readonly string[],
): AsyncGenerator<DescribedPage> {
  const distinct = [...new Set(ids)]
  for (let from = 0; from < distinct.length; from += limits.rowsTogether) {
    const asked = tx`unnest(${distinct.slice(from, from + limits.rowsTogether)}::text[]) as asked (id)`
    const some = tx`
      select found.* from ${asked} cross join lateral (
        select ${seriesColumns(tx)} from series where owner = ${owner} and id = asked.id limit 1) found`
    const theirs = tx`
      select found.* from ${asked} cross join lateral (
        select ${metadataColumns(tx)} from series_metadata where owner = ${owner} and series_id = asked.id offset 0) found`
    // Two queries are sent at once: for one series the round trip is all the time it takes.
    const [series, metadata] = await Promise.all([loadSeriesCells(tx, some), loadMetadataCells(tx, theirs)])
    yield { series, metadata }
  }
}

const seriesColumns = (tx: Transaction) => tx`id, provider, code, created_at`

async function loadSeriesCells(tx: Transaction, page: Fragment): Promise<readonly SeriesCells[]> {
  return readCells(tx`
    select json_agg(json_build_array(id, provider, code, instant_text(created_at)) order by id)::text as cells
    from (${page}) page`)
}

const metadataColumns = (tx: Transaction) => tx`series_id, seq, recorded_at, name, unit, data_type, frequency`

async function loadMetadataCells(tx: Transaction, page: Fragment): Promise<readonly MetadataCells[]> {
  return readCells(tx`
    select json_agg(json_build_array(series_id, seq, instant_text(recorded_at), name, unit, data_type, frequency)
      order by series_id, seq)::text as cells
    from (${page}) page`)
}

/** Places in its sequence from which a workspace follows series, by their ids in order. */
export async function loadFollows(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[] | null,
): Promise<ReadonlyMap<string, number>> {
  const some = ids === null ? tx`` : tx`and series_id = any(${ids as string[]}::text[])`
  const follows = new Map<string, number>()
  for (let after = ''; ; ) {
    const page = await readCells<readonly [id: string, seq: number]>(tx`
      select json_agg(json_build_array(series_id, seq) order by series_id)::text as cells
      from (select series_id, seq from follow where workspace_id = ${workspaceId} and series_id > ${after} ${some}
        order by series_id limit ${limits.rowsTogether}) page`)
    for (const [id, seq] of page) follows.set(id, seq)
    if (page.length < limits.rowsTogether) return follows
    after = page.at(-1)![0]
  }
}

/** Descriptions put together from rows. Words that many of them share are stored once. */
export class Descriptions {
  readonly #repairs: ClockRepairs
  readonly #words = new SharedWords()

  constructor(repairs: ClockRepairs) {
    this.#repairs = repairs
  }

  /** `follows` says from when on the workspace sees them; its own it sees from their first description. */
  read(owner: string, page: DescribedPage, follows: ReadonlyMap<string, number> | null): VisibleSeries[] {
    const versions = Map.groupBy(page.metadata, ([id]) => id)
    return page.series.flatMap(([id, provider, code, createdAt]) => {
      const cells = versions.get(id)
      if (cells === undefined) return []
      const metadata = cells.map(each => this.#metadata(owner, each))
      return {
        owner,
        id,
        provider: this.#words.one(provider),
        code,
        createdAt: this.#words.one(createdAt),
        since: follows?.get(id) ?? metadata[0]!.seq,
        metadata,
      }
    })
  }

  #metadata(owner: string, [, seq, recordedAt, name, unit, dataType, frequency]: MetadataCells): SeriesMetadata {
    return {
      seq,
      recordedAt: this.#words.one(this.#repairs.instantOf(owner, seq, recordedAt)),
      name,
      unit: this.#words.one(unit),
      dataType: this.#words.one(dataType),
      frequency: this.#words.one(frequency),
    }
  }
}
