// OpenAPI 3.1 documents of v1 and /ext/v1, built from the serving tables: the routes, their parameters, the shapes of the answers.
// Nothing about a route is repeated here.
import type { KeyScope } from '../../core/people/key-scope.ts'
import type {
  ApiDescription,
  DescribedOperation,
  DescribedParameter,
  JsonSchema,
  OpenApiDocument,
} from '../api/description.ts'
import type { Operation } from '../api/operation.ts'
import { header, ifNoneMatch } from '../api/responses.ts'
import type { Route } from '../api/route.ts'
import type { Parameter } from '../frame/parameters.ts'

export function buildOpenApi(api: ApiDescription): OpenApiDocument {
  const { routes, operations, guide, tags, health, schemas } = api
  const described = routes.map(route => {
    const { path, body } = route
    const operation = operations[path]
    if (operation === undefined) throw new Error(`operations.ts says nothing about ${path}`)
    const said = describeOperation(api, operation, route)
    return [path, (body === null ? { get: said } : { post: said }) as { get: DescribedOperation }] as const
  })
  const healthPath = health === null ? {} : { [health.path]: { get: describeHealth(api, health) } }
  return {
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: api.version,
      summary: api.summary,
      description: guide.map(({ title, text }) => `## ${title}\n\n${text}`).join('\n\n'),
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: api.servers,
    security: api.security,
    tags,
    paths: { ...Object.fromEntries(described), ...healthPath },
    components: {
      securitySchemes: api.securitySchemes,
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [name, withReferences(schemas, schema, name) as JsonSchema]),
      ),
      parameters: { IfNoneMatch: ifNoneMatch },
      headers: api.headers,
      responses: api.responses,
    },
  }
}

function describeOperation(
  api: ApiDescription,
  operation: Operation,
  { path, summary, body, parameters, needs }: Route,
): DescribedOperation {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!)
  const conditions = body === null ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []
  return {
    operationId: operation.operationId,
    summary,
    description: api.namesScopes ? `${operation.description}\n\n${scopeWords[needs]}` : operation.description,
    tags: [operation.tag],
    // For keys the members of a requirement are roles: the scope that the key must have.
    ...(api.namesScopes ? { security: Object.keys(api.securitySchemes).map(scheme => ({ [scheme]: [needs] })) } : {}),
    parameters: [
      ...names.map(name => describePathParameter(api, name)),
      ...Object.values(parameters).map(describeParameter),
      ...conditions,
    ],
    ...(operation.body === undefined ? {} : { requestBody: describeBody(operation.body) }),
    responses: {
      200: describeAnswer(api, operation, path, body === null),
      ...(body === null ? { 304: response('NotModified') } : {}),
      400: response('BadRequest'),
      401: response('Unauthorized'),
      ...(names.length > 0 || operation.mayMiss ? { 404: response('NotFound') } : {}),
      405: response('MethodNotAllowed'),
      ...(operation.mayConflict ? { 409: response('Conflict') } : {}),
      ...(body === null ? {} : { 413: response('TooLarge'), 415: response('UnsupportedType') }),
      429: response('TooManyRequests'),
      500: response('Unexpected'),
      503: response('Unavailable'),
      default: response('Refused'),
    },
  }
}

const scopeWords: Readonly<Record<KeyScope, string>> = {
  read: 'Every key may read it: scope `read`.',
  money: 'For keys with the scope `money` or `all`; for any other this address does not exist (404).',
  all: 'For keys with the scope `all`; for any other this address does not exist (404).',
}

function describeBody(body: NonNullable<Operation['body']>): object {
  const content = Object.entries(body).map(([type, { schema, example }]) => {
    return [type, { schema: schema === null ? { type: 'string' } : reference(schema), example }]
  })
  return { required: true, content: Object.fromEntries(content) }
}

function describeHealth(
  { examples }: ApiDescription,
  health: NonNullable<ApiDescription['health']>,
): DescribedOperation {
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

function describePathParameter({ pathParameters }: ApiDescription, name: string): DescribedParameter {
  const known = pathParameters[name]
  if (known === undefined) throw new Error(`operations.ts says nothing about {${name}}`)
  return { name, in: 'path', required: true, schema: { type: 'string', minLength: 1 }, ...known }
}

/** Describes a parameter. Query values are texts; an example has the type of its schema. */
function describeParameter({ name, description, schema, example, isNeeded }: Parameter<unknown>): DescribedParameter {
  const written = schema.type === 'integer' ? Number.parseInt(example, 10) : example
  return { name, in: 'query', required: isNeeded === true, description, schema, example: written }
}

function describeAnswer(
  { schemas, examples, isLinked }: ApiDescription,
  operation: Operation,
  path: string,
  isTagged: boolean,
): object {
  const { views, isList, files = {}, headers: ownHeaders = [] } = operation
  const [first, ...others] = views
  const schema = others.length === 0 ? reference(first.answer) : { anyOf: views.map(({ answer }) => reference(answer)) }
  const named = views.map(({ view, answer }) => {
    const summary = view === null ? 'The usual answer' : `With view=${view}`
    return [view ?? 'usual', { summary, value: examples[answer] }]
  })
  const names = [
    ...(isTagged ? ['ETag'] : []),
    ...(isLinked(path) ? ['Link'] : []),
    ...ownHeaders,
    'RateLimit',
    'RateLimit-Policy',
    'X-Request-Id',
  ]
  return {
    description: (schemas[first.answer] as { readonly description?: string }).description ?? first.answer,
    headers: Object.fromEntries(names.map(name => [name, header(name)])),
    content: {
      'application/json': { schema, examples: Object.fromEntries(named) },
      ...(isList !== true ? {} : { 'text/csv': { schema: { type: 'string', description: csvWords } } }),
      ...Object.fromEntries(
        Object.entries(files).map(([type, words]) => [type, { schema: { type: 'string', description: words } }]),
      ),
    },
  }
}

const csvWords = 'The rows of `data` with a line of column names; columns are the fields with underscores'

function reference(name: string): object {
  return { $ref: `#/components/schemas/${name}` }
}

function response(name: string): object {
  return { $ref: `#/components/responses/${name}` }
}

/** References in place of schemas that have a name of their own. */
function withReferences(schemas: ApiDescription['schemas'], value: unknown, root: string): unknown {
  if (Array.isArray(value)) return value.map(item => withReferences(schemas, item, root))
  if (typeof value !== 'object' || value === null) return value
  const named = Object.entries(schemas).find(([name, schema]) => schema === value && name !== root)
  if (named !== undefined) return reference(named[0])
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withReferences(schemas, item, root)]))
}
