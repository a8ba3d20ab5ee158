// Shapes of /ext/v1: changes of indices.

import { directions, eventKinds } from '../../../core/index-changes/index-event.ts'
import { Type } from '../../../formats/json-schema.ts'
import { decimal, exact, microseconds, oneOf, orNull, text } from '../../v1/schema-parts.ts'
import { schemas as v1 } from '../../v1/schemas.ts'

const coefficient = exact('A coefficient as it was printed.', {
  direction: oneOf(directions, 'OLD_TO_NEW: a value of the old index times it is on the level of the new one'),
  digits: decimal('The digits as printed: `1.0820`'),
})

const IndexEvent = exact('Something that is known about an index.', {
  id: text('Its id; a correction has the same'),
  provider: orNull(v1.Provider, 'Null for an index that none of the providers has'),
  codes: orNull(text('Code'), 'The code it is about, or a pattern in which `*` stands for any characters'),
  kind: oneOf(
    eventKinds,
    'ENDED: no more values. REBASED: another reference year. SUPERSEDED: another series takes its place. CANCELLED: a period will not be published. METHOD: computed differently',
  ),
  day: text('From which it holds; of a cancelled release, the first day of the period'),
  sentence: text('In a sentence'),
  successor: orNull(text('Code'), 'The code of the series that takes its place; null where none is named'),
  coefficient: orNull(coefficient, 'Null where none was published'),
  source: text('Where it was published'),
  recordedAt: microseconds('When this was recorded'),
  series: Type.Array(Type.String(), {
    description: 'The series of your workspace that it is about, as formulas name them',
  }),
  pams: Type.Array(Type.String(), { description: 'The agreements that read one of them, by slug' }),
})
const IndexEventList = exact('Events, the newest day first.', {
  data: Type.Array(IndexEvent),
  pagination: v1.Pagination,
})

export const indexChangeSchemas = { IndexEventList, IndexEvent }
