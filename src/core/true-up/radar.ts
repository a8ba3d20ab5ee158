// The effect of publications on one agreement: every period, signed or open, with the figures known before them compared with
// those known after. Facts (signatures, lines, corrections) are equal on both sides; only the figures differ. Pure.
import type { Adjustment, BoundVersion, Evaluation } from '../calculation/adjustment.ts'
import { evaluateDate } from '../calculation/evaluate.ts'
import { type Baseline, Influences } from '../calculation/influence.ts'
import type { CountingRule, UsedObservation } from '../calculation/series-reading.ts'
import { historiesOf } from '../formula/bind.ts'
import { equal, hundred, multiply, type Ratio, subtract, sum } from '../numbers/ratio.ts'
import { WorkBudget } from '../numbers/work-budget.ts'
import { Refusal } from '../refusal.ts'
import type { SeriesHistory, Vintage } from '../series/series.ts'
import {
  compareVintages,
  isBy,
  isSameValue,
  newest,
  selectVintage,
  type ValuedVintage,
  vintagesInside,
} from '../series/vintage.ts'
import type { Day } from '../time/day.ts'
import type { Instant } from '../time/instant.ts'
import { type CorrectionInputs, findStated, type PolicyState, stateMoved } from './correction.ts'
import { governingVersion } from './policy-cut.ts'
import { policiesWithoutMoney } from './policy-without-money.ts'
import { type AgreedPart, Effects } from './radar-effects.ts'
import type { RestatedPeriod, RestatedTwice } from './restate.ts'
import type { SettledCorrection } from './settled-correction.ts'

export const radarKinds = [
  'SIGNED_MOVED',
  'OPEN_MOVED',
  'NOW_COMPUTABLE',
  'NOW_BLOCKED',
  'NOW_FINAL',
  'NO_EFFECT',
] as const
export type RadarKind = (typeof radarKinds)[number]

export interface RadarInputs extends Omit<CorrectionInputs, 'restated'> {
  readonly versions: readonly BoundVersion[]
  readonly signed: RestatedTwice
  /** The corrections that both had signed by `until`. */
  readonly agreed: readonly SettledCorrection[]
  /** Periods that are not signed by both. */
  readonly open: { readonly before: Evaluation; readonly after: Evaluation }
  /** Figures recorded later are new. */
  readonly since: Instant
  /** Figures recorded later are ignored; null: none are. */
  readonly until: Instant | null
  /** Work allowed for the causes of open periods; left out, as much as one agreement may take. */
  readonly work?: WorkBudget
}

/** A figure as it was known before and is known after. */
export interface MovedFigure {
  readonly series: string
  readonly period: UsedObservation['period']
  /** The vintage before; null where there was none. */
  readonly before: Vintage | null
  /** A vintage without a value if the figure was withdrawn. */
  readonly after: Vintage
}

/** A period that moved. */
export interface RadarMove {
  readonly kind: RadarKind
  readonly period: string
  readonly date: Day
  readonly isSigned: boolean
  /** The newest first. */
  readonly causes: readonly MovedFigure[]
  /** The factor's move in percentage points; null where it cannot be computed on one of the sides. */
  readonly points: Ratio | null
  /** The price of the only item; null where there are several, or none. */
  readonly priceBefore: string | null
  readonly priceAfter: string | null
  /**
   * The added cost of the stored lines and declared quantities of the period; null if there are none. Agreed amounts are in it
   * as their corrections say.
   */
  readonly amount: Ratio | null
  readonly currency: string | null
  /** The agreed part of the amount, by correction. */
  readonly agreed: readonly AgreedPart[]
  /** The part that is left; null where everything is agreed. */
  readonly left: { readonly amount: Ratio | null } | null
  readonly policy: PolicyState
  /** The policy's state as far as it does not follow from billed amounts; null where it does. */
  readonly policyWithoutMoney: PolicyState | null
}

