// Shapes of JSON that is known to the last key. One shape gives the type of the written JSON, the reader that refuses
// everything else with its place, and the description as JSON Schema. A reader fills in nothing.

import { parseExact, parseRatio, type Ratio } from '../numbers/ratio.ts'
import { Refusal } from '../refusal.ts'
import { type Day, parseDay } from '../time/day.ts'
import { type Instant, parseInstant } from '../time/instant.ts'

type Mapping = { readonly [key: string]: unknown }

export interface Shape<W, R = W> {
  /** Gives the meaning of a value; refuses anything that is not of this shape. */
  readonly read: (value: unknown, path: string) => R
  readonly schema: Mapping
  /** Never there: it carries the type of the written JSON. */
  readonly written?: W
}

type Optional<S> = S & { readonly isOptional: true }
type Fields = { readonly [key: string]: Shape<unknown> & { readonly isOptional?: true } }
type OptionalKey<F> = { [K in keyof F]: F[K] extends { readonly isOptional: true } ? K : never }[keyof F]
type Flat<T> = { readonly [K in keyof T]: T[K] }

export type Written<S> = S extends Shape<infer W, unknown> ? W : never
export type Read<S> = S extends Shape<unknown, infer R> ? R : never
export type WrittenFields<F> = Flat<
  { [K in Exclude<keyof F, OptionalKey<F>>]: Written<F[K]> } & { [K in OptionalKey<F>]?: Written<F[K]> }
>
type ReadFields<F> = Flat<
  { [K in Exclude<keyof F, OptionalKey<F>>]: Read<F[K]> } & { [K in OptionalKey<F>]?: Read<F[K]> }
>

export interface MappingShape<F> extends Shape<WrittenFields<F>, ReadFields<F>> {
  readonly fields: F
}

export function refuseShape(path: string, what: string): never {
  throw new Refusal('invalid', `the receipt cannot be read: ${path} must be ${what}`)
}

export function anyMapping(value: unknown, path: string): Mapping {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuseShape(path, 'a mapping')
  return value as Mapping
}

/** Exactly these keys; the optional ones may be missing. */
export function mapping<const F extends Fields>(description: string, fields: F): MappingShape<F> {
  const listed = Object.entries<Fields[string]>(fields)
  return {
    fields,
    read: (value, path) => readFields(fields, value, path, `${path}.`),
    schema: {
      type: 'object',
      required: listed.filter(([, field]) => field.isOptional !== true).map(([key]) => key),
      properties: Object.fromEntries(listed.map(([key, { schema }]) => [key, schema])),
      description,
      additionalProperties: false,
    },
  }
}

function readFields<F extends Fields>(fields: F, value: unknown, path: string, before: string): ReadFields<F> {
  const found = anyMapping(value, path)
  const read: { [key: string]: unknown } = {}
  for (const key of Object.keys(fields))
    if (fields[key]!.isOptional !== true && !Object.hasOwn(found, key))
      refuseShape(path, `a mapping with ${key}, which is missing`)
  const unknown = Object.keys(found).find(key => !Object.hasOwn(fields, key))
  if (unknown !== undefined) refuseShape(path, `a mapping without ${JSON.stringify(unknown)}, which is not known`)
  for (const key of Object.keys(fields))
    if (Object.hasOwn(found, key)) read[key] = fields[key]!.read(found[key], `${before}${key}`)
  return read as ReadFields<F>
}

/** A whole file: it has a name, the paths inside it begin with its keys. */
export function readWhole<F extends Fields>({ fields }: MappingShape<F>, value: unknown, name: string): ReadFields<F> {
  return readFields(fields, value, name, '')
}

/** The value itself, once it is known to have the shape. */
export function checked<W>(shape: Shape<W, unknown>, value: unknown, path: string): W {
  shape.read(value, path)
  return value as W
}

export function optional<S extends Shape<unknown>>(shape: S): Optional<S> {
  return { ...shape, isOptional: true }
}

/** A text with another meaning, or with one more rule. */
export function meaning<W, A, B>(shape: Shape<W, A>, mean: (read: A, path: string) => B): Shape<W, B> {
  return { schema: shape.schema, read: (value, path) => mean(shape.read(value, path), path) }
}

export function orNull<W, R>(shape: Shape<W, R>, description: string): Shape<W | null, R | null> {
  return {
    read: (value, path) => (value === null ? null : shape.read(value, path)),
    schema: { anyOf: [shape.schema, { type: 'null' }], description },
  }
}

/** One of several mappings; the contents say which. */
export function either<const S extends readonly Shape<unknown>[]>(
  description: string,
  shapes: S,
  choose: (found: Mapping, path: string) => number,
): Shape<Written<S[number]>, Read<S[number]>> {
  return {
    read: (value, path) => shapes[choose(anyMapping(value, path), path)]!.read(value, path) as Read<S[number]>,
    schema: { anyOf: shapes.map(({ schema }) => schema), description },
  }
}

