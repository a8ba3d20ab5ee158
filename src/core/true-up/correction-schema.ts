// The schema of a correction's receipt: types, the strict reader and the description follow from it. correction-receipt.ts
// checks afterwards whether the content follows from its figures.

import { correctionSignature } from '../receipt/party-signature.ts'
import { carriedEitherWay, headFields, receipt, rounding, seal, vintageFields } from '../receipt/receipt-schema.ts'
import {
  day,
  exactText,
  hexHash,
  listOf,
  literal,
  mapping,
  meaning,
  oneOf,
  orNull,
  positiveNumber,
  refuseShape,
  text,
  truth,
  wholeNumber,
} from '../text/exact-shape.ts'

export const correctionFormat = 'assize-correction/1'

const vintage = mapping('A figure as it was published.', vintageFields)
const cause = mapping('A figure that was revised.', {
  series: text('As formulas name it: `PROVIDER/code`'),
  period: text('The period it describes'),
  before: orNull(vintage, 'As the receipt read it; null where it read none'),
  after: vintage,
})

const onlyItem = (when: string) =>
  orNull(exactText('Price'), `Of the only item, ${when}; null where there are several or none`)
const period = mapping('A period whose price is corrected.', {
  period: text('Label of the period'),
  adjustmentDate: day('The day it takes effect'),
  factorBefore: exactText('The settled factor, exact'),
  factorAfter: exactText('The factor that takes its place, exact'),
  priceBefore: onlyItem('as it is settled'),
  priceAfter: onlyItem('corrected'),
  amount: orNull(exactText('Amount'), 'The sum of its lines; null where there are none'),
  receiptBefore: orNull(hexHash('Hash'), 'Of the settled receipt; null where only the base of a price moved'),
  receiptAfter: orNull(hexHash('Hash'), 'Of the restated receipt; null where only the base of a price moved'),
})

const price = mapping('A price with everything it is computed from.', {
  period: text('Label of the period'),
  item: text('Key of the item'),
  fromQuantity: exactText('The quantity from which it counts'),
  price: exactText('The base price, as the list says'),
  per: positiveNumber('How many of the unit it is for'),
  share: exactText('The share of it that moves'),
  base: text('The period its base price is of'),
  rounding,
  movementBefore: exactText('F(period) ÷ F(base) as it is settled, exact'),
  movementAfter: exactText('The same, corrected'),
  before: exactText('The settled price'),
  after: exactText('The corrected price'),
})

const share = mapping('Days of a line under one price.', {
  period: text('Label of the period'),
  days: meaning(wholeNumber('How many'), (days, path) => (days > 0 ? days : refuseShape(path, 'at least one day'))),
  per: positiveNumber('How many of the unit the prices are for'),
  priceBefore: exactText('The settled price'),
  priceAfter: exactText('The corrected price'),
})

const ofLine = (what: string) => orNull(text(), `${what}; null for a declared quantity`)
const line = mapping('An invoice line, or a declared quantity, and its difference.', {
  supplier: ofLine('Whose invoice it is'),
  invoice: ofLine('The number of the invoice'),
  line: ofLine('The line'),
  item: text('Key of the item'),
  period: text('Label of the period'),
  quantity: exactText('In the unit of the item, exact'),
  shares: meaning(listOf(share, 'Several if the days of the line are divided among prices'), (shares, path) =>
    shares.length > 0 ? shares : refuseShape(path, 'a list with at least one share'),
  ),
  amountBefore: exactText('What it costs at the settled price'),
  amountAfter: exactText('What it costs at the corrected price'),
  amount: exactText('The difference'),
})

const currency = meaning(text('Code', { pattern: '^[A-Z]{3}$' }), (code, path) =>
  /^[A-Z]{3}$/.test(code) ? code : refuseShape(path, 'three capital letters'),
)

export const correctionBody = mapping('What both parties sign.', {
  format: literal(correctionFormat, 'The form of this correction'),
  ...headFields,
  level: oneOf(['HEAL', 'REBASE'], 'Which periods are put right'),
  reason: orNull(text(), 'Why it is proposed outside the policy; null where the policy calls for it'),
  waived: truth('Whether both sides waive the money'),
  currency: orNull(currency, 'Of the amounts; null where none is known'),
  net: orNull(exactText('Amount'), 'The net amount; null where none is known'),
  causes: listOf(cause, 'The newest publication first'),
  periods: listOf(period, 'By date'),
  prices: listOf(price),
  lines: listOf(line),
  settle: oneOf(['NOTE', 'NEXT_INVOICE', 'SPREAD'], 'How it is billed'),
  parts: listOf(exactText('Amount'), 'The payments that settle it; empty where it is waived or no amount is known'),
  carried: orNull(carriedEitherWay, 'With REBASE: the state that unsigned periods continue from'),
})

export const correctionReceipt = mapping('A correction with everything it follows from.', {
  hash: hexHash('SHA-256 of the canonical JSON of the body'),
  body: correctionBody,
  // A receipt is read strictly when it is replayed.
  receipts: listOf(receipt.fields.body, 'The bodies of the receipts that its periods name, each once'),
  signatures: listOf(correctionSignature, 'Of the parties'),
  seal: orNull(seal, 'The installation’s'),
})
