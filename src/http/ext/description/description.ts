// The description of /ext/v1 at /ext/openapi.json.
import { limits } from '../../../limits.ts'
import { walkAgain } from '../../../storage/upkeep/change-feed-entries.ts'
import type { ApiDescription } from '../../api/description.ts'
import { errorResponses, headers, problem } from '../../api/responses.ts'
import { unauthorizedAsUser } from '../../frame/errors.ts'
import { routes } from '../routes.ts'
import { examples } from './examples.ts'
import { guide } from './guide.ts'
import { operations, pathParameters, tags } from './operations.ts'
import { schemas } from './schemas.ts'

export const description: ApiDescription = {
  title: 'Assize API beside v1',
  version: '1.0.0',
  summary: 'Numbers of many agreements at once, what is new, and how to stay in step with it.',
  guide,
  servers: [
    { url: '/ext/v1', description: 'The short prefix' },
    { url: '/api/ext/v1', description: 'The long prefix: the same answers, byte for byte' },
  ],
  tags,
  routes,
  operations,
  pathParameters,
  schemas,
  examples,
  health: null,
  security: [{ apiKey: [] }, { apiKeyAsUser: [] }],
  namesScopes: true,
  securitySchemes: {
    apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `asz_live_` and 38 letters and digits.' },
    apiKeyAsUser: { type: 'http', scheme: 'basic', description: 'The key as the user name, with an empty password.' },
  },
  headers: {
    ...headers,
    Link: {
      description:
        'With CSV: the whole address of the next page, where there is one, with rel="next". With a file: what is not in it, with rel="related"',
      schema: { type: 'string' },
      example: '<https://assize.example/ext/v1/series?format=csv&cursor=AbCd>; rel="next"',
    },
    'Assize-Left-Out': {
      description:
        'With a file: of how many agreements something is not in it; `Link` with rel="related" says what and why',
      schema: { type: 'integer', minimum: 0 },
      example: 3,
    },
    'Assize-Missing': {
      description:
        'With an IDoc: the fields of its control record (EDI_DC40) without which SAP refuses it; `set` gives them',
      schema: { type: 'string' },
      example: 'SNDPRN, RCVPRN',
    },
    'WWW-Authenticate': { ...headers['WWW-Authenticate'], example: 'Bearer, Basic realm="assize"' },
  },
  responses: {
    ...errorResponses,
    Unauthorized: problem('The key is missing, wrong, expired or revoked: all the same answer', unauthorizedAsUser, [
      'WWW-Authenticate',
      'X-Request-Id',
    ]),
    TooLarge: problem(
      'More lines or bytes than are checked in one request',
      `at most ${limits.ext.checkBytes} bytes are accepted here`,
      ['RateLimit', 'RateLimit-Policy', 'X-Request-Id'],
    ),
    UnsupportedType: problem(
      'Another content type, charset or encoding than those listed, or none',
      'content-type must be one of application/json, text/csv, application/xml, text/xml, got none',
      ['RateLimit', 'RateLimit-Policy', 'X-Request-Id'],
    ),
    Conflict: problem('The cursor is of another history: a backup was restored', walkAgain, [
      'RateLimit',
      'RateLimit-Policy',
      'X-Request-Id',
    ]),
  },
  isLinked: path => operations[path]?.isList === true,
}
