// `GET /values`: the newest values of many series, in the order asked.

import { Refusal } from '../../core/refusal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { metadataAt } from '../../read/lists/agreement-series.ts'
import type { NewestValue } from '../../read/series/series-snapshot.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import type { ApiRequest } from '../api/context.ts'
import { contentTag, keepAnswer } from '../api/encoded-answers.ts'
import { csvAnswer, format, formatOf } from '../api/list.ts'
import { asOf, knownAt, readAsOf, readKnownAt } from '../api/query.ts'
import { type Answer, jsonAnswer } from '../frame/answer.ts'
import { ValueRow } from './description/schemas.ts'
import { lastValues, seriesNames } from './query.ts'
import { findNamed, referenceOf } from './series.ts'

const neededSeries: typeof seriesNames = { ...seriesNames, isNeeded: true }

export const valuesParameters = { series: neededSeries, last: lastValues, asOf, knownAt, format }
type ValuesRequest = ApiRequest<typeof valuesParameters>

export async function listNewestValues(request: ValuesRequest): Promise<Answer> {
  const { query, now, parts, workspaceId } = request
  if (query.series === null)
    throw new Refusal('invalid', 'series is missing: name the series, with commas between them')
  const cuts = { asOf: readAsOf(query.asOf, now), knownAt: readKnownAt(query.knownAt, now) }
  if (cuts.knownAt !== null) await parts.settle(workspaceId, cuts.knownAt)
  const moment = await parts.library.moments.of(workspaceId)
  const index = await parts.library.index(workspaceId)
  const rows: SeriesValues[] = []
  for (const series of findNamed(index, query.series)) rows.push(await valuesOf(request, series, cuts))
  return keepAnswer(request, index, moment, write(request, rows))
}

interface SeriesValues {
  readonly id: string
  readonly series: string
  readonly name: string
  readonly unit: string
  readonly frequency: string
  readonly values: readonly NewestValue[]
}

async function valuesOf(
  { query, parts, workspaceId }: ValuesRequest,
  series: VisibleSeries,
  cuts: { readonly asOf: Instant | null; readonly knownAt: Instant | null },
): Promise<SeriesValues> {
  const { snapshot } = await parts.library.series(workspaceId, series)
  const { name, unit, frequency } = metadataAt(series, cuts.knownAt)
  const values = snapshot.newestValues(cuts, query.last ?? 1)
  return { id: series.id, series: referenceOf(series), name, unit, frequency, values }
}

/** Writes the answer; CSV has one row per value. */
function write(request: ValuesRequest, rows: readonly SeriesValues[]): Answer {
  if (formatOf(request) === 'csv')
    return csvAnswer(
      ValueRow,
      rows.flatMap(({ values, ...series }) => values.map(value => ({ ...series, ...value }))),
    )
  const body = JSON.stringify({ data: rows })
  return jsonAnswer(body, contentTag(body))
}
