// Headers and refusals in the descriptions: v1 and /ext/v1 share nearly all of them.
import type { DescribedParameter } from './description.ts'

export function header(name: string): object {
  return { $ref: `#/components/headers/${name}` }
}

export const ifNoneMatch: DescribedParameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of an answer you hold: 304 when it is still the same',
  schema: { type: 'string' },
  example: '"k2v9x0qy-lq1c3f-2s-0-4-4-1yq5b"',
}

export const headers = {
  ETag: {
    description: 'Identifies exactly this body, for If-None-Match',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: ifNoneMatch.example,
  },
  Link: {
    description:
      'The next page, where there is one: an address with rel="next", pinned to what is known now. Of a signed period with an agreed correction: that correction, with rel="related"',
    schema: { type: 'string' },
    example:
      '</v1/series/ser_01hmdbz3r8e5cvq9t2k7m4x6wn/values?limit=500&from=2015-09-01&knownAt=2024-08-13T12:41:07.318402Z>; rel="next"',
  },
  RateLimit: {
    description: 'What is left of the limit (r) and for how many seconds that stays so (t), as a structured field',
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$' },
    example: '"default";r=42;t=17',
  },
  'RateLimit-Policy': {
    description: 'The limit: requests (q) in a window of seconds (w), as a structured field',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=\\d+$' },
    example: '"default";q=60;w=60',
  },
  'Retry-After': {
    description: 'Whole seconds to wait; always enough',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 17,
  },
  'X-Request-Id': {
    description: 'Names this request in the service’s log',
    required: true,
    schema: { type: 'string' },
    example: 'p3XkQ9aT-1f4',
  },
  Allow: {
    description: 'The methods that are accepted',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD',
  },
  'WWW-Authenticate': {
    description: 'How to authenticate',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer',
  },
} as const

export function problem(description: string, example: string, names: readonly string[]): object {
  return {
    description,
    headers: Object.fromEntries(names.map(name => [name, header(name)])),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: { error: example } } },
  }
}

export const errorResponses = {
  NotModified: {
    description: 'The body you named with If-None-Match is still the same; none is sent',
    headers: Object.fromEntries(
      ['ETag', 'Link', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id'].map(name => [name, header(name)]),
    ),
  },
  BadRequest: problem(
    'A parameter is unknown, repeated, malformed or out of range, or a body was sent',
    'unknown parameter "asof" (did you mean "asOf"?); this address takes from, to, limit, last, version, asOf, knownAt, view',
    ['RateLimit', 'RateLimit-Policy', 'X-Request-Id'],
  ),
  Unauthorized: problem(
    'The key is missing, wrong, expired or revoked: all the same answer',
    'a valid API key is needed: Authorization: Bearer <key>',
    ['WWW-Authenticate', 'X-Request-Id'],
  ),
  NotFound: problem(
    'It does not exist or belongs to another workspace: the answer is the same. For an adjustment the message says why it cannot be computed',
    'there is no such series',
    ['RateLimit', 'RateLimit-Policy', 'X-Request-Id'],
  ),
  MethodNotAllowed: problem('Another method than GET or HEAD', 'POST is not accepted here; this interface only reads', [
    'Allow',
    'RateLimit',
    'RateLimit-Policy',
    'X-Request-Id',
  ]),
  TooManyRequests: problem(
    'More requests than the limit allows, or too many failed keys from this address',
    'the limit of 60 requests a minute is reached; wait 17 s',
    ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id'],
  ),
  Unexpected: problem(
    'Something went wrong on the server; the message gives no internal details',
    'something went wrong on our side; try again with exponential backoff',
    ['RateLimit', 'RateLimit-Policy', 'X-Request-Id'],
  ),
  Unavailable: problem(
    'Overload, or the database or the shared limit cannot be reached; no answer is given on a guess',
    'the database is not available; try again',
    ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id'],
  ),
  Refused: problem(
    'What HTTP itself refuses, in the same shape: 408, 413, 417, 431',
    'the headers are larger than 16384 bytes',
    [],
  ),
}
