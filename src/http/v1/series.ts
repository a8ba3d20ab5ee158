// `GET /series`: the series a workspace sees, page by page. A walk is pinned to the publications at its beginning.
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { type CachedIndex, placeAfter } from '../../read/lists/cached-index.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import type { SeriesMetadata, VisibleSeries } from '../../storage/series/visible-series.ts'
import type { ApiRequest } from '../api/context.ts'
import { contentTag, keepAnswer } from '../api/encoded-answers.ts'
import { cursor, limitParameter, provider } from '../api/query.ts'
import { type Answer, jsonAnswer } from '../frame/answer.ts'
import type { CursorPlace, Pin } from '../frame/cursor.ts'

export const seriesListParameters = { provider, limit: limitParameter(limits.seriesPage), cursor }

export async function listSeries(request: ApiRequest<typeof seriesListParameters>): Promise<Answer> {
  const { query, parts, workspaceId } = request
  const filters = `series ${query.provider ?? ''}`
  const place = query.cursor === null ? null : parts.cursors.read(workspaceId, filters, query.cursor)
  const asked = { filters, place, limit: query.limit ?? limits.seriesPage.usual }
  const seriesPage = {
    after: place?.after ?? '',
    provider: query.provider,
    seq: place?.pin.own ?? null,
    most: asked.limit + 1,
  }
  const index = await parts.library.index(workspaceId, { seriesPage })
  return keepAnswer(request, index, index, page(request, asked, index))
}

interface AskedPage {
  readonly filters: string
  readonly place: CursorPlace | null
  readonly limit: number
}

function page(
  { query, parts, workspaceId }: ApiRequest<typeof seriesListParameters>,
  { filters, place, limit }: AskedPage,
  index: CachedIndex,
): Answer {
  const pin = place?.pin ?? index.newestOfSeries
  const rows: string[] = []
  let more = false
  let last = ''
  for (let i = placeAfter(index.series, place?.after ?? ''); i < index.series.length; i++) {
    const series = index.series[i]!
    if (series.since > pin.own || (query.provider !== null && series.provider !== query.provider)) continue
    if (rows.length === limit) {
      more = true
      break
    }
    rows.push(JSON.stringify(seriesRow(series, metadataAtPin(series, pin))))
    last = series.id
  }
  const nextCursor = more ? parts.cursors.write(workspaceId, filters, { after: last, pin }) : null
  const pagination = JSON.stringify({ limit, hasMore: more, nextCursor })
  const body = `{"data":[${rows.join(',')}],"pagination":${pagination}}`
  return jsonAnswer(body, contentTag(body))
}

/** Metadata at the pin: a series keeps the name it had when the walk began. */
export function metadataAtPin({ owner, metadata }: VisibleSeries, pin: Pin): SeriesMetadata {
  const seq = owner === publicScope ? pin.public : pin.own
  return metadata.findLast(version => version.seq <= seq) ?? metadata[0]!
}

/** Row of a series for lists. */
export function seriesRow({ id, code, provider, createdAt }: VisibleSeries, metadata: SeriesMetadata) {
  const { name, dataType, unit, frequency } = metadata
  return { id, seriesCode: code, name, provider, dataType, unit, frequency, createdAt: milliseconds(createdAt) }
}

/** An instant with three decimals, as in the contract. */
export function milliseconds(instant: string): string {
  return `${instant.slice(0, 23)}Z`
}

export function formatHeader({ id, code }: VisibleSeries, { name, unit, frequency }: SeriesMetadata): string {
  return JSON.stringify({ id, seriesCode: code, name, unit, frequency })
}

export function findSeries(index: CachedIndex, id: string): VisibleSeries {
  const series = index.find(id)
  if (series === undefined) throw new Refusal('not-found', 'there is no such series')
  return series
}
