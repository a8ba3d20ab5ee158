// Shape of every answer of v1, for the description, its examples and the fuzz test over it; handlers write their bytes themselves,
// and tests compare real answers with these schemas. Shapes are exact: an extra field is as wrong as a missing one.

import type { Static } from 'typebox'
import { statuses } from '../../core/formula/formula.ts'
import {
  resultFields as coreResult,
  frequency,
  receipt,
  receiptBody,
  versionTag,
} from '../../core/receipt/receipt-schema.ts'
import { dataTypes, seriesProviders, versionTags } from '../../core/series/series.ts'
import { Type } from '../../formats/json-schema.ts'
import {
  carried,
  count,
  day,
  decimal,
  described,
  describedFields,
  exact,
  firstInstant,
  identifier,
  microseconds,
  milliseconds,
  oneOf,
  orNull,
  periodLabel,
  published,
  text,
} from './schema-parts.ts'

const Health = exact('That the service runs.', {
  status: Type.Literal('ok', { type: 'string', description: 'Always `ok`' }),
  version: Type.Literal('v1', { type: 'string', description: 'The version of the API' }),
  timestamp: milliseconds('The server’s clock'),
})

const ErrorBody = exact('What went wrong, in one sentence for people.', {
  error: text('Names the thing, the rule and what was sent'),
})

const VersionTag = described(versionTag)
const Frequency = described(frequency)
const Provider = oneOf(seriesProviders, 'Who publishes the series; `CUSTOM` for a workspace’s own')
const DataType = oneOf(dataTypes, 'What the figures are')
const PamStatus = oneOf(statuses, 'Only what is ACTIVE can be signed')

const Pagination = exact('The position of a page in its list.', {
  limit: count('Items per page, as asked for or by default', 1),
  hasMore: Type.Boolean({ description: 'Whether there is a further page' }),
  nextCursor: orNull(Type.String(), 'Give it back as `cursor` for the next page; null on the last one'),
})

const seriesId = identifier('ser', 'Identifier of the series')
const seriesCode = text('The provider’s code')
const seriesName = text('Name of the series')
const unit = text('Unit and base period, in words; may be empty')

const Series = exact('A series of index values.', {
  id: seriesId,
  seriesCode,
  name: seriesName,
  provider: Provider,
  dataType: DataType,
  unit,
  frequency: Frequency,
  createdAt: milliseconds('When the series was first stored here'),
})
const SeriesList = exact('A page of series.', { data: Type.Array(Series), pagination: Pagination })
const SeriesHeader = exact('The series the values belong to.', {
  id: seriesId,
  seriesCode,
  name: seriesName,
  unit,
  frequency: Frequency,
})

const Observation = exact('The value of one period.', {
  asOfDate: firstInstant('First instant of the period the value describes'),
  value: published('The digits as they were published, as text'),
  versionTag: VersionTag,
})
const total = count('How many match, on this page or not')
const Values = exact('Observations of a series, one per period, ascending.', {
  series: SeriesHeader,
  data: Type.Array(Observation),
  total,
})
const SummaryObservation = exact('The value of one period, in the short form of `view=summary`.', {
  period: periodLabel('The period in its own notation: 2024-03, 2024-Q1, 2024-H1, 2024, 2024-W05, 2024-03-15'),
  value: published('The digits as they were published, as text'),
  version: VersionTag,
  asOf: day('The day at the end of which this was the value: the requested cut, or today in UTC'),
})
const SummaryValues = exact('Observations with `view=summary`.', {
  series: SeriesHeader,
  data: Type.Array(SummaryObservation),
  total,
})

const Vintage = exact('One value of one period as it was published once.', {
  asOfDate: firstInstant('First instant of the period the value describes'),
  value: orNull(published('The digits as published'), 'The digits as they were published; null for a withdrawal'),
  versionTag: orNull(VersionTag, 'null for a withdrawal'),
  flag: orNull(Type.String(), 'The provider’s own mark, as it came'),
  publishedAt: microseconds('When the provider published it; the first instant of the day where only that is known'),
  recordedAt: microseconds('When this service stored it; as `knownAt` it includes this vintage'),
})
const Vintages = exact('Every vintage of every period, by period, newest last.', {
  series: SeriesHeader,
  data: Type.Array(Vintage),
})

const summaryFields = {
  id: identifier('pam', 'Identifier; the slug works in its place in every path'),
  name: text('Name of the agreement'),
  description: text('What it is about; may be empty'),
  status: PamStatus,
  createdAt: milliseconds('When it was first applied'),
  updatedAt: milliseconds('When its formula, name or status last changed'),
}
const PamSummary = exact('An agreement.', summaryFields)
const PamList = exact('A page of agreements.', { data: Type.Array(PamSummary), pagination: Pagination })
const PamDetail = exact('An agreement with its contract’s calendar.', {
  ...summaryFields,
  contractStartDate: firstInstant('First day of the contract'),
  contractEndDate: orNull(firstInstant('Last day'), 'Last day of the contract; null while it is open-ended'),
  adjustmentFrequency: Type.String({
    description: 'How often the price is adjusted',
    pattern: '^(DAILY|WEEKLY|MONTHLY|QUARTERLY|SEMIANNUAL|ANNUAL|ONCE|EVERY_[1-9]\\d*_(MONTHS|WEEKS)|DATES)$',
  }),
})
const Pam = exact('One agreement.', { data: PamDetail })

