// Every number that was proposed for one adjustment date, with its cause: computed again from the records, because the number at
// any moment can be. Nothing is stored. The list ends when both sides have signed.
import type { Adjustment, BoundVersion } from '../../core/calculation/adjustment.ts'
import { evaluate } from '../../core/calculation/evaluate.ts'
import { type Gap, otherGap } from '../../core/calculation/gap.ts'
import { bindFormula, type SeriesData } from '../../core/formula/bind.ts'
import type { WorkBudget } from '../../core/numbers/work-budget.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Vintage } from '../../core/series/series.ts'
import { isBy, isSameValue } from '../../core/series/vintage.ts'
import { type Day, formatDay, parseDay } from '../../core/time/day.ts'
import { dayOfInstant, type Instant, startOfDay } from '../../core/time/instant.ts'
import { type ChangedFigure, type Reported, reportedOf } from '../../core/true-up/causes.ts'
import { type AgreementSnapshot, type AgreementState, afterSigned, type SignedPeriod } from './agreement-snapshot.ts'

/** Causes recorded at the moment a number changed. */
interface ProposalCauses {
  /** The adjustment date came. */
  readonly isDate: boolean
  readonly figures: readonly ChangedFigure[]
  /** Numbers of the versions that were saved. */
  readonly versions: readonly number[]
  /** Earlier periods that both sides had signed by then: the number continues from theirs. */
  readonly signed: readonly string[]
}

export interface Proposed {
  readonly at: Instant
  /** The reported number; null if there was none, and then `gap` says why. */
  readonly reported: (Reported & { readonly formulaVersion: number }) | null
  readonly gap: Gap | null
  readonly causes: ProposalCauses
}

interface ProposalsRequest {
  readonly snapshot: AgreementSnapshot
  readonly data: SeriesData
  readonly date: Day
  /** End of the list; null for now. */
  readonly until: Instant | null
  readonly now: Instant
  /** Budget for all moments together. */
  readonly work: WorkBudget
  /** Number of moments examined, the newest first. */
  readonly most: number
  /** Moments that the person who asks may not see are skipped. */
  readonly isSeen: (at: Instant) => boolean
}

interface Proposals {
  /** Proposed numbers, the oldest first. */
  readonly list: readonly Proposed[]
  /** Whether there were more moments than are examined: then earlier numbers are missing. */
  readonly isCut: boolean
}

export function traceProposals(request: ProposalsRequest): Proposals {
  const trace = new Trace(request)
  const { moments, isCut } = trace.moments()
  return trace.list(moments, isCut)
}

/** The number at a moment, and its sources. */
interface Computed {
  readonly reported: Proposed['reported']
  readonly gap: Gap | null
  readonly adjustments: readonly Adjustment[]
  readonly signed: readonly SignedPeriod[]
}

/** Lowest and highest period of a series that count. */
interface Range {
  low: number
  high: number
}

class Trace {
  readonly #request: ProposalsRequest
  readonly #bound = new Map<number, BoundVersion | null>()
  readonly #computed = new Map<Instant, Computed | null>()
  readonly #ranges = new Map<string, Range>()

  constructor(request: ProposalsRequest) {
    this.#request = request
  }

