// `GET /data/dataflow/{agency}/{id}/{version}/{key}`: the observations of one dataflow.

import { Refusal } from '../../core/refusal.ts'
import { versionTags } from '../../core/series/series.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { DataStructure } from '../../formats/sdmx/artefacts.ts'
import { writeDataCsv } from '../../formats/sdmx/data-csv.ts'
import { writeDataJson } from '../../formats/sdmx/data-json.ts'
import type { DataMessage } from '../../formats/sdmx/data-set.ts'
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
import { readSeriesData } from './series-data.ts'
import { readFilter, structureOf, type Wanted } from './wanted.ts'

type DataRequest = ApiRequest<typeof dataParameters>

export async function answerData(request: DataRequest): Promise<Answer> {
  const { query, accepted, now } = request
  const chosen = query.format === null ? choose(accepted, dataOffers) : named(query.format, dataOffers)
  const asOf = readAsOf(query.asOf, now)
  const knownAt = readKnownAt(query.knownAt, now)
  if (query.updatedAfter !== null && asOf !== null && query.updatedAfter > asOf)
    throw new Refusal('contradictory', 'updatedAfter must not be later than asOf')
  const moment = await momentOf(request, knownAt)
  const wanted = readWanted(request, structureOf(request, moment), asOf)
  const found =
    wanted.structure.id === agreementsId
      ? await readAgreementData(request, moment, wanted)
      : await readSeriesData(request, moment, wanted)
  if (found === null) throw nothingFound()
  const message: DataMessage = {
    structure: wanted.structure,
    prepared: found.prepared,
    hasActions: wanted.hasHistory || wanted.updatedAfter !== null,
    hasValidity: wanted.hasHistory,
    get series() {
      return found.series()
    },
  }
  return streamedAnswer(chosen.type, () => write(message, chosen.format), moment.tag(chosen.format, found.content))
}

function write(message: DataMessage, format: SdmxFormat): AsyncIterable<string> {
  if (format === 'csv') return writeDataCsv(message)
  return format === 'json' ? writeDataJson(message) : writeDataXml(message, format === 'xml' ? '3.0' : '2.1')
}

function readWanted(request: DataRequest, structure: DataStructure, asOf: Instant | null): Wanted {
  const { query } = request
  const filter = readFilter(request, structure)
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