const pctWords = 'Adjustment of this period, percent; null for the one period after a price of 0'

const PamValue = exact('One computed adjustment.', {
  adjustmentDate: firstInstant('The day it takes effect'),
  adjustmentPct: orNull(decimal('Percent'), pctWords),
  cumulativePct: decimal('Adjustment since the start of the contract, percent, compounded'),
})
const PamValues = exact('Every computed adjustment in the range, ascending.', { data: Type.Array(PamValue) })

const dataVersion = Type.Enum([...versionTags], {
  type: 'string',
  description: 'The weakest of the data used: any PRELIMINARY, else any REVISED, else FINAL',
})
const formulaVersion = count('Version of the formula used', 1)
const period = Type.String({
  description: 'Label of the period; 2024-Q3.2 is the second adjustment in 2024-Q3',
  pattern: '^\\d{4}(-(Q[1-4]|H[12]|W\\d{2}|\\d{2}(-\\d{2})?))?(\\.[1-9]\\d*)?$',
})

const Component = exact('What one series did.', {
  series: text('Name of the series'),
  weight: Type.Number({ description: 'Its share of the price, as a fraction of 1, as the formula writes it' }),
  change: Type.Number({ description: 'Percent change of its reading against the base, before weighting' }),
})
const Confirmed = exact('Who has signed exactly this number; null for a party that has not.', {
  buyer: orNull(day('The day'), 'The day the buyer signed'),
  supplier: orNull(day('The day'), 'The day the supplier signed'),
})
const Adjustment = exact('The adjustment of one period.', {
  period,
  adjustmentPct: orNull(Type.Number({ description: 'Percent' }), pctWords),
  cumulativeAdjustmentPct: Type.Number({ description: 'Adjustment since the start of the contract, percent' }),
  dataVersion,
  formulaVersion,
  confirmed: Confirmed,
  components: Type.Array(Component, { description: 'One for each weighted series' }),
})

const input = text('The input’s name in the formula')
const reference = text('The series, as `PROVIDER/code`')
const componentFields = {
  input,
  series: reference,
  weight: published('As the formula writes it'),
  change: decimal('Percent change against the base'),
  contribution: decimal('Percentage points it gave'),
}
const visibleSeriesId = orNull(seriesId, 'Its identifier; null for one your workspace does not see any more')
const resultFields = describedFields(coreResult)
const CalculationEntry = exact('An adjustment with its whole calculation. Decimals are text.', {
  ...resultFields,
  currency: Type.Optional(text('Of the price, where there is one')),
  unit: Type.Optional(text('What the price is for, such as `piece` or `kg`; may be empty')),
  per: Type.Optional(published('How many of the unit: `100` for a price per 100 kg')),
  confirmed: Confirmed,
  components: Type.Array(exact('What one input gave.', { ...componentFields, seriesId: visibleSeriesId })),
  steps: Type.Array(
    exact('A line of the worksheet.', {
      name: text('Its name'),
      value: carried('The carried value; cut with … if it has more than 30 digits'),
      shown: Type.Optional(carried('As the contract prints it')),
    }),
  ),
  observations: Type.Array(
    exact('A value that was read.', {
      input,
      series: reference,
      seriesId: visibleSeriesId,
      period: periodLabel('The period it describes'),
      value: published('The digits as published'),
      version: VersionTag,
      published: text('When it was published: a day, or an instant'),
      recorded: Type.Optional(microseconds('When this service stored it')),
    }),
  ),
})
const Calculation = exact('The answer of `view=calculation`, the shape of `assize adjustment --json`.', {
  pam: text('The slug'),
  formulaVersion: count('The newest version of the formula', 1),
  adjustments: Type.Array(CalculationEntry),
  blocked: Type.Array(exact('A period that cannot be computed.', { period, reason: text('What it lacks') })),
})

const ReceiptBody = described(receiptBody)
const Receipt = described(receipt)

/** Schemas by the names that routes and the description use. */
export const schemas = {
  SeriesList,
  Series,
  Values,
  SummaryValues,
  SeriesHeader,
  Observation,
  SummaryObservation,
  Vintages,
  Vintage,
  PamList,
  PamSummary,
  Pam,
  PamDetail,
  PamValues,
  PamValue,
  Adjustment,
  Component,
  Confirmed,
  Calculation,
  CalculationEntry,
  Receipt,
  ReceiptBody,
  Pagination,
  VersionTag,
  Frequency,
  Provider,
  DataType,
  PamStatus,
  Health,
  Error: ErrorBody,
} as const

export type SchemaName = keyof typeof schemas
/** The type of an answer, for callers in TypeScript: `Wire<'SeriesList'>`. */
export type Wire<N extends SchemaName> = Static<(typeof schemas)[N]>
