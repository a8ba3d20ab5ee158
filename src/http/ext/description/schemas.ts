// Shape of every answer of /ext/v1: for the description, the columns of CSV, and the tests that compare real answers with it.
// Shapes are exact. Numbers are decimals as text.

import type { Static } from 'typebox'
import { outcomes } from '../../../core/invoices/check-row.ts'
import { reasonCodes } from '../../../core/invoices/hypotheses.ts'
import { lineKinds } from '../../../core/invoices/invoice-line.ts'
import { differenceCodes } from '../../../core/invoices/ledger-differences.ts'
import { priceStatuses } from '../../../core/prices/agreement.ts'
import { Type } from '../../../formats/json-schema.ts'
import { leftOutReasons } from '../../../formats/price-files/price-export.ts'
import { limits } from '../../../limits.ts'
import { changeKinds } from '../../../read/change-kinds.ts'
import {
  count,
  day,
  decimal,
  exact,
  hexHash,
  identifier,
  microseconds,
  oneOf,
  orNull,
  periodLabel,
  published,
  text,
} from '../../v1/schema-parts.ts'
import { schemas as v1 } from '../../v1/schemas.ts'
import { calendarSchemas } from './calendar-schemas.ts'
import { correctionSchemas } from './correction-schemas.ts'
import { dueSchemas } from './due-schemas.ts'
import { indexChangeSchemas } from './index-change-schemas.ts'
import { readingSchemas } from './reading-schemas.ts'
import { spliceSchemas } from './splice-schemas.ts'
import { trueUpSchemas } from './true-up-schemas.ts'

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
  price: orNull(decimal('Price'), 'The settled price of the contract; null where it has none'),
  currency: orNull(Type.String(), 'Of the price'),
  per: orNull(published('How many'), 'How many of the unit the price is for'),
  unit: orNull(Type.String(), 'What the price is for; may be empty'),
  dataVersion: orNull(VersionTag, 'The lowest data version used; null where nothing was read'),
  formulaVersion: count('The formula version that gives it', 1),
  status: oneOf(rowStatuses, 'Who has signed this number; BLOCKED where there is none'),
  confirmed: v1.Confirmed,
  receiptHash: orNull(hexHash('The hash'), 'The hash that the parties sign; null for `start` and where blocked'),
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
const FeedPagination = exact('The position of a page in its feed.', {
  ...Pagination.properties,
  nextCursor: Type.String({ description: 'The cursor of the next request, now or later; always present' }),
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
    'What it happened to: the id of a series, an agreement or a correction, of an invoice `supplier/number`; for names in receipts, the id of who has the name',
  ),
  periods: orNull(
    Type.Array(Type.String()),
    'The labels of the periods touched; null for all of them, or more than 100',
  ),
  pams: Type.Array(Type.String(), { description: 'The slugs of every agreement whose numbers or terms it can move' }),
})
const ChangeList = exact('What happened, in order.', { data: Type.Array(Change), pagination: FeedPagination })

const ProposedPrice = exact('A price that not both have signed, beside the one in force.', {
  period: text('Label of its period'),
  price: decimal('The price, for the `per` of the row'),
  status: oneOf(priceStatuses, 'Who has signed it'),
})
const priceFields = {
  agreement: text('The slug of the agreement'),
  item: text('The key of the item; the slug where the contract’s own price is the only one'),
  fromQuantity: published('The quantity from which on it is the price'),
  period: text('Label of the period; `start` before the first adjustment'),
  validFrom: day('The first day of the price'),
  validTo: orNull(day('The day'), 'The last day of its own period; null where no later date has come'),
  inForceUntil: orNull(
    day('The day'),
    'The last day on which it is in force: before the next date that both signed, or with the item or the contract; null where none of them is known, and where not both signed it',
  ),
  proposed: Type.Union([ProposedPrice, Type.Null()], {
    description:
      'On the row in force on the day asked for (today without one): the newest later price that not both have signed; null everywhere else',
  }),
  price: decimal('The price, rounded as the contract says'),
  per: published('How many of the unit the price is for'),
  unit: text('The unit; may be empty'),
  currency: text('The currency'),
  factor: decimal('The settled factor of the period, with up to 12 decimals; prices come from the exact one'),
  status: oneOf(priceStatuses, 'Who has signed the number shown: the weaker of period and base'),
  receiptHash: orNull(hexHash('The hash'), 'The hash that the parties sign; null for `start`'),
  listVersion: orNull(count('The version', 1), 'Version of the price list; null for the contract’s own price'),
}
const PriceRow = Type.Object(priceFields, {
  description:
    'The price of an item from a quantity on, in one period; and the keys that the item has in other systems, as `erp_…`.',
  patternProperties: { '^erp_': Type.String({ description: 'A key of the item in another system' }) },
  additionalProperties: false,
})
const PriceList = exact('A page of prices, by agreement, item, step and validity.', {
  data: Type.Array(PriceRow),
  pagination: Pagination,
})

