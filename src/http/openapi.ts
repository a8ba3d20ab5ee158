// The OpenAPI 3.1 document, built from what serves and validates: the routes, their parameters, the shapes of the answers.
// Nothing about a route is written down here a second time.
import type { Parameter, Parameters } from './parameters.ts'
import { examples } from './v1/examples.ts'
import { guide } from './v1/guide.ts'
import { health, type Operation, operations, pathParameters, tags } from './v1/operations.ts'
import { routes } from './v1/routes.ts'
import { type SchemaName, schemas } from './v1/schemas.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

export interface DescribedParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  readonly example: unknown
}

export interface DescribedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security?: readonly object[]
  readonly parameters: readonly (DescribedParameter | { readonly $ref: string })[]
  readonly responses: Readonly<Record<string, object>>
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: object
  readonly servers: readonly object[]
  readonly security: readonly object[]
  readonly tags: typeof tags
  readonly paths: Readonly<Record<string, { readonly get: DescribedOperation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly [part: string]: object
  }
}

export function buildOpenApi(): OpenApiDocument {
  const described = routes.map(({ path, summary, parameters }) => {
    const operation = operations[path]
    if (operation === undefined) throw new Error(`operations.ts says nothing about ${path}`)
    return [path, { get: describeOperation(operation, summary, path, parameters) }] as const
  })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assize API',
      version: '1.0.0',
      summary: 'Index series and price adjustments, read-only, with every value they ever had.',
      description: guide.map(({ title, text }) => `## ${title}\n\n${text}`).join('\n\n'),
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: '/v1', description: 'The short prefix' },
      { url: '/api/v1', description: 'The long prefix: the same answers, byte for byte' },
    ],
    security: [{ apiKey: [] }],
    tags,
    paths: { ...Object.fromEntries(described), [health.path]: { get: describeHealth() } },
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `asz_live_` and 38 letters and digits.' },
      },
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [name, withReferences(schema, name) as JsonSchema]),
      ),
      parameters: { IfNoneMatch: ifNoneMatch },
      headers,
      responses: errorResponses,
    },
  }
}

function describeOperation(
  operation: Operation,
  summary: string,
  path: string,
  parameters: Parameters,
): DescribedOperation {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!)
  const isPaged = path.startsWith('/series/')
  return {
    operationId: operation.operationId,
    summary,
    description: operation.description,
    tags: [operation.tag],
    parameters: [
      ...names.map(describePathParameter),
      ...Object.values(parameters).map(describeParameter),
      { $ref: '#/components/parameters/IfNoneMatch' },
    ],
    responses: {
      200: describeAnswer(operation, isPaged),
      304: response('NotModified'),
      400: response('BadRequest'),
      401: response('Unauthorized'),
      ...(names.length > 0 ? { 404: response('NotFound') } : {}),
      405: response('MethodNotAllowed'),
      429: response('TooManyRequests'),
      500: response('Unexpected'),
      503: response('Unavailable'),
      default: response('Refused'),
    },
  }
}

function describeHealth(): DescribedOperation {
  const { operationId, summary, description, tag, views } = health
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: [],
    parameters: [],
    responses: {
      200: {
        description: 'The service runs',
        headers: { 'X-Request-Id': header('X-Request-Id') },
        content: { 'application/json': { schema: reference(views[0].answer), example: examples[views[0].answer] } },
      },
      400: response('BadRequest'),
      405: response('MethodNotAllowed'),
      default: response('Refused'),
    },
  }
}

function describePathParameter(name: string): DescribedParameter {
  const known = pathParameters[name]
  if (known === undefined) throw new Error(`operations.ts says nothing about {${name}}`)
  return { name, in: 'path', required: true, schema: { type: 'string', minLength: 1 }, ...known }
}

/** Values of a query are texts; an example is written as what its schema says it is. */
function describeParameter({ name, description, schema, example }: Parameter<unknown>): DescribedParameter {
  const written = schema.type === 'integer' ? Number.parseInt(example, 10) : example
  return { name, in: 'query', required: false, description, schema, example: written }
}

function describeAnswer({ views }: Operation, isPaged: boolean): object {
  const [first, ...others] = views
  const schema = others.length === 0 ? reference(first.answer) : { anyOf: views.map(({ answer }) => reference(answer)) }
  const named = views.map(({ view, answer }) => {
    const summary = view === null ? 'The usual answer' : `With view=${view}`
    return [view ?? 'usual', { summary, value: examples[answer] }]
  })
  const names = ['ETag', ...(isPaged ? ['Link'] : []), 'RateLimit', 'RateLimit-Policy', 'X-Request-Id']
  return {
    description: (schemas[first.answer] as { readonly description?: string }).description ?? first.answer,
    headers: Object.fromEntries(names.map(name => [name, header(name)])),
    content: { 'application/json': { schema, examples: Object.fromEntries(named) } },
  }
}

function reference(name: SchemaName): object {
  return { $ref: `#/components/schemas/${name}` }
}

function response(name: keyof typeof errorResponses): object {
  return { $ref: `#/components/responses/${name}` }
}

function header(name: string): object {
  return { $ref: `#/components/headers/${name}` }
}

/** Inside one schema, another that has a name of its own becomes a reference to it. */
function withReferences(value: unknown, root: string): unknown {
  if (Array.isArray(value)) return value.map(item => withReferences(item, root))
  if (typeof value !== 'object' || value === null) return value
  const named = Object.entries(schemas).find(([name, schema]) => schema === value && name !== root)
  if (named !== undefined) return reference(named[0] as SchemaName)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withReferences(item, root)]))
}

const ifNoneMatch: DescribedParameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of an answer you hold: 304 when it is still the same',
  schema: { type: 'string' },
  example: '"k2v9x0qy-lq1c3f-2s-0-4-4-1yq5b"',
}

const headers = {
  ETag: {
    description: 'Names this very body, for If-None-Match',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: ifNoneMatch.example,
  },
  Link: {
    description: 'The next page, where there is one: an address with rel="next", pinned to what is known now',
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
    description: 'The methods that are taken',
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

function problem(description: string, example: string, names: readonly (keyof typeof headers)[]): object {
  return {
    description,
    headers: Object.fromEntries(names.map(name => [name, header(name)])),
    content: { 'application/json': { schema: reference('Error'), example: { error: example } } },
  }
}

const errorResponses = {
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
  MethodNotAllowed: problem('Another method than GET or HEAD', 'POST is not taken here; this interface only reads', [
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
