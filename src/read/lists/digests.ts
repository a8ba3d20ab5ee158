// The state of formulas, in a few words each, for lists of thousands of them: the next date, what waits for whom, what
// is wrong. Computed in the background, a few formulas at a time and a few workspaces in parallel, so that a workspace
// with many formulas delays nobody else; cached until something is published that a formula reads, and for the day. It
// caches no documents and no numbers.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Gap, gapOfRefusal, otherGap, toldAs } from '../../core/calculation/gap.ts'
import { calendarOf } from '../../core/formula/calendar.ts'
import { type FormulaVersion, nextDateAfter, schedule } from '../../core/formula/schedule.ts'
import { TooHeavyHere } from '../../core/numbers/work-budget.ts'
import { parties as partyNames } from '../../core/parties.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Day, writeDay } from '../../core/time/day.ts'
import { startOfDay } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { readAgreements, type StoredAgreement } from '../../storage/agreements/agreements.ts'
import { type EntryKind, kindsWhere } from '../../storage/log/entry-kinds.ts'
import type { AdjustmentRequest, Adjustments, OpenPeriod } from '../agreements/adjustments.ts'
import { type AgreementSnapshot, partiesOf } from '../agreements/agreement-snapshot.ts'
import { type RecentMove, recentMoves } from '../agreements/moves.ts'
import { Kept } from '../memory/kept.ts'
import { Place } from '../memory/memory.ts'
import type { ReadsStorage } from '../memory/reads-storage.ts'
import { Slices } from '../memory/slices.ts'

export interface AgreementDigest {
  /** The first adjustment date after today. */
  readonly nextDate: string | null
  /**
   * The oldest periods that are not signed by both. For a formula that is too heavy to compute here they come from the
   * calendar: some of them may turn out to have no number, to wait for one party alone, or to be disputed.
   */
  readonly open: readonly OpenPeriod[]
  /** What cannot be computed up to now; an old gap that later periods have passed does not count. */
  readonly gap: Gap | null
  /**
   * What figures of the last 30 days did to its open numbers, the newest first; empty for a formula that is heavy to
   * compute.
   */
  readonly moves: readonly RecentMove[]
}

interface Gathered {
  /** By the id of the agreement. */
  readonly digests: ReadonlyMap<string, AgreementDigest>
  /** Formulas that still have to be computed. */
  readonly pending: number
}

/** What computes: the library. */
export interface Computes extends ReadsStorage {
  snapshotOf(kept: StoredAgreement): AgreementSnapshot
  computeAdjustments(
    workspaceId: string,
    snapshot: AgreementSnapshot,
    request: AdjustmentRequest,
  ): Promise<Adjustments | null>
}

interface DigestOfDay {
  readonly day: Day
  readonly digest: AgreementDigest
}

/** The formulas of one workspace that still have to be computed. */
interface Queue {
  readonly ids: Set<string>
  day: Day
  /** Settles when the queue is empty, or rejects with what went wrong. */
  readonly done: PromiseWithResolvers<void>
}

/** Approximate bytes of a digest with its texts and its entry, and of each of its open periods. */
const bytesOfDigest = 400
const bytesOfOpen = 120

export class Digests {
  readonly #library: Computes
  readonly #kept: Kept<Place<DigestOfDay>>
  /** By workspace; each has its turn. */
  readonly #queues = new Map<string, Queue>()
  /** The workspaces whose turn it is. */
  readonly #working = new Set<string>()

  constructor(library: Computes) {
    this.#library = library
    const kinds: ReadonlySet<EntryKind> = new Set(kindsWhere(({ stale }) => stale.digests === 'scope'))
    this.#kept = new Kept(library.changes, limits.digestsBytes, { figures: true, kinds })
  }

