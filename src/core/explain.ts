// Where the percent of a period came from: the contribution of each component, and the points each control took or
// gave. For a clause the two add up to the adjustment exactly; that is what lets a person check it by hand.
import type { Carried } from './adjustment.ts'
import { ratioLine, weightedInputs } from './formula/clause.ts'
import type { Clause, Formula } from './formula/formula.ts'
import type { ReadingKind } from './formula/resolve.ts'
import { add, divide, greatest, hundred, least, multiply, one, type Ratio, subtract, sum, zero } from './ratio.ts'
import { MissingValue } from './reading.ts'

export const controlNames = [
  'adder',
  'threshold',
  'passThrough',
  'cumulativeCap',
  'cumulativeFloor',
  'periodCap',
  'periodFloor',
  'carryForward',
  'rounding',
] as const
export type ControlName = (typeof controlNames)[number]

export interface ControlPoints {
  readonly control: ControlName
  readonly points: Ratio
}

export interface ExplanationQuestion {
  readonly formula: Formula
  /** The values of this period's steps. */
  readonly lines: ReadonlyMap<string, Ratio>
  readonly carried: Carried
  readonly version: number
  readonly reading: (input: number, kind: ReadingKind) => Ratio
  readonly isTaken: (input: number, kind: ReadingKind) => boolean
  readonly seriesName: (input: number) => string
}

export interface Component {
  readonly input: string
  /** `PROVIDER/code`. */
  readonly series: string
  readonly seriesName: string
  /** As written in the formula. */
  readonly weight: string
  readonly changePct: Ratio
  readonly contribution: Ratio
}

export interface Explanation {
  readonly components: Component[]
  readonly controls: ControlPoints[]
  /** Whether they add up to the adjustment. */
  readonly addsUp: boolean
}

/** Whether the result is what the clause itself applied. */
export function isClauseResult({ clause, result, steps }: Formula): boolean {
  return clause !== null && result.kind === 'FACTOR' && steps[result.step]!.name === 'applied'
}

export function explain(question: ExplanationQuestion): Explanation {
  const { clause } = question.formula
  if (clause === null || !isClauseResult(question.formula))
    return { components: plainComponents(question), controls: [], addsUp: false }
  return clause.basis === 'CHAINED' ? explainChained(question, clause) : explainFixedBase(question, clause)
}

/** With steps: weight times change. */
function plainComponents(question: ExplanationQuestion): Component[] {
  const against = question.formula.clause?.basis === 'CHAINED' ? 'last' : 'base'
  return components(question, against, (weight, _input, changePct) => multiply(weight, changePct))
}

function components(
  { formula, reading, isTaken, seriesName }: ExplanationQuestion,
  against: 'base' | 'last',
  contribution: (weight: Ratio, input: number, changePct: Ratio) => Ratio,
): Component[] {
  return formula.inputs.flatMap((input, i) => {
    const { weight, base, name, series } = input
    if (weight === null || base === null || !isTaken(i, 'current') || !isTaken(i, against)) return []
    const from = reading(i, against)
    if (from.n === 0n) return []
    const changePct = multiply(subtract(divide(reading(i, 'current'), from), one), hundred)
    const points = contribution(weight.value, i, changePct)
    return [{ input: name, series, seriesName: seriesName(i), weight: weight.text, changePct, contribution: points }]
  })
}

/** Collects points under their controls; what is nothing is left out. */
class Points {
  readonly #points = new Map<ControlName, Ratio>()

  give(control: ControlName, points: Ratio): void {
    this.#points.set(control, add(this.#points.get(control) ?? zero, points))
  }

  /** Negative points are a cap's, positive ones a floor's. */
  limit(cap: ControlName, floor: ControlName, points: Ratio): void {
    this.give(cap, least(points, zero))
    this.give(floor, greatest(points, zero))
  }

