// `GET /series/:id/values` and `/vintages`: a slice of a series, cut out of bytes that were encoded once.
import { type Day, formatDay } from '../../core/time/day.ts'
import { type Instant, microsOf } from '../../core/time/instant.ts'
import { firstAtLeast, firstDayOf, ordinalsWithin } from '../../core/time/period.ts'
import { limits } from '../../limits.ts'
import { metadataAt } from '../../read/lists/agreement-series.ts'
import type { ViewRequest } from '../../read/series/series-snapshot.ts'
import type { RowsView } from '../../read/series/series-view.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import type { ApiRequest } from '../api/context.ts'
import { keepAnswer } from '../api/encoded-answers.ts'
import {
  asOf,
  checkRange,
  from,
  knownAt,
  last,
  limitBesideLast,
  limitParameter,
  readAsOf,
  readKnownAt,
  refuseBoth,
  to,
  version,
  view,
} from '../api/query.ts'
import { type Answer, slicedAnswer } from '../frame/answer.ts'
import { findSeries, formatHeader } from './series.ts'

export const valuesParameters = {
  from,
  to,
  limit: limitBesideLast(limits.valuesPage),
  last,
  version,
  asOf,
  knownAt,
  view,
}
export const vintagesParameters = { from, to, limit: limitParameter(limits.valuesPage), knownAt }

export async function listValues(request: ApiRequest<typeof valuesParameters>): Promise<Answer> {
  const { query, now } = request
  checkRange(query.from, query.to)
  if (query.last !== null && query.limit !== null) refuseBoth('last', 'limit')
  const cuts = { asOf: readAsOf(query.asOf, now), knownAt: readKnownAt(query.knownAt, now) }
  const wanted: ViewRequest = {
    ...cuts,
    version: query.version,
    summaryDate: query.view === null ? null : (cuts.asOf ?? cuts.knownAt ?? now).slice(0, 10),
  }
  const answer = await answerValues(request, wanted)
  if (wanted.summaryDate === null || cuts.asOf !== null || cuts.knownAt !== null) return answer
  // A walk through summaries shows one date on every page, so it is pinned to this moment if there are more pages.
  return answer.headers.includes('link') ? answerValues(request, { ...wanted, knownAt: now }) : answer
}

async function answerValues(request: ApiRequest<typeof valuesParameters>, wanted: ViewRequest): Promise<Answer> {
  const { parts, workspaceId, id } = request
  if (wanted.knownAt !== null) await parts.settle(workspaceId, wanted.knownAt)
  const variant = `${wanted.asOf}${wanted.version}${wanted.summaryDate}`
  const index = await parts.library.index(workspaceId, { series: [id] })
  const series = findSeries(index, id)
  const cached = await parts.library.series(workspaceId, series)
  const rows = parts.library.viewOf(cached, wanted)
  const answer = answerSlice(request, { series, rows, knownAt: wanted.knownAt, variant, withTotal: true })
  // A summary contains today's date, so it is not cached.
  return wanted.summaryDate === null ? keepAnswer(request, index, cached, answer) : answer
}

export async function listVintages(request: ApiRequest<typeof vintagesParameters>): Promise<Answer> {
  const { query, now, parts, workspaceId, id } = request
  checkRange(query.from, query.to)
  const known = readKnownAt(query.knownAt, now)
  if (known !== null) await parts.settle(workspaceId, known)
  const index = await parts.library.index(workspaceId, { series: [id] })
  const series = findSeries(index, id)
  const cached = await parts.library.series(workspaceId, series)
  const rows = parts.library.viewOf(cached, { vintagesKnownAt: known })
  const slice = { series, rows, knownAt: known, variant: 'vintages', withTotal: false }
  return keepAnswer(request, index, cached, answerSlice(request, slice))
}

type SliceRequest = ApiRequest<typeof vintagesParameters> & { readonly query: { readonly last?: number | null } }

interface Slice {
  readonly series: VisibleSeries
  readonly rows: RowsView
  readonly knownAt: Instant | null
  readonly variant: string
  readonly withTotal: boolean
}

function answerSlice(request: SliceRequest, { series, rows, knownAt: known, variant, withTotal }: Slice): Answer {
  const { query } = request
  const [first, end] = matching(rows, query.from, query.to)
  const total = end - first
  const newest = query.last ?? null
  const limit = query.limit ?? limits.valuesPage.usual
  const start = newest === null ? first : Math.max(first, end - newest)
  const stop = newest === null ? rows.stopWithin(start, Math.min(end, first + limit)) : end
  const metadata = metadataAt(series, known)
  const beginning = `{"series":${formatHeader(series, metadata)},"data":[`
  const ending = withTotal ? `],"total":${total}}` : ']}'
  const { newestRecorded } = rows
  const tag = sliceTag({ id: series.id, newestRecorded, metadataSeq: metadata.seq, start, stop, total, variant, known })
  const headers =
    stop < end && newest === null
      ? ['link', nextLink(request, rows, stop, pinned(rows, metadata.recordedAt, known))]
      : []
  return slicedAnswer(beginning, rows.slices(start, stop), ending, tag, headers)
}

/** Facts that determine the bytes of a slice. */
export interface SliceFacts {
  readonly id: string
  readonly newestRecorded: Instant
  readonly metadataSeq: number
  readonly start: number
  readonly stop: number
  readonly total: number
  /** Choice of rows, and their form. */
  readonly variant: string
  readonly known: Instant | null
}

/** The strong tag of a slice: from the data's version (a cut of the past has its own), the metadata's, and the slice. */
export function sliceTag(facts: SliceFacts): string {
  const { id, newestRecorded, metadataSeq, start, stop, total, variant, known } = facts
  const dataVersion = known === null ? microsOf(newestRecorded).toString(36) : 'k'
  const parts = [id.slice(-8), dataVersion, metadataSeq.toString(36), start, stop, total]
  return `"${parts.join('-')}-${hashText(`${variant} ${known}`)}"`
}

/** Indices of the first row that begins inside the range and of the first after it. */
function matching({ frequency, ordinals }: RowsView, fromDay: Day | null, toDay: Day | null): [number, number] {
  if (fromDay === null && toDay === null) return [0, ordinals.length]
  const { first, last: lastOrdinal } = ordinalsWithin(frequency, fromDay ?? earliest, toDay ?? latest)
  return [firstAtLeast(ordinals, first), firstAtLeast(ordinals, lastOrdinal + 1)]
}

const earliest: Day = -719_162
const latest: Day = 2_932_896

/** Pin of a walk to the present answer: its newest vintage is known, and later ones are not part of it. */
function pinned(rows: RowsView, metadataRecorded: Instant, known: Instant | null): Instant {
  if (known !== null) return known
  return rows.newestRecorded > metadataRecorded ? rows.newestRecorded : metadataRecorded
}

function nextLink({ path, search }: SliceRequest, rows: RowsView, next: number, known: Instant): string {
  const kept = search.split('&').filter(pair => pair !== '' && !['from', 'knownAt'].includes(nameOf(pair)))
  const nextFrom = formatDay(firstDayOf({ frequency: rows.frequency, ordinal: rows.ordinals[next]! }))
  return `<${path}?${[...kept, `from=${nextFrom}`, `knownAt=${known}`].join('&')}>; rel="next"`
}

/** A name may be percent-encoded; it was decoded before, so decoding succeeds. */
function nameOf(pair: string): string {
  return decodeURIComponent(pair.split('=', 1)[0]!)
}

/** Short and stable hash; it only distinguishes variants of one series. */
function hashText(text: string): string {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return (hash >>> 0).toString(36)
}
