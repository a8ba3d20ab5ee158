// Our constructors make typebox's documents, with its fields in its order, and its types hold for them.
import { Type as Typebox } from 'typebox'
import { expect, test } from 'vitest'
import { Type } from './json-schema.ts'

type Constructors = typeof Type

const documents: Readonly<Record<string, (type: Constructors) => unknown>> = {
  'a text with bounds': type => type.String({ minLength: 1, maxLength: 3, pattern: '^a', description: 'd' }),
  'numbers, whole and not': type => [type.Integer({ minimum: 1 }), type.Number({ description: 'd' })],
  'true, false and null': type => [type.Boolean(), type.Null()],
  'literals of each kind': type => [type.Literal('a', { description: 'd' }), type.Literal(3), type.Literal(true)],
  'a list of names': type => type.Enum(['x', 'y'], { type: 'string', description: 'd' }),
  'one of several': type => type.Union([type.String(), type.Null()], { description: 'd' }),
  'a list': type => type.Array(type.String({ maxLength: 3 }), { minItems: 1, maxItems: 2 }),
  'an object with fields that may be left out': type =>
    type.Object({ a: type.Optional(type.String({ maxLength: 3 })), b: type.Integer(), c: type.Optional(type.Null()) }),
  'an object of which every field may be left out': type => type.Object({ a: type.Optional(type.String()) }),
  'an object without fields': type => type.Object({}, { additionalProperties: false, description: 'd' }),
  'an object inside another': type =>
    type.Object({ a: type.Object({ b: type.String() }, { additionalProperties: false }) }, { description: 'd' }),
  'any names': type => type.Record(type.String({ maxLength: 40 }), type.String(), { maxProperties: 3 }),
  'names of a pattern': type =>
    type.Record(type.String({ pattern: '^[A-Z]{3}$' }), type.Integer(), { description: 'd' }),
  'a schema from elsewhere': type => type.Unsafe<unknown>({ type: 'object', anyOf: [{ const: 1 }] }),
  'a copy loses what is no part of the document': type => type.Object({ a: { ...type.Optional(type.String()) } }),
}

for (const [name, make] of Object.entries(documents))
  test(`${name} is typebox's document`, () => {
    expect(JSON.stringify(make(Type))).toBe(JSON.stringify(make(Typebox)))
  })

test('what was made optional leaves the schema it was made from required', () => {
  const text = Type.String()
  Type.Optional(text)
  expect(Type.Object({ text }).required).toEqual(['text'])
})
