// `GET /series`: finds a series by its name in an agreement, by a part of its name, or by its newest data. A walk shows the series
// and names as they were when it began; `updatedAt` is as new as the page.
import { Refusal } from '../../core/refusal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { type CachedIndex, placeAfter } from '../../read/lists/cached-index.ts'
import type { CachedMoment } from '../../read/lists/cached-moment.ts'
import type { SeriesMetadata, VisibleSeries } from '../../storage/series/visible-series.ts'
import type { ApiRequest } from '../api/context.ts'
import { keepAnswer } from '../api/encoded-answers.ts'
import { format, listAnswer, pageLimit } from '../api/list.ts'
import { cursor } from '../api/query.ts'
import type { Answer } from '../frame/answer.ts'
import { metadataAtPin, seriesRow } from '../v1/series.ts'
import { schemas } from './description/schemas.ts'
import { code, frequency, search, updatedSince } from './query.ts'

export const seriesParameters = {
  code,
  q: search,
  frequency,
  updatedSince,
  limit: pageLimit(limits.ext.series),
  cursor,
  format,
}
type SeriesRequest = ApiRequest<typeof seriesParameters>

export async function findSeries(request: SeriesRequest): Promise<Answer> {
  const { library } = request.parts
  // Reads the query, so that a bad one is refused before any reading.
  void request.query
  const moment = await library.moments.of(request.workspaceId)
  const index = await library.index(request.workspaceId)
  return keepAnswer(request, index, moment, await page(request, index, moment))
}

interface Candidate {
  readonly series: VisibleSeries
  readonly metadata: SeriesMetadata
}

async function page(request: SeriesRequest, index: CachedIndex, moment: CachedMoment): Promise<Answer> {
  const { query, parts, workspaceId } = request
  const filters = `ext series ${JSON.stringify([query.code, query.q, query.frequency, query.updatedSince])}`
  const place = query.cursor === null ? null : parts.cursors.read(workspaceId, filters, query.cursor)
  const pin = place?.pin ?? index.newestOfSeries
  const limit = query.limit ?? limits.ext.series
  const candidates: Candidate[] = []
  const from = placeAfter(index.series, place?.after ?? '')
  for (let i = from; i < index.series.length; i++) {
    const series = index.series[i]!
    if (series.since > pin.own) continue
    const metadata = metadataAtPin(series, pin)
    if (!isWanted(query, series, metadata)) continue
    candidates.push({ series, metadata })
    // Without a filter by time the page needs only these, plus one that shows whether there are more.
    if (query.updatedSince === null && candidates.length > limit) break
  }
  const updates = await parts.library.moments.updates(
    moment,
    candidates.map(({ series }) => series.id),
  )
  const updatedAt = ({ series, metadata }: Candidate) => newer(updates.get(series.id), metadata.recordedAt)
  const since = query.updatedSince
  const matching = since === null ? candidates : candidates.filter(each => updatedAt(each) > since)
  const shown = matching.slice(0, limit)
  const hasMore = matching.length > limit
  return listAnswer(request, schemas.Series, {
    rows: shown.map(each => ({
      ...seriesRow(each.series, each.metadata),
      series: referenceOf(each.series),
      updatedAt: updatedAt(each),
    })),
    limit,
    hasMore,
    nextCursor: hasMore ? parts.cursors.write(workspaceId, filters, { after: shown.at(-1)!.series.id, pin }) : null,
  })
}

function isWanted(query: SeriesRequest['query'], series: VisibleSeries, metadata: SeriesMetadata): boolean {
  if (query.code !== null && referenceOf(series) !== query.code) return false
  if (query.frequency !== null && metadata.frequency !== query.frequency) return false
  if (query.q === null) return true
  const wanted = query.q.toLowerCase()
  return metadata.name.toLowerCase().includes(wanted) || referenceOf(series).toLowerCase().includes(wanted)
}

/** Name in formulas. */
export function referenceOf({ provider, code: own }: VisibleSeries): string {
  return `${provider}/${own}`
}

/** Series by id or by name in formulas. */
export function findNamed(index: CachedIndex, names: readonly string[]): readonly VisibleSeries[] {
  return names.map(name => {
    const series = index.findByReference(name)
    if (series === undefined) throw new Refusal('not-found', 'there is no such series')
    return series
  })
}

function newer(a: Instant | undefined, b: Instant): Instant {
  return a !== undefined && a > b ? a : b
}
