// The shape of every answer of /ext/v1: for the description, the columns of CSV, and the tests that compare real answers with
// it. Shapes are exact. Numbers are decimals as text.
import Type, { type Static } from 'typebox'
import { priceStatuses } from '../../core/prices/agreement.ts'
import {
  count,
  day,
  decimal,
  exact,
  identifier,
  microseconds,
  oneOf,
  orNull,
  periodLabel,
  published,
  text,
} from '../v1/schema-parts.ts'
import { schemas as v1 } from '../v1/schemas.ts'
import { changeKinds } from './change-kinds.ts'

const { Pagination, VersionTag, Frequency, Provider, DataType, Error: ErrorBody } = v1

const reference = text('As formulas name it: `PROVIDER/code`')

const Series = exact('A series, with the name formulas use and when it last changed.', {
  ...v1.Series.properties,
  series: reference,
  updatedAt: microseconds('When its newest vintage or its name was recorded'),
})
const SeriesList = exact('A page of series.', { data: Type.Array(Series), pagination: Pagination })

const value = {
  period: periodLabel('The period it describes'),
  value: published('The digits as published'),
  versionTag: VersionTag,
  publishedAt: microseconds('When it was published'),
}
const seriesFields = {
  id: identifier('ser', 'Identifier of the series'),
  series: reference,
  name: text('Name of the series'),
  unit: text('Unit and base period, in words; may be empty'),
  frequency: Frequency,
}
const Value = exact('The value of one period.', value)
const SeriesValues = exact('A series with its newest values.', {
  ...seriesFields,
  values: Type.Array(Value, { description: 'Ascending by period' }),
})
const ValuesList = exact('The newest values of many series, in the order asked.', { data: Type.Array(SeriesValues) })
/** A row of CSV: there is one per value. */
export const ValueRow = exact('A value with its series: a row of CSV.', { ...seriesFields, ...value })

const rowStatuses = [...priceStatuses, 'BLOCKED'] as const
const AdjustmentRow = exact('The number of one agreement in one period, or why it has none.', {
  id: identifier('pam', 'Identifier of the agreement'),
  slug: text('In addresses and documents'),
  name: text('Name of the agreement'),
  period: text('Label of the period; `start` before the first adjustment'),
  adjustmentDate: day('The day it takes effect; of `start` the first day of the contract'),
  adjustmentPct: orNull(
    decimal('Percent'),
    'Adjustment of the period; null where blocked, and where the price before was 0',
  ),
  cumulativePct: orNull(decimal('Percent'), 'Adjustment since the start of the contract; null where blocked'),
  factor: orNull(decimal('Factor'), 'Settled price ÷ price at the start, with up to 12 decimals; null where blocked'),
  price: orNull(Type.String(), 'The settled price of the contract; null where it has none'),
  currency: orNull(Type.String(), 'Of the price'),
  per: orNull(published('How many'), 'How many of the unit the price is for'),
  unit: orNull(Type.String(), 'What the price is for; may be empty'),
  dataVersion: orNull(VersionTag, 'The lowest data version used; null where nothing was read'),
  formulaVersion: count('The formula version that gives it', 1),
  status: oneOf(rowStatuses, 'Who has signed this number; BLOCKED where there is none'),
  confirmed: v1.Confirmed,
  receiptHash: orNull(
    Type.String({ pattern: '^[0-9a-f]{64}$' }),
    'The hash that the parties sign; null for `start` and where blocked',
  ),
  nextDate: orNull(day('The day'), 'The next adjustment date of the calendar; null where there is none'),
  updatedAt: microseconds('When the newest fact was recorded that the row rests on'),
  reason: orNull(Type.String(), 'Why there is no number; null where there is one'),
})
const AdjustmentList = exact('A page of agreements, by slug.', {
  data: Type.Array(AdjustmentRow),
  pagination: Pagination,
})

const NewVintage = exact('A value as it was published once.', {
  seriesId: seriesFields.id,
  series: reference,
  period: value.period,
  value: orNull(published('The digits'), 'The digits as published; null where the provider withdrew the period'),
  versionTag: orNull(VersionTag, 'Null with a withdrawal'),
  flag: orNull(Type.String(), 'The provider’s own mark'),
  publishedAt: value.publishedAt,
  recordedAt: microseconds('When it was recorded here'),
})
const FeedPagination = exact('Where a page stands in its feed.', {
  ...Pagination.properties,
  nextCursor: Type.String({ description: 'Where to go on, now or later; always there' }),
})
const VintageList = exact('New vintages, in the order they were recorded.', {
  data: Type.Array(NewVintage),
  pagination: FeedPagination,
})

const Change = exact('Something that happened.', {
  id: identifier('chg', 'Of this change, for this workspace'),
  at: microseconds('When it was recorded'),
  kind: oneOf(changeKinds, 'What happened'),
  subject: text(
    'What it happened to: the id of a series or an agreement, of an invoice `supplier/number`; for names in receipts, the id of who has the name',
  ),
  periods: orNull(
    Type.Array(Type.String()),
    'The labels of the periods touched; null for all of them, or more than 100',
  ),
  pams: Type.Array(Type.String(), { description: 'The slugs of every agreement whose numbers or terms it can move' }),
})
const ChangeList = exact('What happened, in order.', { data: Type.Array(Change), pagination: FeedPagination })

/** By the names that routes and the description use. */
export const schemas = {
  SeriesList,
  Series,
  ValuesList,
  SeriesValues,
  Value,
  AdjustmentList,
  AdjustmentRow,
  VintageList,
  NewVintage,
  ChangeList,
  Change,
  FeedPagination,
  Confirmed: v1.Confirmed,
  VersionTag,
  Pagination,
  Frequency,
  Provider,
  DataType,
  Error: ErrorBody,
} as const

export type SchemaName = keyof typeof schemas
/** The type of an answer, for callers in TypeScript: `ExtWire<'SeriesList'>`. */
export type ExtWire<N extends SchemaName> = Static<(typeof schemas)[N]>
