// The result of a calculation for one adjustment date: the number, its steps, the observations it used, and what it
// passes to the next date. Plain data, except for a breakdown that is computed on first use.

import type { BoundFormula } from '../formula/bind.ts'
import { appliedLine } from '../formula/clause.ts'
import type { ControlPoints } from '../formula/controls/control-points.ts'
import type { Step } from '../formula/formula.ts'
import { equal, one, type Ratio, type Rounding } from '../numbers/ratio.ts'
import type { VersionTag } from '../series/series.ts'
import { addMonths, type Day } from '../time/day.ts'
import type { Component, Explanation } from './breakdown.ts'
import type { NoNumber } from './gap.ts'
import type { TakenReading, UsedObservation } from './series-reading.ts'

export interface BoundVersion {
  readonly number: number
  readonly bound: BoundFormula
}

/** The state that a computed period passes to the next. */
export interface Carried {
  /** The previous computed adjustment date, and the version that computed it. */
  readonly date: Day | null
  readonly version: number | null
  readonly factor: Ratio
  readonly steps: ReadonlyMap<string, Ratio>
  readonly readings: ReadonlyMap<string, TakenReading>
  /** The state at the last date on which an adjustment was applied. */
  readonly last: {
    readonly date: Day | null
    readonly version: number | null
    readonly steps: ReadonlyMap<string, Ratio>
    readonly readings: ReadonlyMap<string, TakenReading>
  }
  /** The day from which the price counts, where it was renegotiated; null for the contract's start. */
  readonly origin: Day | null
  /** Applied factors of the past year, one for each change, ascending: kept only if a year limit may need them. */
  readonly factors: readonly AppliedFactor[]
}

/** A factor that was applied on a date and stayed in force until the next. */
export interface AppliedFactor {
  readonly date: Day
  readonly factor: Ratio
}

/** Adds one factor and drops factors that no later date can need. */
export function withFactor(factors: readonly AppliedFactor[], date: Day, factor: Ratio): readonly AppliedFactor[] {
  const newest = factors.at(-1)
  const all = newest !== undefined && equal(newest.factor, factor) ? factors : [...factors, { date, factor }]
  const yearBefore = addMonths(date, -12)
  const first = all.findLastIndex(each => each.date <= yearBefore)
  return first <= 0 ? all : all.slice(first)
}

/** The state from which the next date continues: the newest state, with every factor that a year limit may need. */
export function stateAfter(states: readonly DatedState[], from: Carried | null = null): Carried | null {
  return statesAfter(states, from).at(-1) ?? from
}

export interface DatedState {
  readonly date: Day
  readonly carried: Carried
}

/** The state after each of the periods; `from` is the state before the first, with its factors. */
function statesAfter(states: readonly DatedState[], from: Carried | null = null): readonly Carried[] {
  let factors: Carried['factors'] = from?.factors ?? []
  let origin: Day | null = from?.origin ?? null
  return states.map(({ date, carried }) => {
    const applied = carried.steps.get(appliedLine)
    // If the price was renegotiated, nothing from before counts.
    if (carried.origin !== origin) factors = []
    origin = carried.origin
    if (applied !== undefined) factors = withFactor(factors, date, applied)
    return { ...carried, factors }
  })
}

export const nothingCarried: Carried = {
  date: null,
  version: null,
  factor: one,
  steps: new Map(),
  readings: new Map(),
  last: { date: null, version: null, steps: new Map(), readings: new Map() },
  origin: null,
  factors: [],
}

interface EvaluatedStep {
  readonly step: Step
  readonly value: Ratio
}

export interface Adjustment {
  readonly period: string
  readonly date: Day
  readonly formulaVersion: number
  readonly factor: Ratio
  /** The change in percent; null where the previous price was 0, from which no percentage follows. */
  readonly adjustmentPct: Ratio | null
  readonly cumulativePct: Ratio
  /** The rounding of reported percentages. */
  readonly show: Rounding
  readonly price: { readonly value: Ratio; readonly rounding: Rounding | null } | null
  /** The amount on top of the contract's price, where the result is one. */
  readonly surcharge: Ratio | null
  readonly dataVersion: VersionTag
  readonly steps: readonly EvaluatedStep[]
  readonly breakdown: Breakdown
  /** The cost of writing out and explaining its long numbers, in units of work. */
  readonly receiptUnits: number
  readonly carriedIn: Carried
  readonly carried: Carried
}

/** An observation and the input that read it. */
export interface InputObservation extends UsedObservation {
  readonly input: string
}

/** The parts of an adjustment. Computed on first use: most periods of a run are never displayed. */
export class Breakdown {
  readonly #explain: () => Explanation
  readonly #observe: (isCarried: boolean) => readonly InputObservation[]
  #explanation: Explanation | null = null
  #observations: readonly InputObservation[] | null = null
  #own: readonly InputObservation[] | null = null

  /** `observe` is asked for everything that was used, or without what an earlier period had read and passed on. */
  constructor(explain: () => Explanation, observe: (isCarried: boolean) => readonly InputObservation[]) {
    this.#explain = explain
    this.#observe = observe
  }

  get components(): readonly Component[] {
    return this.#explained.components
  }

  get controls(): readonly ControlPoints[] {
    return this.#explained.controls
  }

  /** Whether components and controls add up to the adjustment. In a clause they do. */
  get addsUp(): boolean {
    return this.#explained.addsUp
  }

  /** Whether contributions lack an input's reading at the last adjustment. */
  get lacksLast(): boolean {
    return this.#explained.lacksLast
  }

  /** Every observation the calculation used, by input, series and period. */
  get observations(): readonly InputObservation[] {
    this.#observations ??= this.#observe(true)
    return this.#observations
  }

  /** The observations read for this date itself: readings that an earlier period passed on belong to the state. */
  get own(): readonly InputObservation[] {
    this.#own ??= this.#observe(false)
    return this.#own
  }

  get #explained(): Explanation {
    this.#explanation ??= this.#explain()
    return this.#explanation
  }
}

/** A date without a number. */
export interface Blocked extends NoNumber {
  readonly period: string
  readonly date: Day
}

export interface Evaluation {
  readonly adjustments: readonly Adjustment[]
  readonly blocked: readonly Blocked[]
}
