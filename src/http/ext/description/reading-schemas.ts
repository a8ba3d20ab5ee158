// Shapes of /ext/v1: other readings of a contract.
import { Type } from '../../../formats/json-schema.ts'
import { decimal, exact, orNull, text } from '../../v1/schema-parts.ts'

const Reading = exact('The document of an agreement, as it is or read differently in one respect.', {
  id: text('`as-written`, `basis`, `preliminary`, `final`, `first`, `latest`, `lag-more` … '),
  title: text('Its name'),
  words: text('What is read differently'),
  notApplicable: orNull(Type.String(), 'Why the document cannot be read so; then there are no numbers'),
  period: orNull(Type.String(), 'The period that is compared; null where this reading gives it no number'),
  adjustmentPct: orNull(decimal('Percent'), 'Adjustment of the period; null also where the price before was 0'),
  cumulativePct: orNull(decimal('Percent'), 'Adjustment since the start of the contract'),
  price: orNull(decimal('Price'), 'By this reading; null where the contract has none'),
  points: orNull(decimal('Points'), 'Cumulative, beside the document as written, in percentage points'),
  money: orNull(decimal('Money'), 'Price less that of the document as written'),
})
const ReadingList = exact('The document as written, then each other reading.', {
  currency: orNull(Type.String(), 'Of prices; null where the contract has none'),
  data: Type.Array(Reading),
})

export const readingSchemas = { ReadingList, Reading } as const
