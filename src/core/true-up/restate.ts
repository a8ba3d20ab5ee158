// Signed periods with the figures known now: the restated path. Signed numbers stay; the restated ones tell how far the figures
// have moved away from them, and why. Pure; the result is never stored.
import type { Adjustment, Blocked, BoundVersion, Carried, InputObservation } from '../calculation/adjustment.ts'
import { evaluateDate } from '../calculation/evaluate.ts'
import { type Gap, toldAs } from '../calculation/gap.ts'
import { type Baseline, type Cause, Influences, type Undone } from '../calculation/influence.ts'
import type { CountingRule, ReadingRules, UsedObservation } from '../calculation/series-reading.ts'
import { isSameState } from '../calculation/state-equality.ts'
import { historiesOf } from '../formula/bind.ts'
import type { Corrections } from '../formula/formula.ts'
import { equal, type Ratio } from '../numbers/ratio.ts'
import { WorkBudget } from '../numbers/work-budget.ts'
import type { SeriesHistory, Vintage } from '../series/series.ts'
import { isBy, isPastPreliminary, newest, noCuts, selectVintage, type ValuedVintage } from '../series/vintage.ts'
import type { Day } from '../time/day.ts'
import { dayOfInstant, type Instant } from '../time/instant.ts'
import { Arrivals } from './arrivals.ts'
import { boundaryCut, countingFrom, countingOnly, governingVersion, type PolicyCut, policyCut } from './policy-cut.ts'
import { SettledBaselines } from './settled-baseline.ts'
import { type SettledReceipt, type SignedState, startsOf } from './signed-state.ts'

interface RestateQuestion {
  /** All versions, bound to series with all their vintages. */
  readonly versions: readonly BoundVersion[]
  /** Sorted by date. */
  readonly signed: readonly SignedState[]
  /** Receipts of agreed corrections by the label of the period. */
  readonly settled?: ReadonlyMap<string, SettledReceipt>
  /** The cut at an instant; null: now. */
  readonly knownAt: Instant | null
  /** The day of that instant, else of the clock. */
  readonly today: Day
  readonly work?: WorkBudget
  /** Shared where many agreements are restated with the same series. */
  readonly arrivals?: Arrivals
}

export interface RestatedPeriod {
  readonly signed: SignedState
  /** The contract's policy for revisions on this date; null where it has none. */
  readonly policy: Corrections | null
  /** True if it was signed when an earlier period was known to have moved: it continues from the signed state. */
  readonly isBoundary: boolean
  /** The reason why it cannot be computed any more; then it counts as it is settled. */
  readonly gap: Gap | null
  /** The adjustment; null where there is a gap. */
  readonly adjustment: Adjustment | null
  readonly factor: Ratio
  /** The state from which the next period continues. */
  readonly carried: Carried
  /** Whether the number or anything carried on differs from the signed state. */
  readonly differs: boolean
  /** The figures behind the difference to the settled number, the newest first; found on first use. */
  readonly causes: readonly Cause[]
  /** The figures it read that are still preliminary. */
  readonly waitsFor: readonly UsedObservation[]
  /** Whether something was estimated in place of an unpublished figure. */
  readonly isEstimated: boolean
  /** The result under the version that governs the date now; null where it gives the signed number. */
  readonly underNewFormula: NewFormula | null
}

/** A newer version that reaches back to a signed date: a cause of its own, which no policy covers. */
interface NewFormula {
  readonly version: number
  /** The factor; null where it cannot be computed. */
  readonly factor: Ratio | null
}

/** A period before anybody asks for its causes. */
type PlainPeriod = Omit<RestatedPeriod, 'causes'>

/** The restated path: one entry for each signed period, by date. */
export function restate(question: RestateQuestion): readonly RestatedPeriod[] {
  const path = new Path(question)
  return path.withCauses(path.restate(question.knownAt), question.knownAt)
}

/** Signed periods with the figures that were known at another instant before, and with all of them. */
export function restateSince(question: RestateQuestion, since: Instant): RestatedTwice {
  const path = new Path(question)
  const news: News = { after: since, by: question.knownAt, readBy: new Set() }
  const before = path.restate(since, news)
  const after = path.restateAgain(before, news)
  const movedBy = path.comparing(before, after, news)
  return { before: path.withCauses(before, since), after: path.withCauses(after, question.knownAt), movedBy }
}

export interface RestatedTwice {
  readonly before: readonly RestatedPeriod[]
  readonly after: readonly RestatedPeriod[]
  /** The figures that make the difference between the two numbers of a period, the newest first. */
  readonly movedBy: (place: number) => readonly Cause[]
}

/** Vintages that only the second of two paths knows. */
interface News {
  readonly after: Instant
  readonly by: Instant | null
  /** The places of the periods that looked at such a figure. */
  readonly readBy: Set<number>
}

