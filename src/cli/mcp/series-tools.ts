// Tools about series of figures: finding one, its values, and its values as they stood.

import { versionTags } from '../../core/series/series.ts'
import { formatDay } from '../../core/time/day.ts'
import { firstDayOf, frequencies, parsePeriod } from '../../core/time/period.ts'
import { Type } from '../../formats/json-schema.ts'
import { ToolError } from './ask.ts'
import { bounds, type Call, cursorInput, knownAtInput, listRows, nullable, optional, row, text, tool } from './tool.ts'

const seriesRow = row({
  id: Type.String(),
  series: Type.String({ description: 'The name that formulas use: PROVIDER/code' }),
  name: Type.String({ description: 'In the words of the provider' }),
  unit: Type.String(),
  frequency: Type.String(),
  updatedAt: Type.String({ description: 'When something of it was last recorded' }),
})

const findSeries = tool({
  name: 'find_series',
  title: 'Find a series',
  description:
    'Finds published index series that this workspace follows, by part of their name or code. Series are named PROVIDER/code, such as BLS/WPU101.',
  input: {
    text: optional(text('Part of the name or code, in any case')),
    frequency: optional(Type.Enum([...frequencies], { description: 'Only series of this frequency' })),
    cursor: cursorInput,
  },
  output: Type.Array(seriesRow),
  run: ({ text: q, frequency, cursor }, call) =>
    listRows(call, '/ext/v1/series', { query: { q, frequency }, cursor, shape: seriesRow }),
})

const seriesInput = text('The id of a series, or its name PROVIDER/code, from find_series')
const range = {
  from: optional(text('First day, YYYY-MM-DD')),
  to: optional(text('Last day, YYYY-MM-DD')),
  last: optional(
    Type.Integer({
      minimum: 1,
      maximum: bounds.rows,
      description: 'The newest so many periods, in place of from and to',
    }),
  ),
}
interface Range {
  readonly from?: string
  readonly to?: string
  readonly last?: number
}

const header = { series: Type.String(), name: Type.String(), unit: Type.String(), frequency: Type.String() }
const period = Type.String({ description: 'The period that the value describes: 2024-03, 2024-Q1' })
const value = Type.String({ description: 'The digits as published' })
const version = Type.Enum([...versionTags], { description: 'How far the provider had come with it' })

const seriesValues = tool({
  name: 'series_values',
  title: 'Values of a series',
  description:
    'The values of a series, one per period, ascending: those that are known now. Without a range the newest 12. For what had been published by an earlier day, use as_it_stood.',
  input: {
    series: seriesInput,
    ...range,
    version: optional(Type.Enum([...versionTags], { description: 'Only values with this tag' })),
    cursor: cursorInput,
  },
  output: row({ ...header, values: Type.Array(row({ period, value, version })) }),
  async run({ series, version: only, cursor, ...asked }, call) {
    const found = await findOne(call, series)
    const { values, next } = await readValues(call, found.id, { ...slice(asked, cursor), version: only })
    return { data: { ...found.header, values }, cursor: next }
  },
})

const asItStood = tool({
  name: 'as_it_stood',
  title: 'A series as it stood',
  description:
    'The values of a series as they stood at an earlier moment, each beside the value of today: by what the provider had published (publishedBy), or by what was recorded here (recordedBy). Use it to see what an invoice or a signature could have known.',
  input: {
    series: seriesInput,
    publishedBy: optional(text('YYYY-MM-DD, to its end in UTC, or an instant such as 2024-05-01T09:00:00Z')),
    recordedBy: knownAtInput,
    ...range,
    cursor: cursorInput,
  },
  output: row({
    ...header,
    values: Type.Array(
      row({
        period,
        value,
        version,
        valueNow: nullable('The digits of today; null where the provider has withdrawn it'),
        versionNow: nullable('Its tag today'),
      }),
    ),
  }),
  async run({ series, publishedBy, recordedBy, cursor, ...asked }, call) {
    if (publishedBy === undefined && recordedBy === undefined)
      throw new ToolError('Say at which moment: publishedBy or recordedBy.')
    const found = await findOne(call, series)
    const then = await readValues(call, found.id, {
      knownAt: recordedBy,
      ...slice(asked, cursor),
      asOf: publishedBy,
    })
    const days = { from: then.firstDay, to: then.lastDay }
    const now = then.values.length === 0 ? then : await readValues(call, found.id, { ...days, limit: bounds.rows })
    const today = new Map(now.values.map(each => [each.period, each]))
    const values = then.values.map(each => {
      const { value: valueNow = null, version: versionNow = null } = today.get(each.period) ?? {}
      return { ...each, valueNow, versionNow }
    })
    return { data: { ...found.header, values }, cursor: then.next }
  },
})

interface FoundSeries {
  readonly id: string
  readonly series: string
  readonly name: string
  readonly unit: string
  readonly frequency: string
}

/** v1 knows a series by its id; assistants also have the name that formulas use. */
async function findOne(call: Call, wanted: string) {
  const isId = wanted.startsWith('ser_') && !wanted.includes(',')
  const [path, query] = isId
    ? (['/ext/v1/values', { series: wanted }] as const)
    : (['/ext/v1/series', { code: wanted }] as const)
  const { data } = await call.read<{ readonly data: readonly FoundSeries[] }>(path, query)
  if (data[0] === undefined)
    throw new ToolError('This workspace has no series of this name. find_series finds names by a part of them.')
  const { id, series, name, unit, frequency } = data[0]
  return { id, header: { series, name, unit, frequency } }
}

/** Page that a cursor names, or the first one. */
function slice({ from, to, last }: Range, cursor: string | undefined) {
  if (last !== undefined && (from !== undefined || to !== undefined || cursor !== undefined))
    throw new ToolError('last is given alone, without from, to or a cursor.')
  const place = cursor === undefined ? null : /^(\d{4}-\d{2}-\d{2})\.(\S+)$/.exec(cursor)
  if (cursor !== undefined && place === null) throw new ToolError('This cursor is not one of this tool.')
  if (place !== null) return { from: place[1], to, limit: bounds.rows, knownAt: place[2] }
  if (from === undefined && to === undefined) return { last: last ?? usualLast }
  return { from, to, limit: bounds.rows }
}

const usualLast = 12

interface Header {
  readonly data: readonly { readonly period: string; readonly value: string; readonly version: Tag }[]
}
type Tag = (typeof versionTags)[number]

async function readValues(call: Call, id: string, query: Readonly<Record<string, string | number | undefined>>) {
  const path = `/v1/series/${encodeURIComponent(id)}/values`
  const { text: body, next } = await call.ask(path, { query: { ...query, view: 'summary' } })
  const { data } = JSON.parse(body) as Header
  const values = data.map(each => ({ period: each.period, value: each.value, version: each.version }))
  return {
    values,
    firstDay: firstDayIn(values[0]),
    lastDay: firstDayIn(values.at(-1)),
    next: next === null ? null : `${next.get('from')}.${next.get('knownAt')}`,
  }
}

function firstDayIn(found: { readonly period: string } | undefined): string | undefined {
  const label = found === undefined ? null : parsePeriod(found.period)
  return label === null ? undefined : formatDay(firstDayOf(label))
}

export const seriesTools = [findSeries, seriesValues, asItStood]
