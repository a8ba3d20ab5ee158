// The description of v1 at /openapi.json.

import type { ApiDescription } from '../api/description.ts'
import { errorResponses, headers } from '../api/responses.ts'
import { examples } from './examples.ts'
import { guide } from './guide.ts'
import { health, operations, pathParameters, tags } from './operations.ts'
import { routes } from './routes.ts'
import { schemas } from './schemas.ts'

export const description: ApiDescription = {
  title: 'Assize API',
  version: '1.0.0',
  summary: 'Index series and price adjustments, read-only, with every value they ever had.',
  guide,
  servers: [
    { url: '/v1', description: 'The short prefix' },
    { url: '/api/v1', description: 'The long prefix: the same answers, byte for byte' },
  ],
  tags,
  routes,
  operations,
  pathParameters,
  schemas,
  examples,
  health,
  security: [{ apiKey: [] }],
  namesScopes: false,
  securitySchemes: {
    apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `asz_live_` and 38 letters and digits.' },
  },
  headers,
  responses: errorResponses,
  isLinked: path => path.startsWith('/series/') || path.startsWith('/pams/{pamId}/adjustment'),
}
