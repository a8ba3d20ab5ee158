// `GET /availability/dataflow/{agency}/{id}/{version}/{key}/{component}`: the values of each dimension that a data query would
// find, as a constraint on the dataflow.

import { TooHeavyHere } from '../../core/numbers/work-budget.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Available, constraintJson, constraintXml } from '../../formats/sdmx/constraint.ts'
import { writeStructureJson } from '../../formats/sdmx/structure-json.ts'
import { writeStructureXml } from '../../formats/sdmx/structure-xml.ts'
import { agreementsId } from '../../formats/sdmx/structures.ts'
import type { ApiRequest } from '../api/context.ts'
import { type Answer, typedAnswer } from '../frame/answer.ts'
import { readAgreementData } from './agreement-data.ts'
import { names, nothingFound } from './artefact-names.ts'
import { type Moment, momentOf } from './moment.ts'
import { availabilityOffers, choose, named } from './negotiation.ts'
import type { availabilityParameters } from './query.ts'
import { type DataQuery, type Filter, ObservationCount, readFilters, structuresOf } from './requested-data.ts'
import { findSeries, readSeriesData } from './series-data.ts'

type AvailabilityRequest = ApiRequest<typeof availabilityParameters>

export async function answerAvailability(request: AvailabilityRequest): Promise<Answer> {
  const { query, ids, accepted } = request
  const { format, type } =
    query.format === null ? choose(accepted, availabilityOffers) : named(query.format, availabilityOffers)
  const moment = await momentOf(request, null)
  const [structure, ...others] = structuresOf(request, moment)
  if (structure === undefined || others.length > 0)
    throw new Refusal('not-implemented', 'availability is told of one dataflow at a time: name it')
  const dimensions = structure.dimensions.map(({ id }) => id)
  const component = ids[5]
  if (component !== undefined && !dimensions.some(id => names(component, id)))
    throw new Refusal('contradictory', `the dimensions of ${structure.id} are ${dimensions.join(', ')}`)
  const keys = await keysOf(request, moment, readFilters(request, [structure])[0]!)
  if (keys.length === 0) throw nothingFound()
  if (keys.length > request.parts.library.bounds.heldTogether) throw new TooHeavyHere('the values of many series')
  const values = dimensions.map((id, i) => [id, [...new Set(keys.map(key => key[i]!))].sort()] as const)
  const available: Available = {
    flow: structure.id,
    values: new Map(values.filter(([id]) => names(component, id))),
    series: keys.length,
  }
  const prepared = moment.catalogue.newest
  const id = `AVAILABILITY-${prepared.replace(/\D/g, '')}`
  const pieces =
    format === 'json'
      ? writeStructureJson(id, prepared, [], constraintJson(available))
      : writeStructureXml(id, prepared, [], '3.0', constraintXml(available))
  const body = [...pieces].join('')
  return typedAnswer(type, body, { etag: moment.tag(format, body) })
}

/** Keys of matching series; a series is opened only where its periods matter. */
async function keysOf(
  request: AvailabilityRequest,
  moment: Moment,
  filter: Filter,
): Promise<readonly (readonly string[])[]> {
  const { query } = request
  const isOfAgreements = filter.structure.id === agreementsId
  const isNarrowed = [query.startPeriod, query.endPeriod, query['c[TIME_PERIOD]'], query['c[VERSION_TAG]']].some(
    each => each !== null,
  )
  if (!isOfAgreements && !isNarrowed) return (await findSeries(moment, filter)).map(({ told }) => told.key)
  const wanted: DataQuery = {
    ...filter,
    asOf: null,
    version: null,
    updatedAfter: null,
    hasHistory: false,
    first: null,
    last: null,
  }
  const found = await (isOfAgreements ? readAgreementData : readSeriesData)(
    request,
    moment,
    wanted,
    new ObservationCount(),
  )
  const keys: (readonly string[])[] = []
  if (found !== null) for await (const { key } of found.series()) keys.push(key)
  return keys
}
