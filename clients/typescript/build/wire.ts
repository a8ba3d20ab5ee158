// Writes the types of every request and answer, and the table of routes, from the two descriptions of the API. What they
// say is what the client knows: `npm run client` writes the file, and a test compares it with the descriptions.
import type {
  DescribedOperation,
  DescribedParameter,
  JsonSchema,
  OpenApiDocument,
} from '../../../src/http/api/description.ts'
import { buildOpenApi } from '../../../src/http/docs/openapi.ts'
import { description as ext } from '../../../src/http/ext/description/description.ts'
import { description as v1 } from '../../../src/http/v1/description.ts'

interface Described {
  readonly prefix: string
  readonly document: OpenApiDocument
  /** What schemas are called here, where the other description has another shape of the same name. */
  readonly nameOf: (schema: string) => string
}

/** Parameters that take several values with commas between them. */
const lists: ReadonlySet<string> = new Set(['ids', 'kinds', 'series'])
const decimals: ReadonlySet<unknown> = new Set(['^[+-]?\\d+(\\.\\d+)?$', '^-?\\d+(\\.\\d+)?$'])

/** The text of `src/wire.ts`. */
export function writeWire(): string {
  const first = buildOpenApi(v1)
  const second = buildOpenApi(ext)
  const own = first.components.schemas
  const differs = new Set(
    Object.entries(second.components.schemas)
      .filter(([name, schema]) => own[name] !== undefined && JSON.stringify(own[name]) !== JSON.stringify(schema))
      .map(([name]) => name),
  )
  const plain = (name: string) => (name === 'Error' ? 'ErrorBody' : name.replace(/Pam/g, 'Agreement'))
  const described: readonly Described[] = [
    { prefix: '/v1', document: first, nameOf: plain },
    { prefix: '/ext/v1', document: second, nameOf: name => (differs.has(name) ? `Ext${plain(name)}` : plain(name)) },
  ]
  const schemas = described.flatMap(each =>
    Object.entries(each.document.components.schemas)
      .filter(([name]) => each.prefix === '/v1' || own[name] === undefined || differs.has(name))
      .map(([name, schema]) => writeSchema(each, name, schema)),
  )
  const operations = described.flatMap(each =>
    Object.entries(each.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...each, path, method, operation })),
    ),
  )
  return [
    '// What travels between client and server, written by build/wire.ts from the descriptions of the API. Do not edit it.',
    "import type { Day, Decimal, Instant } from './decimal.ts'",
    '',
    schemas.join('\n\n'),
    '',
    '/** What each route takes and answers, by its name in the descriptions. */',
    'export interface Operations {',
    operations.map(writeOperation).join('\n'),
    '}',
    '',
    '/** Where each route is. `numbers` are fields that travel as JSON numbers and are read as decimals. */',
    'export const routes = {',
    operations.map(writeRoute).join('\n'),
    '} as const',
    '',
  ].join('\n')
}

interface Placed extends Described {
  readonly path: string
  readonly method: string
  readonly operation: DescribedOperation
}

const nameOfOperation = ({ operation }: Placed) => operation.operationId.replace(/Pam/g, 'Agreement')

