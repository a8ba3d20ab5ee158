// `GET /data/dataflow/{agency}/{id}/{version}/{key}`: the observations of a dataflow, or of several.

import { Refusal } from '../../core/refusal.ts'
import { versionTags } from '../../core/series/series.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { DataStructure } from '../../formats/sdmx/artefacts.ts'
import { writeDataCsv } from '../../formats/sdmx/data-csv.ts'
import { writeDataJson } from '../../formats/sdmx/data-json.ts'
import { cutParts, type DataMessage } from '../../formats/sdmx/data-set.ts'
import { writeDataXml } from '../../formats/sdmx/data-xml.ts'
import { agreementsId } from '../../formats/sdmx/structures.ts'
import type { ApiRequest } from '../api/context.ts'
import { readAsOf, readKnownAt } from '../api/query.ts'
import { type Answer, streamedAnswer } from '../frame/answer.ts'
import { readAgreementData } from './agreement-data.ts'
import { nothingFound } from './artefact-names.ts'
import { momentOf } from './moment.ts'
import { choose, dataOffers, named, type SdmxFormat } from './negotiation.ts'
import type { dataParameters } from './query.ts'
import {
  type DataQuery,
  type Filter,
  type FoundData,
  ObservationCount,
  readFilters,
  structuresOf,
} from './requested-data.ts'
import { readSeriesData } from './series-data.ts'

type DataRequest = ApiRequest<typeof dataParameters>

export async function answerData(request: DataRequest): Promise<Answer> {
  const { query, accepted, now } = request
  const chosen = query.format === null ? choose(accepted, dataOffers) : named(query.format, dataOffers)
  const asOf = readAsOf(query.asOf, now)
  const knownAt = readKnownAt(query.knownAt, now)
  if (query.updatedAfter !== null && asOf !== null && query.updatedAfter > asOf)
    throw new Refusal('contradictory', 'updatedAfter must not be later than asOf')
  const moment = await momentOf(request, knownAt)
  const [offset, limit] = [query.offset ?? 0, query.limit]
  const hasValidity = query.includeHistory === 'true'
  const hasActions = hasValidity || query.updatedAfter !== null
  // JSON and XML hold all observations before the first is written, one data set for each action and validity.
  const isHeld = hasActions && chosen.format !== 'csv'
  const mostHere = isHeld ? request.parts.library.bounds.heldTogether : Number.POSITIVE_INFINITY
  const count = new ObservationCount({ offset, limit, mostHere })
  const found: (FoundData & { readonly structure: DataStructure })[] = []
  for (const filter of readFilters(request, structuresOf(request, moment))) {
    const read = filter.structure.id === agreementsId ? readAgreementData : readSeriesData
    const data = await read(request, moment, readWanted(request, filter, asOf), count)
    if (data !== null) found.push({ ...data, structure: filter.structure })
  }
  if (found.length === 0) throw nothingFound()
  const message = (): DataMessage => ({
    prepared: found.map(({ prepared }) => prepared).reduce((a, b) => (a > b ? a : b)),
    hasActions,
    hasValidity,
    parts: cutParts(
      found.map(({ structure, series }) => ({ structure, series: series() })),
      offset,
      limit,
    ),
  })
  const content = found.map(each => each.content).join(' ')
  return streamedAnswer(chosen.type, () => write(message(), chosen.format), moment.tag(chosen.format, content))
}

function write(message: DataMessage, format: SdmxFormat): AsyncIterable<string> {
  if (format === 'csv') return writeDataCsv(message)
  return format === 'json' ? writeDataJson(message) : writeDataXml(message, format === 'xml' ? '3.0' : '2.1')
}

function readWanted({ query }: DataRequest, filter: Filter, asOf: Instant | null): DataQuery {
  const tag = query['c[VERSION_TAG]']
  const version = tag === null ? null : versionTags.find(each => each === tag)
  if (version === undefined)
    throw new Refusal('not-implemented', `c[VERSION_TAG] is served only as one of ${versionTags.join(', ')}`)
  return {
    ...filter,
    asOf,
    version,
    updatedAfter: query.updatedAfter,
    hasHistory: query.includeHistory === 'true',
    first: query.firstNObservations,
    last: query.lastNObservations,
  }
}
