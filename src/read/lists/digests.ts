// Digests: the state of agreements in a few words each, for lists of thousands of them: the next date, open signatures, faults.
// Computed in the background, a few agreements at a time and a few workspaces in parallel, so that a large workspace delays nobody
// else; kept until something is recorded that an agreement reads, or a day comes that matters to it. Until one is computed again
// its last known form is answered, and counted as pending.

import { type Gap, gapOfRefusal, otherGap, toldAs } from '../../core/calculation/gap.ts'
import { calendarOf } from '../../core/formula/calendar.ts'
import { nextDateAfter, type ScheduledVersion, schedule } from '../../core/formula/schedule.ts'
import { TooHeavyHere } from '../../core/numbers/work-budget.ts'
import { parties as partyNames } from '../../core/parties.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Day, formatDay } from '../../core/time/day.ts'
import { startOfDay } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import {
  type AgreementHistory,
  type AgreementParties,
  loadAgreementHistories,
} from '../../storage/agreements/agreements.ts'
import type { StoredCorrection } from '../../storage/agreements/corrections.ts'
import { loadMarks } from '../../storage/log/append.ts'
import type { MoneyMoved } from '../agreements/adjustment-money.ts'
import type { Adjustments } from '../agreements/adjustments.ts'
import { type AgreementSnapshot, partiesOf } from '../agreements/agreement-snapshot.ts'
import { isUnanswered, type OpenCorrection, summarizeOpen } from '../agreements/correction-view.ts'
import { type RecentMove, recentMoves } from '../agreements/moves.ts'
import { type PackedPeriods, packPeriods } from '../agreements/open-periods.ts'
import { supplierOfPeriods } from '../agreements/party-part.ts'
import { sideKey } from '../agreements/tenure.ts'
import { type MadeTerms, openChange, termsMade } from '../agreements/terms-state.ts'
import { type OpenTermsChange, summarizeOpenChange } from '../agreements/terms-view.ts'
import type { LibraryBounds } from '../memory/library-bounds.ts'
import { Slices } from '../memory/slices.ts'
import type { CachedIndex } from './cached-index.ts'
import type { Computes } from './computes.ts'
import { loadPriced, moneyOf, openEffects, type PricedSources, trueUpOf } from './digest-money.ts'
import { DigestShelf, type KnownDigest, type Remembers } from './digest-shelf.ts'
import { dueDates, type PackedDue } from './due-dates.ts'
import type { ListPiece } from './list-pieces.ts'
import { noFigures, type OpenFigures, openFigures, openLabels } from './open-figures.ts'
import { type SettledRow, settledRowOf } from './settled-row.ts'
import { isToChange, lastDayBefore, restsOn } from './validity.ts'
import { WorkspaceQueues } from './workspace-queues.ts'

export interface AgreementDigest {
  /** The first adjustment date after today. */
  readonly nextDate: string | null
  /**
   * All periods that are not signed by both. For an agreement too heavy to compute here they come from the calendar: some may turn
   * out to have no number, to wait for one party alone, or to be disputed.
   */
  readonly open: PackedPeriods
  /** Figures of these periods for lists. */
  readonly figures: OpenFigures
  /** For an agreement that had other parties: its terms, and the version that computes each of these periods; else null. */
  readonly made: OpenPeriodsMade | null
  /** Proposed corrections that a side still has to sign, the oldest first: one at most of each supplier. */
  readonly corrections: readonly OpenCorrection[]
  /** The change of terms that a side still has to sign; null where there is none. */
  readonly termsChange: OpenTermsChange | null
  /** Gap of the newest periods; an old gap that later periods have passed does not count. */
  readonly gap: Gap | null
  /** Effect of the last 30 days' figures on its open numbers, the newest first; empty where it is too heavy to compute. */
  readonly moves: readonly RecentMove[]
  /** Money effect of its adjustments; null where too heavy to compute, or not in force. */
  readonly money: MoneyMoved | null
  /** Values that lists sort by; null for an agreement that cannot be computed here. */
  readonly row: SettledRow | null
  /** Dates up to a year ahead with the figures they wait for; null for an agreement that cannot be computed here. */
  readonly due: PackedDue | null
}

interface OpenPeriodsMade {
  readonly terms: MadeTerms
  readonly ofOpen: readonly number[]
}