function writeOperation(placed: Placed): string {
  const { operation, path } = placed
  const parameters = operation.parameters.filter((each): each is DescribedParameter => 'name' in each)
  const query = parameters
    .filter(each => each.in === 'query' && each.name !== 'format')
    .map(
      ({ name, description, schema, required }) =>
        `${comment(description, 6)}      readonly ${name}${required ? '' : '?'}: ${parameterType(name, schema)}${required ? '' : ' | undefined'}`,
    )
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`)
  const answer = contentOf(operation)['application/json']
  const item = itemOf(placed, answer)
  return [
    comment(operation.summary, 2).trimEnd(),
    `  readonly ${nameOfOperation(placed)}: {`,
    `    readonly ids: [${ids.join(', ')}]`,
    query.length === 0
      ? '    readonly query: Readonly<Record<never, never>>'
      : `    readonly query: {\n${query.join('\n')}\n    }`,
    `    readonly answer: ${typeOf(placed, answer, 4)}`,
    ...(item === null ? [] : [`    readonly item: ${item}`]),
    '  }',
  ].join('\n')
}

function writeRoute(placed: Placed): string {
  const { prefix, path, method, document, operation } = placed
  const numbers = [...new Set(numbersIn(document, contentOf(operation)['application/json']))]
  const more = [
    ...(method === 'post' ? ['takesBody: true'] : []),
    ...(numbers.length === 0 ? [] : [`numbers: [${numbers.map(quoted).join(', ')}]`]),
  ]
  return `  ${nameOfOperation(placed)}: { path: ${quoted(`${prefix}${path}`)}${more.map(each => `, ${each}`).join('')} },`
}

function contentOf({ responses }: DescribedOperation): Readonly<Record<string, JsonSchema>> {
  const { content } = responses[200] as { content: Readonly<Record<string, { schema: JsonSchema }>> }
  return Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schema]))
}

/** What a list is a list of: the members of `data`. */
function itemOf(placed: Placed, answer: JsonSchema | undefined): string | null {
  const views = (answer?.anyOf ?? [answer]) as readonly (JsonSchema | undefined)[]
  const [usual] = views.map(each => {
    const { properties } = resolve(placed.document, each!) as { properties?: Readonly<Record<string, JsonSchema>> }
    const data = properties?.data
    return data?.type === 'array' ? typeOf(placed, data.items as JsonSchema, 4) : null
  })
  return usual ?? null
}

function resolve({ components }: OpenApiDocument, schema: JsonSchema): JsonSchema {
  return typeof schema.$ref === 'string' ? components.schemas[nameIn(schema.$ref)]! : schema
}

const nameIn = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1)

/** Fields with a number that is not a count, anywhere in an answer. */
function* numbersIn(document: OpenApiDocument, schema: unknown, field = ''): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  const { $ref, type, properties, ...rest } = schema as JsonSchema
  if (typeof $ref === 'string') return yield* numbersIn(document, resolve(document, { $ref }), field)
  if (type === 'number') yield field
  for (const [name, each] of Object.entries(properties ?? {})) yield* numbersIn(document, each, name)
  for (const each of Object.values(rest).flat()) yield* numbersIn(document, each, field)
}

function parameterType(name: string, schema: JsonSchema): string {
  if (schema.type === 'integer') return 'number'
  if (lists.has(name)) return 'string | readonly string[]'
  const values = schema.enum as readonly string[] | undefined
  if (values === undefined) return 'string'
  return values.length === 1 && values[0] === 'true' ? 'true' : values.map(quoted).join(' | ')
}

function writeSchema(described: Described, name: string, schema: JsonSchema): string {
  const head = comment(schema.description, 0)
  const named = described.nameOf(name)
  const type = typeOf(described, schema, 0)
  return type.startsWith('{') ? `${head}export interface ${named} ${type}` : `${head}export type ${named} = ${type}`
}

function typeOf(described: Described, schema: JsonSchema | undefined, indent: number): string {
  if (schema === undefined) return 'string'
  if (typeof schema.$ref === 'string') return described.nameOf(nameIn(schema.$ref))
  if (Array.isArray(schema.anyOf))
    return [...new Set((schema.anyOf as JsonSchema[]).map(each => typeOf(described, each, indent)))].join(' | ')
  if (Array.isArray(schema.enum)) return schema.enum.map(quoted).join(' | ')
  if (schema.const !== undefined) return quoted(schema.const)
  if (schema.type === 'array') return arrayOf(typeOf(described, schema.items as JsonSchema, indent))
  if (schema.type === 'object') return objectOf(described, schema, indent)
  if (schema.type === 'integer') return 'number'
  if (schema.type === 'number') return 'Decimal'
  if (schema.type === 'boolean' || schema.type === 'null') return schema.type
  if (schema.type !== 'string') return 'unknown'
  if (decimals.has(schema.pattern)) return 'Decimal'
  return schema.format === 'date' ? 'Day' : schema.format === 'date-time' ? 'Instant' : 'string'
}

const arrayOf = (item: string) => (/[ |{]/.test(item) ? `ReadonlyArray<${item}>` : `readonly ${item}[]`)

function objectOf(described: Described, schema: JsonSchema, indent: number): string {
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>)
  const named = Object.values((schema.patternProperties ?? {}) as Readonly<Record<string, JsonSchema>>)
  if (properties.length === 0)
    return `Readonly<Record<string, ${named.length === 1 ? typeOf(described, named[0], indent) : 'unknown'}>>`
  const required = new Set((schema.required ?? []) as readonly string[])
  const inside = indent + 2
  const fields = properties.map(([name, each]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)
    const mark = required.has(name) ? '' : '?'
    return `${comment(each.description, inside)}${' '.repeat(inside)}readonly ${key}${mark}: ${typeOf(described, each, inside)}`
  })
  return `{\n${[...fields, ...prefixed(described, schema, inside)].join('\n')}\n${' '.repeat(indent)}}`
}

/** Fields that are known by how they begin: `^erp_`. */
function prefixed(described: Described, schema: JsonSchema, indent: number): string[] {
  const patterns = Object.entries((schema.patternProperties ?? {}) as Readonly<Record<string, JsonSchema>>)
  return patterns.map(([pattern, each]) => {
    const prefix = /^\^(\w+)$/.exec(pattern)?.[1]
    if (prefix === undefined) throw new Error(`beside other fields, ${pattern} is not the beginning of a name`)
    const type = typeOf(described, each, indent)
    return `${comment(each.description, indent)}${' '.repeat(indent)}readonly [key: \`${prefix}\${string}\`]: ${type} | undefined`
  })
}

function comment(text: unknown, indent: number): string {
  return typeof text === 'string'
    ? `${' '.repeat(indent)}/** ${text.replaceAll('*/', '*\\/').replace(/\s+/g, ' ')} */\n`
    : ''
}

const quoted = (value: unknown) => `'${String(value).replace(/['\\]/g, '\\$&')}'`
