// The parts of a period's percent: the contribution of each component, and the points each control took or gave. For a clause
// they add up to the adjustment exactly, so that a person can check it by hand.

import { appliedLine, ratioLine, weightedInputs } from '../formula/clause.ts'
import { Explaining } from '../formula/controls/control-points.ts'
import type { Clause, Formula } from '../formula/formula.ts'
import type { ReadingKind } from '../formula/resolve.ts'
import { type ClauseNumber, numberAt } from '../formula/terms.ts'
import { add, divide, formatExact, hundred, multiply, one, type Ratio, subtract, sum, zero } from '../numbers/ratio.ts'
import type { Day } from '../time/day.ts'
import type { Carried } from './adjustment.ts'
import type { Component, Explanation } from './breakdown.ts'
import { MissingValue } from './gap.ts'

interface ExplanationRequest extends ExplanationQuestion {
  /** Called when an input's reading at the last adjustment is unknown. */
  readonly onLack: () => void
}

interface ExplanationQuestion {
  readonly formula: Formula
  /** The values of this period's steps. */
  readonly lines: ReadonlyMap<string, Ratio>
  readonly carried: Carried
  readonly version: number
  readonly date: Day
  /** Whether the percent is the clause's own, so that its parts add up to it. */
  readonly addsUp: boolean
  readonly reading: (input: number, kind: ReadingKind) => Ratio
  readonly isTaken: (input: number, kind: ReadingKind) => boolean
  readonly seriesName: (input: number) => string
}

/** Whether the result is the factor that the clause itself applied. */
export function isClauseResult({ clause, result, steps }: Formula): boolean {
  return clause !== null && result.kind === 'FACTOR' && steps[result.step]!.name === appliedLine
}

export function explain(question: ExplanationQuestion): Explanation {
  let lacksLast = false
  const request = {
    ...question,
    onLack: () => {
      lacksLast = true
    },
  }
  const { clause } = request.formula
  if (clause === null || !request.addsUp)
    return { components: plainComponents(request), controls: [], addsUp: false, lacksLast }
  const explained = explainClause(request, clause)
  return { ...explained, addsUp: true, lacksLast }
}

/** Components with steps: weight times change. */
function plainComponents(request: ExplanationRequest): Component[] {
  const against = request.formula.clause?.basis === 'CHAINED' ? 'last' : 'base'
  return components(request, against, (weight, _input, changePct) => ({
    contribution: multiply(weight, changePct),
    since: null,
  }))
}

function components(
  request: ExplanationRequest,
  against: 'base' | 'last',
  share: (weight: Ratio, input: number, changePct: Ratio) => Pick<Component, 'contribution' | 'since'>,
): Component[] {
  const { formula, reading, isTaken, seriesName, date } = request
  return formula.inputs.flatMap((input, i) => {
    const { weight, base, name, series } = input
    if (weight === null || base === null || !isTaken(i, 'current') || !isTaken(i, against)) return []
    const value = numberOn(request, weight, date)
    const from = reading(i, against)
    if (from.n === 0n) return []
    const changePct = multiply(subtract(divide(reading(i, 'current'), from), one), hundred)
    const written = weight.param === null ? weight.text : formatExact(value)
    return [
      { input: name, series, seriesName: seriesName(i), weight: written, changePct, ...share(value, i, changePct) },
    ]
  })
}

function numberOn({ formula }: ExplanationRequest, number: ClauseNumber, date: Day): Ratio {
  return numberAt(number, formula.params, date) ?? zero
}

// With a fixed base the lines say where the price stands against the base, and the adjustment is the change since the last
// applied one. So every line is compared with its value at that time, in points of the price in force. The lines of a chained
// clause already give the change itself: they are compared with no movement at all.
function explainClause(request: ExplanationRequest, clause: Clause): Pick<Explanation, 'components' | 'controls'> {
  const { lines, carried, date } = request
  const isChained = clause.basis === 'CHAINED'
  const inForce = carried.steps.get(appliedLine) ?? one
  const scale = isChained ? hundred : divide(hundred, inForce)
  const before = isChained ? nothingMoved : linesAtLast(request, clause)
  const against = isChained ? 'last' : 'base'
  const list = components(request, against, componentShare(request, clause, against, scale))
  const explaining = new Explaining({
    clause,
    controls: clause.controls,
    lines,
    carriedSteps: carried.steps,
    number: number => numberOn(request, number, date),
    before: before.line,
    scale,
    moved: sum(list.map(component => component.contribution)),
    roundedThen: before.rounded,
  })
  for (const { explain: give, link, points } of clause.controls)
    if (give !== undefined) give(explaining)
    else if (link !== undefined) explaining.giveLink(Object.keys(points)[0]!, link.line)
  return { components: list, controls: explaining.list() }
}

