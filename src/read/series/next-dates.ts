// Expected dates of a series' next figures, as a workspace sees it: from its first publications, and from its provider's
// announcements. Both are in memory; the dates are computed on request.
import { nextPeriods, type SeriesDates } from '../../core/calendar/expected-dates.ts'
import type { ExpectedDate, ReleaseStatus } from '../../core/calendar/release.ts'
import type { Instant } from '../../core/time/instant.ts'
import { formatPeriod, type Period } from '../../core/time/period.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import type { CachedSeries } from './cached-series.ts'
import type { Releases } from './releases.ts'
import { datesOfSeries } from './series-dates.ts'

/** Narrow view of the library. */
interface ReadsDates {
  readonly releases: Releases
  series(workspaceId: string, visible: VisibleSeries): CachedSeries | Promise<CachedSeries>
}

type OrNull<Of> = { readonly [Key in keyof Of]: Of[Key] | null }

/** A period without a value, and the expected date of its figure. */
interface NextDate extends OrNull<Omit<ExpectedDate, 'period'>> {
  readonly period: string
  /** Status in the provider's calendar; null where the calendar says nothing. */
  readonly status: ReleaseStatus | null
  /** Expected date of its final figure; null where that is not known, or where the figure is final when it comes. */
  readonly final: Omit<ExpectedDate, 'period' | 'basis'> | null
}

interface NextDates {
  /** The newest period with a value; null where there is none. */
  readonly newest: string | null
  readonly dates: readonly NextDate[]
}

/** Dates as known at `knownAt`, if given. */
export async function readNextDates(
  library: ReadsDates,
  workspaceId: string,
  visible: VisibleSeries,
  count: number,
  knownAt: Instant | null,
): Promise<NextDates> {
  const cached = await library.series(workspaceId, visible)
  const releases = (await library.releases.ofSeries(workspaceId, [visible], knownAt)).get(visible.id)!
  const { dates, known, newest } = datesOfSeries(visible, cached, releases, { asOf: null, knownAt })
  return {
    newest: newest === null ? null : formatPeriod(newest),
    dates: nextPeriods(known, count).map(period => nextDate(dates, period)),
  }
}

const noDate = { expectedAt: null, latestAt: null, basis: null, known: null, hitRate: null }

function nextDate(dates: SeriesDates, period: Period): NextDate {
  const expected = dates.expected(period)
  const final = dates.expectedFinal(period)
  const isLater = final !== null && final.expectedAt !== expected?.expectedAt
  return {
    ...(expected ?? noDate),
    period: formatPeriod(period),
    status: dates.announced(period)?.status ?? null,
    final: isLater ? withoutBasis(final) : null,
  }
}

function withoutBasis({ expectedAt, latestAt, known, hitRate }: ExpectedDate): NextDate['final'] {
  return { expectedAt, latestAt, known, hitRate }
}
