// Carrying forward: the part that a period or year limit held back is applied as soon as the limit allows, and a threshold is
// not tested again for it.
import { add, equal, hundred, multiply, one, subtract } from '../../numbers/ratio.ts'
import type { KeySpec } from '../check/keys.ts'
import { type ClauseTerms, type LimitSide, limitSides, type StepSource } from '../terms.ts'
import { carriedSides, keepsHeldBack, movingCondition } from './clause-facts.ts'
import type { ClauseReader } from './clause-reader.ts'
import type { ClauseReading, ClauseSubject, Compiling, Control } from './control.ts'
import { line } from './expressions.ts'
import { limitGroup } from './limits.ts'

export const carryForward: Control<ClauseTerms['carryForward']> = {
  name: 'carryForward',
  keys: limitSides.map(
    (side): KeySpec => ({
      path: `clause.${side}.carryForward`,
      label: 'Carry forward',
      help: `A movement held back by the ${side} of a period or a year is applied as soon as the ${side} allows it.`,
      value: { kind: 'truth' },
      otherwise: 'false',
    }),
  ),
  points: { carryForward: 'carried forward' },
  lines: ['held_back'],
  check: reader => ({ cap: checkSide(reader, 'cap'), floor: checkSide(reader, 'floor') }),
  behind: { applied: compileHeldBack },
  explain: explaining => {
    const { clause } = explaining
    if (clause.basis === 'FIXED_BASE') {
      explaining.give('carryForward', explaining.leftOpen)
      return
    }
    const growth = add(one, explaining.now(explaining.lastLink))
    const heldBack = explaining.carriedLine('held_back') ?? one
    explaining.give('carryForward', multiply(multiply(growth, subtract(heldBack, one)), hundred))
  },
  tell: {
    grown: narrator => {
      const heldBack = narrator.carriedLine('held_back') ?? one
      if (narrator.clause.basis !== 'CHAINED' || equal(heldBack, one)) return
      const grown = subtract(multiply(add(one, narrator.line(narrator.lastLink)), heldBack), one)
      narrator.say(`With what ${whichLimit(narrator.clause)} held back before it comes to ${narrator.fraction(grown)}.`)
    },
  },
  readings: readOtherwise,
}

function checkSide(reader: ClauseReader, side: LimitSide): boolean {
  const fields = limitGroup(reader, side)
  if (fields === null || !fields.truth('carryForward')) return false
  if (fields.has('periodPct') || fields.has('yearPct')) return true
  fields.refuse('carryForward', 'carryForward needs periodPct or yearPct')
  return false
}

function compileHeldBack({ clause }: Compiling): StepSource[] {
  if (!keepsHeldBack(clause)) return []
  const sides = carriedSides(clause)
  const held = clause.rounding.percent === null ? 'pct / 100' : 'pct_held / 100'
  const rest = `(1 + step) / (1 + ${held})`
  const only = sides[0] === 'cap' ? '>' : '<'
  const keeps = sides.length === 2 ? rest : `if(step ${only} ${held}, ${rest}, 1)`
  const moving = movingCondition(clause)
  const expr = moving === null ? keeps : `if(${moving}, ${keeps}, prev(held_back, 1))`
  return [line('held_back', expr, `what ${whichLimit(clause)} held back, for the next period`)]
}

function whichLimit(clause: ClauseTerms): string {
  const sides = carriedSides(clause)
  return sides.length === 2 ? 'the limits' : `the ${sides[0] ?? 'cap'}`
}

function readOtherwise(subject: ClauseSubject | null): ClauseReading[] {
  const clause = subject?.clause ?? null
  const carries = clause !== null && (clause.carryForward.cap || clause.carryForward.floor)
  const common = {
    id: 'carry-forward',
    title: carries ? 'A movement held back is lost' : 'A movement held back is carried forward',
    words: carries
      ? 'A movement that a limit held back is not applied later by itself.'
      : 'A movement that a period or year limit held back is applied as soon as the limit allows it.',
  }
  const limited = limitSides.filter(side => clause?.period[side] != null || clause?.year[side] != null)
  if (subject === null || limited.length === 0)
    return [{ ...common, reading: { notApplicable: 'No limit of a period or a year holds anything back.' } }]
  const changed = Object.fromEntries(
    limited.map(side => {
      const { carryForward: _written, ...limit } = subject.written[side] as Record<string, string>
      return [side, carries ? limit : { ...limit, carryForward: 'true' }]
    }),
  )
  return [{ ...common, reading: { clause: { ...subject.written, ...changed } } }]
}
