// Lists of /ext/v1, as JSON or CSV from the same rows: the columns follow from the schema of a row, so an added field becomes a
// column as well.
import type { TSchema } from 'typebox'
import { columnOf } from '../../core/text/sheet-text.ts'
import { type Cell, formatCsv } from '../../formats/sheet.ts'
import { type Answer, jsonAnswer, typedAnswer } from '../frame/answer.ts'
import { choiceParameter, countParameter, type Parameter } from '../frame/parameters.ts'
import type { AnswerFormat, ApiRequest } from './context.ts'
import { contentTag } from './encoded-answers.ts'

export const format = choiceParameter(
  'format',
  ['json', 'csv'] as const,
  'json or csv; wins over `Accept`',
) satisfies Parameter<AnswerFormat>

/** Limit parameter; left out, the largest allowed. */
export function pageLimit(most: number): Parameter<number> {
  return countParameter('limit', most, most, `At most this many, ${most} unless said otherwise`)
}

/** A placeholder among an answer's headers for the address of the next page; the pipeline writes `Link` from it. */
export const nextPage = 'next-page'

interface Page<Row> {
  readonly rows: readonly Row[]
  readonly limit: number
  readonly hasMore: boolean
  readonly nextCursor: string | null
  /** Fields of some rows only: columns of CSV under their own name, after the others. */
  readonly moreColumns?: readonly string[]
}

type ListRequest = Pick<ApiRequest<Record<string, never>>, 'path' | 'search' | 'accepted'> & {
  readonly query: { readonly format: AnswerFormat | null }
}

export function formatOf({ query, accepted }: ListRequest): AnswerFormat {
  return query.format ?? (accepted === 'csv' ? 'csv' : 'json')
}

/** `schema` describes a row of CSV, which may be flatter than one of JSON: then `csvRows` has those rows. */
export function listAnswer<Row, CsvRow = Row>(
  request: ListRequest,
  schema: TSchema,
  page: Page<Row>,
  csvRows: (rows: readonly Row[]) => readonly CsvRow[] = rows => rows as readonly unknown[] as readonly CsvRow[],
): Answer {
  const { rows, limit, hasMore, nextCursor, moreColumns } = page
  if (formatOf(request) === 'json') {
    const body = JSON.stringify({ data: rows, pagination: { limit, hasMore, nextCursor } })
    return jsonAnswer(body, contentTag(body))
  }
  return csvAnswer(schema, csvRows(rows), hasMore ? nextAddress(request, nextCursor!) : null, moreColumns)
}

export function csvAnswer(
  schema: TSchema,
  rows: readonly unknown[],
  next: string | null = null,
  moreColumns: readonly string[] = [],
): Answer {
  const more = moreColumns.map(name => ({
    name,
    cell: (row: unknown) => cellOf((row as Record<string, unknown>)[name] ?? null, false),
  }))
  const columns = [...columnsOf(schema as unknown as JsonSchema, '', value => value), ...more]
  const body = formatCsv({
    name: '',
    head: columns.map(({ name }) => name),
    rows: rows.map(row => columns.map(({ cell }) => cell(row))),
  })
  const headers = next === null ? [] : [nextPage, next]
  return typedAnswer('text/csv; charset=utf-8', body, { etag: contentTag(body), headers })
}

/** Address of the request with another cursor. A feed that was read from its start goes on from the cursor. */
function nextAddress({ path, search }: ListRequest, cursor: string): string {
  const kept = search.split('&').filter(pair => {
    const [name, value] = pair.split('=').map(decodeURIComponent)
    return pair !== '' && name !== 'cursor' && !(name === 'from' && value === 'start')
  })
  return `${path}?${[...kept, `cursor=${cursor}`].join('&')}`
}

interface JsonSchema {
  readonly type?: string
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
}

interface Column {
  readonly name: string
  readonly cell: (row: unknown) => Cell
}

/**
 * Columns of a schema: nested fields are prefixed with their parent's name; lists are joined by spaces; an object gives its first
 * field.
 */
function columnsOf(schema: JsonSchema, prefix: string, reach: (row: unknown) => unknown): Column[] {
  return Object.entries(schema.properties ?? {}).flatMap(([field, given]): Column[] => {
    const inner = withoutNull(given)
    const name = `${prefix}${columnOf(field)}`
    const value = (row: unknown) => (reach(row) as Record<string, unknown> | null)?.[field] ?? null
    if (inner.properties !== undefined) return columnsOf(inner, `${name}_`, value)
    if (inner.type === 'array') return [{ name, cell: row => joined(value(row)) }]
    const isFigure = /^\^(?:\[\+-\]|-)\?\\d\+/.test(inner.pattern ?? '')
    return [{ name, cell: row => cellOf(value(row), isFigure) }]
  })
}

function withoutNull(schema: JsonSchema): JsonSchema {
  return schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
}

function cellOf(value: unknown, isFigure: boolean): Cell {
  if (value === null) return null
  return isFigure ? { figure: String(value) } : String(value)
}

function joined(list: unknown): Cell {
  if (list === null) return null
  return (list as readonly unknown[])
    .map(item => (typeof item === 'object' && item !== null ? Object.values(item)[0] : item))
    .join(' ')
}
