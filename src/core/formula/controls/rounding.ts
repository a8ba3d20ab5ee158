// Rounding: the places where a contract rounds on the way from the readings to the price. A percent that rounding would push
// over a limit is rounded to its inside.
import { divide, isWhole, powerOfTen, type Ratio, type Rounding, subtract } from '../../numbers/ratio.ts'
import type { Problem } from '../../refusal.ts'
import type { KeySpec } from '../check/keys.ts'
import {
  type ClauseNumber,
  type ClauseRounding,
  type ClauseTerms,
  type RoundingPlace,
  roundingPlaces,
  type StepSource,
} from '../terms.ts'
import { isWorkedBack, limitedTarget, mayReachZero } from './clause-facts.ts'
import type { ClauseReader } from './clause-reader.ts'
import type { Bound, Compiling, Control } from './control.ts'
import type { Explaining } from './control-points.ts'
import { line, onePlusPercent, previousApplied, within } from './expressions.ts'
import { levelBound } from './limits.ts'

const places: Readonly<Record<RoundingPlace, readonly [label: string, help: string]>> = {
  ratio: ['Ratios', 'Rounds each index ratio; with RATIO_OF_SUMS the one ratio.'],
  factor: ['The factor', 'Rounds the combined factor of all indices.'],
  total: ['Percent since the base', 'Rounds the percent since the base; with a fixed base only.'],
  percent: ['Percent of the step', 'Rounds the percent of each adjustment.'],
  price: ['The price', 'Rounds the price of a period, in place of what the contract’s price says.'],
}

export const rounding: Control<ClauseRounding> = {
  name: 'rounding',
  keys: [
    {
      path: 'clause.rounding',
      label: 'Rounding',
      help: 'The values that the contract rounds; no other value is rounded.',
      value: { kind: 'mapping' },
    },
    ...roundingPlaces.map(
      (place): KeySpec => ({
        path: `clause.rounding.${place}`,
        label: places[place][0],
        help: places[place][1],
        value: { kind: 'rounding' },
        otherwise: 'NONE',
      }),
    ),
  ],
  points: { rounding: 'rounding' },
  lines: [
    'total',
    'total_held',
    'total_nearest',
    'total_down',
    'total_up',
    'pct_held',
    'pct_nearest',
    'pct_down',
    'pct_up',
  ],
  check: checkRounding,
  judge: ({ basis, rounding: part }, reader) => {
    if (part.total !== null && basis === 'CHAINED')
      reader
        .group('rounding', example)!
        .refuse('total', 'total goes with basis: FIXED_BASE only: a chain has no percent since the base of its own')
  },
  explain: explainRounding,
  advise: adviseRounding,
}

const example = '{ percent: { dp: 2 } }, with ratio, factor, total, percent or price'

function checkRounding(reader: ClauseReader): ClauseRounding {
  const fields = reader.group('rounding', example)
  const read = (place: RoundingPlace) => fields?.rounding(place) ?? null
  return {
    ratio: read('ratio'),
    factor: read('factor'),
    total: read('total'),
    percent: read('percent'),
    price: read('price'),
    written: roundingPlaces.filter(place => fields?.has(place) === true),
  }
}

/** A limit that a rounded percent may cross. */
export interface Edge extends Pick<Bound, 'isCrossed' | 'fixedPct'> {
  /** Whether the percent may lie beyond the limit even before rounding, because another limit applied first. */
  readonly mayLieInside: boolean
}

/**
 * The lines of a percent that is rounded, to the inside where it would cross a limit. They are written only where that can
 * happen: a limit that is itself on the rounding's grid is never crossed.
 */
export function roundedInside(
  name: string,
  fraction: string,
  note: string,
  round: Rounding,
  edges: { readonly above: readonly Edge[]; readonly below: readonly Edge[] },
): StepSource[] {
  const held = line(
    `${name}_held`,
    `${/^[a-z_]+$/.test(fraction) || isCall(fraction) ? fraction : `(${fraction})`} * 100`,
    `${note} before rounding`,
  )
  const [above, below] = [edges.above, edges.below].map(list =>
    list.filter(edge => !isOnGrid(edge.fixedPct, round)),
  ) as [Edge[], Edge[]]
  if (above.length === 0 && below.length === 0) return [held, line(name, `${name}_held`, null, round)]
  const whenLow =
    below.length === 0 ? `${name}_nearest` : `if(${crosses(name, below, '<', '>=')}, ${name}_up, ${name}_nearest)`
  const whenHigh = above.length === 0 ? whenLow : `if(${crosses(name, above, '>', '<=')}, ${name}_down, ${whenLow})`
  return [
    held,
    line(`${name}_nearest`, `${name}_held`, null, round),
    ...(above.length > 0 ? [line(`${name}_down`, `${name}_held`, null, { ...round, mode: 'FLOOR' })] : []),
    ...(below.length > 0 ? [line(`${name}_up`, `${name}_held`, null, { ...round, mode: 'CEILING' })] : []),
    line(name, whenHigh, 'rounded to the inside where a limit would be crossed'),
  ]
}

