// Outlooks in memory: for the figures of each series, the expected date and the instant from which it is late. Computed from first
// publications and the calendar of the series' release; dropped with an entry about either. The clock drops nothing.
import type { FigureName } from '../../core/calendar/awaited-figures.ts'
import { lateFrom, nothingKnownOf, type Outlook, type SeriesEnd } from '../../core/calendar/due.ts'
import type { SeriesDates } from '../../core/calendar/expected-dates.ts'
import type { ExpectedDate } from '../../core/calendar/release.ts'
import type { IndexEvent } from '../../core/index-changes/index-event.ts'
import { TooHeavyHere } from '../../core/numbers/work-budget.ts'
import { lastPatientDay } from '../../core/series/silence.ts'
import { noCuts } from '../../core/series/vintage.ts'
import { parseDay } from '../../core/time/day.ts'
import { type Instant, startOfDay } from '../../core/time/instant.ts'
import { firstDayOf, lastDayOf, type Period, parsePeriod, shift } from '../../core/time/period.ts'
import { limits } from '../../limits.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'
import { TicketedCache } from '../memory/cache.ts'
import type { Changes } from '../memory/changes.ts'
import { SizedValue } from '../memory/memory.ts'
import { Slices } from '../memory/slices.ts'
import type { CachedSeries } from './cached-series.ts'
import type { IndexEvents } from './index-events.ts'
import type { AnnouncedRelease, Releases } from './releases.ts'
import { datesOfSeries } from './series-dates.ts'

/** Narrow view of the library. */
interface OpensSeries {
  readonly changes: Changes
  readonly releases: Releases
  readonly indexEvents: IndexEvents
  series(workspaceId: string, visible: VisibleSeries): CachedSeries | Promise<CachedSeries>
}

/** Outlook with the calendar entry that it rests on. */
export interface FigureOutlook extends Outlook {
  readonly release: AnnouncedRelease | null
}

/** Approximate bytes of an outlook, with the figures of two years. */
const bytesOfOutlook = 12_000

/** A figure about which nothing is known. */
export const unknownFigure: FigureOutlook = { ...nothingKnownOf, release: null }

interface SeriesOutlookFacts {
  readonly dates: SeriesDates
  readonly releases: readonly AnnouncedRelease[]
  /** Events published about it. */
  readonly events: readonly IndexEvent[]
  /** The newest period with a value; null where there is none. */
  readonly newest: Period | null
  readonly isOwn: boolean
}

/** Outlook of one series; computed figures are remembered. */
export class SeriesOutlook {
  readonly #dates: SeriesDates
  readonly #releases: ReadonlyMap<string, AnnouncedRelease>
  readonly #events: readonly IndexEvent[]
  readonly #next: Period | null
  readonly #isOwn: boolean
  readonly #known = new Map<string, FigureOutlook>()
  /** Instant from which its silence is too long; null where it has no value yet. */
  readonly #silentFrom: Instant | null

  constructor({ dates, releases, events, newest, isOwn }: SeriesOutlookFacts) {
    this.#dates = dates
    this.#isOwn = isOwn
    this.#releases = new Map(releases.map(release => [release.sourceId, release]))
    this.#events = events
    this.#next = newest === null ? null : shift(newest, 1)
    this.#silentFrom = newest === null ? null : startOfDay(lastPatientDay(newest) + 1)
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
    // A figure that is there waits only for its final form: its announced release has happened.
    const announced = stage === 'FINAL' && isThere ? null : this.#dates.announced(period)
    const release = announced === null ? null : (this.#releases.get(announced.sourceId) ?? null)
    const isOver = !isThere && this.#events.some(event => event.kind === 'CANCELLED' && isOf(event, period))
    const end = isThere ? null : (this.#events.find(event => isEndBefore(event, period)) ?? null)
    const status = isOver ? 'CANCELLED' : (announced?.status ?? null)
    const expected =
      status === 'CANCELLED' || end !== null
        ? null
        : stage === 'FINAL'
          ? this.#dates.expectedFinal(period)
          : this.#dates.expected(period)
    const before = status === 'POSTPONED' ? announcedAs(announced!.at, text) : expected
    return {
      expected,
      lateFrom: before === null || status === 'CANCELLED' ? null : lateFrom(before),
      status,
      isMoved: (release?.moves ?? 0) > 0,
      endedFrom: isThere || stage === 'FINAL' ? null : this.#silentFrom,
      end,
      isOwn: this.#isOwn,
      release,
    }
  }
}

/** Whether an event is about one period. */
function isOf({ day }: IndexEvent, period: Period): boolean {
  const at = parseDay(day)!
  return firstDayOf(period) <= at && at <= lastDayOf(period)
}

/** Whether the series ended or was replaced before a period. */
function isEndBefore(event: IndexEvent, period: Period): event is IndexEvent & { readonly kind: SeriesEnd['kind'] } {
  return (event.kind === 'ENDED' || event.kind === 'SUPERSEDED') && parseDay(event.day)! <= firstDayOf(period)
}

/** Original date of a postponed release. */
function announcedAs(at: string, period: string): ExpectedDate {
  const basis = parseDay(at) === null ? 'OFFICIAL' : 'DATE_ONLY'
  return { period, expectedAt: at, latestAt: at, basis, known: null, hitRate: null }
}

export class Outlooks {
  readonly #library: OpensSeries
  readonly #kept: TicketedCache<SizedValue<SeriesOutlook>>
  /** Number of times that dates of a series were computed. */
  computed = 0

  constructor(library: OpensSeries) {
    this.#library = library
    this.#kept = new TicketedCache(library.changes, limits.due.bytes, {
      figures: true,
      kinds: new Set(['index-event'] as const),
    })
  }

  /** Outlooks by series id; a series that is too much to read here is left out. */
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
      const { releases, indexEvents, changes } = this.#library
      const named = await releases.releaseIdsOf(workspaceId, missing)
      // From here on, announcements about a release change the outlook of its series.
      for (const [seriesId, releaseId] of named) changes.computedFrom(releaseId, seriesId)
      const announced = await releases.ofSeries(workspaceId, missing, null)
      const events = await indexEvents.ofSeries(workspaceId, missing)
      const slices = new Slices()
      for (const each of missing) {
        const outlook = await this.#compute(workspaceId, each, announced.get(each.id)!, events.get(each.id)!)
        await slices.rest()
        if (outlook === null) continue
        found.set(each.id, outlook)
        keep(each.id, new SizedValue(outlook, bytesOfOutlook, each.owner))
      }
      return found
    })
  }

  async #compute(
    workspaceId: string,
    visible: VisibleSeries,
    releases: readonly AnnouncedRelease[],
    events: readonly IndexEvent[],
  ): Promise<SeriesOutlook | null> {
    try {
      const { dates, newest } = datesOfSeries(
        visible,
        await this.#library.series(workspaceId, visible),
        releases,
        noCuts,
      )
      this.computed++
      return new SeriesOutlook({ dates, releases, events, newest, isOwn: visible.owner !== publicScope })
    } catch (error) {
      if (error instanceof TooHeavyHere) return null
      throw error
    }
  }
}