  /**
   * The digests of these formulas of a workspace. Waits a moment for missing ones, and answers with what is available
   * then.
   */
  async gather(workspaceId: string, ids: readonly string[], today: Day): Promise<Gathered> {
    const first = this.#find(ids, today)
    if (first.size === ids.length) return { digests: first, pending: 0 }
    const { done } = this.#enqueue(
      workspaceId,
      ids.filter(id => !first.has(id)),
      today,
    )
    const stop = new AbortController()
    const patience = sleep(limits.digestWaitMs, undefined, { signal: stop.signal }).catch(() => {})
    await Promise.race([done.promise, patience]).finally(() => stop.abort())
    const digests = this.#find(ids, today)
    return { digests, pending: ids.length - digests.size }
  }

  #find(ids: readonly string[], today: Day): Map<string, AgreementDigest> {
    const found = new Map<string, AgreementDigest>()
    for (const id of ids) {
      const kept = this.#kept.get(id)?.value
      if (kept?.day === today) found.set(id, kept.digest)
    }
    return found
  }

  #enqueue(workspaceId: string, ids: readonly string[], day: Day): Queue {
    const queue = this.#queues.get(workspaceId) ?? { ids: new Set(), day, done: Promise.withResolvers<void>() }
    this.#queues.set(workspaceId, queue)
    queue.day = day
    // Those that are being computed are waited for, not computed twice.
    for (const id of ids) if (!this.#kept.isLoading(id)) queue.ids.add(id)
    // The caller may have gone by the time it fails.
    queue.done.promise.catch(() => {})
    this.#start()
    return queue
  }

  /** As many workspaces at a time as allowed; of those that wait, the one with the fewest formulas goes first. */
  #start(): void {
    while (this.#working.size < limits.digestWorkspacesAtOnce) {
      const waiting = [...this.#queues].filter(([workspaceId]) => !this.#working.has(workspaceId))
      if (waiting.length === 0) return
      const [workspaceId, queue] = waiting.reduce((least, each) =>
        each[1].ids.size < least[1].ids.size ? each : least,
      )
      void this.#takeTurn(workspaceId, queue)
    }
  }

  async #takeTurn(workspaceId: string, queue: Queue): Promise<void> {
    this.#working.add(workspaceId)
    const ids = [...queue.ids.values().take(limits.digestsAtOnce)]
    for (const id of ids) queue.ids.delete(id)
    const { from, restTimes } = limits.manyDigests
    await this.#workOut(workspaceId, ids, queue.day, queue.ids.size < from ? 1 : restTimes).catch(error => {
      queue.ids.clear()
      queue.done.reject(error)
    })
    this.#working.delete(workspaceId)
    if (queue.ids.size === 0) {
      this.#queues.delete(workspaceId)
      queue.done.resolve()
    }
    this.#start()
  }

  async #workOut(workspaceId: string, ids: readonly string[], today: Day, restTimes: number): Promise<void> {
    await this.#kept.loadMany(ids, workspaceId, async keep => {
      const slices = new Slices()
      for (const agreement of await this.#library.readAndCatchUp(workspaceId, tx =>
        readAgreements(tx, workspaceId, ids),
      )) {
        const digest = await this.#digest(workspaceId, agreement, today)
        const size = bytesOfDigest + (digest.open.length + digest.moves.length) * bytesOfOpen
        keep(agreement.id, new Place({ day: today, digest }, size, workspaceId))
        // However many formulas wait.
        await slices.restAsLong(restTimes)
      }
    })
  }

  async #digest(workspaceId: string, kept: StoredAgreement, today: Day): Promise<AgreementDigest> {
    const calendar = kept.formulas.map(({ version, document }) => ({ number: version, formula: calendarOf(document) }))
    const next = calendar.length === 0 ? null : nextDateAfter(calendar, today)
    const nextDate = next === null ? null : writeDay(next)
    try {
      const snapshot = this.#library.snapshotOf(kept)
      const request = { asOf: null, knownAt: null, version: null, until: today }
      const adjustments = await this.#library.computeAdjustments(workspaceId, snapshot, request)
      if (adjustments === null) return { nextDate, open: [], gap: null, moves: [] }
      const moves = movesOf(snapshot, adjustments, today)
      return {
        nextDate,
        open: adjustments.openPeriods(limits.waitingPerFormula),
        gap: gapUpToNow(adjustments),
        moves,
      }
    } catch (error) {
      // Lists are made on the main thread, where others wait; the formula's own page is not.
      if (error instanceof TooHeavyHere)
        return { nextDate, open: openByCalendar(kept, calendar, today), gap: numbersTakeLong, moves: [] }
      if (error instanceof Refusal && error.kind !== 'unavailable')
        return { nextDate, open: [], gap: gapOfRefusal(error), moves: [] }
      throw error
    }
  }
}

/** None where that would be too much work here. */
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

/** The oldest dates after the newest signed one. Who has to sign is known when they are computed: until then both. */
function openByCalendar(kept: StoredAgreement, calendar: readonly FormulaVersion[], today: Day): OpenPeriod[] {
  const newestSigned = kept.receipts
    .filter(receipt => partiesOf(kept.signOffs, receipt).size === partyNames.length)
    .reduce((newest, { adjustmentDate }) => (adjustmentDate > newest ? adjustmentDate : newest), '')
  return schedule(calendar, today)
    .map(({ date }) => writeDay(date))
    .filter(date => date > newestSigned)
    .slice(0, limits.waitingPerFormula)
    .map(date => ({ date, waitsFor: partyNames, isDisputed: false }))
}

function gapUpToNow(adjustments: Adjustments): Gap | null {
  if (adjustments.broken !== null) return otherGap('record', adjustments.broken.reason)
  const { newestDate, blocked } = adjustments
  const hindrance = blocked.find(({ date }) => newestDate === null || writeDay(date) > newestDate)
  if (hindrance === undefined) return null
  if (newestDate === null) return adjustments.nothing()
  return toldAs(hindrance.gap, `${hindrance.period} cannot be computed: ${hindrance.gap.sentence}`)
}