/** Moved periods by date. */
export function findMoves(ground: RadarInputs): readonly RadarMove[] {
  const figures = new Figures(ground)
  const compared = [...compareSigned(ground, figures), ...compareOpen(ground, figures)]
  if (compared.every(({ kind }) => kind === null)) return []
  const effects = new Effects(ground, compared)
  const policies = {
    withMoney: policiesOf(ground),
    withoutMoney: policiesWithoutMoney({ ...ground, restated: ground.signed.after }),
  }
  const causes = new Map(compared.map(each => [each.period, each.causes]))
  const moves = compared.flatMap(each => presentMove(each, effects, policies, causes))
  return moves.sort((a, b) => a.date - b.date)
}

/** A period on both sides. */
interface Compared {
  readonly period: string
  readonly date: Day
  readonly isSigned: boolean
  /** The factor; null where it cannot be computed. */
  readonly before: Ratio | null
  readonly after: Ratio | null
  /** The kind by number and figures alone; null where nothing moved. */
  readonly kind: RadarKind | null
  readonly causes: readonly MovedFigure[]
  /** Whether the contract says anything about revisions on this date. */
  readonly hasPolicy: boolean
}

function kindOf(
  isSigned: boolean,
  before: Ratio | null,
  after: Ratio | null,
  isNowFinal: boolean,
  hasNews: boolean,
): RadarKind | null {
  if (before === null || after === null) {
    if (before === after) return null
    return after === null ? 'NOW_BLOCKED' : 'NOW_COMPUTABLE'
  }
  if (!equal(before, after)) return isSigned ? 'SIGNED_MOVED' : 'OPEN_MOVED'
  if (isNowFinal) return 'NOW_FINAL'
  return hasNews ? 'NO_EFFECT' : null
}

function compareSigned({ signed: { before, after, movedBy } }: RadarInputs, figures: Figures): readonly Compared[] {
  return after.map((now, i): Compared => {
    const then = before[i]!
    const { period, date, version } = now.signed
    const own = figures.between(version, then.adjustment, now.adjustment)
    const [was, is] = [then, now].map(each => (each.gap === null ? each.factor : null)) as [Ratio | null, Ratio | null]
    const isNowFinal = isWaiting(then) && !isWaiting(now)
    const kind = kindOf(true, was, is, isNowFinal, own.length > 0)
    const hasPolicy = now.policy !== null
    const causes = kind === 'SIGNED_MOVED' ? movedBy(i) : newestFirst(own)
    return { period, date, isSigned: true, before: was, after: is, kind, causes, hasPolicy }
  })
}

function isWaiting({ waitsFor, isEstimated }: RestatedPeriod): boolean {
  return waitsFor.length > 0 || isEstimated
}

function compareOpen(ground: RadarInputs, figures: Figures): readonly Compared[] {
  const { open, versions } = ground
  const then = new Map(open.before.adjustments.map(each => [each.date, each]))
  const now = new Map(open.after.adjustments.map(each => [each.date, each]))
  const places = new Map(open.after.adjustments.map(({ date }, i) => [date, i]))
  const influences = openInfluences(ground)
  const baseline: Baseline = {
    figures: place => then.get(open.after.adjustments[place]!.date)?.breakdown.observations ?? null,
    known: (place, series, ordinal) =>
      figures.knownBefore(open.after.adjustments[place]!.formulaVersion, series, ordinal),
  }
  const dates = [...new Set([...then.keys(), ...now.keys()])].sort((a, b) => a - b)
  return dates.map((date): Compared => {
    const [was, is] = [then.get(date) ?? null, now.get(date) ?? null]
    const { period, formulaVersion } = (is ?? was)!
    const own = figures.between(formulaVersion, was, is)
    const isNowFinal = was?.dataVersion === 'PRELIMINARY' && is !== null && is.dataVersion !== 'PRELIMINARY'
    const kind = kindOf(false, was?.factor ?? null, is?.factor ?? null, isNowFinal, own.length > 0)
    const causes = kind === 'OPEN_MOVED' ? influences.causes(places.get(date)!, baseline, true) : newestFirst(own)
    const hasPolicy = governingVersion(versions, date).bound.formula.corrections !== null
    return {
      period,
      date,
      isSigned: false,
      before: was?.factor ?? null,
      after: is?.factor ?? null,
      kind,
      causes,
      hasPolicy,
    }
  })
}