  list(): ControlPoints[] {
    return controlNames
      .map(control => ({ control, points: this.#points.get(control) ?? zero }))
      .filter(({ points }) => points.n !== 0n)
  }
}

interface Lines {
  readonly factor: Ratio
  readonly movement: Ratio
  readonly payable: Ratio
  readonly shared: Ratio
  readonly target: Ratio
}

function linesOf(values: ReadonlyMap<string, Ratio>): Lines {
  const line = (name: string) => values.get(name)!
  return {
    factor: line('factor'),
    movement: line('movement'),
    payable: line('payable'),
    shared: line('shared'),
    target: line('target'),
  }
}

const nothingMoved: Lines = { factor: one, movement: zero, payable: zero, shared: zero, target: one }

/** The last part of every clause: threshold, period limits, rounding of the percent. */
function explainLast(points: Points, lines: ReadonlyMap<string, Ratio>): void {
  const step = multiply(lines.get('step')!, hundred)
  const met = lines.get('threshold_met')
  if (met !== undefined && met.n === 0n) {
    points.give('threshold', subtract(zero, step))
    return
  }
  const held = lines.get('pct_held') ?? step
  points.limit('periodCap', 'periodFloor', subtract(held, step))
  points.give('rounding', subtract(lines.get('pct')!, held))
}

function explainChained(question: ExplanationQuestion, clause: Clause) {
  const { lines, carried } = question
  const now = linesOf(lines)
  const points = new Points()
  const list = components(question, 'last', componentShare(question, clause, 'last', hundred))
  const moved = sum(list.map(component => component.contribution))
  points.give('rounding', subtract(multiply(subtract(now.factor, one), hundred), moved))
  points.give('adder', multiply(add(subtract(now.movement, now.factor), one), hundred))
  points.give('threshold', multiply(subtract(now.payable, now.movement), hundred))
  points.give('passThrough', multiply(subtract(now.shared, now.payable), hundred))
  const heldBack = carried.steps.get('held_back') ?? one
  const growth = add(one, now.shared)
  points.give('carryForward', multiply(multiply(growth, subtract(heldBack, one)), hundred))
  const step = add(one, lines.get('step')!)
  points.limit('cumulativeCap', 'cumulativeFloor', multiply(subtract(step, multiply(growth, heldBack)), hundred))
  explainLast(points, lines)
  return { components: list, controls: points.list(), addsUp: true }
}

// With a fixed base the lines say where the price stands against the base, and the adjustment is the way from what was
// last applied. So every line is compared with what it was then, in points of the price in force.
function explainFixedBase(question: ExplanationQuestion, clause: Clause) {
  const { lines, carried } = question
  const now = linesOf(lines)
  const inForce = carried.steps.get('applied') ?? one
  const scale = divide(hundred, inForce)
  const points = new Points()
  const before = linesAtLast(question, clause)
  const list = components(question, 'base', componentShare(question, clause, 'base', scale))
  const difference = (pick: (at: Lines) => Ratio) => multiply(subtract(pick(now), pick(before.lines)), scale)
  const moved = sum(list.map(component => component.contribution))
  points.give(
    'rounding',
    subtract(
      difference(at => at.factor),
      moved,
    ),
  )
  points.give(
    'adder',
    difference(at => subtract(at.movement, at.factor)),
  )
  points.give(
    'threshold',
    difference(at => subtract(at.payable, at.movement)),
  )
  points.give(
    'passThrough',
    difference(at => subtract(at.shared, at.payable)),
  )
  const limited = (at: Lines) => subtract(at.target, add(one, at.shared))
  points.give(
    'cumulativeCap',
    difference(at => least(limited(at), zero)),
  )
  points.give(
    'cumulativeFloor',
    difference(at => greatest(limited(at), zero)),
  )
  const open = multiply(subtract(before.lines.target, inForce), scale)
  const roundedThen = multiply(before.rounded, scale)
  points.give('carryForward', subtract(open, roundedThen))
  points.give('rounding', roundedThen)
  explainLast(points, lines)
  return { components: list, controls: points.list(), addsUp: true }
}

/** The part of the factor's movement that one component makes. */
function componentShare(question: ExplanationQuestion, clause: Clause, against: 'base' | 'last', scale: Ratio) {
  const { formula, lines, reading } = question
  const lastRatio = (input: number) => (against === 'last' ? one : ratioAtLast(question, input))
  if (clause.combine === 'SUM_OF_RATIOS')
    return (weight: Ratio, input: number) => {
      const moved = subtract(lines.get(ratioLine(formula.inputs[input]!.name))!, lastRatio(input))
      return multiply(multiply(weight, moved), scale)
    }
  const total = sum(
    weightedInputs(formula.inputs).map(input =>
      multiply(input.weight.value, reading(formula.inputs.indexOf(input), against)),
    ),
  )
  const moving = subtract(one, fixedShare(question, clause))
  return (weight: Ratio, input: number) => {
    const from = reading(input, against)
    const moved = subtract(reading(input, 'current'), multiply(from, lastRatio(input)))
    return multiply(multiply(moving, divide(multiply(weight, moved), total)), scale)
  }
}

function fixedShare({ lines }: ExplanationQuestion, clause: Clause): Ratio {
  if (clause.fixed.value !== null) return clause.fixed.value
  // factor = fixed + (1 − fixed) · ratio, before rounding; only a dated fixed share is worked back.
  const quotient = lines.get('ratio')!
  if (subtract(one, quotient).n === 0n) return zero
  return divide(subtract(lines.get('factor')!, quotient), subtract(one, quotient))
}

function isSameVersion({ carried, version }: ExplanationQuestion): boolean {
  return carried.last.version === version && carried.last.steps.has('factor')
}

function ratioAtLast(question: ExplanationQuestion, input: number): Ratio {
  const { carried, formula, reading } = question
  if (carried.last.date === null) return one
  const line = isSameVersion(question) ? carried.last.steps.get(ratioLine(formula.inputs[input]!.name)) : undefined
  if (line !== undefined) return line
  try {
    return divide(reading(input, 'last'), reading(input, 'base'))
  } catch (error) {
    if (error instanceof MissingValue) return one
    throw error
  }
}

/** The lines at the last applied adjustment, and how much of the price then was rounding of the percent. */
function linesAtLast(question: ExplanationQuestion, clause: Clause): { lines: Lines; rounded: Ratio } {
  const { carried, formula } = question
  if (carried.last.date === null) return { lines: nothingMoved, rounded: zero }
  if (isSameVersion(question)) {
    const then = carried.last.steps
    const growth = add(one, divide(then.get('pct')!, hundred))
    const before = growth.n === 0n ? zero : divide(then.get('applied')!, growth)
    const held = divide(then.get('pct_held') ?? multiply(then.get('step')!, hundred), hundred)
    return { lines: linesOf(then), rounded: multiply(before, subtract(held, divide(then.get('pct')!, hundred))) }
  }
  // Another version applied it: the present one says where the readings of then would have put the price.
  const moved = sum(
    weightedInputs(formula.inputs).map(input =>
      multiply(input.weight.value, subtract(ratioAtLast(question, formula.inputs.indexOf(input)), one)),
    ),
  )
  const factor = add(
    one,
    multiply(moved, clause.combine === 'RATIO_OF_SUMS' ? subtract(one, fixedShare(question, clause)) : one),
  )
  const movement = subtract(factor, one)
  return { lines: { factor, movement, payable: movement, shared: movement, target: factor }, rounded: zero }
}