/** Shape of the stored digest, raised with every change: digests of another number are ignored. */
const digestShape = 9

interface Gathered {
  /** Current or last known digests, by agreement id. */
  readonly digests: ReadonlyMap<string, AgreementDigest>
  /** Agreements still to be computed: their digests are the last known, or missing. */
  readonly pending: number
  /** Agreements with a last known digest only. */
  readonly outdated: ReadonlySet<string>
}

/** Narrow view of the library. */
interface ComputesDigests extends Computes, Remembers {
  /** Announces newly billed lines: digests of their agreements are computed again. */
  resolveImports(workspaceId: string): Promise<void>
  index(workspaceId: string, piece: ListPiece): CachedIndex | Promise<CachedIndex>
  readonly bounds: Pick<LibraryBounds, 'listCharacters'>
  readonly corrections: {
    /** Reads the sources for many agreements at once. */
    prepare(workspaceId: string, agreementIds: readonly string[]): Promise<void>
    listOpen(workspaceId: string, agreementId: string, today: Day): Promise<readonly OpenCorrection[]>
  }
}

/** Approximate bytes of a digest with its texts and its entry, and of each listed thing. */
const bytesOf = { digest: 900, period: 8, move: 120, correction: 300, version: 200 }

function sizeOf({ open, figures, made, corrections, moves, due }: AgreementDigest): number {
  const texts = figures.lines.length + (due?.lines.length ?? 0)
  const listed = corrections.length * bytesOf.correction + moves.length * bytesOf.move + texts
  return bytesOf.digest + open.length * bytesOf.period + sizeOfMade(made) + listed
}

function sizeOfMade(made: OpenPeriodsMade | null): number {
  if (made === null) return 0
  const { versions, lists, billing, restarts } = made.terms
  return (
    (versions.length + lists.length + billing.length + restarts.length) * bytesOf.version +
    made.ofOpen.length * bytesOf.period
  )
}

export class Digests {
  readonly #library: ComputesDigests
  readonly #shelf: DigestShelf<AgreementDigest>
  /** Queued agreements with the day to compute for. */
  readonly #queues: WorkspaceQueues<Day>

