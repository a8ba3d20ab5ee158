// The cumulative limits: the most that the price may move from where it began.
import {
  add,
  compare,
  greatest,
  hundred,
  least,
  multiply,
  one,
  type Ratio,
  subtract,
  zero,
} from '../../numbers/ratio.ts'
import type { ClauseNumber, ClauseTerms, Limits, StepSource } from '../terms.ts'
import { keepsHeldBack, limitedTarget } from './clause-facts.ts'
import type { Control } from './control.ts'
import type { Explaining } from './control-points.ts'
import { line, number, onePlusPercent, percent, previousApplied, within } from './expressions.ts'
import { judgeOrder, limitKey, readLimit } from './limits.ts'
import type { Narrator } from './narrator.ts'
import { type Edge, roundedInside } from './rounding.ts'

export const cumulative: Control<Limits> = {
  name: 'cumulative',
  keys: [
    limitKey('cap', 'cumulativePct', 'At most in all', 'since the start'),
    limitKey('floor', 'cumulativePct', 'At least in all', 'since the start'),
  ],
  points: { cumulativeCap: 'the cumulative cap', cumulativeFloor: 'the cumulative floor' },
  lines: ['target'],
  check: reader => ({
    cap: readLimit(reader, 'cap', 'cumulativePct'),
    floor: readLimit(reader, 'floor', 'cumulativePct'),
  }),
  judge: (clause, reader) => judgeOrder(reader, 'cumulativePct', clause.cumulative.cap, clause.cumulative.floor),
  explain: explainTarget,
  tell: { target: explainTargetLine },
}

/** The lines that say where the price factor should go; `wanted` is the last line of the movement. */
export function compileTarget(clause: ClauseTerms, wanted: string): StepSource[] {
  const { basis, rounding } = clause
  const { cap, floor } = clause.cumulative
  const note = 'where the price factor should go'
  if (basis === 'CHAINED') {
    const chained = `${previousApplied} * (1 + ${wanted})${keepsHeldBack(clause) ? ' * prev(held_back, 1)' : ''}`
    const held = within(
      chained,
      floor === null ? [] : [onePlusPercent(floor)],
      cap === null ? [] : [onePlusPercent(cap)],
    )
    return [line('target', held, note)]
  }
  const held = within(wanted, floor === null ? [] : [percent(floor)], cap === null ? [] : [percent(cap)])
  if (rounding.total === null) return [line('target', `1 + ${held}`, note)]
  return [
    ...roundedInside('total', held, 'the percent since the base', rounding.total, {
      above: cap === null ? [] : [edgeOf(cap)],
      below: floor === null ? [] : [edgeOf(floor)],
    }),
    line('target', '1 + total / 100', note),
  ]
}

function edgeOf(limit: ClauseNumber): Edge {
  return { isCrossed: (pct, beyond) => `${pct} ${beyond} ${number(limit)}`, fixedPct: limit, mayLieInside: false }
}

function explainTarget(explaining: Explaining): void {
  const { clause, lastLink } = explaining
  if (clause.basis === 'CHAINED') {
    const grown = multiply(add(one, explaining.now(lastLink)), explaining.carriedLine('held_back') ?? one)
    const over = multiply(subtract(add(one, explaining.now('step')), grown), hundred)
    explaining.give('cumulativeCap', least(over, zero))
    explaining.give('cumulativeFloor', greatest(over, zero))
    return
  }
  const over = (at: (line: string) => Ratio) => subtract(limitedTarget(at, clause), add(one, at(lastLink)))
  explaining.give(
    'cumulativeCap',
    explaining.difference(at => least(over(at), zero)),
  )
  explaining.give(
    'cumulativeFloor',
    explaining.difference(at => greatest(over(at), zero)),
  )
}

function explainTargetLine(narrator: Narrator): void {
  const { cap, floor } = narrator.clause.cumulative
  if (narrator.clause.basis === 'CHAINED') {
    const heldBack = narrator.carriedLine('held_back') ?? one
    const grown = subtract(multiply(add(one, narrator.line(narrator.lastLink)), heldBack), one)
    const step = narrator.line('step')
    const over = narrator.inForce.n === 0n ? 0 : compare(step, grown)
    if (over < 0) narrator.say(`The cumulative cap of ${narrator.limit(cap!)} leaves ${narrator.fraction(step)}.`)
    if (over > 0) narrator.say(`The cumulative floor of ${narrator.limit(floor!)} makes it ${narrator.fraction(step)}.`)
    return
  }
  const target = subtract(limitedTarget(narrator.line, narrator.clause), one)
  const over = compare(target, narrator.line(narrator.lastLink))
  if (over < 0) narrator.say(`The cumulative cap of ${narrator.limit(cap!)} holds it at ${narrator.fraction(target)}.`)
  if (over > 0)
    narrator.say(
      `The cumulative floor of ${narrator.limit(floor!)} ${narrator.stopped(target)} ${narrator.fraction(target)}.`,
    )
}