function isCall(expr: string): boolean {
  return /^[a-z]+\([^()]*(?:\([^()]*\)[^()]*)*\)$/.test(expr)
}

function crosses(name: string, edges: readonly Edge[], beyond: '<' | '>', inside: '<=' | '>='): string {
  return edges
    .map(({ isCrossed, mayLieInside }) => {
      const crossed = isCrossed(`${name}_nearest`, beyond)
      return mayLieInside ? `${crossed} and ${isCrossed(`${name}_held`, inside)}` : crossed
    })
    .join(' or ')
}

function isOnGrid(limit: ClauseNumber | null, round: Rounding): boolean {
  if (limit === null || limit.value === null) return false
  const unit: Ratio =
    'dp' in round
      ? round.dp < 0
        ? { n: powerOfTen(-round.dp), d: 1n }
        : { n: 1n, d: powerOfTen(round.dp) }
      : round.multiple
  return isWhole(divide(limit.value, unit))
}

/** The step kept inside its limits, and the percent it becomes. */
export function compilePercent(compiling: Compiling): StepSource[] {
  const { clause } = compiling
  const { percent: round } = clause.rounding
  const { above, below } = compiling.bounds
  const held = limitedStep(compiling)
  if (round === null) return [line('pct', `${held === 'step' || isCall(held) ? held : `(${held})`} * 100`)]
  const inAll = clause.cumulative
  const isEdged =
    [...above, ...below].some(bound => !isOnGrid(bound.fixedPct, round)) || inAll.cap !== null || inAll.floor !== null
  if (above.length + below.length === 0 && !isEdged) return [line('pct', 'step * 100', null, round)]
  const several = above.length > 1 || below.length > 1 || above.some(bound => bound.fixedPct === null)
  const edge = (bound: Bound, mayLieInside: boolean): Edge => ({ ...bound, mayLieInside })
  const total = (limit: ClauseNumber | null) => (limit === null ? [] : [edge(levelBound(onePlusPercent(limit)), true)])
  return roundedInside('pct', held, 'the percent', round, {
    above: [...above.map(bound => edge(bound, false)), ...total(inAll.cap)],
    below: [...below.map(bound => edge(bound, several)), ...total(inAll.floor)],
  })
}

function limitedStep({ clause, bounds: { above, below } }: Compiling): string {
  const held = within(
    'step',
    below.map(({ step }) => step),
    above.map(({ step }) => step),
  )
  return held !== 'step' && asksNoLimit(clause) ? `if(${previousApplied} <= 0, step, ${held})` : held
}

/** A price of 0 or below has no percent that could be limited. */
function asksNoLimit(clause: ClauseTerms): boolean {
  return mayReachZero(clause) && (isWorkedBack(clause) || clause.year.cap !== null)
}

/** The applied factor, in a period in which something is applied. */
export function movedFactor({ clause, bounds: { above, below } }: Compiling): string {
  const byPercent = `${previousApplied} * (1 + pct / 100)`
  if (clause.rounding.percent !== null) {
    const fromZero = isWorkedBack(clause) && mayReachZero(clause)
    return fromZero ? `if(${previousApplied} == 0, target, ${byPercent})` : byPercent
  }
  if (above.length + below.length === 0) return 'target'
  // Equal to the number from the percent, without dividing by the chain and multiplying by it again.
  if (!isWorkedBack(clause) && clause.year.cap === null && clause.year.floor === null) return byPercent
  const held = within(
    'target',
    below.map(({ level }) => level),
    above.map(({ level }) => level),
  )
  return asksNoLimit(clause) ? `if(${previousApplied} <= 0, target, ${held})` : held
}

function explainRounding(explaining: Explaining): void {
  const { clause } = explaining
  explaining.give('rounding', explaining.factorRounding)
  if (clause.rounding.total !== null)
    explaining.give(
      'rounding',
      explaining.difference(at => subtract(at('target'), limitedTarget(at, clause))),
    )
  explaining.give('rounding', explaining.roundedThen)
  if (explaining.isMoving) explaining.give('rounding', subtract(explaining.now('pct'), explaining.limitedPct))
}

function adviseRounding({ rounding: { written }, basis }: ClauseTerms): Problem[] {
  const path = 'clause.rounding'
  if (written.length === 0)
    return [
      {
        path,
        message:
          'the clause rounds neither the factor nor a percentage; write the rounding of the contract, or rounding: { price: NONE }',
        words: 'the clause rounds neither the factor nor a percentage; the contract may round them',
      },
    ]
  if (basis !== 'FIXED_BASE' || !written.includes('percent')) return []
  return [
    {
      path: `${path}.percent`,
      message:
        'steps that are each rounded drift with a fixed base: the same index may give two prices; write rounding: { total: … } to round the percent since the base',
      words:
        'steps that are each rounded drift with a fixed base: the same index may give two prices; rounding the percent since the base does not',
    },
  ]
}
