// When the next figures of a series are expected, as a workspace sees it: from its first publications, and from what its provider
// announces. Both are in memory; what follows from them is computed when it is asked for.
import { nextPeriods, type SeriesDates } from '../../core/calendar/expected-dates.ts'
import type { ExpectedDate, ReleaseStatus } from '../../core/calendar/release.ts'
import type { Instant } from '../../core/time/instant.ts'
import { type Period, writePeriod } from '../../core/time/period.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import type { CachedSeries } from './cached-series.ts'
import type { Releases } from './releases.ts'
import { datesOfSeries } from './series-dates.ts'

/** The library. */
interface ReadsDates {
  readonly releases: Releases
  series(workspaceId: string, visible: VisibleSeries): CachedSeries | Promise<CachedSeries>
}

type OrNull<Of> = { readonly [Key in keyof Of]: Of[Key] | null }

/** A period without a value, and when its figure is expected. */
interface NextDate extends OrNull<Omit<ExpectedDate, 'period'>> {
  readonly period: string
  /** What the provider's calendar says of it; null where it says nothing. */
  readonly status: ReleaseStatus | null
  /** When its final figure is expected; null where that is not known, or where it is final when it comes. */
  readonly final: Omit<ExpectedDate, 'period' | 'basis'> | null
}

interface NextDates {
  /** The newest period with a value; null where there is none. */
  readonly newest: string | null
  readonly dates: readonly NextDate[]
}

/** With `knownAt`, as it was known then. */
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
    newest: newest === null ? null : writePeriod(newest),
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
    period: writePeriod(period),
    status: dates.announced(period)?.status ?? null,
    final: isLater ? withoutBasis(final) : null,
  }
}

function withoutBasis({ expectedAt, latestAt, known, hitRate }: ExpectedDate): NextDate['final'] {
  return { expectedAt, latestAt, known, hitRate }
}
