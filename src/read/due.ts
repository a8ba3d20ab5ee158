// Due dates of many agreements: the dates come from digests, the outlook of every awaited figure from memory. The state of each
// date then follows from the clock, and nothing is computed again.
import type { FigureName } from '../core/calendar/awaited-figures.ts'
import { type CancelledFigure, type DueNow, type DueState, dueNow, type WaitsFor } from '../core/calendar/due.ts'
import { Refusal } from '../core/refusal.ts'
import { type Day, formatDay } from '../core/time/day.ts'
import { dayOfInstant, type Instant } from '../core/time/instant.ts'
import type { AgreementRecord } from '../storage/agreements/agreements.ts'
import type { VisibleSeries } from '../storage/series/visible-series.ts'
import type { CachedIndex } from './lists/cached-index.ts'
import type { AgreementDigest, Digests } from './lists/digests.ts'
import { type CachedDueDate, unpackDue } from './lists/due-dates.ts'
import { Slices } from './memory/slices.ts'
import { type FigureOutlook, type Outlooks, type SeriesOutlook, unknownFigure } from './series/outlooks.ts'

/** One date of one agreement. */
export interface DueEntry {
  readonly agreement: AgreementRecord
  readonly due: CachedDueDate
  readonly now: DueNow
}

interface DueSources {
  readonly workspaceId: string
  readonly index: CachedIndex
  readonly digests: ReadonlyMap<string, AgreementDigest>
}

export class DueBook {
  readonly #index: CachedIndex
  readonly #digests: ReadonlyMap<string, AgreementDigest>
  readonly #outlooks: ReadonlyMap<string, SeriesOutlook>
  readonly #series = new Map<string, VisibleSeries | null>()

  private constructor({ index, digests }: DueSources, outlooks: ReadonlyMap<string, SeriesOutlook>) {
    this.#index = index
    this.#digests = digests
    this.#outlooks = outlooks
  }

  /** Opens the book with the outlook of every series that these agreements wait for. */
  static async open(library: { readonly outlooks: Outlooks }, sources: DueSources): Promise<DueBook> {
    const named = new Set(sources.digests.values().flatMap(({ due }) => due?.series ?? []))
    const series = new Map<string, VisibleSeries>()
    for (const reference of named) {
      const found = sources.index.findByReference(reference)
      if (found !== undefined) series.set(found.id, found)
    }
    return new DueBook(sources, await library.outlooks.read(sources.workspaceId, [...series.values()]))
  }

  /** The series of a name that an agreement uses; null if it is no longer in the workspace. */
  seriesOf(reference: string): VisibleSeries | null {
    return this.#series.getOrInsertComputed(reference, () => this.#index.findByReference(reference) ?? null)
  }

  readonly outlookOf = (figure: FigureName): FigureOutlook => {
    const series = this.seriesOf(figure.series)
    return (series === null ? undefined : this.#outlooks.get(series.id)?.of(figure)) ?? unknownFigure
  }

  /** Dates of these agreements up to a day, by date for each agreement. */
  async entries(agreements: readonly AgreementRecord[], now: Instant, until: Day): Promise<readonly DueEntry[]> {
    const found: DueEntry[] = []
    const slices = new Slices()
    for (const agreement of agreements) {
      const packed = this.#digests.get(agreement.id)?.due ?? null
      if (packed === null) continue
      for (const due of unpackDue(packed)) {
        if (due.date > until) break
        found.push({ agreement, due, now: dueNow(due, this.outlookOf, now) })
      }
      await slices.rest()
    }
    return found
  }

  /** Number of these agreements whose dates are not known: their readings take too long to look at where others wait. */
  leftOut(agreements: readonly AgreementRecord[]): number {
    return agreements.filter(({ id }) => this.#digests.get(id)?.due === null).length
  }
}

/** Sort order: the nearest date first. */
export function byDueDate(a: DueEntry, b: DueEntry): number {
  if (a.due.date !== b.due.date) return a.due.date - b.due.date
  if (a.agreement.slug !== b.agreement.slug) return a.agreement.slug < b.agreement.slug ? -1 : 1
  return a.due.period < b.due.period ? -1 : 1
}

/** Name of a figure in formulas, and its expected date. */
type FigureRow = Pick<WaitsFor, 'series' | 'period' | 'stage' | 'expectedAt' | 'basis'>

/** One date, as programs receive it. */
export interface DueRecord {
  readonly agreement: string
  readonly name: string
  readonly period: string
  readonly date: string
  readonly state: DueState
  readonly readyOn: string | null
  readonly provisional: boolean
  readonly waitsFor: FigureRow | null
  readonly newer: FigureRow | null
  readonly late: readonly Pick<FigureName, 'series' | 'period'>[]
  readonly cancelled: readonly Pick<CancelledFigure, 'series' | 'period' | 'rule' | 'instead'>[]
  readonly reason: string | null
}

export function dueRecord({ agreement, due, now }: DueEntry): DueRecord {
  return {
    agreement: agreement.slug,
    name: agreement.states.at(-1)!.name,
    period: due.period,
    date: formatDay(due.date),
    state: now.state,
    readyOn: now.readyOn,
    provisional: now.isProvisional,
    waitsFor: now.waitsFor,
    newer: now.newer,
    late: now.late.map(({ series, period }) => ({ series, period })),
    cancelled: now.cancelled.map(({ series, period, rule, instead }) => ({ series, period, rule, instead })),
    reason: now.gap,
  }
}

/** Narrow view of the library. */
interface GathersDigests {
  readonly outlooks: Outlooks
  readonly digests: Pick<Digests, 'gather'>
  index(workspaceId: string): CachedIndex | Promise<CachedIndex>
}

interface DueWanted {
  readonly now: Instant
  readonly until: Day
  /** Number of waits for digests that are being computed; left out, it waits until they are there. */
  readonly turns?: number
}

/**
 * Every date of these agreements up to a day, the nearest first. Refused, rather than answered in part, where they take too long to
 * compute.
 */
export async function listDue(
  library: GathersDigests,
  workspaceId: string,
  { now, until, turns = Number.POSITIVE_INFINITY }: DueWanted,
  isWanted: (agreement: AgreementRecord) => boolean = () => true,
): Promise<readonly DueEntry[]> {
  const index = await library.index(workspaceId)
  const active = index.agreements.filter(each => each.states.at(-1)?.status === 'ACTIVE' && isWanted(each))
  const ids = active.map(({ id }) => id)
  for (let turn = 1; turn <= turns; turn++) {
    const { digests, pending } = await library.digests.gather(workspaceId, ids, dayOfInstant(now))
    if (pending > 0) continue
    const book = await DueBook.open(library, { workspaceId, index, digests })
    return (await book.entries(active, now, until)).toSorted(byDueDate)
  }
  throw new Refusal('unavailable', 'what is due is being computed; ask again in a moment')
}
