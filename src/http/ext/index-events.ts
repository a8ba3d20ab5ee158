// `GET /index-events`: events of indices: ended, put on another base, replaced, cancelled, computed differently.

import { isAbout } from '../../core/index-changes/index-event.ts'
import { limits } from '../../limits.ts'
import type { StoredIndexEvent } from '../../storage/series/index-events.ts'
import type { ApiRequest } from '../api/context.ts'
import { format, listAnswer, pageLimit } from '../api/list.ts'
import { cursor, knownAt, provider, readKnownAt } from '../api/query.ts'
import type { Answer } from '../frame/answer.ts'
import { schemas } from './description/schemas.ts'
import { seriesNames } from './query.ts'
import { findNamed, referenceOf } from './series.ts'

export const indexEventsParameters = {
  provider,
  series: { ...seriesNames, description: `Only what is about these: ${seriesNames.description.toLowerCase()}` },
  knownAt: { ...knownAt, description: 'What was known here by this day (to its end, UTC) or instant' },
  limit: pageLimit(limits.ext.indexEvents),
  cursor,
  format,
}
type IndexEventsRequest = ApiRequest<typeof indexEventsParameters>

export async function listIndexEvents(request: IndexEventsRequest): Promise<Answer> {
  const { query, parts, workspaceId, now } = request
  const filters = `ext index-events ${JSON.stringify([query.provider, query.series, query.knownAt?.text ?? null])}`
  const after = query.cursor === null ? null : parts.cursors.open(workspaceId, filters, query.cursor)
  const cut = readKnownAt(query.knownAt, now)
  if (cut !== null) await parts.settle(workspaceId, cut)
  const index = await parts.library.index(workspaceId)
  const { readers } = await parts.library.readers(workspaceId, index)
  const asked = query.series === null ? null : findNamed(index, query.series)
  const known = await parts.library.indexEvents.all(workspaceId, cut)
  const wanted = known.filter(
    event =>
      (query.provider === null || event.provider === query.provider) &&
      (asked === null || asked.some(series => isAbout(event, series))),
  )
  const begins = after === null ? 0 : wanted.findIndex(event => placeOf(event) > after)
  const rest = begins < 0 ? [] : wanted.slice(begins)
  const limit = query.limit ?? limits.ext.indexEvents
  const rows = rest.slice(0, limit).map(event => {
    const own = index.series.filter(series => isAbout(event, series))
    const slugs = new Set(own.flatMap(({ id }) => (readers.get(id) ?? []).map(({ slug }) => slug)))
    return rowOf(event, own.map(referenceOf).sort(), [...slugs].sort())
  })
  const hasMore = rest.length > limit
  const nextCursor = hasMore ? parts.cursors.sign(workspaceId, filters, placeOf(rest[limit - 1]!)) : null
  return listAnswer(request, schemas.IndexEvent, { rows, limit, hasMore, nextCursor })
}

/** Sort key, newest day first: the later the day, the smaller the key. */
function placeOf({ day, id }: StoredIndexEvent): string {
  const inverted = day.replace(/\d/g, digit => String(9 - Number(digit)))
  return `${inverted} ${id}`
}

function rowOf(event: StoredIndexEvent, series: readonly string[], pams: readonly string[]) {
  const { id, provider: by, codes, kind, day, sentence, successor, coefficient, source, recordedAt } = event
  return { id, provider: by, codes, kind, day, sentence, successor, coefficient, source, recordedAt, series, pams }
}
