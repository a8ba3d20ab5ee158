// Arrays of PostgreSQL as text, for the kinds of elements that our schema and our queries use: those of PostgreSQL itself
// have fixed numbers.
import type { Parsers } from './connection.ts'

/** Reader of one element from its text. */
type ReadElement = (text: string) => unknown

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

type ElementKind = keyof typeof arrayOids

const asText: ReadElement = text => text

/** Readers that are the same wherever they are used. */
const readers: Partial<Record<ElementKind, ReadElement>> = {
  boolean: text => text === 't',
  bytea: text => Buffer.from(text.slice(2), 'hex'),
  int2: Number,
  int4: Number,
  oid: Number,
}

/**
 * Parsers by the array's number. Without a reader of their own, elements are numbers where they are small and whole, and text
 * otherwise.
 */
export function arrayParsers(own: Partial<Record<ElementKind, ReadElement>> = {}): Parsers {
  const kinds = Object.entries(arrayOids) as [ElementKind, number][]
  return new Map(
    kinds.map(([kind, oid]) => {
      const read = own[kind] ?? readers[kind] ?? asText
      return [oid, (text: string) => readArray(text, read)]
    }),
  )
}

/** An element in quotes, a brace, or an element without quotes; commas are between them. */
const token = /"((?:[^"\\]|\\.)*)"|[{}]|[^{},"]+/gs

function readArray(text: string, read: ReadElement): unknown[] {
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
