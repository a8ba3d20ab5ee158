// Radar: the effect of publications on agreements. It finds agreements that read a published series, and the change of each of
// their periods, the largest amounts first; without amounts, the largest moves first. Computed for a span of time that is over and
// cached in memory; nothing is stored.

import { evaluate } from '../core/calculation/evaluate.ts'
import { formatMinorUnits } from '../core/numbers/money.ts'
import { absolute, compare, formatShort, type Ratio, zero } from '../core/numbers/ratio.ts'
import { TooHeavyHere } from '../core/numbers/work-budget.ts'
import type { Day } from '../core/time/day.ts'
import { type Instant, instantOfMicros, microsOf } from '../core/time/instant.ts'
import { formatPeriod } from '../core/time/period.ts'
import { Arrivals } from '../core/true-up/arrivals.ts'
import { findMoves, type MovedFigure, type RadarInputs, type RadarKind, type RadarMove } from '../core/true-up/radar.ts'
import { restateSince } from '../core/true-up/restate.ts'
import { limits } from '../limits.ts'
import type { Transaction } from '../storage/postgres/database.ts'
import { loadTouchedSeries } from '../storage/upkeep/change-feed-entries.ts'
import type { Adjustments } from './agreements/adjustments.ts'
import type { AgreementSnapshot } from './agreements/agreement-snapshot.ts'
import type { Tenure } from './agreements/tenure.ts'
import type { TrueUp } from './agreements/true-up.ts'
import type { ReadsAgreements, WithFigures } from './lists/reads-agreements.ts'
import { TicketedCache } from './memory/cache.ts'
import { SizedValue } from './memory/memory.ts'
import { Slices } from './memory/slices.ts'
import type { TrueUps } from './true-ups.ts'

/** A past span of time, the day at its end, and perhaps a single agreement. */
export interface RadarQuestion {
  /** Exclusive. */
  readonly since: Instant
  readonly until: Instant
  readonly day: Day
  /** Agreement id; null: all of them. */
  readonly agreementId: string | null
}

/** A figure in an answer. */
interface RadarCause {
  readonly series: string
  readonly period: string
  readonly before: string | null
  /** Null where the figure was withdrawn. */
  readonly after: string | null
  readonly tag: string | null
}

/** A row in an answer. */
export interface RadarRow {
  readonly kind: RadarKind
  readonly agreement: string
  readonly period: string
  /** Recording instant of the newest figure behind it. */
  readonly at: Instant
  readonly cause: RadarCause | null
  /** All figures behind it, where there are several. */
  readonly causes?: readonly RadarCause[]
  readonly points: string | null
  readonly priceBefore: string | null
  readonly priceAfter: string | null
  readonly amount: string | null
  readonly currency: string | null
  readonly policy: RadarMove['policy']
}

/** A row and its agreement. */
export interface RadarEntry extends Pick<RadarMove, 'amount' | 'agreed' | 'left'> {
  readonly agreementId: string
  readonly row: RadarRow
  readonly points: Ratio | null
  readonly date: Day
}

/** A row for somebody who may not see amounts: nothing in it, not even its place, follows from billed lines. */
export interface RadarRowWithoutMoney extends Omit<RadarRow, 'amount' | 'policy'> {
  readonly amount: null
  readonly policy: RadarMove['policyWithoutMoney']
}

/** A found row, before it is known who may see what of it. */
interface Ranked extends RadarEntry {
  readonly move: RadarMove
  readonly isArchived: boolean
}

interface RadarRows {
  readonly entries: readonly RadarEntry[]
  readonly withoutMoney: readonly RadarRowWithoutMoney[]
}

/** Reasons to look at an agreement. */
interface Touched {
  /** Recording instant of the newest figure that it reads. */
  readonly at: Instant
  readonly arrivals: Arrivals
  readonly tenure: Tenure | null
}

/** Figures that nobody has recorded yet. */
export interface ForeseenFigures {
  readonly withFigures: WithFigures
  /** An instant after everything recorded. */
  readonly at: Instant
  readonly day: Day
  readonly arrivals: Arrivals
}

/** Visible agreements: whole ones by id, and parts of others. */
export interface RadarSight {
  readonly whole: ReadonlySet<string>
  readonly parts: ReadonlyMap<string, Tenure>
}

/** Approximate bytes of a row with its texts. */
const bytesOfRow = 1_200

const pointDigits = 4

export class Radar {
  readonly #library: ReadsAgreements
  readonly #trueUps: TrueUps
  readonly #kept: TicketedCache<SizedValue<RadarRows>>

  constructor(library: ReadsAgreements, trueUps: TrueUps) {
    this.#library = library
    this.#trueUps = trueUps
    // Records in a past span change only if its clock is repaired.
    const dependsOn = { isPast: true, kinds: new Set(['clock'] as const) }
    this.#kept = new TicketedCache(library.changes, limits.radar.bytes, dependsOn)
  }

