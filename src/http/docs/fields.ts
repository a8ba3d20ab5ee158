// Fields of an answer as a flat list for people: path, type, meaning. Reads the schemas of the description as they are and knows no
// route.
import type { JsonSchema } from '../api/description.ts'

interface Field {
  /** `data[].value`. */
  readonly path: string
  readonly type: string
  readonly description: string
}

type Schemas = Readonly<Record<string, JsonSchema>>

export function listFields(schema: JsonSchema, schemas: Schemas, prefix = ''): Field[] {
  const whole = resolve(schema, schemas)
  const properties = Object.entries((whole.properties ?? {}) as Record<string, JsonSchema>)
  const required = (whole.required ?? []) as readonly string[]
  return properties.flatMap(([name, property]) => {
    const path = `${prefix}${name}`
    const { inner, suffix, words } = unwrap(property, schemas)
    const optional = required.includes(name) ? '' : ', not always there'
    const nested = listFields(inner, schemas, `${path}${suffix}.`)
    const description = describe(property, schemas)
    // A wrapper whose fields follow needs no line of its own unless it has a description.
    if (nested.length > 0 && description === '') return nested
    return [{ path, type: `${words}${optional}`, description }, ...nested]
  })
}

function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  return typeof schema.$ref === 'string' ? schemas[schema.$ref.split('/').at(-1)!]! : schema
}

function describe(schema: JsonSchema, schemas: Schemas): string {
  return (schema.description ?? resolve(schema, schemas).description ?? '') as string
}

interface Unwrapped {
  readonly inner: JsonSchema
  readonly suffix: string
  readonly words: string
}

/** The schema inside lists, maps and "or null", and the words for the whole. */
function unwrap(given: JsonSchema, schemas: Schemas): Unwrapped {
  const schema = resolve(given, schemas)
  const choices = schema.anyOf as readonly JsonSchema[] | undefined
  if (choices !== undefined) {
    const inside = unwrap(choices[0]!, schemas)
    return { ...inside, words: `${inside.words} or null` }
  }
  if (schema.type === 'array') {
    const inside = unwrap(schema.items as JsonSchema, schemas)
    return { inner: inside.inner, suffix: `[]${inside.suffix}`, words: 'list' }
  }
  const patterns = schema.patternProperties as Record<string, JsonSchema> | undefined
  if (patterns !== undefined) {
    const inside = unwrap(Object.values(patterns)[0]!, schemas)
    return { inner: inside.inner, suffix: `.*${inside.suffix}`, words: 'object by name' }
  }
  return { inner: schema, suffix: '', words: nameType(schema) }
}

/** Type in a caller's words: `text, decimal` rather than a pattern. */
export function nameType(schema: JsonSchema): string {
  const { type, format, minimum, maximum, default: usual } = schema
  if (Array.isArray(schema.enum)) return schema.enum.join(' · ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (type === 'integer' && maximum !== undefined)
    return `${minimum} to ${maximum}${usual === undefined ? '' : `, ${usual} by default`}`
  if (type === 'integer') return 'whole number'
  if (format === 'date-time') return 'instant'
  if (format === 'date') return 'YYYY-MM-DD'
  if (type === 'string' && /^\^(?:\[\+-\]|-)\?\\d\+/.test(String(schema.pattern))) return 'decimal as text'
  if (type === 'boolean') return 'true or false'
  return type === 'string' ? 'text' : String(type)
}
