// The shape of every answer of v1, for the description, its examples and the fuzz test over it; handlers write their
// bytes themselves, and tests compare real answers with these schemas. Shapes are exact: an extra field is as wrong as
// a missing one.
import Type, { type Static } from 'typebox'
import { controlWords } from '../../core/formula/controls/controls.ts'
import { statuses } from '../../core/formula/formula.ts'
import { dataTypes, seriesProviders, versionTags } from '../../core/series/series.ts'
import { frequencies } from '../../core/time/period.ts'
import { Objections } from './objection-schemas.ts'
import {
  carried,
  count,
  day,
  decimal,
  exact,
  firstInstant,
  fraction,
  hexHash,
  identifier,
  microseconds,
  milliseconds,
  oneOf,
  orNull,
  periodLabel,
  published,
  text,
} from './schema-parts.ts'
import { signerOrigin } from './signer-schema.ts'

const Health = exact('That the service runs.', {
  status: Type.Literal('ok', { type: 'string', description: 'Always `ok`' }),
  version: Type.Literal('v1', { type: 'string', description: 'The version of the API' }),
  timestamp: milliseconds('The server’s clock'),
})

const ErrorBody = exact('What went wrong, in one sentence for people.', {
  error: text('Names the thing, the rule and what was sent'),
})

const VersionTag = oneOf(
  versionTags,
  'PRELIMINARY: the provider marks the value so. FINAL: the first value without such a mark. REVISED: a value that changed after that.',
)
const Frequency = oneOf(frequencies, 'How long one period of the series is')
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
const PamSummary = exact('A price adjustment model.', summaryFields)
const PamList = exact('A page of price adjustment models.', { data: Type.Array(PamSummary), pagination: Pagination })
const PamDetail = exact('A price adjustment model with its contract’s calendar.', {
  ...summaryFields,
  contractStartDate: firstInstant('First day of the contract'),
  contractEndDate: orNull(firstInstant('Last day'), 'Last day of the contract; null while it is open-ended'),
  adjustmentFrequency: Type.String({
    description: 'How often the price is adjusted',
    pattern: '^(DAILY|WEEKLY|MONTHLY|QUARTERLY|SEMIANNUAL|ANNUAL|ONCE|EVERY_[1-9]\\d*_(MONTHS|WEEKS)|DATES)$',
  }),
})
const Pam = exact('One price adjustment model.', { data: PamDetail })

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
const resultFields = {
  period,
  adjustmentDate: day('The day it takes effect'),
  adjustmentPct: orNull(decimal('Percent'), pctWords),
  cumulativePct: decimal('Adjustment since the start of the contract, percent'),
  formulaVersion,
  dataVersion,
  price: Type.Optional(carried('The new price, where the contract names one')),
  surcharge: Type.Optional(carried('The amount on top of the contract’s price, where the formula gives one')),
  components: Type.Array(exact('What one input gave.', componentFields)),
  controls: Type.Array(
    exact('A control that had an effect.', {
      control: oneOf(Object.keys(controlWords), 'Which one'),
      points: decimal('Percentage points it took or gave'),
    }),
    { description: 'With the components they add up to the adjustment' },
  ),
}
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

const vintageFields = {
  series: reference,
  period: periodLabel('The period it describes'),
  value: published('The digits as published'),
  version: VersionTag,
  flag: orNull(Type.String(), 'The provider’s own mark'),
  published: microseconds('When it was published'),
  recorded: orNull(microseconds('When'), 'When it was stored; null where it came from a file'),
  origin: Type.Union(
    [
      exact('Read from its provider.', { provider: text('The provider') }),
      exact('Imported by the workspace. All but `recorded` are null where that was not noted yet.', {
        uploadedBy: orNull(Type.String(), 'Who brought the file: an e-mail address, or `operator`'),
        file: orNull(Type.String(), 'The name of the file'),
        sha256: orNull(Type.String({ pattern: '^[0-9a-f]{64}$' }), 'SHA-256 of the file’s bytes'),
        recorded: orNull(microseconds('When'), 'When it was imported'),
      }),
    ],
    { description: 'Where the figure comes from' },
  ),
}
const rounding = Type.Union(
  [
    exact('To decimals.', { dp: Type.Integer({ description: 'How many' }), mode: text('HALF_UP and so on') }),
    exact('To a multiple.', { multiple: fraction('Of what'), mode: text('HALF_UP and so on') }),
  ],
  { description: 'A rounding' },
)
const people = (side: string) =>
  orNull(
    Type.Union([Type.Array(Type.String()), Type.String()], { description: 'E-mail addresses, or a party’s slug' }),
    `The ${side} as written; null where nobody is named`,
  )
