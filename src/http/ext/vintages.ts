// `GET /vintages`: every new vintage of all series the workspace sees, in the order they were recorded.
import { formatPeriod } from '../../core/time/period.ts'
import { limits } from '../../limits.ts'
import { loadFeed, type MarkedPlace, placeAfter } from '../../read/feed-page.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import { type FeedVintage, loadFeedVintages, type VisibleEntry } from '../../storage/upkeep/change-feed-entries.ts'
import type { ApiRequest } from '../api/context.ts'
import { format, listAnswer, pageLimit } from '../api/list.ts'
import { cursor } from '../api/query.ts'
import type { Answer } from '../frame/answer.ts'
import { schemas } from './description/schemas.ts'
import { feedFrom, formatCursor, startOf } from './feed.ts'
import { referenceOf } from './series.ts'

export const vintagesParameters = { cursor, from: feedFrom, limit: pageLimit(limits.ext.vintages), format }
type VintagesRequest = ApiRequest<typeof vintagesParameters>

export async function listNewVintages(request: VintagesRequest): Promise<Answer> {
  const { query, parts, workspaceId } = request
  const limit = query.limit ?? limits.ext.vintages
  const feed = { workspaceId, filters: 'ext vintages', cursor: query.cursor, from: query.from }
  const start = startOf(parts, feed)
  const page = await parts.snapshot(workspaceId, async tx => {
    const read = await loadFeed(tx, workspaceId, start, ['observations'], limits.ext.vintagesTogether)
    const entries = resumed(read.publications, workspaceId, start?.skipped ?? null)
    const skip = start?.skipped?.rows ?? 0
    // One row more than fits shows whether there are more.
    const groups = await loadFeedVintages(tx, workspaceId, entries, skip, limit + 1)
    const { taken, rows, isCut } = fitting(groups, limit)
    const cutOf = isCut ? entries[taken]! : null
    const given = cutOf === null ? 0 : rows.length - sumOf(groups.slice(0, taken)) + (taken === 0 ? skip : 0)
    const skipped =
      cutOf === null
        ? null
        : { scope: cutOf.scope === publicScope ? ('public' as const) : ('own' as const), rows: given }
    const whole = { ...read, publications: entries }
    const place = await placeAfter(tx, workspaceId, whole, taken, skipped)
    return {
      place,
      publications: entries,
      groups,
      count: rows.length,
      newest: read.newest,
      hasMore: taken < entries.length || read.more.size > 0,
    }
  })
  await parts.library.changes.catchUpTo(
    new Map([
      [workspaceId, page.newest.own],
      [publicScope, page.newest.public],
    ]),
  )
  const index = await parts.library.index(workspaceId)
  const rows = page.publications
    .flatMap((log, i) => page.groups[i]!.map(vintage => row(index, log, vintage)))
    .slice(0, page.count)
  return listAnswer(request, schemas.NewVintage, {
    rows,
    limit,
    hasMore: page.hasMore,
    nextCursor: formatCursor(parts, feed, page.place),
  })
}

/** Entries from the cut one on: others that were recorded earlier may have appeared since. */
function resumed(
  entries: readonly VisibleEntry[],
  workspaceId: string,
  skipped: MarkedPlace['skipped'],
): readonly VisibleEntry[] {
  if (skipped === null) return entries
  const scope = skipped.scope === 'own' ? workspaceId : publicScope
  const first = entries.find(each => each.scope === scope)!
  return [first, ...entries.filter(each => each !== first)]
}

function sumOf(groups: readonly (readonly unknown[])[]): number {
  return groups.reduce((sum, { length }) => sum + length, 0)
}

/** Number of entries that fit as a whole, with the rows that do; and whether the next entry is cut. */
function fitting(groups: readonly (readonly FeedVintage[])[], limit: number) {
  let taken = 0
  let count = 0
  while (taken < groups.length && count + groups[taken]!.length <= limit) {
    count += groups[taken]!.length
    taken++
  }
  const isCut = taken < groups.length && count < limit
  return { taken, rows: groups.flat().slice(0, isCut ? limit : count), isCut }
}

function row(index: CachedIndex, { subject, recordedAt }: VisibleEntry, vintage: FeedVintage) {
  const series = index.find(subject)!
  const { frequency } = series.metadata.at(-1)!
  return {
    seriesId: subject,
    series: referenceOf(series),
    period: formatPeriod({ frequency, ordinal: vintage.period }),
    value: vintage.value,
    versionTag: vintage.tag,
    flag: vintage.flag,
    publishedAt: vintage.publishedAt,
    recordedAt,
  }
}