  /** Rows sorted by absolute amount, then points. Nothing in the span may still be recorded. */
  async read(
    workspaceId: string,
    question: RadarQuestion,
    sight: RadarSight | null = null,
  ): Promise<readonly RadarEntry[]> {
    const { entries } = await this.#found(workspaceId, question)
    if (sight === null) return entries
    const seen = entries.filter(({ agreementId }) => sight.whole.has(agreementId))
    if (sight.parts.size === 0) return seen
    // Parts are computed for each reader: few agreements ever change their supplier.
    const own = await this.#find(workspaceId, question, sight.parts)
    return [...seen, ...shownEntries(own)].sort(compareEntries)
  }

  /** Rows sorted by absolute points. */
  async readWithoutMoney(workspaceId: string, question: RadarQuestion): Promise<readonly RadarRowWithoutMoney[]> {
    return (await this.#found(workspaceId, question)).withoutMoney
  }

  async #found(workspaceId: string, question: RadarQuestion): Promise<RadarRows> {
    const { since, until, day, agreementId } = question
    const key = `${workspaceId} ${since} ${until} ${day} ${agreementId ?? ''}`
    const kept = await this.#kept.load(key, workspaceId, async () => {
      const ranked = await this.#find(workspaceId, question, null)
      const found = {
        entries: shownEntries(ranked).sort(compareEntries),
        withoutMoney: ranked
          .filter(each => isShown(each, each.move.policyWithoutMoney))
          .toSorted(comparePoints)
          .map(({ row, move }) => ({ ...row, amount: null, policy: move.policyWithoutMoney })),
      }
      return new SizedValue<RadarRows>(found, 500 + 2 * ranked.length * bytesOfRow, workspaceId)
    })
    return kept.value
  }

  async #find(
    workspaceId: string,
    question: RadarQuestion,
    parts: RadarSight['parts'] | null,
  ): Promise<readonly Ranked[]> {
    const all = await this.touched(workspaceId, question)
    const touched = parts === null ? all : new Map([...all].filter(([id]) => parts.has(id)))
    if (touched.size > this.#library.bounds.radarAgreements) throw new TooHeavyHere('many agreements to compare')
    const ranked: Ranked[] = []
    const slices = new Slices()
    const arrivals = new Arrivals()
    const ids = [...touched.keys()]
    for (let from = 0; from < ids.length; from += limits.radar.together) {
      const together = ids.slice(from, from + limits.radar.together)
      await this.#trueUps.prepare(workspaceId, together)
      for (const id of together) {
        const tenure = parts?.get(id) ?? null
        ranked.push(...(await this.#rowsOf(workspaceId, id, question, { at: touched.get(id)!, arrivals, tenure })))
        await slices.rest()
      }
    }
    return ranked
  }

  /** Agreements that read a published series, with the instant of the last entry. */
  async touched(
    workspaceId: string,
    { since, until, agreementId }: Omit<RadarQuestion, 'day'>,
  ): Promise<ReadonlyMap<string, Instant>> {
    const read = (tx: Transaction) => loadTouchedSeries(tx, workspaceId, since, until)
    const series = await this.#library.readAndCatchUp(workspaceId, read)
    const index = await this.#library.index(workspaceId)
    const { readers } = await this.#library.readers(workspaceId, index)
    const touched = new Map<string, Instant>()
    for (const { id, at } of series)
      for (const agreement of readers.get(id) ?? []) {
        const isAsked = agreementId === null || agreement.id === agreementId
        // Entries from before the agreement existed did not affect it.
        if (isAsked && at > agreement.createdAt && at > (touched.get(agreement.id) ?? '')) touched.set(agreement.id, at)
      }
    return touched
  }

  async #rowsOf(
    workspaceId: string,
    agreementId: string,
    { since, until, day }: RadarQuestion,
    { at, arrivals, tenure }: Touched,
  ): Promise<readonly Ranked[]> {
    const trueUp = await this.#trueUps.of(workspaceId, agreementId, { knownAt: until, until: day }, tenure)
    return trueUp === null ? [] : this.#movesOf(trueUp, since, { at, arrivals, tenure })
  }

  #movesOf(trueUp: TrueUp, since: Instant, { at, arrivals, tenure }: Touched): readonly Ranked[] {
    const { snapshot, standing, adjustments } = trueUp
    const { status } = standing.state
    // Nothing can be computed where its series are gone.
    if (status === 'DRAFT' || standing.broken !== null || adjustments === null) return []
    const first = tenure?.spans.at(-1)?.from || snapshot.kept.createdAt
    const found = findMoves(this.#groundOf(trueUp, adjustments, since > first ? since : first, arrivals))
    return found.map(move => rank(snapshot, move, at, status === 'ARCHIVED'))
  }

  /** Moves since an instant in one agreement, or in a part of it, as everything stands now. */
  movedNow(trueUp: TrueUp, since: Instant, touched: Touched): readonly RadarEntry[] {
    return shownEntries(this.#movesOf(trueUp, since, touched))
  }

  /**
   * Effect of figures that nobody has recorded yet on one agreement: its rows once they are recorded at this instant. Arrivals are
   * shared by all agreements asked about these figures.
   */
  async foresee(
    workspaceId: string,
    agreementId: string,
    { withFigures, at, day, arrivals }: ForeseenFigures,
  ): Promise<readonly RadarEntry[]> {
    const trueUp = await this.#trueUps.with(workspaceId, agreementId, day, withFigures)
    const since = instantOfMicros(microsOf(at) - 1)
    return trueUp === null ? [] : shownEntries(this.#movesOf(trueUp, since, { at, arrivals, tenure: null }))
  }

  #groundOf(trueUp: TrueUp, adjustments: Adjustments, since: Instant, arrivals: Arrivals): RadarInputs {
    const { versions, path, agreement, standing, standingLines, quantities, knownAt: until, today } = trueUp
    const { work } = this.#library.bounds
    const before = evaluate({
      versions,
      cuts: { asOf: null, knownAt: since },
      tag: null,
      until: today,
      today,
      ...standing.continuesFrom,
      work: work(),
    })
    const twice = restateSince(
      {
        versions: path.versions,
        signed: path.signed,
        settled: path.settled,
        knownAt: until,
        today,
        work: work(),
        arrivals,
      },
      since,
    )
    const owned = [...twice.after.keys()].filter(place => trueUp.owns(twice.after[place]!.signed))
    const isOwn = ({ date }: { readonly date: Day }) => standing.owns(date)
    return {
      agreement,
      versions,
      lines: standingLines,
      quantities,
      today,
      since,
      until,
      work: work(),
      covered: new Set(standing.corrected.keys()),
      agreed: trueUp.agreed,
      signed: {
        before: owned.map(place => twice.before[place]!),
        after: owned.map(place => twice.after[place]!),
        movedBy: place => twice.movedBy(owned[place]!),
      },
      open: {
        before: { adjustments: before.adjustments.filter(isOwn), blocked: before.blocked.filter(isOwn) },
        after: { adjustments: adjustments.computed, blocked: adjustments.blocked },
      },
    }
  }
}

function rank({ id, slug }: AgreementSnapshot, move: RadarMove, touchedAt: Instant, isArchived: boolean): Ranked {
  const { kind, period, date, causes, points, priceBefore, priceAfter, amount, currency, policy, agreed, left } = move
  const told = causes.map(tellCause)
  const instants = causes.flatMap(({ after }) => after.recordedAt ?? [])
  const row = {
    kind,
    agreement: slug,
    period,
    at: instants.sort().at(-1) ?? touchedAt,
    cause: told[0] ?? null,
    ...(told.length > 1 ? { causes: told } : {}),
    points: points === null ? null : formatShort(points, pointDigits),
    priceBefore,
    priceAfter,
    amount: amount === null || currency === null ? null : formatMinorUnits(amount, currency),
    currency,
    policy,
  }
  return { agreementId: id, row, move, isArchived, amount, agreed, left, points, date }
}

/** Whether a row is shown: of an archived agreement only rows that can still be corrected. */
function isShown({ isArchived, move }: Ranked, policy: RadarMove['policyWithoutMoney']): boolean {
  return !isArchived || (move.isSigned && policy !== 'LAPSED')
}

/** Rows for somebody who sees amounts. */
function shownEntries(ranked: readonly Ranked[]): RadarEntry[] {
  return ranked
    .filter(each => isShown(each, each.move.policy))
    .map(({ move: _move, isArchived: _isArchived, ...entry }) => entry)
}

function tellCause({ series, period, before, after }: MovedFigure): RadarCause {
  return { series, period: formatPeriod(period), before: before?.value ?? null, after: after.value, tag: after.tag }
}

function compareSizes(a: Ratio | null, b: Ratio | null): number {
  const size = (each: Ratio | null) => (each === null ? zero : absolute(each))
  return compare(size(a), size(b))
}

/** Sort order: the largest amounts first, then the largest moves. */
export function compareEntries(a: RadarEntry, b: RadarEntry): number {
  return compareSizes(b.amount, a.amount) || comparePoints(a, b)
}

function comparePoints(a: RadarEntry, b: RadarEntry): number {
  const bySize = compareSizes(b.points, a.points)
  if (bySize !== 0) return bySize
  if (a.row.agreement !== b.row.agreement) return a.row.agreement < b.row.agreement ? -1 : 1
  return a.date - b.date
}