  /** Moments from the date on at which a record may have changed the number, the oldest first. */
  moments(): { readonly moments: readonly Instant[]; readonly isCut: boolean } {
    const { snapshot, date, until, now, most, isSeen } = this.#request
    const fixedAt = this.#fixedAt()
    const end = fixedAt ?? until ?? now
    const first = snapshot.versions[0]!.recordedAt
    const dateCame = startOfDay(date)
    const start = first > dateCame ? first : dateCame
    if (start > end) return { moments: [], isCut: false }
    const versions = snapshot.versions.map(({ recordedAt }) => recordedAt)
    const within = (at: Instant) => at > start && at <= end
    for (const at of [start, ...versions.filter(within), end]) this.#widen(this.#compute(at))
    const signatures = snapshot.kept.signOffs
      .filter(({ adjustmentDate }) => adjustmentDate < formatDay(date))
      .map(({ signedAt }) => signedAt)
    // States count as moments: a party may see the number only from one of them on.
    const states = snapshot.kept.states.map(({ recordedAt }) => recordedAt)
    const all = new Set([start, ...[...versions, ...signatures, ...states, ...this.#recordings()].filter(within)])
    const seen = [...all].filter(isSeen).sort()
    return { moments: seen.slice(-most), isCut: seen.length > most }
  }

  /** Instant of the second signature; null where the number is open. */
  #fixedAt(): Instant | null {
    const { snapshot, date, until } = this.#request
    const signed = snapshot.at(until)?.signed.find(({ adjustmentDate }) => adjustmentDate === formatDay(date))
    if (signed === undefined) return null
    const given = snapshot.kept.signOffs.filter(
      ({ period, receiptHash, signedAt }) =>
        period === signed.period && receiptHash === signed.hash && isBy(signedAt, until),
    )
    const first = new Map<string, Instant>()
    for (const { party, signedAt } of given) if (!first.has(party)) first.set(party, signedAt)
    return [...first.values()].sort().at(-1) ?? null
  }

  /** Recordings of figures between the lowest and the highest period read; of all if nothing could be computed. */
  #recordings(): Instant[] {
    const found: Instant[] = []
    for (const [series, { periods }] of this.#request.data) {
      const range = this.#ranges.get(series)
      if (range === undefined && this.#ranges.size > 0) continue
      for (const [ordinal, vintages] of periods)
        if (range === undefined || (ordinal >= range.low && ordinal <= range.high))
          for (const { recordedAt } of vintages) if (recordedAt !== null) found.push(recordedAt)
    }
    return found
  }

  #widen(computed: Computed | null): void {
    for (const { breakdown } of computed?.adjustments ?? [])
      for (const { series, period } of breakdown.observations) {
        const range = this.#ranges.get(series)
        if (range === undefined) this.#ranges.set(series, { low: period.ordinal, high: period.ordinal })
        else {
          range.low = Math.min(range.low, period.ordinal)
          range.high = Math.max(range.high, period.ordinal)
        }
      }
  }

  /** Works from the newest moment back, so that the oldest are dropped when the work budget runs out. */
  list(moments: readonly Instant[], isCut: boolean): Proposals {
    const list: Proposed[] = []
    try {
      let after = moments.length === 0 ? null : this.#compute(moments.at(-1)!)
      for (let place = moments.length - 1; place >= 0; place--) {
        const at = moments[place]!
        const before = place === 0 ? null : this.#compute(moments[place - 1]!)
        if (after !== null && (place === 0 || !isSameNumber(before, after)))
          list.push({
            at,
            reported: after.reported,
            gap: after.gap,
            causes: this.#causes(at, place === 0 && !isCut, before, after),
          })
        after = before
      }
      return { list: list.reverse(), isCut }
    } catch (error) {
      if (!(error instanceof Refusal) || list.length === 0) throw error
      return { list: list.reverse(), isCut: true }
    }
  }

  #compute(at: Instant): Computed | null {
    if (!this.#computed.has(at)) this.#computed.set(at, this.#computeAt(at))
    return this.#computed.get(at)!
  }

  #computeAt(at: Instant): Computed | null {
    const { snapshot, date, work } = this.#request
    const standing = snapshot.at(at)
    if (standing === null) return null
    const { signed } = standing
    const fixed = signed.find(({ adjustmentDate }) => adjustmentDate === formatDay(date))
    if (fixed !== undefined) {
      const { adjustmentPct, cumulativePct, price = null, formulaVersion } = fixed.body.result
      const reported = { adjustmentPct, cumulativePct, price, formulaVersion }
      return { reported, gap: null, adjustments: [], signed }
    }
    const versions = this.#bind(standing)
    if (versions === null)
      return { reported: null, gap: otherGap('formula', 'the formula could not be computed'), adjustments: [], signed }
    // Signed numbers of all suppliers count: the number goes on from them.
    const earlier = standing.whole.signed.filter(({ adjustmentDate }) => adjustmentDate < formatDay(date))
    const { adjustments, blocked } = evaluate({
      versions,
      cuts: { asOf: null, knownAt: at },
      tag: null,
      until: date,
      today: dayOfInstant(at),
      ...afterSigned({ signed: earlier, rebased: standing.rebased }),
      work,
    })
    const found = adjustments.findLast(each => each.date === date)
    if (found === undefined)
      return { reported: null, gap: blocked.find(each => each.date === date)?.gap ?? null, adjustments, signed }
    const reported = { ...reportedOf(found), formulaVersion: found.formulaVersion }
    return { reported, gap: null, adjustments, signed }
  }

