// What signed periods would come to with the figures known now: the restated path. Signed numbers stay as they are;
// this says how far the figures have moved away from them, and why. Pure; the result is never stored.
import {
  type Adjustment,
  type Blocked,
  type BoundVersion,
  type Carried,
  type InputObservation,
  nothingCarried,
  statesAfter,
} from './adjustment.ts'
import { Arrivals } from './arrivals.ts'
import type { Day } from './day.ts'
import { evaluateDate } from './evaluate.ts'
import { historiesOf } from './formula/bind.ts'
import type { Corrections } from './formula/formula.ts'
import { dayOfInstant, type Instant } from './instant.ts'
import { countingFrom, everythingBy, governingVersion, type PolicyCut, policyCut } from './policy-cut.ts'
import { equal, type Ratio } from './ratio.ts'
import type { ReadingRules, TakenReading, UsedObservation } from './reading.ts'
import type { Vintage } from './series.ts'
import { compareVintages, isBy, isPastPreliminary, isSameValue, noCuts, type ValuedVintage } from './vintage.ts'
import { WorkBudget } from './work-budget.ts'

/** A period that both parties signed, as its receipt has it. */
export interface SignedState {
  readonly period: string
  readonly date: Day
  /** The formula version that its receipt names. */
  readonly version: number
  readonly hash: string
  readonly factor: Ratio
  readonly carried: Carried
  /** Every observation that the receipt used. */
  readonly used: readonly InputObservation[]
  /** When the second party signed. */
  readonly agreedAt: Instant
}

export interface RestateQuestion {
  /** All of them, bound to series with all their vintages. */
  readonly versions: readonly BoundVersion[]
  /** By date. */
  readonly signed: readonly SignedState[]
  /** As it stood at an instant; null: now. */
  readonly knownAt: Instant | null
  /** The day of that instant, else of the clock. */
  readonly today: Day
  readonly work?: WorkBudget
  /** Shared where many agreements are restated with the same series. */
  readonly arrivals?: Arrivals
}

/** A figure that was read again. */
export interface Cause {
  readonly series: string
  readonly period: UsedObservation['period']
  /** As the receipt read it; null if it had none and used something else instead. */
  readonly before: ValuedVintage | null
  readonly after: ValuedVintage
}

export interface RestatedPeriod {
  readonly signed: SignedState
  /** What the contract says about revisions on this date; null: nothing. */
  readonly policy: Corrections | null
  /** Signed when it was known that an earlier period had moved: it continues from the signed state. */
  readonly isBoundary: boolean
  /** Why it cannot be computed any more; then it counts as it was signed. */
  readonly blocked: string | null
  /** Null where it is blocked. */
  readonly adjustment: Adjustment | null
  readonly factor: Ratio
  /** What the next period continues from. */
  readonly carried: Carried
  /** Whether the number or anything carried on is not as it was signed. */
  readonly differs: boolean
  /** The figures behind the difference, the newest first. */
  readonly causes: readonly Cause[]
  /** The figures it read that are still preliminary. */
  readonly waitsFor: readonly UsedObservation[]
  /** Whether something was estimated in place of a figure that is not out. */
  readonly isEstimated: boolean
  /** What the version that governs the date now would make of it; null where that is the same number. */
  readonly underNewFormula: NewFormula | null
}

/** A newer version that reaches back to a signed date: a cause of its own, which no policy covers. */
export interface NewFormula {
  readonly version: number
  /** Null where it cannot be computed. */
  readonly factor: Ratio | null
}

/** The restated path: one entry for each signed period, by date. */
export function restate(question: RestateQuestion): readonly RestatedPeriod[] {
  return new Path(question).restate(question.knownAt)
}

/** The same signed periods with the figures that were known at another instant before, and with all of them. */
export function restateSince(question: RestateQuestion, since: Instant): RestatedTwice {
  const path = new Path(question)
  const news: News = { after: since, by: question.knownAt, readBy: new Set() }
  const before = path.restate(since, news)
  return { before, after: path.restateAgain(before, news) }
}

export interface RestatedTwice {
  readonly before: readonly RestatedPeriod[]
  readonly after: readonly RestatedPeriod[]
}

/** Vintages that only the second of two paths knows. */
interface News {
  readonly after: Instant
  readonly by: Instant | null
  /** The places of the periods that looked at a figure which has such vintages. */
  readonly readBy: Set<number>
}

function isNews({ recordedAt }: Vintage, { after, by }: News): boolean {
  return recordedAt !== null && recordedAt > after && isBy(recordedAt, by)
}

class Path {
  readonly #versions: readonly BoundVersion[]
  readonly #signed: readonly SignedState[]
  readonly #today: Day
  readonly #work: WorkBudget
  readonly #governing: readonly BoundVersion[]
  /** The state after each signed period, with the factors that a year limit may need. */
  readonly #signedStates: readonly Carried[]
  readonly #boundaries: boolean[] = []

