// Parts of the schemas of v1: exact objects, texts, numbers and instants, each with its description.

import type { TOptional, TSchema, TUnsafe } from 'typebox'
import type { Shape, Written } from '../../core/text/exact-shape.ts'
import { Type } from '../../formats/json-schema.ts'

export function exact<P extends Record<string, TSchema>>(description: string, properties: P) {
  return Type.Object(properties, { description, additionalProperties: false })
}

/** An enumeration of a fixed list. */
export function oneOf<const T extends readonly string[]>(values: T, description: string) {
  return Type.Enum([...values] as T[number][], { type: 'string', description })
}

export function text(description: string) {
  return Type.String({ description })
}

export function orNull<S extends TSchema>(schema: S, description: string) {
  return Type.Union([schema, Type.Null()], { description })
}

export const milliseconds = (description: string) =>
  Type.String({ description, format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' })
export const microseconds = (description: string) =>
  Type.String({ description, format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$' })
export const firstInstant = (description: string) =>
  Type.String({ description, format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T00:00:00\\.000Z$' })
export const day = (description: string) =>
  Type.String({ description, format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
export const published = (description: string) => Type.String({ description, pattern: '^[+-]?\\d+(\\.\\d+)?$' })
export const decimal = (description: string) => Type.String({ description, pattern: '^-?\\d+(\\.\\d+)?$' })
export const carried = (description: string) => Type.String({ description, pattern: '^-?\\d+(\\.\\d+)?…?$' })
export const periodLabel = (description: string) =>
  Type.String({ description, pattern: '^\\d{4}(-(Q[1-4]|H[12]|W\\d{2}|\\d{2}(-\\d{2})?))?$' })
export const identifier = (prefix: string, description: string) =>
  Type.String({ description, pattern: `^${prefix}_[0-9a-z]{26}$` })
export const count = (description: string, minimum = 0) => Type.Integer({ description, minimum })
export const hexHash = (description: string) => Type.String({ description, pattern: '^[0-9a-f]{64}$' })

/** Schema of a shape of the core, with its own description. */
export function described<S extends Shape<unknown>>({ schema }: S): TUnsafe<Written<S>> {
  return schema as unknown as TUnsafe<Written<S>>
}

type Described<F> = {
  readonly [K in keyof F]: F[K] extends { readonly isOptional: true }
    ? TOptional<TUnsafe<Written<F[K]>>>
    : TUnsafe<Written<F[K]>>
}

/** Fields of such a shape, each with its schema. */
export function describedFields<F extends Readonly<Record<string, Shape<unknown> & { readonly isOptional?: true }>>>(
  fields: F,
): Described<F> {
  const listed = Object.entries(fields).map(([key, field]) => [
    key,
    field.isOptional === true ? Type.Optional(described(field)) : described(field),
  ])
  return Object.fromEntries(listed) as Described<F>
}