  constructor(library: ComputesDigests) {
    this.#library = library
    this.#shelf = new DigestShelf(library, digestShape)
    const { from, restTimes } = limits.manyDigests
    this.#queues = new WorkspaceQueues({
      together: limits.digestsAtOnce,
      work: (workspaceId, days, left) =>
        this.#workOut(workspaceId, [...days.keys()], Math.max(...days.values()), left < from ? 1 : restTimes),
    })
  }

  /**
   * Digests of these agreements of a workspace. Waits a moment for digests that are not current, and answers with what is known
   * then.
   */
  async gather(workspaceId: string, ids: readonly string[], today: Day): Promise<Gathered> {
    await this.#library.resolveImports(workspaceId)
    await this.#shelf.read(workspaceId)
    const first = this.#find(ids, today)
    if (first.size === ids.length) return { digests: first, pending: 0, outdated: new Set() }
    // Digests under computation are waited for, not computed twice.
    const missing = ids.filter(id => !first.has(id) && !this.#shelf.isComputing(id))
    await this.#queues.add(
      workspaceId,
      missing.map(id => [id, today] as const),
    )
    const digests = this.#find(ids, today)
    const pending = ids.length - digests.size
    const outdated = new Set<string>()
    for (const id of ids) {
      const last = digests.has(id) ? undefined : this.#shelf.findLast(id)
      if (last === undefined) continue
      digests.set(id, last)
      outdated.add(id)
    }
    return { digests, pending, outdated }
  }

  #find(ids: readonly string[], today: Day): Map<string, AgreementDigest> {
    const found = new Map<string, AgreementDigest>()
    for (const id of ids) {
      const digest = this.#shelf.find(id, today)
      if (digest !== undefined) found.set(id, digest)
    }
    return found
  }

  async #workOut(workspaceId: string, ids: readonly string[], today: Day, restTimes: number): Promise<void> {
    await this.#shelf.compute(workspaceId, ids, async keep => {
      const slices = new Slices()
      const { agreements, marks, priced } = await this.#library.readAndCatchUp(workspaceId, async tx => ({
        agreements: await loadAgreementHistories(tx, workspaceId, ids),
        marks: await loadMarks(tx, workspaceId),
        priced: await loadPriced(tx, workspaceId, ids),
      }))
      await this.#prepareCorrections(workspaceId, agreements)
      for (const agreement of agreements) {
        keep(agreement.id, await this.#known(workspaceId, agreement, priced(agreement.id), today))
        // Rests however many agreements wait.
        await slices.restAsLong(restTimes)
      }
      return marks
    })
  }

  async #prepareCorrections(workspaceId: string, agreements: readonly AgreementHistory[]): Promise<void> {
    const proposed = agreements.filter(each => unanswered(each).length > 0).map(({ id }) => id)
    // The read is too long where one of them is: then each is read by itself.
    if (proposed.length > 1) await ifLight(() => this.#library.corrections.prepare(workspaceId, proposed))
  }

  async #known(
    workspaceId: string,
    kept: AgreementHistory,
    priced: PricedSources,
    today: Day,
  ): Promise<KnownDigest<AgreementDigest>> {
    const calendar = kept.versions.map(({ version, document }) => ({ number: version, formula: calendarOf(document) }))
    const next = calendar.length === 0 ? null : nextDateAfter(calendar, today)
    const hasProposal = unanswered(kept).length > 0
    const { series, isSettled, ...numbers } = await this.#numbers(workspaceId, kept, { calendar, priced }, today)
    const digest = {
      nextDate: next === null ? null : formatDay(next),
      corrections: hasProposal ? await this.#corrections(workspaceId, kept, today) : [],
      termsChange: openTermsChange(kept),
      ...numbers,
    }
    // A proposal may lapse by the clock alone.
    const lastDay = isSettled && !hasProposal ? lastDayBefore(next, today) : today
    return { digest, day: today, lastDay, series, size: sizeOf(digest) }
  }

  /** Open corrections. One that cannot be checked against the facts here counts as open. */
  async #corrections(workspaceId: string, kept: AgreementHistory, today: Day): Promise<readonly OpenCorrection[]> {
    return (
      (await ifLight(() => this.#library.corrections.listOpen(workspaceId, kept.id, today))) ??
      unanswered(kept).map(({ correction, supplier }) => summarizeOpen(correction, null, { supplier }))
    )
  }

  async #numbers(
    workspaceId: string,
    kept: AgreementHistory,
    { calendar, priced }: NumberSources,
    today: Day,
  ): Promise<Numbers> {
    try {
      const snapshot = this.#library.snapshotOf(kept)
      const request = { asOf: null, knownAt: null, version: null, until: today }
      const adjustments = await this.#library.computeAdjustments(workspaceId, snapshot, request)
      const index = await this.#library.index(workspaceId, { series: snapshot.references })
      const rests = restsOn(snapshot.references.map(reference => index.findByReference(reference)))
      if (adjustments === null) return { ...nothingOpen, ...rests, isSettled: false }
      const gap = gapUpToNow(adjustments)
      const trueUp = trueUpOf({ snapshot, adjustments, priced, index, today }, this.#library.bounds)
      return {
        open: packPeriods(adjustments.openPeriods()),
        figures: openFigures(snapshot, adjustments, openEffects(trueUp, adjustments)),
        made: madeOpen(kept, () => adjustments.computed.map(({ formulaVersion }) => formulaVersion)),
        gap,
        moves: movesOf(snapshot, adjustments, today),
        money: moneyOf(trueUp, adjustments),
        row: settledRowOf(snapshot.at(null)!, adjustments, today),
        due: dueDates(snapshot, adjustments, today),
        ...rests,
        isSettled: rests.isSettled && gap === null && adjustments.blocked.length === 0 && !isToChange(snapshot, today),
      }
    } catch (error) {
      const without = { ...nothingOpen, series: null, isSettled: false }
      // Lists are made on the main thread, where others wait; the agreement's own page is not.
      if (error instanceof TooHeavyHere)
        return { ...without, ...byCalendar(kept, calendar, today), gap: numbersTakeLong }
      if (error instanceof Refusal && error.kind !== 'unavailable') return { ...without, gap: gapOfRefusal(error) }
      throw error
    }
  }
}