const exactNumbers = (description: string) => Type.Record(Type.String(), fraction('Exact'), { description })
const reading = exact('A reading of an input.', {
  value: fraction('Exact'),
  substituted: Type.Boolean({ description: 'Whether a missing value was estimated or replaced' }),
  used: Type.Array(exact('An observation in it.', vintageFields)),
})
const carriedFields = {
  date: orNull(day('The day'), 'Its adjustment date; null at the first period'),
  version: orNull(count('Number', 1), 'The formula version that computed it'),
  steps: exactNumbers('The carried lines'),
  readings: Type.Record(Type.String(), reading, { description: 'The readings, by input' }),
}
const formulaDocument = text('A formula document as JSON text, for the order of its inputs is the order of its lines')
const ReceiptBody = exact('The part that the hash covers: everything needed to compute the number again.', {
  format: Type.Literal('assize-receipt/2', {
    type: 'string',
    description: 'The form of this receipt; what was signed as assize-receipt/1 comes back as it was signed',
  }),
  edition: count('The edition of the rules it was computed by', 1),
  installation: orNull(
    exact('An installation.', { id: text('Its id'), name: orNull(Type.String(), 'Its name') }),
    'Who issued it; null for what was computed from files alone',
  ),
  workspace: orNull(
    exact('A workspace.', { id: text('Its id'), slug: text('In addresses'), name: text('Its name') }),
    'The workspace; null for what was computed from files alone',
  ),
  pam: text('The slug'),
  name: text('The contract’s name'),
  parties: exact('Who signs.', { buyer: people('buyer'), supplier: people('supplier') }),
  companies: Type.Optional(
    Type.Record(Type.String(), text('Its name'), {
      description: 'What the parties that are named by their slugs are called, by slug; left out where none is',
    }),
  ),
  period,
  adjustmentDate: day('The day it takes effect'),
  formulaVersion,
  documents: Type.Record(Type.String(), formulaDocument, { description: 'The formula documents, by version number' }),
  dataVersionAsked: orNull(VersionTag, 'With `version`: that tag, else null'),
  carriedIn: exact('What the period continues from.', {
    ...carriedFields,
    factor: fraction('Price then ÷ price at the start, exact'),
    last: exact('The same, at the last date on which an adjustment was applied.', carriedFields),
    origin: Type.Optional(day('The day from which the price counts, where it was renegotiated')),
    factors: Type.Optional(
      Type.Array(exact('A factor and the date it was applied.', { date: day('The date'), factor: fraction('Exact') }), {
        description: 'Factors of the past year, where a limit of a year needs them',
      }),
    ),
  }),
  series: Type.Array(
    exact('A series the formula reads.', { series: reference, name: text('Its name'), frequency: Frequency }),
  ),
  observations: Type.Array(exact('An observation used, with its vintage.', { input, ...vintageFields })),
  rules: exact('How the lines become the answer.', {
    kind: text('FACTOR, CHANGE_PCT, PRICE or SURCHARGE'),
    step: text('The line that is the result'),
    show: rounding,
    priceRound: orNull(rounding, 'How the price is rounded'),
    addsUp: Type.Boolean({ description: 'Whether components and controls add up to the adjustment' }),
  }),
  result: exact('The result.', { ...resultFields, factor: fraction('Price now ÷ price at the start, exact') }),
  steps: Type.Array(
    exact('A line of the worksheet.', {
      name: text('Its name'),
      expr: text('How it is computed'),
      round: orNull(rounding, 'How what is carried is rounded'),
      show: orNull(rounding, 'How it is printed'),
      value: fraction('Exact'),
      shown: orNull(Type.String(), 'As the contract prints it'),
    }),
  ),
})
const passkey = exact('A WebAuthn assertion; binary values are base64url.', {
  credentialId: text('Of the credential'),
  publicKey: text('The credential’s public key, SubjectPublicKeyInfo'),
  algorithm: text('ES256, EdDSA or RS256'),
  rpId: text('The site it was made for'),
  authenticatorData: text('As the authenticator wrote it'),
  clientDataJSON: text(
    'As the browser wrote it; its challenge is the hash of what was signed and of `origin`, or the bare hash without it',
  ),
  signature: text('Over both'),
})
const Receipt = exact('A receipt: recompute it offline with `assize verify`.', {
  hash: hexHash('SHA-256 of the body in canonical JSON'),
  body: ReceiptBody,
  signatures: Type.Array(
    exact('A party’s signature on exactly this hash.', {
      party: Type.Union([Type.Literal('buyer'), Type.Literal('supplier')], { description: 'For which side' }),
      signedBy: text('E-mail address'),
      name: Type.String({ description: 'As the workspace names the person' }),
      signedAt: microseconds('When'),
      hash: hexHash('The receipt’s hash'),
      means: text('PASSKEY, PASSWORD, OPERATOR or SESSION: how it was known who signs'),
      together: Type.Array(exact('A period.', { period, hash: hexHash('Of its receipt') }), {
        description: 'Every period that was signed in the same act, this one included',
      }),
      passkey: orNull(passkey, 'With PASSKEY: what the authenticator signed, to be checked by anybody'),
      origin: Type.Optional(signerOrigin),
    }),
  ),
  objections: Type.Optional(Objections),
  seal: orNull(
    exact('The installation’s signature.', {
      algorithm: Type.Literal('Ed25519', { type: 'string', description: 'The kind of signature' }),
      publicKey: Type.String({ description: 'The installation’s key, base64url', pattern: '^[\\w-]{43}$' }),
      value: Type.String({
        description: 'Over the text of the SHA-256 of the receipt without body and seal, in canonical JSON; base64url',
        pattern: '^[\\w-]{86}$',
      }),
    }),
    'Shows which installation issued it; its keys are at /.well-known/assize-keys.json',
  ),
})

/** By the names that routes and the description use. */
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
