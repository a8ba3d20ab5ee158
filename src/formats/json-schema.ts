// The shape of a body or an answer, as JSON Schema. The constructors have typebox's names and types and make its documents,
// limited to the parts used here: loading all of typebox takes a fifth of the processor time of a start.
import type { Type as Typebox } from 'typebox'

type Document = Readonly<Record<string, unknown>>

/** Schemas of fields that may be left out. Not part of the document, so it cannot be a property of it. */
const optional = new WeakSet<object>()

const made = {
  String: (options?: Document) => ({ type: 'string', ...options }),
  Number: (options?: Document) => ({ type: 'number', ...options }),
  Integer: (options?: Document) => ({ type: 'integer', ...options }),
  Boolean: (options?: Document) => ({ type: 'boolean', ...options }),
  Null: (options?: Document) => ({ type: 'null', ...options }),
  Literal: (value: string | number | boolean, options?: Document) => ({ type: typeof value, const: value, ...options }),
  Enum: (values: readonly unknown[], options?: Document) => ({ enum: [...values], ...options }),
  Union: (anyOf: readonly Document[], options?: Document) => ({ anyOf: [...anyOf], ...options }),
  Array: (items: Document, options?: Document) => ({ type: 'array', items, ...options }),
  Object: (properties: Readonly<Record<string, Document>>, options?: Document) => {
    const required = Object.keys(properties).filter(name => !optional.has(properties[name]!))
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties: { ...properties }, ...options }
  },
  /** An object of any names, or of the names that the pattern allows. */
  Record: ({ pattern = '^.*$' }: { readonly pattern?: string }, value: Document, options?: Document) => ({
    type: 'object',
    patternProperties: { [pattern]: value },
    ...options,
  }),
  Optional: (schema: Document) => {
    const copy = { ...schema }
    optional.add(copy)
    return copy
  },
  Unsafe: (schema: Document) => schema,
}

export const Type = made as unknown as Pick<typeof Typebox, keyof typeof made>
