// `GET /releases`: releases announced by the providers of the workspace's series, by date.

import { Refusal } from '../../core/refusal.ts'
import { type Day, formatDay } from '../../core/time/day.ts'
import { limits } from '../../limits.ts'
import { type ListedRelease, listReleases, placeOf } from '../../read/release-list.ts'
import type { ApiRequest } from '../api/context.ts'
import { format, listAnswer, pageLimit } from '../api/list.ts'
import { checkRange, cursor, dayParameter, knownAt, provider, readKnownAt } from '../api/query.ts'
import type { Answer } from '../frame/answer.ts'
import { schemas } from './description/schemas.ts'
import { seriesNames } from './query.ts'
import { findNamed } from './series.ts'

const { releaseDays, releaseDaysUsual } = limits.ext

const releasesFrom = dayParameter('from', 'Only releases of this day (UTC) or later; today unless said otherwise')
const releasesTo = dayParameter(
  'to',
  `Only releases of this day (UTC) or earlier, at most ${releaseDays} days after from; ${releaseDaysUsual} days after it unless said otherwise`,
)

export const releasesParameters = {
  from: releasesFrom,
  to: releasesTo,
  provider,
  series: { ...seriesNames, description: `Only what these come with: ${seriesNames.description.toLowerCase()}` },
  knownAt: { ...knownAt, description: 'What had been announced by this day (to its end, UTC) or instant' },
  limit: pageLimit(limits.ext.releases),
  cursor,
  format,
}
type ReleasesRequest = ApiRequest<typeof releasesParameters>

export async function listCalendar(request: ReleasesRequest): Promise<Answer> {
  const { query, parts, workspaceId, now } = request
  const span = spanOf(request)
  const after = query.cursor === null ? '' : parts.cursors.open(workspaceId, filtersOf(request, span), query.cursor)
  const cut = readKnownAt(query.knownAt, now)
  if (cut !== null) await parts.settle(workspaceId, cut)
  const index = await parts.library.index(workspaceId)
  const series = query.series === null ? null : findNamed(index, query.series)
  const wanted = { ...span, provider: query.provider, series, knownAt: cut }
  const listed = await listReleases(parts.library, workspaceId, wanted)
  return page(
    request,
    span,
    listed.filter(({ entry }) => placeOf(entry) > after),
  )
}

interface Span {
  readonly from: Day
  readonly to: Day
}

function spanOf({ query, today }: ReleasesRequest): Span {
  const from = query.from ?? today
  const to = query.to ?? from + releaseDaysUsual
  checkRange(from, to)
  if (to - from > releaseDays)
    throw new Refusal('invalid', `from and to must lie at most ${releaseDays} days apart, got ${to - from}`)
  return { from, to }
}

function filtersOf({ query }: ReleasesRequest, { from, to }: Span): string {
  const days = [query.from === null ? null : formatDay(from), query.to === null ? null : formatDay(to)]
  return `ext releases ${JSON.stringify([...days, query.provider, query.series, query.knownAt?.text ?? null])}`
}

function page(request: ReleasesRequest, span: Span, rest: readonly ListedRelease[]) {
  const { query, parts, workspaceId } = request
  const limit = query.limit ?? limits.ext.releases
  const rows = rest.slice(0, limit)
  const hasMore = rest.length > limit
  const nextCursor = hasMore
    ? parts.cursors.sign(workspaceId, filtersOf(request, span), placeOf(rows.at(-1)!.entry))
    : null
  return listAnswer(request, schemas.Release, { rows: rows.map(({ row }) => row), limit, hasMore, nextCursor })
}
