// The JSON Schema of a formula document, made from the tables of keys that the checks use: an editor with it offers the keys
// and marks unknown ones as you type. Rules that involve more than one key are left to the checks.
import { clauseKeys } from './check/check-clause.ts'
import {
  contractKeys,
  correctionsKeys,
  documentKeys,
  paramKeys,
  partyKeys,
  resultKeys,
  stepKeys,
  tableKeys,
} from './check/document-keys.ts'
import { roundingKeys } from './check/fields.ts'
import { inputKeys } from './check/input-keys.ts'
import type { KeySpec, ValueKind } from './check/keys.ts'
import { formulaEdition } from './formula.ts'

type Schema = { readonly [key: string]: unknown }

/** Every key of a document, at every level. */
export function allKeys(): readonly KeySpec[] {
  return [
    ...documentKeys,
    ...contractKeys,
    ...partyKeys,
    ...inputKeys,
    ...paramKeys,
    ...tableKeys,
    ...clauseKeys(),
    ...stepKeys,
    ...resultKeys,
    ...correctionsKeys,
  ]
}

export function documentSchema(): Schema {
  const root = treeOf(allKeys())
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Assize formula document, edition ${formulaEdition}`,
    description: 'An agreement: contract, inputs, and the clause or the steps that make a price of them.',
    ...mappingOf(root),
    $defs: { rounding: roundingSchema() },
  }
}

/** A place in a document: its own key, the places under it by name, and the place for any other name or number. */
interface KeyTree {
  spec: KeySpec | null
  readonly named: Map<string, KeyTree>
  any: KeyTree | null
}

function emptyPlace(): KeyTree {
  return { spec: null, named: new Map(), any: null }
}

function treeOf(specs: readonly KeySpec[]): KeyTree {
  const root = emptyPlace()
  for (const spec of specs) {
    let place = root
    for (const part of spec.path.split('.')) place = under(place, part)
    place.spec = spec
  }
  return root
}

function under(place: KeyTree, part: string): KeyTree {
  if (part === '*') {
    place.any ??= emptyPlace()
    return place.any
  }
  const known = place.named.get(part)
  if (known !== undefined) return known
  const made = emptyPlace()
  place.named.set(part, made)
  return made
}

function schemaOf(place: KeyTree): Schema {
  const { spec } = place
  if (spec === null) return contentsOf(place)
  const common = { title: spec.label, description: spec.help }
  return { ...common, ...schemaOfValue(spec.value, place), ...(spec.otherwise === undefined ? {} : defaultOf(spec)) }
}

/** The content of a place that has no key of its own: `inputs.*`, the rows of a table. */
function contentsOf(place: KeyTree): Schema {
  return place.named.size > 0 ? mappingOf(place) : listOf(place)
}

function mappingOf({ named }: KeyTree): Schema {
  const required = [...named].filter(([, { spec }]) => spec?.required === true).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries([...named].map(([name, place]) => [name, schemaOf(place)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

function listOf({ any }: KeyTree): Schema {
  return { type: 'array', items: any === null ? {} : schemaOf(any) }
}

const decimalText = { type: 'string', pattern: '^[+-]?[0-9]+(\\.[0-9]+)?$' }
const decimal = { anyOf: [{ type: 'number' }, decimalText] }
const day = { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }
const span = {
  anyOf: [{ type: 'string', pattern: '^-?[0-9]+( (day|week|month|quarter|year)s?)?$' }, { const: 0 }],
}
const paramName = { type: 'string', pattern: '^[A-Za-z_]' }
const plainText = { type: 'string' }

function schemaOfValue(value: ValueKind, place: KeyTree): Schema {
  switch (value.kind) {
    case 'text':
      return orContents(plainText, place)
    case 'series':
      return plainText
    case 'day':
      return day
    case 'days':
      return { type: 'array', items: day, minItems: 1 }
    case 'span':
      return span
    case 'window':
      return orContents(plainText, place)
    case 'base':
      return orContents({ type: ['string', 'integer'] }, place)
    case 'missing':
      return orContents({ enum: ['BLOCK', 'LAST_KNOWN'] }, place)
    case 'rounding':
      return { $ref: '#/$defs/rounding' }
    case 'truth':
      return { type: 'boolean' }
    case 'whole':
      return { type: 'integer', minimum: value.least, maximum: value.most }
    case 'number':
      return orContents(value.param ? { anyOf: [...decimal.anyOf, paramName] } : decimal, place)
    case 'choice':
      return { oneOf: value.choices.map(({ value: chosen, words }) => ({ const: chosen, description: words })) }
    case 'mapping':
      return mappingOf(place)
    case 'list':
      return listOf(place)
    case 'names':
      return { type: 'object', additionalProperties: place.any === null ? decimal : schemaOf(place.any) }
    case 'texts':
      return { anyOf: [plainText, { type: 'array', items: plainText }] }
  }
}

/** A plain value; or also a mapping or list, if the tables have keys under it. */
function orContents(plain: Schema, place: KeyTree): Schema {
  if (place.named.size === 0 && place.any === null) return plain
  return { anyOf: [plain, contentsOf(place)] }
}

function defaultOf({ value, otherwise }: KeySpec): Schema {
  if (value.kind === 'truth') return { default: otherwise === 'true' }
  if (value.kind === 'whole') return { default: Number.parseInt(otherwise!, 10) }
  return { default: otherwise }
}

function roundingSchema(): Schema {
  return {
    description: 'How a number is rounded.',
    anyOf: [{ const: 'NONE', description: 'written down that nothing is rounded' }, mappingOf(treeOf(roundingKeys))],
  }
}
