// Shapes of /ext/v1: release calendars.

import { dateBases, releaseStatuses } from '../../../core/calendar/release.ts'
import { Type } from '../../../formats/json-schema.ts'
import {
  count,
  decimal,
  exact,
  identifier,
  microseconds,
  oneOf,
  orNull,
  periodLabel,
  text,
} from '../../v1/schema-parts.ts'
import { schemas as v1 } from '../../v1/schemas.ts'

const Release = exact('A date on which a provider announced to publish something.', {
  provider: v1.Provider,
  release: text('What the provider calls the release: `CPI`'),
  title: text('In the words of the provider'),
  period: orNull(periodLabel('Period'), 'The period that is published; null where the provider names none'),
  number: orNull(
    count('Number', 1),
    '1 for the publication of the period, 2 and more for revisions of it; null where that cannot be said, and for what is cancelled',
  ),
  at: text('An RFC 3339 instant, or a day where the provider gives no time of day'),
  zone: text('The time zone in which the provider writes its dates'),
  status: oneOf(
    releaseStatuses,
    'OFFICIAL: with a time of day. DATE_ONLY: a day. CANCELLED: it will not come. POSTPONED: its date is open again, and `at` is the last that was announced',
  ),
  moves: count('How often its date or status has changed', 0),
  announcedAt: microseconds('When this was recorded'),
  series: Type.Array(Type.String(), {
    description: 'The series of your workspace that come with it, as formulas name them',
  }),
  pams: Type.Array(Type.String(), { description: 'The agreements that read one of them, by slug' }),
})
const ReleaseList = exact('Releases by date.', { data: Type.Array(Release), pagination: v1.Pagination })

const dateFields = {
  expectedAt: text('An RFC 3339 instant, or a day'),
  latestAt: text('An RFC 3339 instant, or a day: the last on which it would be usual'),
  known: orNull(count('Publications', 1), 'How many publications a learned date rests on; null for the others'),
  hitRate: orNull(
    decimal('A share with two decimals: `0.92`'),
    'The share of the last twelve periods for which the same rule, with what was known then, was right; null where none can be checked',
  ),
}
const NextDate = exact('A period without a value, and when its figure is expected.', {
  period: periodLabel('The period'),
  expectedAt: orNull(dateFields.expectedAt, 'When it is expected; null where no date can be said, or none will come'),
  latestAt: orNull(dateFields.latestAt, 'The last day or instant that would be usual; null without a date'),
  basis: orNull(
    oneOf(
      dateBases,
      'OFFICIAL, DATE_ONLY: announced by the provider. LEARNED: from earlier publications. USUAL: the usual delay of the provider',
    ),
    'What the date rests on; null without a date',
  ),
  known: dateFields.known,
  hitRate: dateFields.hitRate,
  status: orNull(
    oneOf(releaseStatuses, 'As in `/releases`'),
    'What the calendar of the provider says of the period; null where it says nothing',
  ),
  final: orNull(
    exact('When the final figure is expected.', dateFields),
    'For a series whose first figures are preliminary; null where that is not known, or where figures are final when they come',
  ),
})
const NextDates = exact('When the next figures of a series are expected.', {
  id: identifier('ser', 'Identifier of the series'),
  series: text('As formulas name it: `PROVIDER/code`'),
  frequency: v1.Frequency,
  newest: orNull(periodLabel('Period'), 'The newest period with a value; null where there is none'),
  data: Type.Array(NextDate, { description: 'The periods after it, ascending' }),
})

export const calendarSchemas = { ReleaseList, Release, NextDates, NextDate }