/** Influences on the unsigned periods: each continues from the one before it. */
function openInfluences({ open, versions, until, today, work = new WorkBudget() }: RadarInputs): Influences {
  const { adjustments } = open.after
  const cuts = { asOf: null, knownAt: until }
  const path = adjustments.map((adjustment, i) => ({ adjustment, goesOn: i > 0 }))
  return new Influences(path, (place, from, undone) => {
    const { formulaVersion, date, period: label } = adjustments[place]!
    const counting: CountingRule = (input, series, ordinal, vintages) =>
      undone(input, series, ordinal) ?? vintagesInside(vintages, cuts)
    const rules = { cuts, tag: null, strict: false, today, counting }
    return evaluateDate(versions, rules, formulaVersion, { date, label }, from, work)
  })
}

/** The figures, read by a calculation, that differ from before. */
class Figures {
  readonly #ground: RadarInputs
  readonly #histories = new Map<number, ReadonlyMap<string, SeriesHistory>>()

  constructor(ground: RadarInputs) {
    this.#ground = ground
  }

  between(version: number, before: Adjustment | null, after: Adjustment | null): readonly MovedFigure[] {
    // One object stands for both sides where the period looked at nothing new.
    if (before === after) return []
    if (before === null || after === null) return this.#news(version, (before ?? after)!)
    const [then, now] = [before, after].map(({ breakdown }) => byFigure(breakdown.observations)) as [
      Map<string, UsedObservation>,
      Map<string, UsedObservation>,
    ]
    return [...now].flatMap(([key, { series, period, vintage }]): MovedFigure[] => {
      const was = then.get(key)?.vintage ?? null
      if (was !== null && isSameFigure(was, vintage)) return []
      // A figure read for the first time although known before: something else made it count.
      if (was === null && vintage.recordedAt !== null && vintage.recordedAt <= this.#ground.since) return []
      return [{ series, period, before: was, after: vintage }]
    })
  }

  /** A figure as it was known before; null where there was none. */
  knownBefore(version: number, series: string, ordinal: number): ValuedVintage | null {
    const all = this.#historiesOf(version).get(series)?.periods.get(ordinal) ?? []
    const known = vintagesInside(all, { asOf: null, knownAt: this.#ground.since })
    return selectVintage(known, newest) ?? null
  }

  /** Everything published about the figures of the one side that has a number. */
  #news(version: number, { breakdown }: Adjustment): readonly MovedFigure[] {
    const { since, until } = this.#ground
    const histories = this.#historiesOf(version)
    return [...byFigure(breakdown.observations).values()].flatMap(({ series, period }): MovedFigure[] => {
      const all = histories.get(series)?.periods.get(period.ordinal) ?? []
      const by = (cut: Instant | null) => all.findLast(({ recordedAt }) => recordedAt === null || isBy(recordedAt, cut))
      const [before, after] = [by(since) ?? null, by(until)]
      if (after === undefined || (before !== null && isSameFigure(before, after))) return []
      return [{ series, period, before, after }]
    })
  }

  #historiesOf(version: number): ReadonlyMap<string, SeriesHistory> {
    const known = this.#histories.get(version)
    if (known !== undefined) return known
    const { bound } = this.#ground.versions.find(({ number }) => number === version)!
    const found = new Map(bound.inputs.flatMap(historiesOf).map(history => [history.reference, history]))
    this.#histories.set(version, found)
    return found
  }
}

function isSameFigure(a: Vintage, b: Vintage): boolean {
  return a.tag === b.tag && isSameValue(a.value, b.value)
}

function keyOf({ series, period }: Pick<UsedObservation, 'series' | 'period'>): string {
  return `${series} ${period.ordinal}`
}

/** The newest vintage of each read figure. */
function byFigure(observations: readonly UsedObservation[]): Map<string, UsedObservation> {
  const found = new Map<string, UsedObservation>()
  for (const each of observations) {
    const known = found.get(keyOf(each))
    if (known === undefined || compareVintages(known.vintage, each.vintage) < 0) found.set(keyOf(each), each)
  }
  return found
}

/** Causes with each figure once. */
function newestFirst(figures: readonly MovedFigure[]): readonly MovedFigure[] {
  const once = new Map(figures.toReversed().map(each => [keyOf(each), each]))
  return [...once.values()].sort((a, b) => compareVintages(b.after, a.after) || (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** The contract's policy for each signed period that is not settled. */
function policiesOf(ground: RadarInputs): ReadonlyMap<string, PolicyState> {
  const asked = { ...ground, restated: ground.signed.after }
  try {
    return new Map(stateMoved(asked).map(({ restated, state }) => [restated.signed.period, state]))
  } catch (error) {
    // Billed in two currencies: no correction can be proposed, but its periods have still moved.
    if (!(error instanceof Refusal)) throw error
    return new Map(findStated(asked).map(({ restated, state }) => [restated.signed.period, state]))
  }
}

function presentMove(
  { period, date, isSigned, before, after, kind, causes, hasPolicy }: Compared,
  effects: Effects,
  policies: {
    readonly withMoney: ReadonlyMap<string, PolicyState>
    readonly withoutMoney: ReadonlyMap<string, PolicyState | null>
  },
  causesOf: ReadonlyMap<string, readonly MovedFigure[]>,
): readonly RadarMove[] {
  const place = effects.placeOf(date)
  const bases = effects.touched.get(place)
  const isTouched = bases !== undefined || effects.touched.values().some(each => each.has(period))
  const moved = isSigned ? 'SIGNED_MOVED' : 'OPEN_MOVED'
  // The number stays, but the period that a price counts from moved.
  const found = kind === null || kind === 'NO_EFFECT' ? (bases !== undefined ? moved : kind) : kind
  if (found === null) return []
  const hasEffect = found !== moved || !effects.isPriced || isTouched
  // The figures behind the price of an unmoved number are those of the periods that the price counts from.
  const isOwn = kind === moved || bases === undefined
  const told = isOwn ? causes : newestFirst([...bases].flatMap(each => causesOf.get(each) ?? []))
  const none = hasPolicy ? 'NONE' : 'NO_POLICY'
  const policyIn = <T>(known: ReadonlyMap<string, T>) => {
    const decides = isSigned ? [period, ...(bases ?? [])].find(each => known.has(each)) : undefined
    return decides === undefined ? none : known.get(decides)!
  }
  const agreed = hasEffect && found === 'SIGNED_MOVED' ? effects.agreed(period) : []
  const left = agreed.length > 0 && !effects.isLeft(place, period) ? null : { amount: effects.left(place) }
  return [
    {
      kind: hasEffect ? found : 'NO_EFFECT',
      period,
      date,
      isSigned,
      causes: told,
      points: before === null || after === null ? null : multiply(subtract(after, before), hundred),
      ...effects.prices(place),
      amount: sumOfKnown([...agreed, ...(left === null ? [] : [left])].map(({ amount }) => amount)),
      currency: effects.currency(place),
      agreed,
      left,
      policy: policyIn(policies.withMoney),
      policyWithoutMoney: policyIn(policies.withoutMoney),
    },
  ]
}

/** The sum of known amounts; null where none is known. */
function sumOfKnown(amounts: readonly (Ratio | null)[]): Ratio | null {
  const known = amounts.filter(amount => amount !== null)
  return known.length === 0 ? null : sum(known)
}