interface LinesAtLast {
  readonly line: (name: string) => Ratio
  /** The part of the last applied price that came from rounding the percent. */
  readonly rounded: Ratio
}

/** Factor and target stand at 1, every movement at 0. */
const nothingMoved: LinesAtLast = {
  line: name => (name === 'factor' || name === 'target' ? one : zero),
  rounded: zero,
}

function linesAtLast(request: ExplanationRequest, clause: Clause): LinesAtLast {
  const { carried, formula } = request
  if (carried.last.date === null) return nothingMoved
  if (isSameVersion(request)) {
    const then = carried.last.steps
    const pct = then.get('pct')!
    const growth = add(one, divide(pct, hundred))
    const before = growth.n === 0n ? zero : divide(then.get(appliedLine)!, growth)
    const step = multiply(then.get('step')!, hundred)
    const held = then.get('pct_held') ?? (clause.rounding.percent === null ? pct : step)
    return { line: name => then.get(name)!, rounded: multiply(before, divide(subtract(held, pct), hundred)) }
  }
  // Another version applied the last adjustment: the present one computes where the readings of that time would have put the
  // price.
  const share = sharesAt(request, clause, 'base', carried.last.date)
  const movement = sum(
    weightedInputs(formula.inputs).map(input => {
      const i = formula.inputs.indexOf(input)
      return share(i, ratioAtLast(request, i))
    }),
  )
  const factor = add(one, movement)
  return {
    line: name =>
      name === 'factor' || name === 'target'
        ? factor
        : name.startsWith('total')
          ? multiply(movement, hundred)
          : movement,
    rounded: zero,
  }
}

/** The part of the factor's movement that comes from one component, in points. */
function componentShare(request: ExplanationRequest, clause: Clause, against: 'base' | 'last', scale: Ratio) {
  const { formula, lines, reading, carried, date } = request
  const now = sharesAt(request, clause, against, date)
  const isCompared = against === 'base' && carried.last.date !== null
  const then = isCompared ? sharesAt(request, clause, against, carried.last.date!) : null
  return (_weight: Ratio, input: number): Pick<Component, 'contribution' | 'since'> => {
    const ratioNow =
      lines.get(ratioLine(formula.inputs[input]!.name)) ?? divide(reading(input, 'current'), reading(input, against))
    const share = now(input, ratioNow)
    if (then === null) return { contribution: multiply(share, scale), since: null }
    const ratioThen = ratioAtLast(request, input)
    const contribution = multiply(subtract(share, then(input, ratioThen)), scale)
    if (ratioThen.n === 0n) return { contribution, since: null }
    const lastPct = multiply(subtract(divide(ratioNow, ratioThen), one), hundred)
    return { contribution, since: { lastPct, basePoints: multiply(share, hundred) } }
  }
}

/** The effect of an input's ratio on the factor's movement, by the weights and the fixed share of a day. */
function sharesAt(request: ExplanationRequest, clause: Clause, against: 'base' | 'last', day: Day) {
  const { formula, reading } = request
  const weightOf = (input: number) => numberOn(request, formula.inputs[input]!.weight!, day)
  if (clause.combine === 'SUM_OF_RATIOS')
    return (input: number, ratio: Ratio) => multiply(weightOf(input), subtract(ratio, one))
  const total = sum(
    weightedInputs(formula.inputs).map(input => {
      const i = formula.inputs.indexOf(input)
      return multiply(weightOf(i), reading(i, against))
    }),
  )
  const moving = subtract(one, numberOn(request, clause.fixed, day))
  return (input: number, ratio: Ratio) => {
    const moved = multiply(reading(input, against), subtract(ratio, one))
    return multiply(moving, divide(multiply(weightOf(input), moved), total))
  }
}

/** The lines that every clause has. */
const usualLines = ['factor', 'movement', 'payable', 'shared', 'target', 'step', 'pct', appliedLine]

/** Whether this version applied the last adjustment and all of its lines are known: a receipt may carry fewer. */
function isSameVersion({ carried: { last }, version, formula }: ExplanationRequest): boolean {
  const more = formula.clause?.rounding.total == null ? [] : ['total_held']
  return last.version === version && [...usualLines, ...more].every(name => last.steps.has(name))
}

function ratioAtLast(request: ExplanationRequest, input: number): Ratio {
  const { carried, formula, reading } = request
  if (carried.last.date === null) return one
  const line = isSameVersion(request) ? carried.last.steps.get(ratioLine(formula.inputs[input]!.name)) : undefined
  if (line !== undefined) return line
  try {
    return divide(reading(input, 'last'), reading(input, 'base'))
  } catch (error) {
    if (!(error instanceof MissingValue)) throw error
    request.onLack()
    return one
  }
}