  constructor({ versions, signed, knownAt, today, work, arrivals }: RestateQuestion) {
    this.#versions = versions
    this.#signed = knownAt === null ? signed : signed.filter(({ agreedAt }) => isBy(agreedAt, knownAt))
    this.#today = today
    this.#work = work ?? new WorkBudget()
    this.#signedStates = statesAfter(this.#signed)
    this.#governing = this.#signed.map(({ date }) => governingVersion(versions, date))
    this.#findBoundaries(arrivals ?? new Arrivals())
  }

  /** With the figures known by an instant; null: all. Notes who looked at news. */
  restate(figuresBy: Instant | null, news: News | null = null): readonly RestatedPeriod[] {
    const restated: RestatedPeriod[] = []
    for (const i of this.#signed.keys()) restated.push(this.#restateAt(i, restated[i - 1], figuresBy, news))
    return this.#withNewFormulas(restated, figuresBy)
  }

  /** With the news. A period that goes on from the same state and looked at none of them comes to the same. */
  restateAgain(before: readonly RestatedPeriod[], news: News): readonly RestatedPeriod[] {
    const restated: RestatedPeriod[] = []
    for (const [i, then] of before.entries()) {
      const isSameStart = this.#startOf(i, before[i - 1]) === this.#startOf(i, restated[i - 1])
      const isSame = isSameStart && !news.readBy.has(i)
      restated.push(isSame ? this.#knowingMore(then, news.by) : this.#restateAt(i, restated[i - 1], news.by))
    }
    return this.#withNewFormulas(restated, news.by)
  }

  /** The same number. What it waited for may have come. */
  #knowingMore(then: RestatedPeriod, figuresBy: Instant | null): RestatedPeriod {
    const waitsFor = this.#waiting(then.signed.version, then.waitsFor, figuresBy)
    const isAll = waitsFor.length === then.waitsFor.length && then.underNewFormula === null
    return isAll ? then : { ...then, waitsFor, underNewFormula: null }
  }

  /** Boundaries lie in the past: what was known when a period was signed does not change. */
  #findBoundaries(arrivals: Arrivals): void {
    const moves = this.#signed.map(signed => arrivals.movedSince(signed, this.#boundOf(signed.version)))
    for (const [i, { agreedAt }] of this.#signed.entries()) {
      const level = this.#governing[i]!.bound.formula.corrections?.level ?? 'HEAL'
      const mayDiffer = moves.slice(0, i).some(movedAt => movedAt !== null && movedAt <= agreedAt)
      this.#boundaries.push(level === 'HEAL' && mayDiffer && this.#differedBefore(i, agreedAt))
    }
  }

  /** Whether any period before this one differed, as known at an instant. */
  #differedBefore(end: number, knownAt: Instant): boolean {
    const cut = everythingBy(knownAt)
    let state: Carried | null = null
    for (let i = 0; i < end; i++) {
      const signed = this.#signed[i]!
      const outcome = this.#evaluate(i, signed.version, this.#stateBefore(i, state), cut, dayOfInstant(knownAt))
      state = 'reason' in outcome ? null : outcome.carried
      if (state !== null && !isSameState(state, signed.carried)) return true
    }
    return false
  }

  #boundOf(version: number): BoundVersion {
    return this.#versions.find(({ number }) => number === version)!
  }

  #startOf(i: number, before: RestatedPeriod | undefined): Carried {
    return this.#stateBefore(i, before === undefined || before.blocked !== null ? null : before.carried)
  }

  /** A boundary continues from what was signed, and so does a period after one that cannot be restated. */
  #stateBefore(i: number, restated: Carried | null): Carried {
    if (i === 0) return nothingCarried
    if (restated !== null && !this.#boundaries[i]) return restated
    return this.#signedStates[i - 1]!
  }

  #evaluate(
    i: number,
    version: number,
    before: Carried,
    cut: PolicyCut,
    today: Day,
    watch: ReadingRules['watch'] = undefined,
  ): Adjustment | Blocked {
    const { period, date, used } = this.#signed[i]!
    const rules = {
      cuts: { ...noCuts, knownAt: cut.knownAt },
      tag: null,
      strict: false,
      today,
      counting: countingFrom(used, cut),
      ...(watch === undefined ? {} : { watch }),
    }
    return evaluateDate(this.#versions, rules, version, { date, label: period }, before, this.#work)
  }

  #restateAt(
    i: number,
    before: RestatedPeriod | undefined,
    figuresBy: Instant | null,
    news: News | null = null,
  ): RestatedPeriod {
    const signed = this.#signed[i]!
    const { formula } = this.#governing[i]!.bound
    const cut = policyCut(formula, figuresBy, this.#today)
    const note = (vintages: readonly Vintage[]) => {
      if (vintages.some(each => isNews(each, news!))) news!.readBy.add(i)
    }
    const watch = news === null ? undefined : note
    const outcome = this.#evaluate(i, signed.version, this.#startOf(i, before), cut, this.#today, watch)
    const known = {
      signed,
      policy: formula.corrections,
      isBoundary: this.#boundaries[i]!,
      underNewFormula: null,
    }
    if ('reason' in outcome)
      return {
        ...known,
        blocked: `${signed.period} cannot be restated: ${outcome.reason}`,
        adjustment: null,
        factor: signed.factor,
        carried: signed.carried,
        differs: false,
        causes: [],
        waitsFor: [],
        isEstimated: false,
      }
    const differs = !equal(outcome.factor, signed.factor) || !isSameState(outcome.carried, signed.carried)
    const inherited = before?.differs && !this.#boundaries[i] ? before.causes : []
    return {
      ...known,
      blocked: null,
      adjustment: outcome,
      factor: outcome.factor,
      carried: outcome.carried,
      differs,
      causes: differs ? newestFirst([...causesOf(signed, outcome), ...inherited]) : [],
      waitsFor: this.#waitsFor(signed.version, outcome, figuresBy),
      isEstimated: outcome.carried.readings.values().some(({ substituted }) => substituted),
    }
  }

  #waitsFor(version: number, { dataVersion, breakdown }: Adjustment, by: Instant | null): readonly UsedObservation[] {
    // The weakest of all its figures: mostly nothing is preliminary, and nobody has to list them.
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
    if (preliminary.length === 0) return preliminary
    const { bound } = this.#boundOf(version)
    const histories = bound.inputs.flatMap(historiesOf)
    return preliminary.filter(({ series, period }) => {
      const all = histories.find(({ reference }) => reference === series)?.periods.get(period.ordinal) ?? []
      const isKnown = (recordedAt: Instant | null) => recordedAt === null || isBy(recordedAt, figuresBy)
      return !all.some(each => isPastPreliminary(each) && isKnown(each.recordedAt))
    })
  }

  /** The same dates under the versions that govern them now, if those differ from the signed ones. */
  #withNewFormulas(restated: readonly RestatedPeriod[], figuresBy: Instant | null): readonly RestatedPeriod[] {
    const first = this.#signed.findIndex(({ version }, i) => version !== this.#governing[i]!.number)
    if (first < 0) return restated
    let state = first === 0 ? null : restated[first - 1]!.carried
    return restated.map((each, i) => {
      if (i < first) return each
      const { number, bound } = this.#governing[i]!
      const cut = policyCut(bound.formula, figuresBy, this.#today)
      const outcome = this.#evaluate(i, number, this.#stateBefore(i, state), cut, this.#today)
      state = 'reason' in outcome ? null : outcome.carried
      const factor = 'reason' in outcome ? null : outcome.factor
      const isSame = factor !== null && equal(factor, each.factor)
      return isSame ? each : { ...each, underNewFormula: { version: number, factor } }
    })
  }
}

