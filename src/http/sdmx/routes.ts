// Routes of /sdmx/v2, by SDMX-REST. Parts of the standard that are not served are refused by name.

import { Refusal } from '../../core/refusal.ts'
import { DeepRouteTable, type Route, route } from '../api/route.ts'
import { answerAvailability } from './availability.ts'
import { answerData } from './data.ts'
import { availabilityParameters, dataParameters, structureParameters } from './query.ts'
import { answerStructure } from './structure.ts'

export const routes: readonly Route[] = [
  route(
    '/structure/{artefactType}/{agencyId}/{resourceId}/{version}/{itemId}',
    'Dataflows, data structures, code lists and concepts',
    'StructureMessage',
    structureParameters,
    answerStructure,
  ),
  route(
    '/data/{context}/{agencyId}/{resourceId}/{version}/{key}',
    'The observations of a dataflow',
    'DataMessage',
    dataParameters,
    answerData,
  ),
  route(
    '/availability/{context}/{agencyId}/{resourceId}/{version}/{key}/{componentId}',
    'Which series and periods a data query would find',
    'StructureMessage',
    availabilityParameters,
    answerAvailability,
  ),
]

const notServed = ['metadata', 'schema', 'registration'].map(noun =>
  route(`/${noun}/{a}/{b}/{c}/{d}/{e}`, 'Not served', 'Error', {}, () => {
    throw new Refusal('not-implemented', `${noun} queries are not served`)
  }),
)

export const table = new DeepRouteTable('sdmx/v2', [...routes, ...notServed])
