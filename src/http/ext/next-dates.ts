// `GET /series/{seriesId}/next`: expected dates of a series' next figures, with the basis of each.
import { limits } from '../../limits.ts'
import { metadataAt } from '../../read/lists/agreement-series.ts'
import { readNextDates } from '../../read/series/next-dates.ts'
import type { ApiRequest } from '../api/context.ts'
import { contentTag } from '../api/encoded-answers.ts'
import { csvAnswer, format, formatOf } from '../api/list.ts'
import { knownAt, readKnownAt } from '../api/query.ts'
import { type Answer, jsonAnswer } from '../frame/answer.ts'
import { findSeries } from '../v1/series.ts'
import { calendarSchemas } from './description/calendar-schemas.ts'
import { referenceOf } from './series.ts'

export const nextParameters = {
  knownAt: { ...knownAt, description: 'What was known by this day (to its end, UTC) or instant' },
  format,
}

export async function listNextDates(request: ApiRequest<typeof nextParameters>): Promise<Answer> {
  const { query, now, parts, workspaceId, id } = request
  const cut = readKnownAt(query.knownAt, now)
  if (cut !== null) await parts.settle(workspaceId, cut)
  const series = findSeries(await parts.library.index(workspaceId, { series: [id] }), id)
  const { newest, dates } = await readNextDates(parts.library, workspaceId, series, limits.ext.nextPeriods, cut)
  if (formatOf(request) === 'csv') return csvAnswer(calendarSchemas.NextDate, dates)
  const { frequency } = metadataAt(series, cut)
  const body = JSON.stringify({ id, series: referenceOf(series), frequency, newest, data: dates })
  return jsonAnswer(body, contentTag(body))
}