type ComputedPart = Pick<AgreementDigest, 'open' | 'figures' | 'made' | 'gap' | 'moves' | 'money' | 'row' | 'due'>

interface Numbers extends ComputedPart, Pick<KnownDigest<unknown>, 'series'> {
  /** Whether nothing but the next date or a record changes them. */
  readonly isSettled: boolean
}

const nothingOpen: ComputedPart = {
  open: [],
  figures: noFigures,
  made: null,
  gap: null,
  moves: [],
  money: null,
  row: null,
  due: null,
}

/** Sources of an agreement's numbers besides its stored rows. */
interface NumberSources {
  readonly calendar: readonly ScheduledVersion[]
  readonly priced: PricedSources
}

/** The change waits for the parties of now: one that was proposed to others is no longer open. */
function openTermsChange(kept: AgreementHistory): OpenTermsChange | null {
  const open = kept.changes.length === 0 ? null : openChange(kept)
  return open === null ? null : summarizeOpenChange(open, kept.states.at(-1)!.parties)
}

/** The newest correction of each supplier that may wait for a signature; older ones were replaced. */
function unanswered(kept: AgreementHistory): readonly ProposedTo[] {
  if (kept.corrections.length === 0) return []
  const suppliers = supplierOfPeriods(kept)
  const now = kept.states.at(-1)?.parties.supplier ?? null
  const newest = new Map<string, ProposedTo>()
  for (const correction of kept.corrections) {
    const signed = suppliers.get(correction.periods.at(-1) ?? '')
    newest.set(sideKey(signed ?? null), { correction, supplier: signed === undefined ? now : signed })
  }
  return [...newest.values()].filter(({ correction }) => isUnanswered(correction))
}

interface ProposedTo {
  readonly correction: StoredCorrection
  readonly supplier: AgreementParties['supplier']
}

/** Result, or null where it is more work than is done here. */
async function ifLight<Found>(find: () => Promise<Found>): Promise<Found | null> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof TooHeavyHere) return null
    throw error
  }
}

/** Moves, or none where they would be too much work here. */
function movesOf(snapshot: AgreementSnapshot, adjustments: Adjustments, today: Day): RecentMove[] {
  const since = startOfDay(today - limits.overviewDays)
  try {
    return recentMoves({ snapshot, adjustments, since, today, most: limits.overviewMoments })
  } catch (error) {
    if (error instanceof TooHeavyHere || error instanceof Refusal) return []
    throw error
  }
}

export const numbersTakeLong: Gap = otherGap('work', 'its numbers take long to compute; open the agreement to see them')

/** Dates after the newest signed one. Both have to sign until the periods are computed. */
function byCalendar(
  kept: AgreementHistory,
  calendar: readonly ScheduledVersion[],
  today: Day,
): Pick<AgreementDigest, 'open' | 'figures' | 'made'> {
  const newestSigned = kept.receipts
    .filter(receipt => partiesOf(kept.signOffs, receipt).size === partyNames.length)
    .reduce((newest, { adjustmentDate }) => (adjustmentDate > newest ? adjustmentDate : newest), '')
  const dates = schedule(calendar, today).filter(({ date }) => formatDay(date) > newestSigned)
  const open = dates.map(({ date }) => ({ date: formatDay(date), waitsFor: partyNames, isDisputed: false }))
  const made = madeOpen(kept, () => dates.map(({ version }) => version.number))
  return { open: packPeriods(open), figures: openLabels(dates), made }
}

function madeOpen(kept: AgreementHistory, ofOpen: () => readonly number[]): OpenPeriodsMade | null {
  const terms = termsMade(kept)
  return terms.versions.length === 0 ? null : { terms, ofOpen: ofOpen() }
}

function gapUpToNow(adjustments: Adjustments): Gap | null {
  if (adjustments.broken !== null) return otherGap('record', adjustments.broken.reason)
  const { newestDate, blocked } = adjustments
  const hindrance = blocked.find(({ date }) => newestDate === null || formatDay(date) > newestDate)
  if (hindrance === undefined) return null
  if (newestDate === null) return adjustments.nothing()
  return toldAs(hindrance.gap, `${hindrance.period} cannot be computed: ${hindrance.gap.sentence}`)
}
