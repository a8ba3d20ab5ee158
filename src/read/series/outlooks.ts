// When the figures of series come, in memory: the date each is expected on and the instant from which it is late, by series. Computed
// from first publications and the calendar of the series' release; dropped with an entry about either. The clock drops nothing.
import type { FigureName } from '../../core/calendar/awaited.ts'
import { lateFrom, nothingKnownOf, type Outlook } from '../../core/calendar/due.ts'
import type { SeriesDates } from '../../core/calendar/expected.ts'
import type { ExpectedDate } from '../../core/calendar/release.ts'
import { TooHeavyHere } from '../../core/numbers/work-budget.ts'
import { noCuts } from '../../core/series/vintage.ts'
import { parseDay } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import { type Frequency, type Period, parsePeriod, shift } from '../../core/time/period.ts'
import { limits } from '../../limits.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import type { Changes } from '../memory/changes.ts'
import { Kept } from '../memory/kept.ts'
import { Place } from '../memory/memory.ts'
import { Slices } from '../memory/slices.ts'
import type { CachedSeries } from './cached-series.ts'
import { datesOfSeries } from './dates-of-series.ts'
import type { AnnouncedRelease, Releases } from './releases.ts'

/** The library. */
interface OpensSeries {
  readonly changes: Changes
  readonly releases: Releases
  series(workspaceId: string, visible: VisibleSeries): CachedSeries | Promise<CachedSeries>
}

/** With the entry of the calendar that it rests on. */
export interface FigureOutlook extends Outlook {
  readonly release: AnnouncedRelease | null
}

/** Approximate bytes of what is known of a series, with the figures of two years. */
const bytesOfOutlook = 12_000

/** Nothing is known about when it comes. */
export const unknownFigure: FigureOutlook = { ...nothingKnownOf, release: null }

/** After so many periods in a row that were expected and did not come, a series has probably ended: a quarter, or two periods. */
const silentPeriods: Readonly<Record<Frequency, number>> = {
  DAILY: 65,
  WEEKLY: 13,
  MONTHLY: 3,
  QUARTERLY: 2,
  SEMIANNUAL: 2,
  ANNUAL: 2,
}

/** Of one series; what was asked for is remembered. */
export class SeriesOutlook {
  readonly #dates: SeriesDates
  readonly #releases: ReadonlyMap<string, AnnouncedRelease>
  readonly #next: Period | null
  readonly #isOwn: boolean
  readonly #known = new Map<string, FigureOutlook>()
  #endedFrom: Instant | null | undefined

  /** `next` is the first period after the newest with a value; null where there is none. */
  constructor(dates: SeriesDates, releases: readonly AnnouncedRelease[], next: Period | null, isOwn: boolean) {
    this.#dates = dates
    this.#isOwn = isOwn
    this.#releases = new Map(releases.map(release => [release.sourceId, release]))
    this.#next = next
  }

  of({ period, stage }: Pick<FigureName, 'period' | 'stage'>): FigureOutlook {
    const key = stage === null ? period : `${period} ${stage}`
    return this.#known.getOrInsertComputed(key, () => this.#read(period, stage))
  }

  /** Whether it is not after the newest period with a value. */
  isThere(period: string): boolean {
    const parsed = parsePeriod(period)
    return parsed !== null && this.#next !== null && parsed.ordinal < this.#next.ordinal
  }

  #read(text: string, stage: FigureName['stage']): FigureOutlook {
    const period = parsePeriod(text)
    if (period === null) return unknownFigure
    const isThere = this.#next !== null && period.ordinal < this.#next.ordinal
    // Once a figure is there, only its final form is waited for: what was announced for it has happened.
    const announced = stage === 'FINAL' && isThere ? null : this.#dates.announced(period)
    const release = announced === null ? null : (this.#releases.get(announced.sourceId) ?? null)
    const expected = stage === 'FINAL' ? this.#dates.expectedFinal(period) : this.#dates.expected(period)
    const status = announced?.status ?? null
    const before = status === 'POSTPONED' ? announcedAs(announced!.at, text) : expected
    return {
      expected,
      lateFrom: before === null || status === 'CANCELLED' ? null : lateFrom(before),
      status,
      isMoved: (release?.moves ?? 0) > 0,
      endedFrom: isThere || stage === 'FINAL' ? null : this.#silentFrom(),
      isOwn: this.#isOwn,
      release,
    }
  }

  #silentFrom(): Instant | null {
    if (this.#endedFrom !== undefined) return this.#endedFrom
    const next = this.#next
    const last = next === null ? null : this.#dates.expected(shift(next, silentPeriods[next.frequency] - 1))
    this.#endedFrom = last === null ? null : lateFrom(last)
    return this.#endedFrom
  }
}

/** The date that a postponed release had. */
function announcedAs(at: string, period: string): ExpectedDate {
  const basis = parseDay(at) === null ? 'OFFICIAL' : 'DATE_ONLY'
  return { period, expectedAt: at, latestAt: at, basis, known: null, hitRate: null }
}

export class Outlooks {
  readonly #library: OpensSeries
  readonly #kept: Kept<Place<SeriesOutlook>>
  /** How often the dates of a series were worked out. */
  computed = 0

  constructor(library: OpensSeries) {
    this.#library = library
    this.#kept = new Kept(library.changes, limits.due.bytes, { figures: true })
  }

  /** By id; a series that is too much to read here is left out. */
  async read(workspaceId: string, series: readonly VisibleSeries[]): Promise<ReadonlyMap<string, SeriesOutlook>> {
    const found = new Map<string, SeriesOutlook>()
    const missing = series.filter(({ id }) => {
      const kept = this.#kept.get(id)
      if (kept !== undefined) found.set(id, kept.value)
      return kept === undefined
    })
    if (missing.length === 0) return found
    const ids = missing.map(({ id }) => id)
    return this.#kept.loadMany(ids, workspaceId, async keep => {
      const { releases, changes } = this.#library
      const named = await releases.releaseIdsOf(workspaceId, missing)
      // From here on what is announced about a release changes what is known of its series.
      for (const [seriesId, releaseId] of named) changes.computedFrom(releaseId, seriesId)
      const announced = await releases.ofSeries(workspaceId, missing, null)
      const slices = new Slices()
      for (const each of missing) {
        const outlook = await this.#compute(workspaceId, each, announced.get(each.id)!)
        await slices.rest()
        if (outlook === null) continue
        found.set(each.id, outlook)
        keep(each.id, new Place(outlook, bytesOfOutlook, each.owner))
      }
      return found
    })
  }

  async #compute(
    workspaceId: string,
    visible: VisibleSeries,
    releases: readonly AnnouncedRelease[],
  ): Promise<SeriesOutlook | null> {
    try {
      const { dates, newest } = datesOfSeries(
        visible,
        await this.#library.series(workspaceId, visible),
        releases,
        noCuts,
      )
      this.computed++
      const next = newest === null ? null : shift(newest, 1)
      return new SeriesOutlook(dates, releases, next, visible.owner !== publicScope)
    } catch (error) {
      if (error instanceof TooHeavyHere) return null
      throw error
    }
  }
}