function isNews({ recordedAt }: Vintage, { after, by }: News): boolean {
  return recordedAt !== null && recordedAt > after && isBy(recordedAt, by)
}

class Path {
  readonly #versions: readonly BoundVersion[]
  readonly #signed: readonly SignedState[]
  readonly #settled: ReadonlyMap<string, SettledReceipt>
  readonly #today: Day
  readonly #work: WorkBudget
  readonly #governing: readonly BoundVersion[]
  /** The state each receipt continued from: the signed one, and the one that is settled now. */
  readonly #signedStarts: readonly Carried[]
  readonly #settledStarts: readonly Carried[]
  readonly #moves: readonly (Instant | null)[]
  readonly #knowing: boolean[] = []
  readonly #histories = new Map<number, readonly SeriesHistory[]>()
  readonly #baselines: SettledBaselines
  readonly #earlier = new Map<Instant, readonly (readonly InputObservation[] | null)[]>()

  constructor({ versions, signed, settled, knownAt, today, work, arrivals }: RestateQuestion) {
    this.#versions = versions
    this.#signed = knownAt === null ? signed : signed.filter(({ agreedAt }) => isBy(agreedAt, knownAt))
    this.#settled = settled ?? new Map()
    this.#today = today
    this.#work = work ?? new WorkBudget()
    this.#signedStarts = startsOf(this.#signed)
    this.#settledStarts = this.#signed.map(({ period }, i) => {
      const { carriedIn } = this.#settled.get(period) ?? {}
      const start = this.#signedStarts[i]!
      if (carriedIn === undefined) return start
      return carriedIn.factors.length > 0 ? carriedIn : { ...carriedIn, factors: start.factors }
    })
    this.#governing = this.#signed.map(({ date }) => governingVersion(versions, date))
    const moments = arrivals ?? new Arrivals()
    this.#moves = this.#signed.map(each => moments.movedSince(each, this.#boundOf(each.version)))
    this.#baselines = new SettledBaselines({
      signed: this.#signed,
      settled: this.#settled,
      restatedBy: by => this.#restatedBy(by),
      isKnowing: i => this.#isKnowing(i),
      knownBy: (i, series, ordinal, by) => this.#knownBy(i, series, ordinal, by),
    })
  }

  /** Restates with the figures known by an instant; null: all. Notes readers of news. */
  restate(figuresBy: Instant | null, news: News | null = null, today = this.#today): readonly PlainPeriod[] {
    const restated: PlainPeriod[] = []
    for (const i of this.#signed.keys()) restated.push(this.#restateAt(i, restated[i - 1], figuresBy, news, today))
    return this.#withNewFormulas(restated, figuresBy)
  }

  /** Restates with new figures. A period that continues from an unchanged state and read none of them stays as it is. */
  restateAgain(before: readonly PlainPeriod[], news: News): readonly PlainPeriod[] {
    const restated: PlainPeriod[] = []
    for (const [i, then] of before.entries()) {
      const isSameStart = this.#startOf(i, before[i - 1]) === this.#startOf(i, restated[i - 1])
      const isSame = isSameStart && !news.readBy.has(i)
      restated.push(isSame ? this.#knowingMore(then, news.by) : this.#restateAt(i, restated[i - 1], news.by))
    }
    return this.#withNewFormulas(restated, news.by)
  }

  /** The period with its number unchanged; awaited figures may have come. */
  #knowingMore(then: PlainPeriod, figuresBy: Instant | null): PlainPeriod {
    const waitsFor = this.#waiting(then.signed.version, then.waitsFor, figuresBy)
    const isAll = waitsFor.length === then.waitsFor.length && then.underNewFormula === null
    return isAll ? then : { ...then, waitsFor, underNewFormula: null }
  }

  /** Whether a period is a boundary. Boundaries lie in the past: the figures known at a signature do not change. */
  #isBoundary(i: number): boolean {
    const level = this.#governing[i]!.bound.formula.corrections?.level ?? 'HEAL'
    return level === 'HEAL' && this.#isKnowing(i)
  }

  /** Whether it was signed when an earlier period had moved, or after a correction that put the level right. */
  #isKnowing(i: number): boolean {
    const known = this.#knowing[i]
    if (known !== undefined) return known
    const { agreedAt, wentOnFrom = null } = this.#signed[i]!
    const mayDiffer = this.#moves.slice(0, i).some(movedAt => movedAt !== null && movedAt <= agreedAt)
    this.#knowing[i] = wentOnFrom !== null || (mayDiffer && this.#differedBefore(i, agreedAt))
    return this.#knowing[i]
  }

  /** Whether any period before this one differed, as the policy read the figures known at an instant. */
  #differedBefore(end: number, knownAt: Instant): boolean {
    let state: Carried | null = null
    for (let i = 0; i < end; i++) {
      const signed = this.#signed[i]!
      const start: Carried = state === null || this.#isKnowing(i) ? this.#signedStarts[i]! : state
      const cut = boundaryCut(this.#governing[i]!.bound.formula, knownAt)
      const counting = countingFrom(signed.used, cut)
      const outcome = this.#evaluate(i, signed.version, start, cut, { today: dayOfInstant(knownAt), counting })
      state = 'gap' in outcome ? null : outcome.carried
      if (state !== null && !isSameState(state, signed.carried)) return true
    }
    return false
  }

  #boundOf(version: number): BoundVersion {
    return this.#versions.find(({ number }) => number === version)!
  }

  #startOf(i: number, before: PlainPeriod | undefined): Carried {
    return this.#goesOn(i, before) ? before!.carried : this.#settledStarts[i]!
  }

  /**
   * Whether it continues from the restated period before it. A boundary continues from the state of its receipt, and so does a
   * period after one that cannot be restated.
   */
  #goesOn(i: number, before: PlainPeriod | undefined): boolean {
    return before !== undefined && before.gap === null && !this.#isBoundary(i)
  }

  #evaluate(
    i: number,
    version: number,
    before: Carried,
    { knownAt }: Pick<PolicyCut, 'knownAt'>,
    rules: Pick<ReadingRules, 'today' | 'watch'> & { readonly counting: CountingRule },
  ): Adjustment | Blocked {
    const { period, date } = this.#signed[i]!
    const all = { cuts: { ...noCuts, knownAt }, tag: null, strict: false, ...rules }
    return evaluateDate(this.#versions, all, version, { date, label: period }, before, this.#work)
  }

  #restateAt(
    i: number,
    before: PlainPeriod | undefined,
    figuresBy: Instant | null,
    news: News | null = null,
    today = this.#today,
  ): PlainPeriod {
    const signed = this.#signed[i]!
    const { formula } = this.#governing[i]!.bound
    const cut = policyCut(formula, figuresBy, today)
    const note = (vintages: readonly Vintage[]) => {
      if (vintages.some(each => isNews(each, news!))) news!.readBy.add(i)
    }
    const rules = { today, counting: countingFrom(signed.used, cut), ...(news === null ? {} : { watch: note }) }
    const outcome = this.#evaluate(i, signed.version, this.#startOf(i, before), cut, rules)
    const known = {
      signed,
      policy: formula.corrections,
      isBoundary: this.#isBoundary(i),
      underNewFormula: null,
    }
    if ('gap' in outcome)
      return {
        ...known,
        gap: toldAs(outcome.gap, `${signed.period} cannot be restated: ${outcome.gap.sentence}`),
        adjustment: null,
        factor: this.#settledFactor(i),
        carried: this.#settledState(i),
        differs: false,
        waitsFor: [],
        isEstimated: false,
      }
    return {
      ...known,
      gap: null,
      adjustment: outcome,
      factor: outcome.factor,
      carried: outcome.carried,
      differs: !equal(outcome.factor, signed.factor) || !isSameState(outcome.carried, signed.carried),
      waitsFor: this.#waitsFor(signed.version, outcome, figuresBy),
      isEstimated: outcome.carried.readings.values().some(({ substituted }) => substituted),
    }
  }

  #settledFactor(i: number): Ratio {
    const { period, factor } = this.#signed[i]!
    return this.#settled.get(period)?.factor ?? factor
  }

  /** The state that a period passes on by the settled receipt. */
  #settledState(i: number): Carried {
    const { period, carried, version } = this.#signed[i]!
    const settled = this.#settled.get(period)
    if (settled === undefined) return carried
    const rules = { today: this.#today, counting: countingOnly(settled.used) }
    const outcome = this.#evaluate(i, version, this.#settledStarts[i]!, { knownAt: null }, rules)
    return 'gap' in outcome ? carried : outcome.carried
  }

  #waitsFor(version: number, { dataVersion, breakdown }: Adjustment, by: Instant | null): readonly UsedObservation[] {
    // The weakest of all figures decides: mostly nothing is preliminary, and no list is needed.
    return dataVersion === 'PRELIMINARY' ? this.#waiting(version, breakdown.observations, by) : []
  }

  /**
   * A preliminary figure carried on from a signed period is waited for only until a later figure is no longer
   * preliminary.
   */
  #waiting(
    version: number,
    observations: readonly UsedObservation[],
    figuresBy: Instant | null,
  ): readonly UsedObservation[] {
    const preliminary = observations.filter(({ vintage }) => vintage.tag === 'PRELIMINARY')
    return preliminary.filter(({ series, period: { ordinal } }) => {
      const isKnown = (recordedAt: Instant | null) => recordedAt === null || isBy(recordedAt, figuresBy)
      return !this.#vintagesOf(version, series, ordinal).some(
        each => isPastPreliminary(each) && isKnown(each.recordedAt),
      )
    })
  }

  #vintagesOf(version: number, series: string, ordinal: number): readonly Vintage[] {
    const histories = this.#histories.get(version) ?? this.#boundOf(version).bound.inputs.flatMap(historiesOf)
    this.#histories.set(version, histories)
    return histories.find(({ reference }) => reference === series)?.periods.get(ordinal) ?? []
  }

  /** The dates under the versions that govern them now, if those differ from the signed ones. */
  #withNewFormulas(restated: readonly PlainPeriod[], figuresBy: Instant | null): readonly PlainPeriod[] {
    const first = this.#signed.findIndex(({ version }, i) => version !== this.#governing[i]!.number)
    if (first < 0) return restated
    let state = first === 0 ? null : restated[first - 1]!.carried
    return restated.map((each, i) => {
      if (i < first) return each
      const { number, bound } = this.#governing[i]!
      const cut = policyCut(bound.formula, figuresBy, this.#today)
      const start: Carried = state === null || this.#isBoundary(i) ? this.#settledStarts[i]! : state
      const rules = { today: this.#today, counting: countingFrom(this.#signed[i]!.used, cut) }
      const outcome = this.#evaluate(i, number, start, cut, rules)
      state = 'gap' in outcome ? null : outcome.carried
      const factor = 'gap' in outcome ? null : outcome.factor
      const isSame = factor !== null && equal(factor, each.factor)
      return isSame ? each : { ...each, underNewFormula: { version: number, factor } }
    })
  }

  /** Causes are found when somebody asks for them, which happens for few periods. */
  withCauses(path: readonly PlainPeriod[], figuresBy: Instant | null): readonly RestatedPeriod[] {
    const influences = this.#influences(path, figuresBy)
    const find = ({ gap, differs, factor, signed }: PlainPeriod, i: number): readonly Cause[] => {
      const isMoved = !equal(factor, this.#settledFactor(i))
      const isOther = this.#settled.has(signed.period) ? isMoved : differs
      return gap === null && isOther ? influences.causes(i, this.#baselines.of(i), isMoved) : []
    }
    return path.map((each, i) => {
      let found: readonly Cause[] | null = null
      return {
        ...each,
        get causes() {
          found ??= find(each, i)
          return found
        },
      }
    })
  }

  /** The figures that make the difference between the numbers of two paths. */
  comparing(before: readonly PlainPeriod[], after: readonly PlainPeriod[], news: News): RestatedTwice['movedBy'] {
    const influences = this.#influences(after, news.by)
    const then: Baseline = {
      figures: i => before[i]!.adjustment?.breakdown.observations ?? null,
      known: (i, series, ordinal) => this.#knownBy(i, series, ordinal, news.after),
    }
    return i => {
      const [was, is] = [before[i]!, after[i]!]
      if (was.gap !== null || is.gap !== null || was === is) return []
      return influences.causes(i, then, !equal(was.factor, is.factor))
    }
  }

  #influences(path: readonly PlainPeriod[], figuresBy: Instant | null): Influences {
    const computed = path.map(({ adjustment }, i) => ({ adjustment, goesOn: this.#goesOn(i, path[i - 1]) }))
    return new Influences(computed, (i, from, undone) => this.#evaluateUndone(i, from, undone, figuresBy))
  }

  #evaluateUndone(i: number, from: Carried, undone: Undone, figuresBy: Instant | null): Adjustment | Blocked {
    const { used, version } = this.#signed[i]!
    const cut = policyCut(this.#governing[i]!.bound.formula, figuresBy, this.#today)
    const counted = countingFrom(used, cut)
    const counting: CountingRule = (input, series, ordinal, vintages) =>
      undone(input, series, ordinal) ?? counted(input, series, ordinal, vintages)
    return this.#evaluate(i, version, from, cut, { today: this.#today, counting })
  }

  /** The readings of each period, restated with the figures known by an instant. */
  #restatedBy(knownBy: Instant): readonly (readonly InputObservation[] | null)[] {
    const known = this.#earlier.get(knownBy)
    if (known !== undefined) return known
    const path = this.restate(knownBy, null, dayOfInstant(knownBy))
    const figures = path.map(({ adjustment }) => adjustment?.breakdown.observations ?? null)
    this.#earlier.set(knownBy, figures)
    return figures
  }

  #knownBy(i: number, series: string, ordinal: number, by: Instant): ValuedVintage | null {
    const all = this.#vintagesOf(this.#signed[i]!.version, series, ordinal)
    const known = all.filter(({ recordedAt }) => recordedAt === null || isBy(recordedAt, by))
    return selectVintage(known, newest) ?? null
  }
}