export function listOf<W, R>(shape: Shape<W, R>, description?: string): Shape<readonly W[], readonly R[]> {
  return {
    read: (value, path) => {
      if (!Array.isArray(value)) refuseShape(path, 'a list')
      return value.map((item, i) => shape.read(item, `${path}[${i}]`))
    },
    schema: { type: 'array', items: shape.schema, ...(description === undefined ? {} : { description }) },
  }
}

/** A mapping with keys of any kind. */
export function mapOf<W, R>(
  shape: Shape<W, R>,
  description: string,
): Shape<{ readonly [key: string]: W }, ReadonlyMap<string, R>> {
  return {
    read: (value, path) =>
      new Map(Object.entries(anyMapping(value, path)).map(([key, item]) => [key, shape.read(item, `${path}.${key}`)])),
    schema: { type: 'object', patternProperties: { '^.*$': shape.schema }, description },
  }
}

function readText(value: unknown, path: string): string {
  return typeof value === 'string' ? value : refuseShape(path, 'a text')
}

/**
 * A text. `form` describes today's texts; a reader does not hold old receipts to it: computing them again shows whether they
 * are right.
 */
export function text(description?: string, form: Mapping = {}): Shape<string> {
  return { read: readText, schema: { type: 'string', ...(description === undefined ? {} : { description }), ...form } }
}

export function truth(description: string): Shape<boolean> {
  return {
    read: (value, path) => (typeof value === 'boolean' ? value : refuseShape(path, 'true or false')),
    schema: { type: 'boolean', description },
  }
}

/** A value that is read later, or only covered by a hash. */
export const anything: Shape<unknown> = { read: value => value, schema: {} }

export function wholeNumber(description: string): Shape<number> {
  return {
    read: (value, path) =>
      typeof value === 'number' && Number.isSafeInteger(value) ? value : refuseShape(path, 'a whole number'),
    schema: { type: 'integer', description },
  }
}

export function versionNumber(description: string): Shape<number> {
  const { read, schema } = wholeNumber(description)
  return {
    read: (value, path) => {
      const number = read(value, path)
      return number > 0 ? number : refuseShape(path, 'a version number')
    },
    schema: { ...schema, minimum: 1 },
  }
}

export function oneOf<const T extends string>(choices: readonly T[], description: string): Shape<T> {
  const quoted = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value) : typeof value)
  return {
    read: (value, path) =>
      choices.find(choice => choice === value) ??
      refuseShape(path, `one of ${choices.join(', ')}, got ${quoted(value)}`),
    schema: { type: 'string', enum: [...choices], description },
  }
}

export function literal<const T extends string>(value: T, description: string): Shape<T> {
  return { ...oneOf([value], description), schema: { type: 'string', const: value, description } }
}

export function day(description: string): Shape<string, Day> {
  return meaning(
    text(description, { format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    (written, path) => parseDay(written) ?? refuseShape(path, 'a date'),
  )
}

/** An instant in its one spelling. */
export function instant(description: string): Shape<Instant> {
  const pattern = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$'
  return meaning(text(description, { format: 'date-time', pattern }), (written, path) =>
    parseInstant(written) === written ? written : refuseShape(path, 'an instant'),
  )
}

export const exactForm = { pattern: '^-?\\d+(\\.\\d+|/[1-9]\\d*)?$' } as const

/** A decimal or a fraction. */
export function exactNumber(description: string): Shape<string, Ratio> {
  return meaning(
    text(description, exactForm),
    (written, path) => parseExact(written) ?? refuseShape(path, 'an exact number'),
  )
}

/** An exact number, kept as it is written. */
export function exactText(description: string): Shape<string> {
  return meaning(text(description, exactForm), (written, path) =>
    parseExact(written) === null ? refuseShape(path, 'an exact number') : written,
  )
}

/** An exact number above 0. */
export function positiveNumber(description: string): Shape<string, Ratio> {
  return meaning(exactNumber(description), (number, path) =>
    number.n > 0n ? number : refuseShape(path, 'a number above 0'),
  )
}

/** A decimal number, kept as it is written. */
export function decimal(description: string, pattern = '^-?\\d+(\\.\\d+)?$'): Shape<string> {
  return meaning(text(description, { pattern }), (written, path) =>
    parseRatio(written) === null ? refuseShape(path, 'a decimal number') : written,
  )
}

export function hexHash(description: string): Shape<string> {
  return meaning(text(description, { pattern: '^[0-9a-f]{64}$' }), (written, path) =>
    /^[0-9a-f]{64}$/.test(written) ? written : refuseShape(path, '64 hexadecimal digits'),
  )
}
