// Shapes of /ext/v1: due dates.

import { dueStates } from '../../../core/calendar/due.ts'
import { dateBases } from '../../../core/calendar/release.ts'
import { Type } from '../../../formats/json-schema.ts'
import { day, decimal, exact, oneOf, orNull, periodLabel, text } from '../../v1/schema-parts.ts'
import { schemas as v1 } from '../../v1/schemas.ts'

const reference = text('As formulas name it: `PROVIDER/code`')
const figurePeriod = periodLabel('The period it describes')
const DueFigure = exact('A figure that an adjustment waits for.', {
  series: reference,
  period: figurePeriod,
  stage: orNull(oneOf(['FINAL'], 'The stage'), 'FINAL where only the final figure counts; null where any does'),
  expectedAt: orNull(
    Type.String(),
    'An instant, or a day where no time of day is known; null where no date can be said',
  ),
  basis: orNull(oneOf(dateBases, 'The basis'), 'What the date rests on'),
})
const missingRules = ['BLOCK', 'LAST_KNOWN', 'YOY_ESTIMATE', 'FALLBACK', 'AGREED', 'TREND']
const DueRow = exact('An adjustment date that is not done with.', {
  agreement: text('The slug of the agreement'),
  name: text('Its name'),
  period: text('Label of the period'),
  date: day('The adjustment date'),
  state: oneOf(dueStates, 'How far it is'),
  readyOn: orNull(day('The day'), 'The first day on which it can be proposed; null where no day can be said'),
  provisional: Type.Boolean({
    description: 'Whether its number stands on what the clause puts in place of missing figures',
  }),
  waitsFor: orNull(DueFigure, 'The latest of what it waits for; of a provisional number, the real value'),
  newer: orNull(DueFigure, 'It takes the newest figure there is, and this one is expected in time'),
  late: Type.Array(exact('A figure that is late.', { series: reference, period: figurePeriod })),
  cancelled: Type.Array(
    exact('A figure whose release was cancelled.', {
      series: reference,
      period: figurePeriod,
      rule: oneOf(missingRules, 'What the clause does without it'),
      instead: orNull(decimal('The value'), 'What is read by that rule; null where it gives nothing'),
    }),
  ),
  reason: orNull(Type.String(), 'Why it has no number although no figure is missing'),
})
const DueList = exact('What is due, the nearest date first.', { data: Type.Array(DueRow), pagination: v1.Pagination })

export const dueSchemas = { DueList, DueRow, DueFigure } as const