/** Whether the number and everything carried on are the same; what only one of the two has is not compared. */
export function isSameState(a: Carried, b: Carried): boolean {
  if (a === b) return true
  const isSame =
    equal(a.factor, b.factor) &&
    a.last.date === b.last.date &&
    areSameNumbers(a.steps, b.steps) &&
    areSameReadings(a.readings, b.readings)
  // Where both were applied on their own dates, what was last applied is what was just compared.
  if (!isSame || (a.last.date === a.date && b.last.date === b.date)) return isSame
  return areSameNumbers(a.last.steps, b.last.steps) && areSameReadings(a.last.readings, b.last.readings)
}

function areSameNumbers(a: ReadonlyMap<string, Ratio>, b: ReadonlyMap<string, Ratio>): boolean {
  return a.entries().every(([name, value]) => {
    const other = b.get(name)
    return other === undefined || equal(value, other)
  })
}

function areSameReadings(a: ReadonlyMap<string, TakenReading>, b: ReadonlyMap<string, TakenReading>): boolean {
  return a.entries().every(([name, { value }]) => {
    const other = b.get(name)
    return other === undefined || equal(value, other.value)
  })
}

function keyOf({ series, period }: Pick<UsedObservation, 'series' | 'period'>): string {
  return `${series} ${period.ordinal}`
}

/** The figures of a receipt by series and period, the newest vintage of each. */
function newestUsed(used: readonly UsedObservation[]): Map<string, UsedObservation> {
  const found = new Map<string, UsedObservation>()
  for (const each of used) {
    const known = found.get(keyOf(each))
    if (known === undefined || compareVintages(known.vintage, each.vintage) < 0) found.set(keyOf(each), each)
  }
  return found
}

function causesOf({ used }: SignedState, { breakdown }: Adjustment): Cause[] {
  const then = newestUsed(used)
  return [...newestUsed(breakdown.observations).values()].flatMap(now => {
    const before = then.get(keyOf(now))?.vintage ?? null
    if (before !== null && isSameValue(before.value, now.vintage.value)) return []
    return [{ series: now.series, period: now.period, before, after: now.vintage }]
  })
}

/** Each figure once, the newest publication first. */
function newestFirst(causes: readonly Cause[]): readonly Cause[] {
  const once = new Map(causes.toReversed().map(cause => [keyOf(cause), cause]))
  return [...once.values()].sort((a, b) => {
    const order = compareVintages(b.after, a.after)
    return order !== 0 ? order : keyOf(a) < keyOf(b) ? -1 : 1
  })
}
