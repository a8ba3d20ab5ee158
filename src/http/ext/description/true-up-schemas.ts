// Shapes of /ext/v1: revisions and ledgers.

import { differenceCodes } from '../../../core/invoices/ledger-differences.ts'
import { accounts, ledgerEvents } from '../../../core/invoices/ledger-facts.ts'
import { policyStates } from '../../../core/true-up/correction.ts'
import { radarKinds } from '../../../core/true-up/radar.ts'
import { Type } from '../../../formats/json-schema.ts'
import { decimal, exact, microseconds, oneOf, orNull, periodLabel, published, text } from '../../v1/schema-parts.ts'
import { schemas as v1 } from '../../v1/schemas.ts'

const reference = text('As formulas name it: `PROVIDER/code`')
const slug = text('The slug of the agreement')
const figure = published('The digits as published')
const RadarCause = exact('A figure that was published.', {
  series: reference,
  period: periodLabel('The period it describes'),
  before: orNull(figure, 'As known before; null where there was none'),
  after: orNull(figure, 'As known after; null where it was withdrawn'),
  tag: orNull(v1.VersionTag, 'Of the figure after; null with a withdrawal'),
})
const RadarRow = exact('What publications did to one period of an agreement.', {
  kind: oneOf(radarKinds, 'What happened to it'),
  agreement: slug,
  period: text('Label of the period'),
  at: microseconds('When the newest figure behind it was recorded'),
  cause: orNull(RadarCause, 'The newest figure behind it'),
  causes: Type.Optional(Type.Array(RadarCause, { description: 'All of them, where there are several' })),
  points: orNull(
    decimal('Points'),
    'Of the factor, in percentage points; null where one of the two cannot be computed',
  ),
  priceBefore: orNull(decimal('Price'), 'Of the only item; null where there are several, or none'),
  priceAfter: orNull(decimal('Price'), 'The same, after'),
  amount: orNull(
    decimal('Amount'),
    'How much more kept lines and quantities cost, with what both have signed of it as their corrections say; null where there are none, and for keys without `money`',
  ),
  currency: orNull(Type.String(), 'Of the amount'),
  policy: orNull(
    oneOf(policyStates, 'State'),
    'What the contract says about it; null for keys without `money` where that follows from what was billed',
  ),
})
const RadarList = exact(
  'What publications did, the largest amounts first; for keys without `money` the largest moves.',
  {
    data: Type.Array(RadarRow),
    pagination: v1.Pagination,
  },
)

const amount = (description: string) => decimal(description)
const LedgerEntry = exact('A posting.', {
  at: microseconds('When it happened'),
  event: oneOf(ledgerEvents, 'What happened'),
  subject: text('The fact it follows from: the id of a line, a correction or a note'),
  period: orNull(Type.String(), 'Label of the period; null where it has none yet'),
  item: orNull(Type.String(), 'The item'),
  legs: Type.Object(Object.fromEntries(accounts.map(account => [account, Type.Optional(amount('Amount'))])), {
    description: 'They sum to 0; those that are 0 are left out',
    additionalProperties: false,
  }),
})
const balances = exact('entitled + provisional = billed + billingDifferences + agreed + waived', {
  entitled: amount('Owed at settled prices'),
  provisional: amount('Billed in periods that are not agreed yet'),
  billed: amount('Billed'),
  billingDifferences: amount('Owed and not billed'),
  agreed: amount('Agreed corrections that are not billed yet'),
  waived: amount('Waived by both parties'),
})
const currency = text('Of the amount')
const LedgerDifference = exact('A billing difference with its reason.', {
  code: oneOf(differenceCodes, 'The reason'),
  subject: text('The id of the line, or of the settlement'),
  invoice: orNull(Type.String(), 'Number of the invoice'),
  line: orNull(Type.String(), 'Number of the line'),
  supplier: orNull(Type.String(), 'The supplier that the line is of'),
  note: orNull(Type.String(), 'The id of the note that has its number'),
  period: orNull(Type.String(), 'Label of the period'),
  item: orNull(Type.String(), 'The item'),
  amount: amount('Owed less billed'),
  currency,
  message: text('The reason as a sentence'),
})
const LedgerNote = exact('A note, and what it was billed by.', {
  id: text('The id of the correction, and the part'),
  number: text('Number of the document'),
  supplier: text('Whose document it is'),
  amount: amount('What it bills'),
  currency,
  lines: Type.Array(Type.String(), { description: 'The ids of its lines; empty where no document of it is kept' }),
})
const LedgerDuplicate = exact('A line that is kept twice; both count until one is reversed.', {
  subject: text('The id of the line'),
  sameAs: text('The id of the earlier line'),
  invoice: text('Number of the invoice'),
  line: text('Number of the line'),
  supplier: text('The supplier that the line is of'),
  amount: amount('What it bills'),
  currency,
})
const OtherCurrency = exact('What was billed in another currency than the agreement’s.', {
  currency: text('Of all amounts in here'),
  balances,
  entries: Type.Array(LedgerEntry, { description: 'In the order they happened' }),
})
const TrueUpLedger = exact('The ledger of an agreement.', {
  agreement: slug,
  currency: text('Of balances, open amounts and entries'),
  balances,
  open: exact('Owed at restated prices beyond what is posted.', {
    due: amount('By the policy, now'),
    waitingForFinal: amount('Until figures are final'),
    underMinimum: amount('Below the smallest correction'),
    lapsed: amount('Too old to be corrected'),
  }),
  entries: Type.Array(LedgerEntry, { description: 'In the order they happened' }),
  differences: Type.Array(LedgerDifference, { description: 'They come to the billing differences, in every currency' }),
  notes: Type.Array(LedgerNote, { description: 'Every note that was issued' }),
  duplicates: Type.Array(LedgerDuplicate, { description: 'Lines that were kept twice before lines had one form' }),
  otherCurrencies: Type.Array(OtherCurrency, { description: 'Accounts in other currencies' }),
})

export const trueUpSchemas = {
  RadarList,
  RadarRow,
  RadarCause,
  TrueUpLedger,
  LedgerEntry,
  LedgerDifference,
  LedgerNote,
  LedgerDuplicate,
} as const
