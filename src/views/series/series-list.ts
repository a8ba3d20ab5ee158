// Series of a workspace as rows of a list, and their small lines. A supplier gets the series of its agreements; others do not exist
// for it.

import { Refusal } from '../../core/refusal.ts'
import { formatPeriod, periodOf } from '../../core/time/period.ts'
import { limits } from '../../limits.ts'
import type { Readers } from '../../read/agreements/agreement-readers.ts'
import type { RowsView } from '../../read/series/series-view.ts'
import { publicScope, withWorkspace } from '../../storage/postgres/database.ts'
import type { SeriesHead } from '../../storage/series/series-heads.ts'
import { loadStates, type SeriesState } from '../../storage/series/series-state.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import type { LastValue, SeriesRow, Sparks } from '../shapes/series.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { findVisible, readersOf, visibleSeries } from '../sight/visibility.ts'

/** Words about late or missing figures, by series id. */
type AlarmWords = ReadonlyMap<string, string>

/** Series by provider and code. Everything except the states comes from memory: refreshes are not entries. */
export async function listSeries(parts: ViewContext, seat: Seat, alarms: AlarmWords): Promise<readonly SeriesRow[]> {
  const { library } = parts
  const index = await library.index(seat.workspace.id)
  const readers = await readersOf(seat, library, index)
  const rows = await readRows(parts, seat, visibleSeries(seat, index, readers), { readers, alarms })
  return rows.sort((a, b) => compareTexts(a.provider, b.provider) || compareTexts(a.code, b.code))
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Rows in the order given. */
export async function readRows(
  parts: ViewContext,
  seat: Seat,
  series: readonly VisibleSeries[],
  { readers, alarms }: { readonly readers: Readers; readonly alarms: AlarmWords },
): Promise<SeriesRow[]> {
  const { installation, library } = parts
  const { workspace } = seat
  const heads = await library.heads.read(
    workspace.id,
    series.map(({ id }) => id),
  )
  const states = await withWorkspace(installation.sql, workspace.id, tx => loadStates(tx, workspace.id))
  return series.map(each => ({
    ...presentRow(each, heads.get(each.id), states.get(each.id)),
    alarm: alarms.get(each.id) ?? null,
    usedBy: readers.get(each.id)?.length ?? 0,
  }))
}

function presentRow(
  { id, owner, provider, code, metadata }: VisibleSeries,
  head: SeriesHead | undefined,
  state: SeriesState | undefined,
): Omit<SeriesRow, 'alarm' | 'usedBy'> {
  const { name, unit, dataType, frequency } = metadata.at(-1)!
  const first = head?.first ?? null
  return {
    id,
    provider,
    code,
    name,
    unit,
    dataType,
    frequency,
    isFollowed: owner === publicScope,
    firstPeriod: first === null ? null : formatPeriod(periodOf(frequency, first)),
    last: head === undefined ? null : presentLast(head, frequency),
    previousValue: head?.previousValue ?? null,
    lastChangedAt: state?.lastChangedAt ?? head?.changedAt ?? null,
    lastAskedAt: state?.lastAskedAt ?? null,
    trouble: state?.trouble ?? null,
    notice: state?.notice ?? null,
  }
}

function presentLast(
  { last, value, tag, publishedAt, recordedAt }: SeriesHead,
  frequency: SeriesRow['frequency'],
): LastValue | null {
  if (last === null || value === null || tag === null || publishedAt === null) return null
  return { period: formatPeriod(periodOf(frequency, last)), value, tag, publishedAt, recordedAt }
}

/** Rows in the form of the API: one per period, the newest vintage. */
export const newestRows = { asOf: null, knownAt: null, version: null, summaryDate: null } as const

/** Newest values by id; invisible series are left out. */
export async function readSparks(parts: ViewContext, seat: Seat, wanted: string): Promise<Sparks> {
  const ids = new Set(wanted.split(',').filter(id => id !== ''))
  if (ids.size > limits.sparkSeries)
    throw new Refusal('invalid', `ids must name at most ${limits.sparkSeries} series, got ${ids.size}`)
  const { library } = parts
  const index = await library.index(seat.workspace.id)
  const readers = await readersOf(seat, library, index)
  const chosen = [...ids].flatMap(id => findVisible(seat, index, readers, id) ?? [])
  const lines = chosen.map(async series => {
    const view = await library.view(seat.workspace.id, series, newestRows)
    return [series.id, valuesOf(view)] as const
  })
  return Object.fromEntries(await Promise.all(lines))
}

/** The view holds encoded rows: the last of them are parsed again, which is cheaper than keeping the values twice. */
function valuesOf(view: RowsView): readonly string[] {
  const count = view.ordinals.length
  const rows = Buffer.concat(view.slices(Math.max(0, count - limits.sparkPeriods), count))
  return (JSON.parse(`[${rows}]`) as { value: string }[]).map(({ value }) => value)
}
