// Shapes of /ext/v1: corrections and settled numbers.

import { parties } from '../../../core/parties.ts'
import { correctionReceipt } from '../../../core/true-up/correction-schema.ts'
import { proposalStates } from '../../../core/true-up/proposal-state.ts'
import { Type } from '../../../formats/json-schema.ts'
import {
  count,
  day,
  decimal,
  described,
  exact,
  hexHash,
  identifier,
  microseconds,
  oneOf,
  orNull,
  published,
  text,
} from '../../v1/schema-parts.ts'
import { schemas as v1 } from '../../v1/schemas.ts'

const money = (description: string) =>
  orNull(decimal('Amount'), `${description}; null where none is known, and for keys without \`money\``)

const CorrectionCause = exact('A figure that was revised.', {
  series: text('As formulas name it: `PROVIDER/code`'),
  period: text('The period it describes'),
  before: orNull(published('The digits'), 'As the receipt read it; null where it read none'),
  after: published('As it counts now'),
  tag: v1.VersionTag,
})
const CorrectionPeriod = exact('A period whose price is corrected.', {
  period: text('Label of the period'),
  factorBefore: decimal('The settled factor, with up to 12 decimals'),
  factorAfter: decimal('The factor that takes its place'),
  priceBefore: orNull(decimal('Price'), 'Of the only item; null where there are several or none'),
  priceAfter: orNull(decimal('Price'), 'Of the only item, corrected'),
  amount: money('The sum of its lines'),
})
const CorrectionLine = exact('An invoice line, or a declared quantity, and its difference.', {
  invoice: orNull(Type.String(), 'The number of the invoice; null for a declared quantity'),
  line: orNull(Type.String(), 'The line; null for a declared quantity'),
  item: text('Key of the item'),
  quantity: text('Exact'),
  amount: orNull(decimal('Amount'), 'What it costs at the corrected price less what it costs now'),
})
const CorrectionNote = exact('A document by which a part of it was billed.', {
  part: count('From 1', 1),
  number: text('The number of the document'),
  date: day('Its day'),
  amount: money('The part'),
  fileHash: orNull(hexHash('Hash'), 'SHA-256 of the file that was written; null for keys without `money`'),
})
const Refused = exact('Who refused it, and why.', {
  party: oneOf(parties, 'The side that refused it'),
  reason: text('In their words'),
  at: microseconds('When'),
})
const Correction = exact('A correction of signed prices.', {
  id: identifier('cor', 'Identifier of the correction'),
  agreement: text('The slug of the agreement'),
  state: oneOf(
    proposalStates,
    'Derived from who signed or refused it, and from what came after; for keys without `money` never LAPSED by a time that counts from invoices',
  ),
  hash: orNull(hexHash('Hash'), 'What both parties sign; null for keys without `money`'),
  level: oneOf(['HEAL', 'REBASE'] as const, 'Which periods are put right'),
  net: money('The net amount'),
  currency: orNull(Type.String(), 'Of the amounts; for keys without `money` the newest of the agreement'),
  reason: orNull(Type.String(), 'Why it was proposed by hand; null where the policy says so'),
  causes: Type.Array(CorrectionCause, { description: 'The newest publication first' }),
  periods: Type.Array(CorrectionPeriod, { description: 'By date' }),
  lines: Type.Array(CorrectionLine, { description: 'Empty for keys without `money`' }),
  confirmed: v1.Confirmed,
  notes: Type.Array(CorrectionNote, { description: 'By part' }),
  waived: orNull(Type.Boolean(), 'Whether it waives the amount; null for keys without `money`'),
  settle: oneOf(['NOTE', 'NEXT_INVOICE', 'SPREAD'] as const, 'How it is billed'),
  parts: Type.Array(decimal('Amount'), { description: 'The amounts it is billed in; empty for keys without `money`' }),
  refusal: orNull(Refused, 'Null where nobody refused it'),
  proposedAt: microseconds('When it was proposed'),
  proposedBy: text('Who proposed it'),
})
const CorrectionList = exact('The corrections of an agreement, the newest first.', {
  data: Type.Array(Correction),
  pagination: v1.Pagination,
})

const Settled = exact('The number of a period that both parties settled on.', {
  agreement: text('The slug of the agreement'),
  period: text('Label of the period'),
  adjustmentDate: day('The day it takes effect'),
  factor: decimal('Settled, with up to 12 decimals'),
  signedFactor: decimal('As it was signed'),
  price: orNull(decimal('Price'), 'Settled, of the only item; null where there are several or none'),
  signedPrice: orNull(decimal('Price'), 'The same as it was signed'),
  currency: orNull(Type.String(), 'Of the prices'),
  receiptHash: hexHash('Of the receipt that the settled number follows from'),
  correction: orNull(
    identifier('cor', 'Identifier'),
    'The last agreed correction of the period; null where there is none',
  ),
  agreedAt: microseconds('When the second party signed it'),
})

/** Everything needed to check a correction offline, as `assize verify` reads it. */
const CorrectionReceipt = described(correctionReceipt)

export const correctionSchemas = {
  CorrectionList,
  Correction,
  CorrectionCause,
  CorrectionPeriod,
  CorrectionLine,
  CorrectionNote,
  CorrectionReceipt,
  Settled,
} as const