  #bind({ versions }: AgreementState): BoundVersion[] | null {
    const bound: BoundVersion[] = []
    for (const { number, formula } of versions) {
      if (!this.#bound.has(number)) {
        const made = bindFormula(formula, this.#request.data).bound
        this.#bound.set(number, made === null ? null : { number, bound: made })
      }
      const known = this.#bound.get(number)!
      if (known === null) return null
      bound.push(known)
    }
    return bound
  }

  #causes(at: Instant, isFirst: boolean, before: Computed | null, after: Computed): ProposalCauses {
    const { snapshot, date } = this.#request
    const versions = snapshot.versions.filter(({ recordedAt }) => recordedAt === at).map(({ number }) => number)
    const signedBefore = new Set(before?.signed.map(({ period }) => period))
    const signed = after.signed.filter(
      ({ period, adjustmentDate }) => parseDay(adjustmentDate)! < date && !signedBefore.has(period),
    )
    return {
      isDate: at === startOfDay(date),
      figures: isFirst ? [] : this.#figures(at, usedBy(before, after)),
      versions,
      signed: isFirst ? [] : signed.map(({ period }) => period),
    }
  }

  /** Figures recorded at this moment that were read before it or are read since, with another value or tag than before. */
  #figures(at: Instant, used: ReadonlySet<string>): ChangedFigure[] {
    const found: ChangedFigure[] = []
    for (const [series, { periods }] of this.#request.data)
      for (const [ordinal, vintages] of periods) {
        const figure = used.has(`${series} ${ordinal}`) ? changedAt(vintages, at) : null
        if (figure !== null) found.push({ series, ordinal, ...figure })
      }
    return found
  }
}

function usedBy(...computed: readonly (Computed | null)[]): ReadonlySet<string> {
  const adjustments = computed.flatMap(each => each?.adjustments ?? [])
  const observations = adjustments.flatMap(({ breakdown }) => breakdown.observations)
  return new Set(observations.map(({ series, period }) => `${series} ${period.ordinal}`))
}

function changedAt(vintages: readonly Vintage[], at: Instant): Pick<ChangedFigure, 'before' | 'after'> | null {
  if (!vintages.some(({ recordedAt }) => recordedAt === at)) return null
  const known = vintages.filter(({ recordedAt }) => recordedAt === null || isBy(recordedAt, at))
  const before = known.findLast(({ recordedAt }) => recordedAt !== at) ?? null
  const after = known.at(-1)!
  return isSameValue(before?.value ?? null, after.value) && before?.tag === after.tag ? null : { before, after }
}

function isSameNumber(a: Computed | null, b: Computed): boolean {
  if (a === null) return false
  if (a.reported === null || b.reported === null)
    return a.reported === b.reported && (a.reported !== null || a.gap?.sentence === b.gap?.sentence)
  return (
    a.reported.adjustmentPct === b.reported.adjustmentPct &&
    a.reported.cumulativePct === b.reported.cumulativePct &&
    a.reported.price === b.reported.price
  )
}
