// `/sdmx/v2` for the pipeline: SDMX-REST, with the keys and limits of the other APIs.
import type { ApiDefinition } from '../api/definition.ts'
import { tellRefusal } from './refusals.ts'
import { table } from './routes.ts'

export const sdmx: ApiDefinition = {
  name: 'sdmx/v2',
  prefixes: ['/sdmx/v2', '/api/sdmx/v2'],
  table,
  hasHealth: false,
  // Statistical programs and spreadsheets keep Basic credentials for their user.
  takesBasic: true,
  challenge: 'Bearer, Basic realm="assize"',
  vary: 'Authorization, Accept, Accept-Encoding',
  answersOptions: true,
  // The whole header: the formats depend on the route.
  accepts: header => header ?? '',
  crossOrigin: {
    methods: 'GET, HEAD, OPTIONS',
    headers: 'accept, authorization, if-none-match, x-request-id',
  },
  tellRefusal,
}
