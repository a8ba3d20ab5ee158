// Expected dates of a series' figures, from its first publications and its provider's announcements.
import { type SeriesDates, seriesDates } from '../../core/calendar/expected-dates.ts'
import { publicationsOf } from '../../core/calendar/publications.ts'
import { usualDelayDays } from '../../core/formula/series-habits.ts'
import type { Cuts } from '../../core/series/vintage.ts'
import type { Period } from '../../core/time/period.ts'
import { providerHabits } from '../../providers/catalogue/catalogue.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import type { CachedSeries } from './cached-series.ts'
import type { AnnouncedRelease } from './releases.ts'

interface DatesOfSeries {
  readonly dates: SeriesDates
  /** Facts that the dates follow from. */
  readonly known: Parameters<typeof seriesDates>[0]
  /** The newest period with a value; null where there is none. */
  readonly newest: Period | null
}

/** Dates as known at the cuts. */
export function datesOfSeries(
  { provider, code, metadata }: VisibleSeries,
  { snapshot }: CachedSeries,
  releases: readonly AnnouncedRelease[],
  cuts: Cuts,
): DatesOfSeries {
  const reference = `${provider}/${code}`
  const { name, unit, frequency } = metadata.at(-1)!
  const publications = publicationsOf(snapshot.history({ reference, name, unit, frequency }), cuts)
  const usual = usualDelayDays(reference, frequency, providerHabits)
  const known = { ...publications, frequency, releases, usualDelayDays: usual }
  const { newest } = publications
  return {
    dates: seriesDates(known),
    known,
    newest: newest === null ? null : { frequency, ordinal: newest.ordinal },
  }
}
