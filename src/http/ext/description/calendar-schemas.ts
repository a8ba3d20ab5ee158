// The shapes of what /ext/v1 answers about release calendars.
import Type from 'typebox'
import { releaseStatuses } from '../../../core/calendar/release.ts'
import { count, exact, microseconds, oneOf, orNull, periodLabel, text } from '../../v1/schema-parts.ts'
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

export const calendarSchemas = { ReleaseList, Release }