const LeftOutRow = exact('What is not among the prices, and why.', {
  agreement: text('The slug of the agreement'),
  item: orNull(Type.String(), 'The key of the item; null for all of them'),
  period: orNull(Type.String(), 'Label of the period; null for all of them, or where its date has not come'),
  reason: oneOf(
    leftOutReasons,
    'BLOCKED: there is no number or no list; UNFIT: the file cannot have it; NOT_AGREED: not signed by those who must',
  ),
  why: text('A sentence for people'),
})
const LeftOutList = exact('A page of what is left out, by agreement.', {
  data: Type.Array(LeftOutRow),
  pagination: Pagination,
})

const optional = (description: string) => Type.Optional(orNull(Type.String(), description))
const LineToCheck = exact('A line of an invoice as it was billed. Numbers are decimals as text.', {
  invoice: text('Number of the invoice'),
  line: text('Number of the line'),
  supplier: optional('Whose invoice numbers these are; left out: the party that the agreement names'),
  agreement: optional('Slug or id; left out: found by `contractRef` or `item`'),
  contractRef: optional('A reference of the contract, its slug or its id'),
  item: optional('Key of the item; left out: the only one there is'),
  quantity: optional('A decimal; negative in a credit note'),
  unit: optional('The unit; left out: that of the item'),
  unitPrice: optional('A decimal; unit price or amount is needed'),
  per: optional('How many of the unit the unit price is for; left out: 1'),
  amount: optional('A decimal; left out: quantity × unit price ÷ per'),
  currency: optional('Three capital letters; left out: that of the contract'),
  date: optional('Day of the invoice'),
  serviceFrom: optional('First day of the service'),
  serviceTo: optional('Last day of the service'),
  orderDate: optional('Day of the order'),
  kind: optional(`One of ${lineKinds.join(', ')}; INVOICE unless written. CORRECTION is not checked`),
})
const LinesToCheck = exact('Lines of invoices.', {
  lines: Type.Array(LineToCheck, { maxItems: limits.ext.checkLines }),
})

const Reason = exact('A mistake that gives exactly the billed price.', {
  code: oneOf(reasonCodes, 'Which mistake'),
  sentence: text('The same in words'),
})
const Span = exact('Days of service under one price.', {
  period: text('Label of the period'),
  days: count('How many days', 1),
  price: decimal('The price'),
})
const money = (description: string) => orNull(decimal('Decimal'), description)
const CheckRow = exact('What the check says about one line. Every field is there, null where nothing is known.', {
  invoice: orNull(Type.String(), 'Number of the invoice'),
  line: orNull(Type.String(), 'Number of the line'),
  outcome: oneOf(outcomes, 'The outcome'),
  agreement: orNull(Type.String(), 'The slug of the agreement'),
  item: orNull(Type.String(), 'Key of the item'),
  period: orNull(Type.String(), 'Label of the period that is in force on its day'),
  status: orNull(oneOf(priceStatuses, 'The status'), 'Who has signed the number behind the price'),
  price: money('The price it should have; null where the service spans several'),
  billedPrice: money('The billed price for the item’s own `per` and unit; null where none is written'),
  priceDifference: money('Billed less ours'),
  amount: money('The amount it should have'),
  billedAmount: money('The billed amount'),
  difference: money('Billed less ours'),
  currency: orNull(Type.String(), 'The currency'),
  reason: Type.Union([Reason, Type.Null()], { description: 'The first mistake that explains the billed price' }),
  alsoPossible: Type.Array(Reason, { description: 'Other mistakes that explain it' }),
  message: orNull(
    Type.String(),
    'A sentence for UNKNOWN, OUTSIDE, BLOCKED, SPANS, contradictions, and wherever a period is not signed by both',
  ),
  contradiction: Type.Boolean({ description: 'Whether unit price and amount contradict each other' }),
  candidates: Type.Array(Type.String(), { description: 'Slugs, where the agreement is not clear' }),
  spans: Type.Array(Span, { description: 'The prices of a service that crosses an adjustment' }),
})
const sums = (description: string) =>
  Type.Record(Type.String({ pattern: '^[A-Z]{3}$' }), decimal('The sum'), { description })
