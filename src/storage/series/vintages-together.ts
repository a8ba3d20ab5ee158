// Vintages of many series, for decisions about many agreements at once: one statement for a hundred series instead of one for
// each. Series with many vintages are read one by one, in pieces, so that no statement grows large.
import { vintageSource } from '../log/clock-repairs.ts'
import { publicScope, readingPublic, type Transaction } from '../postgres/database.ts'
import { linesOf, loadVintagesUpTo, readLines, type VintageRow } from './series.ts'
import type { VisibleSeries } from './visible-series.ts'

/** Most series in one statement, and vintages of each. */
const together = { series: 100, vintages: 2_000 }

type VintagesRead = (series: VisibleSeries, rows: readonly VintageRow[] | null) => void

/**
 * Calls `onRead` for each of the series, which the workspace of this transaction sees, by period and then oldest publication
 * first; with null where there are more than `most` vintages.
 */
export async function loadVintagesTogether(
  tx: Transaction,
  series: readonly VisibleSeries[],
  most: number,
  onRead: VintagesRead,
): Promise<void> {
  for (const [owner, own] of Map.groupBy(series, each => each.owner))
    for (let from = 0; from < own.length; from += together.series)
      await loadSome(tx, owner, own.slice(from, from + together.series), most, onRead)
}

interface Some {
  readonly id: string
  readonly lines: string | null
  readonly count: number
}

async function loadSome(
  tx: Transaction,
  owner: string,
  series: readonly VisibleSeries[],
  most: number,
  onRead: VintagesRead,
): Promise<void> {
  const fewest = Math.min(together.vintages, most) + 1
  const ids = series.map(({ id }) => id)
  const read = async () => tx<Some[]>`
    select s.id, piece.lines, piece.count from unnest(${ids}::text[]) as s (id), lateral (
      select ${linesOf(tx)} as lines, count(*)::integer as count from (
        select period, value, tag, published_at, recorded_at, flag, seq from ${tx(await vintageSource(tx, owner))}
        where owner = ${owner} and series_id = s.id order by period, published_at, seq limit ${fewest}
      ) few) piece`
  const rows = owner === publicScope ? await readingPublic(tx, await viewerOf(tx), read) : await read()
  const byId = new Map(rows.map(row => [row.id, row]))
  for (const each of series) {
    const { lines, count } = byId.get(each.id)!
    if (count < fewest) onRead(each, readLines(lines))
    else onRead(each, count > most ? null : await loadVintagesUpTo(tx, owner, each.id, most))
  }
}

/** Workspace of this transaction. */
async function viewerOf(tx: Transaction): Promise<string> {
  const [row] = await tx<{ id: string }[]>`select current_setting('assize.workspace') as id`
  return row!.id
}
