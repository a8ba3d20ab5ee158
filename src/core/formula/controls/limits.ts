// The common part of the limits of a clause: `cap` and `floor` have the keys of the period, the year and the whole change, and
// a limit that is crossed pulls the percent to its inside.
import { compare, divide, hundred, one, type Ratio, subtract } from '../../numbers/ratio.ts'
import type { Fields } from '../check/fields.ts'
import { type KeySpec, number } from '../check/keys.ts'
import { type ClauseNumber, type ClauseTerms, type LimitSide, limitSides } from '../terms.ts'
import type { ClauseReader, Numbers } from './clause-reader.ts'
import type { Bound, Bounds, Control } from './control.ts'
import { number as inExpression, onePlusPercent, percent, previousApplied } from './expressions.ts'

/** The mappings themselves; the keys inside them belong to the controls. */
export const limitKeys: readonly KeySpec[] = [
  {
    path: 'clause.cap',
    label: 'At most',
    help: 'The most the price may rise: in a period, in a year, or in all.',
    value: { kind: 'mapping' },
  },
  {
    path: 'clause.floor',
    label: 'At least',
    help: 'The most the price may fall, or the least it rises: in a period, in a year, or in all.',
    value: { kind: 'mapping' },
  },
]

export function limitGroup(reader: ClauseReader, side: LimitSide): Fields | null {
  const raw = reader.clause.raw(side)
  if (typeof raw === 'string') {
    if (!reader.clause.hasProblemAt(side))
      reader.clause.refuse(
        side,
        `${side} does not say of what: write ${side}: { periodPct: ${raw} } for each period, { yearPct: ${raw}, year: CONTRACT } for a year, or { cumulativePct: ${raw} } since the start`,
      )
    return null
  }
  return reader.group(side, '{ periodPct: 5 }')
}

const minusHundred: Ratio = { n: -100n, d: 1n }
const percentages = ['periodPct', 'yearPct', 'cumulativePct'] as const
type LimitKey = (typeof percentages)[number]

/** A cap or a floor must say what it limits. Checked once, by whichever control comes first. */
export function judgeLimits(reader: ClauseReader): void {
  for (const side of limitSides) {
    const fields = limitGroup(reader, side)
    if (fields !== null && percentages.every(key => !fields.has(key)))
      fields.refuse('', `${side} needs periodPct, yearPct or cumulativePct`)
  }
}

export function readLimit(reader: ClauseReader, side: LimitSide, key: LimitKey): ClauseNumber | null {
  const fields = limitGroup(reader, side)
  if (fields === null) return null
  const limit = reader.numbers.read(fields, key)
  if (limit !== null) reader.numbers.above(fields, key, limit, minusHundred)
  return limit
}

/** The highest value of the cap over time must not lie below the lowest value of the floor. */
export function judgeOrder(
  { clause, numbers }: { clause: Fields; numbers: Numbers },
  key: LimitKey,
  cap: ClauseNumber | null,
  floor: ClauseNumber | null,
): void {
  if (cap === null || floor === null) return
  if (numbers.values(cap).some(top => numbers.values(floor).some(bottom => compare(top, bottom) < 0)))
    clause.refuse(`cap.${key}`, `the cap lies below the floor (${cap.text} and ${floor.text})`)
}

export function limitKey(side: LimitSide, key: LimitKey, label: string, words: string): KeySpec {
  const help = side === 'cap' ? `The most the price may rise ${words}.` : `The most the price may fall ${words}.`
  return { path: `clause.${side}.${key}`, label, help, value: number('percent', true) }
}

/** A percentage of the price in force, as a bound of the step. */
export function periodBound(limit: ClauseNumber): Bound {
  return {
    step: percent(limit),
    level: `${previousApplied} * ${onePlusPercent(limit)}`,
    isCrossed: (pct, beyond) => `${pct} ${beyond} ${inExpression(limit)}`,
    fixedPct: limit,
    valueAt: ({ number: at }) => divide(at(limit), hundred),
  }
}

/** A level the factor must not pass: the name of its line, or an expression where its value is not needed. */
export function levelBound(level: string): Bound {
  return {
    step: `${level} / ${previousApplied} - 1`,
    level,
    isCrossed: (pct, beyond) => `${previousApplied} * (1 + ${pct} / 100) ${beyond} ${level}`,
    fixedPct: null,
    valueAt: ({ line, inForce }) => subtract(divide(line(level), inForce), one),
  }
}

/** All limits of the step, from all controls. */
export function boundsOf(clause: ClauseTerms, controls: readonly Control[]): Bounds {
  const all = controls.flatMap(control => control.bounds?.(clause) ?? [])
  return { above: all.flatMap(({ above }) => above), below: all.flatMap(({ below }) => below) }
}