const CheckSummary = exact('The check as a whole.', {
  lines: count('How many lines'),
  outcomes: Type.Record(Type.String({ pattern: '^[A-Z_]+$' }), count('How many lines', 1), {
    description: 'How many lines have each outcome',
  }),
  over: sums('By currency: the differences of OVER lines'),
  under: sums('By currency: the differences of UNDER lines, without their sign'),
})
const CheckAnswer = exact('One outcome for each line, in their order. Nothing was stored.', {
  data: Type.Array(CheckRow),
  summary: CheckSummary,
})

const written = (description: string) => orNull(published('Decimal'), description)
const InvoiceLine = exact('A kept line of an invoice.', {
  invoice: text('Number of the invoice'),
  line: text('Number of the line'),
  supplier: text('Whose invoice numbers these are'),
  agreement: text('The slug of the agreement'),
  contractRef: orNull(Type.String(), 'A reference of the contract'),
  item: orNull(Type.String(), 'Key of the item'),
  quantity: written('How many; negative in a credit note'),
  unit: orNull(Type.String(), 'The unit'),
  unitPrice: written('The unit price'),
  per: written('How many of the unit the unit price is for'),
  amount: written('The amount'),
  currency: orNull(Type.String(), 'The currency'),
  date: orNull(day('The day'), 'Day of the invoice'),
  serviceFrom: orNull(day('The day'), 'First day of the service'),
  serviceTo: orNull(day('The day'), 'Last day of the service'),
  orderDate: orNull(day('The day'), 'Day of the order'),
  kind: orNull(oneOf(lineKinds, 'The kind'), 'What kind of line it is'),
  id: identifier('inl', 'Identifier of the line'),
  period: orNull(Type.String(), 'Label of the period of its day; null outside the contract'),
  importedAt: microseconds('When it was imported'),
  reverses: orNull(identifier('inl', 'The line'), 'The line that this one reverses'),
  note: orNull(Type.String(), 'Of a correction: the id of the note that it bills'),
  difference: orNull(
    exact('Why a correction bills no note.', {
      code: oneOf(differenceCodes, 'The reason'),
      amount: decimal('As it counts in the ledger: owed less billed'),
      message: text('The reason as a sentence'),
    }),
    'Of a correction that bills no note; null for other lines, whose prices the check judges',
  ),
})
const InvoiceLineList = exact('A page of kept lines, by date, supplier, invoice and line.', {
  data: Type.Array(InvoiceLine),
  pagination: Pagination,
})

/** Schemas by the names that routes and the description use. */
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
  ...trueUpSchemas,
  ...calendarSchemas,
  ...dueSchemas,
  ...indexChangeSchemas,
  ...readingSchemas,
  FeedPagination,
  PriceList,
  PriceRow,
  ProposedPrice,
  LeftOutList,
  LeftOutRow,
  InvoiceLineList,
  InvoiceLine,
  CheckAnswer,
  CheckRow,
  CheckSummary,
  Reason,
  Span,
  LinesToCheck,
  LineToCheck,
  ...correctionSchemas,
  ...spliceSchemas,
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
