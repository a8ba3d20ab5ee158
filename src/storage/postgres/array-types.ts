// Arrays of PostgreSQL as text, for the kinds of elements that our schema and our queries use. The driver would look the kinds
// up in the catalogue of the server on every new connection; those of PostgreSQL itself have fixed numbers.

/** One kind of array: how the driver recognises it, reads it and writes it. */
export interface ArrayType {
  readonly to: number
  readonly from: number[]
  readonly serialize: (value: unknown) => unknown
  readonly parse: (text: string) => unknown
}

/** How one element is read from its text and written as one. */
export interface ElementForm {
  readonly read: (text: string) => unknown
  readonly write: (value: unknown) => string
}

/** The array's number by the kind of its elements. */
export const arrayOids = {
  boolean: 1000,
  bytea: 1001,
  char: 1002,
  name: 1003,
  int2: 1005,
  int4: 1007,
  text: 1009,
  varchar: 1015,
  int8: 1016,
  float4: 1021,
  float8: 1022,
  oid: 1028,
  timestamp: 1115,
  date: 1182,
  timestamptz: 1185,
  numeric: 1231,
  uuid: 2951,
} as const

export type ElementKind = keyof typeof arrayOids

const asText: ElementForm = { read: text => text, write: String }
const asNumber: ElementForm = { read: Number, write: String }

/** Those that are the same wherever they are used. */
const forms: Partial<Record<ElementKind, ElementForm>> = {
  boolean: { read: text => text === 't', write: value => (value === true ? 't' : 'f') },
  bytea: {
    read: text => Buffer.from(text.slice(2), 'hex'),
    write: value => `\\x${Buffer.from(value as Uint8Array).toString('hex')}`,
  },
  int2: asNumber,
  int4: asNumber,
  oid: asNumber,
}

/** For the driver's option `types`. Elements that are not given are numbers where they are small and whole, and text otherwise. */
export function arrayTypes(own: Partial<Record<ElementKind, ElementForm>> = {}): Record<string, ArrayType> {
  const kinds = Object.entries(arrayOids) as [ElementKind, number][]
  return Object.fromEntries(
    kinds.map(([kind, oid]) => {
      const { read, write } = own[kind] ?? forms[kind] ?? asText
      const serialize = (value: unknown) => (Array.isArray(value) ? writeArray(value, write) : value)
      return [`${kind}s`, { to: oid, from: [oid], serialize, parse: text => readArray(text, read) }]
    }),
  )
}

/** Every element in quotes, so that none can be taken for another or for null. */
function writeArray(values: readonly unknown[], write: ElementForm['write']): string {
  const elements = values.map(value => {
    if (value === undefined) throw new Error('an array for the database has an undefined element')
    if (value === null) return 'null'
    if (Array.isArray(value)) return writeArray(value, write)
    return `"${write(value).replace(/["\\]/g, '\\$&')}"`
  })
  return `{${elements.join(',')}}`
}

/** An element in quotes, a brace, or an element without quotes; commas are between them. */
const token = /"((?:[^"\\]|\\.)*)"|[{}]|[^{},"]+/gs

function readArray(text: string, read: ElementForm['read']): unknown[] {
  // `[2:3]={…}`: an array that does not begin at 1.
  const body = text.startsWith('[') ? text.slice(text.indexOf('=') + 1) : text
  const outermost: unknown[] = []
  const open = [outermost]
  for (const [whole, quoted] of body.matchAll(token)) {
    if (quoted !== undefined) open.at(-1)!.push(read(quoted.replace(/\\(.)/gs, '$1')))
    else if (whole === '{') {
      const inner: unknown[] = []
      open.at(-1)!.push(inner)
      open.push(inner)
    } else if (whole === '}') open.pop()
    else open.at(-1)!.push(whole === 'NULL' ? null : read(whole))
  }
  return outermost[0] as unknown[]
}
