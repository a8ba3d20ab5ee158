// Check of console requests against the declarations of their calls: the body and the parameters of the address. A request is
// refused as a whole, with a list of its problems.

import type { FastifySchemaCompiler } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import { Errors } from 'typebox/schema'
import { Settings } from 'typebox/system'
import { limits } from '../../../limits.ts'
import type { ProblemView } from '../../../views/shapes/session.ts'
import { DetailedRefusal } from '../../../views/sight/detailed-refusal.ts'

/** Result in the form that Fastify takes from a validator. */
export type Checked = { readonly value: unknown } | { readonly error: DetailedRefusal }

/** Fastify's check of a call's schemas. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  httpPart === 'querystring'
    ? query => checkQuery(schema as TObject, query as Parameters)
    : body => checkBody(schema, body)

/** Checks a body. Messages do not repeat its values: one may be a password. */
export function checkBody(schema: TSchema, body: unknown): Checked {
  return checked(
    body,
    describe(schema, body, () => ''),
  )
}

/** Parsed parameters of an address: a list where one is given more than once. */
export type Parameters = Readonly<Record<string, string | readonly string[]>>

/** Checks a query; whole numbers become numbers. */
export function checkQuery(schema: TObject, sent: Parameters): Checked {
  const { properties } = schema
  const query = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const [text] = [value].flat() as [string]
      const isWhole = Object.hasOwn(properties, name) && typeOf(properties[name]!) === 'integer'
      return [name, isWhole && /^\d{1,15}$/.test(text) ? Number.parseInt(text, 10) : text]
    }),
  )
  const repeated = Object.keys(sent).filter(name => typeof sent[name] !== 'string')
  return checked(query, [
    ...repeated.map(name => ({ path: name, message: 'is given more than once', line: null })),
    ...describe(schema, query, text => `, got ${JSON.stringify(shorten(text))}`),
  ])
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}

function checked(value: unknown, problems: readonly ProblemView[]): Checked {
  const [first] = problems
  if (first === undefined) return { value }
  const message =
    problems.length === 1
      ? `${first.path === '' ? 'the request' : first.path} ${first.message}`
      : `${problems.length} things in the request are wrong`
  return { error: new DetailedRefusal('invalid', message, { problems }) }
}

interface SchemaError {
  readonly keyword: string
  readonly schemaPath: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
}

/** One sentence for each place, and one for each field that is missing or unknown. */
function describe(schema: TSchema, value: unknown, tellCame: (text: string) => string): readonly ProblemView[] {
  Settings.Set({ maxErrors: limits.bodyProblems })
  const [, found] = Errors(schema, value)
  const errors = found as unknown as readonly SchemaError[]
  const problems: ProblemView[] = []
  for (const [at, here] of Map.groupBy(errors, ({ instancePath }) => instancePath)) {
    const path = at.slice(1).replaceAll('/', '.')
    const inside = (name: unknown) => (path === '' ? String(name) : `${path}.${name}`)
    const put = (where: string, message: string) => problems.push({ path: where, message, line: null })
    for (const { keyword, params } of here)
      if (keyword === 'required')
        for (const name of params.requiredProperties as string[]) put(inside(name), 'is missing')
    const own = here.filter(({ keyword }) => !['required', 'additionalProperties'].includes(keyword))
    if (own.length === 0) continue
    const came = find(value, at)
    put(path, sentenceOf(schema, own) + (isUnknown(own) || typeof came !== 'string' ? '' : tellCame(came)))
  }
  return problems
}

function isUnknown(errors: readonly SchemaError[]): boolean {
  return errors.some(({ keyword }) => keyword === 'boolean')
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

function sentenceOf(schema: TSchema, errors: readonly SchemaError[]): string {
  if (isUnknown(errors)) return 'is not known here'
  const allowed = errors.flatMap(({ keyword, params }) =>
    keyword === 'const'
      ? [String(params.allowedValue)]
      : keyword === 'type'
        ? [params.type].flat().map(type => typeWords[String(type)] ?? String(type))
        : keyword === 'enum'
          ? (params.allowedValues as unknown[]).map(String)
          : [],
  )
  if (allowed.length > 0) return `must be ${[...new Set(allowed)].join(' or ')}`
  const [{ schemaPath }] = errors as readonly [SchemaError]
  return ruleOf(find(schema, schemaPath.slice(1)) as Rule)
}

/** Rules of a schema about one value. */
interface Rule {
  readonly type?: string
  /** In words, to follow “must be”. */
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

function ruleOf({ description, type, ...rule }: Rule): string {
  if (description !== undefined) return `must be ${description}`
  if (type === 'integer') {
    const { minimum = 0, maximum } = rule
    return `must be a whole number ${maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`}`
  }
  if (type === 'array') return `must have ${countWords(rule.minItems, rule.maxItems)} items`
  // A pattern without a description requires a non-blank text.
  return `must have ${countWords('pattern' in rule ? 1 : rule.minLength, rule.maxLength)} characters`
}

function countWords(least = 0, most?: number): string {
  if (most === undefined) return `at least ${least}`
  return least === 0 ? `at most ${most}` : `${least} to ${most}`
}

/** The value at a JSON pointer. */
function find(root: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1)
  return steps.reduce<unknown>((value, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
  }, root)
}

function typeOf(schema: TSchema): unknown {
  return (schema as Rule).type
}
