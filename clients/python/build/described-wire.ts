// The two descriptions of the API as one: schemas under the names that clients use, and operations with where they are.
import type { DescribedOperation, DescribedParameter, JsonSchema } from '../../../src/http/api/description.ts'
import { buildOpenApi } from '../../../src/http/docs/openapi.ts'
import { description as ext } from '../../../src/http/ext/description/description.ts'
import { description as v1 } from '../../../src/http/v1/description.ts'

export interface PlacedOperation {
  /** `listAgreements`: an agreement is `pam` only on the wire. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly DescribedParameter[]
  /** The usual answer. */
  readonly answer: JsonSchema
  /** All forms of it. */
  readonly views: readonly JsonSchema[]
  /** Whether the next page is in the header `Link` alone. */
  readonly isLinked: boolean
}

export interface DescribedWire {
  readonly schemas: ReadonlyMap<string, JsonSchema>
  readonly operations: readonly PlacedOperation[]
}

export function readDescribed(): DescribedWire {
  const apis = [v1, ext].map(api => ({ api, document: buildOpenApi(api), prefix: api.servers[0]!.url }))
  const own = apis[0]!.document.components.schemas
  const schemas = new Map<string, JsonSchema>()
  const operations: PlacedOperation[] = []
  for (const { api, document, prefix } of apis) {
    const nameOf = (name: string) => {
      const same =
        own[name] === undefined || JSON.stringify(own[name]) === JSON.stringify(document.components.schemas[name])
      return `${same ? '' : 'Ext'}${plain(name)}`
    }
    for (const [name, schema] of Object.entries(document.components.schemas))
      schemas.set(nameOf(name), renamed(schema, nameOf) as JsonSchema)
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(methods)) {
        const views = answersOf(operation).map(each => renamed(each, nameOf) as JsonSchema)
        operations.push({
          ...placed(operation),
          answer: views[0]!,
          views,
          method,
          path: `${prefix}${path}`,
          isLinked: prefix === '/v1' && api.isLinked(path),
        })
      }
  }
  return { schemas, operations }
}

const plain = (name: string) => name.replace(/Pam/g, 'Agreement')

function placed({ operationId, summary, description, parameters }: DescribedOperation) {
  const named = parameters.filter((each): each is DescribedParameter => 'name' in each)
  return { name: plain(operationId), summary, description, parameters: named }
}

function answersOf({ responses }: DescribedOperation): readonly JsonSchema[] {
  const { content } = responses[200] as { content: Readonly<Record<string, { schema: JsonSchema }>> }
  const { schema } = content['application/json']!
  return (schema.anyOf as readonly JsonSchema[] | undefined) ?? [schema]
}

/** A schema whose references have the names that clients use. */
function renamed(value: unknown, nameOf: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map(each => renamed(each, nameOf))
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as { $ref?: unknown }
  if (typeof $ref === 'string') return { $ref: nameOf($ref.slice($ref.lastIndexOf('/') + 1)) }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, renamed(each, nameOf)]))
}

export type Fields = Readonly<Record<string, JsonSchema>>

export const fieldsOf = ({ properties = {} }: JsonSchema) => properties as Fields

const decimals: ReadonlySet<unknown> = new Set(['^[+-]?\\d+(\\.\\d+)?$', '^-?\\d+(\\.\\d+)?$'])

export const isDecimal = ({ type, pattern }: JsonSchema) => type === 'number' || decimals.has(pattern)

/** A decimal that may be cut off, and then ends with `…`. */
export const isShown = ({ pattern }: JsonSchema) => pattern === '^-?\\d+(\\.\\d+)?…?$'

/** What is hashed and signed keeps its text: nothing in it is converted. */
export function isSealed(schema: JsonSchema): boolean {
  const format = fieldsOf(schema).format?.const
  return typeof format === 'string' && format.startsWith('assize-')
}
