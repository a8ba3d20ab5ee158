// The shapes of what /ext/v1 answers about revisions and ledgers.
import Type from 'typebox'
import { policyStates } from '../../core/correction.ts'
import { accounts, ledgerEvents } from '../../core/ledger.ts'
import { radarKinds } from '../../core/radar.ts'
import { decimal, exact, microseconds, oneOf, orNull, periodLabel, text } from '../v1/schema-parts.ts'
import { schemas as v1 } from '../v1/schemas.ts'

const reference = text('As formulas name it: `PROVIDER/code`')
const slug = text('The slug of the agreement')
const figure = text('The digits as published')
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
  priceBefore: orNull(Type.String(), 'Of the only item; null where there are several, or none'),
  priceAfter: orNull(Type.String(), 'The same, after'),
  amount: orNull(
    decimal('Amount'),
    'How much more kept lines and quantities cost; null where there are none, and for keys without `money`',
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
const TrueUpLedger = exact('The ledger of an agreement.', {
  agreement: slug,
  currency: text('Of all amounts'),
  balances: exact('entitled + provisional = billed + billingDifferences + agreed + waived', {
    entitled: amount('Owed at settled prices'),
    provisional: amount('Billed in periods that are not agreed yet'),
    billed: amount('Billed'),
    billingDifferences: amount('Owed and not billed'),
    agreed: amount('Agreed corrections that are not billed yet'),
    waived: amount('Waived by both parties'),
  }),
  open: exact('Owed at restated prices beyond what is posted.', {
    due: amount('By the policy, now'),
    waitingForFinal: amount('Until figures are final'),
    underMinimum: amount('Below the smallest correction'),
    lapsed: amount('Too old to be corrected'),
  }),
  entries: Type.Array(LedgerEntry, { description: 'In the order they happened' }),
})

export const trueUpSchemas = { RadarList, RadarRow, RadarCause, TrueUpLedger, LedgerEntry } as const
