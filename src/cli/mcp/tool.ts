// A tool, and the bounds of every answer: at most 50 rows and 16 kB, with how to ask for the rest. Everything that comes from the
// server is under `data`; the other texts are fixed sentences of ours.

import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { Type } from '../../formats/json-schema.ts'
import { type Ask, type Asking, type Reply, ToolError } from './ask.ts'

export const bounds = { rows: 50, bytes: 16_384 } as const
/** Bytes for the rows; the rest of an answer is a cursor and sentences. */
export const roomForRows = bounds.bytes - 2_048

/** A tool's own requests; they end with its call. */
export interface Call {
  ask(path: string, asking?: Omit<Asking, 'signal'>): Promise<Reply>
  read<T>(path: string, query: NonNullable<Asking['query']>): Promise<T>
}

export function openCall(ask: Ask, signal: AbortSignal): Call {
  const call: Call = {
    ask: (path, asking = {}) => ask(path, { ...asking, signal }),
    read: async (path, query) => JSON.parse((await call.ask(path, { query })).text),
  }
  return call
}

interface Answered<T> {
  readonly data: T
  /** Place where the rest begins; null where this is all. */
  readonly cursor: string | null
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: TObject
  readonly output: TObject
  run(args: object, call: Call): Promise<Answered<unknown>>
}

export function tool<P extends TProperties, O extends TSchema>(spec: {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: P
  /** Schema of `data`. */
  readonly output: O
  run(args: Static<TObject<P>>, call: Call): Promise<Answered<Static<O>>>
}): Tool {
  return {
    ...spec,
    input: Type.Object(spec.input, { additionalProperties: false }),
    output: Type.Object({ data: spec.output, rest }, { additionalProperties: false }),
    run: (args, call) => spec.run(args as Static<TObject<P>>, call),
  }
}

const rest = Type.Union(
  [Type.Object({ cursor: Type.String(), how: Type.String() }, { additionalProperties: false }), Type.Null()],
  { description: 'How to ask for the rest; null where this is all' },
)

/** The answer as it is sent to the assistant. */
export function presentAnswer({ data, cursor }: Answered<unknown>) {
  const how = 'Call this tool again with the same arguments and this cursor.'
  return { data, rest: cursor === null ? null : { cursor, how } }
}

export const text = (description: string) => Type.String({ description, minLength: 1, maxLength: 400 })
export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema)
export const orNull = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })
export const nullable = (description: string) => orNull(Type.String(), description)
export const row = <P extends TProperties>(fields: P) => Type.Object(fields, { additionalProperties: false })
export const cursorInput = optional(text('The cursor of an earlier answer to the same arguments'))
export const agreementInput = text('The slug or id of an agreement, from find_agreements')
export const knownAtInput = optional(
  text('As recorded here at this moment: YYYY-MM-DD, to its end in UTC, or an instant such as 2024-05-01T09:00:00Z'),
)
export const agreementPath = (agreement: string, after: string) => `/pams/${encodeURIComponent(agreement)}${after}`

const longest = 300
const mostInside = 10

/** The fields of a row that its shape has, with long texts and lists inside it cut. */
export function pick<P extends TProperties>(shape: TObject<P>, from: object): Static<TObject<P>> {
  const names = Object.keys(shape.properties)
  const taken = names.flatMap(name => {
    const value = (from as Record<string, unknown>)[name]
    return value === undefined ? [] : [[name, cut(value, longest)]]
  })
  return Object.fromEntries(taken)
}

function cut(value: unknown, characters: number): unknown {
  if (typeof value === 'string') return value.length > characters ? `${value.slice(0, characters - 1)}…` : value
  if (Array.isArray(value)) return value.slice(0, mostInside).map(each => cut(each, characters))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cut(each, characters)]))
}

export const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** Number of first rows that are answered together. One row always is, whatever its length; `pick` has cut it. */
export function fitting(rows: readonly unknown[], room = roomForRows): number {
  let bytes = 0
  const end = rows.slice(0, bounds.rows).findIndex(each => {
    bytes += bytesOf(each) + 1
    return bytes > room
  })
  return end < 0 ? Math.min(rows.length, bounds.rows) : Math.max(end, 1)
}

interface Page {
  readonly data: readonly object[]
  readonly pagination: { readonly hasMore: boolean; readonly nextCursor: string | null }
}

/** Pages that are read for one answer: a filter may leave few rows of each. */
const mostPages = 5

/**
 * Rows of a list of `/ext/v1`. Where fewer rows fit than came, the page is asked for again with as many as fit: then the
 * server's own cursor is the place where the rest begins.
 */
export async function listRows<P extends TProperties>(
  call: Call,
  path: string,
  {
    query,
    cursor,
    shape,
    pageRows = bounds.rows,
    isWanted = () => true,
  }: {
    readonly query: NonNullable<Asking['query']>
    readonly cursor: string | undefined
    readonly shape: TObject<P>
    readonly pageRows?: number
    readonly isWanted?: (row: object) => boolean
  },
): Promise<Answered<Static<TObject<P>>[]>> {
  const rows: Static<TObject<P>>[] = []
  let place = cursor
  let limit = pageRows
  for (let pages = 0; pages < mostPages; ) {
    const page = await call.read<Page>(path, { ...query, limit, cursor: place })
    const wanted = page.data.map((each, at) => ({ each, at })).filter(({ each }) => isWanted(each))
    const together = [...rows, ...wanted.map(({ each }) => pick(shape, each))]
    const fits = fitting(together)
    if (fits < together.length) {
      if (fits <= rows.length) return { data: rows, cursor: place ?? null }
      limit = wanted[fits - rows.length - 1]!.at + 1
      continue
    }
    rows.push(...together.slice(rows.length))
    const { nextCursor } = page.pagination
    if (nextCursor === null || rows.length === bounds.rows || limit < pageRows)
      return { data: rows, cursor: nextCursor }
    place = nextCursor
    pages++
  }
  return { data: rows, cursor: place ?? null }
}

/** A place in a list that comes as a whole: the number of answered rows, and the tag of the list. */
export function readPlace(cursor: string | undefined, tag: string): number {
  if (cursor === undefined) return 0
  const [, offset, of] = /^(\d{1,6})\.(.*)$/s.exec(cursor) ?? []
  if (offset === undefined) throw new ToolError('This cursor is not one of this tool.')
  if (of !== tag)
    throw new ToolError('This has changed since the first part was answered. Ask again without the cursor.')
  return Number.parseInt(offset, 10)
}

export const formatPlace = (offset: number, tag: string) => `${offset}.${tag}`
