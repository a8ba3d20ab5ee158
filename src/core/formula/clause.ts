// Compiles a clause into steps. What comes out is ordinary worksheet lines in the expression language, so that the
// engine, the breakdown and the receipt know one form only.
import {
  add,
  compare,
  divide,
  hundred,
  isWhole,
  multiply,
  one,
  powerOfTen,
  type Ratio,
  type Rounding,
  writeShort,
} from '../ratio.ts'
import type { Band, Clause, ClauseNumber, Input, Param, StepSource } from './formula.ts'

/** Lines a clause may compile to, beside one `ratio_<input>` for each input. */
export const clauseLines = [
  'ratio',
  'factor',
  'movement',
  'payable',
  'shared',
  'target',
  'step',
  'threshold_met',
  'movement_applied',
  'pct_held',
  'pct_nearest',
  'pct_down',
  'pct_up',
  'pct',
  'applied',
  'held_back',
] as const
export type ClauseLine = (typeof clauseLines)[number]

/** The step that carries the price factor of a clause. */
export const appliedLine: ClauseLine = 'applied'

export function ratioLine(input: string): string {
  return `ratio_${input}`
}

const previousApplied = 'prev(applied, 1)'

type WeightedInput = Input & { readonly weight: NonNullable<Input['weight']> }

export function weightedInputs(inputs: readonly Input[]): WeightedInput[] {
  return inputs.filter((input): input is WeightedInput => input.weight !== null)
}

export function compileClause(clause: Clause, inputs: readonly Input[], params: readonly Param[]): StepSource[] {
  const weighted = weightedInputs(inputs)
  return [
    ...compileFactor(clause, weighted),
    line('movement', clause.adder === null ? 'factor - 1' : `factor - 1 + ${percent(clause.adder)}`),
    line('payable', payable(clause), 'the movement, or its excess over the threshold'),
    line('shared', shared(clause.passThrough), 'the part of it that is passed on'),
    line('target', target(clause), 'where the price factor should go'),
    line('step', step(clause), 'the way from what was last applied'),
    ...compileThreshold(clause, params),
    ...compilePercent(clause),
    line('applied', applied(clause), 'the price factor in force'),
    ...compileCarryForward(clause),
  ]
}

function line(name: string, expr: string, note: string | null = null, round: Rounding | null = null): StepSource {
  return { name, expr, round, show: null, note }
}

function compileFactor(clause: Clause, inputs: readonly WeightedInput[]): StepSource[] {
  const against = clause.basis === 'CHAINED' ? 'last' : 'base'
  const fixed = number(clause.fixed)
  const isZero = clause.fixed.value !== null && clause.fixed.value.n === 0n
  const weighted = (part: string) => inputs.map(({ name, weight }) => `${weight.text} * ${name}${part}`).join(' + ')
  if (clause.combine === 'RATIO_OF_SUMS') {
    const quotient = `(${weighted('')}) / (${weighted(`.${against}`)})`
    return [
      line('ratio', quotient, null, clause.rounding.ratio),
      line('factor', isZero ? 'ratio' : `${fixed} + (1 - ${fixed}) * ratio`, null, clause.rounding.factor),
    ]
  }
  const ratios = inputs.map(({ name }) =>
    line(ratioLine(name), `${name} / ${name}.${against}`, null, clause.rounding.ratio),
  )
  const moving = inputs.map(({ name, weight }) => `${weight.text} * ${ratioLine(name)}`)
  return [...ratios, line('factor', (isZero ? moving : [fixed, ...moving]).join(' + '), null, clause.rounding.factor)]
}

function payable({ threshold }: Clause): string {
  if (threshold?.pays !== 'EXCESS') return 'movement'
  const band = percent(threshold.pct)
  return `if(movement > ${band}, movement - ${band}, if(movement < -${group(band)}, movement + ${band}, 0))`
}

function shared(passThrough: Clause['passThrough']): string {
  if (passThrough === null) return 'payable'
  if (!isBands(passThrough)) return isOne(passThrough) ? 'payable' : `${number(passThrough)} * payable`
  const parts = passThrough.map(({ upTo, share }, i) => {
    const from = i === 0 ? null : percent(passThrough[i - 1]!.upTo!)
    const reached = upTo === null ? 'abs(payable)' : `min(abs(payable), ${percent(upTo)})`
    const width = from === null ? reached : `max(${reached} - ${from}, 0)`
    return isOne(share) ? width : `${number(share)} * ${width}`
  })
  return `if(payable < 0, -1, 1) * (${parts.join(' + ')})`
}

function isBands(passThrough: ClauseNumber | readonly Band[]): passThrough is readonly Band[] {
  return Array.isArray(passThrough)
}

function target({ basis, cap, floor, carryForward }: Clause): string {
  const high = cap?.cumulativePct ?? null
  const low = floor?.cumulativePct ?? null
  if (basis === 'FIXED_BASE') return `1 + ${within('shared', low && percent(low), high && percent(high))}`
  const chained = `${previousApplied} * (1 + shared)${carryForward ? ' * prev(held_back, 1)' : ''}`
  return within(chained, low && onePlusPercent(low), high && onePlusPercent(high))
}

// Where nothing stands between a chained target and what was last applied, the way is the shared movement itself: the
// same number without dividing one long chain by another.
function step({ basis, cap, floor, carryForward }: Clause): string {
  const isLimited = cap?.cumulativePct != null || floor?.cumulativePct != null
  if (basis === 'FIXED_BASE' || isLimited) return `target / ${previousApplied} - 1`
  return carryForward ? '(1 + shared) * prev(held_back, 1) - 1' : 'shared'
}

function within(value: string, low: string | null, high: string | null): string {
  if (low !== null && high !== null) return `clamp(${value}, ${low}, ${high})`
  if (high !== null) return `min(${value}, ${high})`
  return low === null ? value : `max(${value}, ${low})`
}

function compileThreshold({ threshold, basis, passThrough }: Clause, params: readonly Param[]): StepSource[] {
  if (threshold?.pays !== 'ALL') return []
  const whole = wholeIsPaid(passThrough, params)
  const since = basis === 'FIXED_BASE' ? '(1 + movement) / (1 + prev(movement_applied, 0)) - 1' : 'movement'
  const isSince = threshold.since === 'LAST' && whole !== true && basis === 'FIXED_BASE'
  const tested =
    threshold.since === 'BASE'
      ? 'movement'
      : whole === true
        ? 'step'
        : whole === false
          ? since
          : `if(${whole}, step, ${since})`
  const sign = threshold.test === 'REACHES' ? '>=' : '>'
  const met = `if(abs(${tested}) ${sign} ${percent(threshold.pct)}, 1, 0)`
  const kept = 'if(threshold_met == 1, movement, prev(movement_applied, 0))'
  return [
    line('threshold_met', met, '1 where the threshold is met'),
    ...(isSince ? [line('movement_applied', kept, 'the movement at the last applied adjustment')] : []),
  ]
}

/** Whether all of the movement is passed on: known now, or an expression where a dated param decides. */
function wholeIsPaid(passThrough: Clause['passThrough'], params: readonly Param[]): boolean | string {
  const shares = passThrough === null ? [] : isBands(passThrough) ? passThrough.map(band => band.share) : [passThrough]
  const conditions: string[] = []
  for (const { value, param } of shares) {
    const values =
      value !== null ? [value] : (params.find(each => each.name === param)?.values.map(each => each.value) ?? [])
    if (values.every(each => compare(each, one) !== 0)) return false
    if (values.some(each => compare(each, one) !== 0)) conditions.push(`${param} == 1`)
  }
  return conditions.length === 0 ? true : conditions.join(' and ')
}

// Where rounding the percent would cross a period or cumulative limit, it is rounded to the inside. The lines for that
// are written only where it can happen: a period limit that is itself on the rounding's grid is never crossed.
function compilePercent({ cap, floor, rounding }: Clause): StepSource[] {
  const { percent: round } = rounding
  const low = floor?.periodPct ?? null
  const high = cap?.periodPct ?? null
  const held = within('step', low && percent(low), high && percent(high))
  const upper = edges(high, cap?.cumulativePct ?? null, round)
  const lower = edges(low, floor?.cumulativePct ?? null, round)
  if (low === null && high === null && upper.length === 0 && lower.length === 0)
    return [line('pct', 'step * 100', null, round)]
  const heldLine = line('pct_held', `${group(held)} * 100`, 'the percent before rounding')
  if (upper.length === 0 && lower.length === 0) return [heldLine, line('pct', 'pct_held', null, round)]
  const whenLow = lower.length === 0 ? 'pct_nearest' : `if(${crosses(lower, '<', '>=')}, pct_up, pct_nearest)`
  const whenHigh = upper.length === 0 ? whenLow : `if(${crosses(upper, '>', '<=')}, pct_down, ${whenLow})`
  return [
    heldLine,
    line('pct_nearest', 'pct_held', null, round),
    ...(upper.length > 0 ? [line('pct_down', 'pct_held', null, { ...round, mode: 'FLOOR' })] : []),
    ...(lower.length > 0 ? [line('pct_up', 'pct_held', null, { ...round, mode: 'CEILING' })] : []),
    line('pct', whenHigh, 'rounded to the inside where a limit would be crossed'),
  ]
}

interface Edge {
  readonly expr: string
  /** Whether the held percent may lie beyond it: a period limit stops on the way to a cumulative one. */
  readonly mayLieInside: boolean
}

function crosses(edges: readonly Edge[], beyond: '<' | '>', inside: '<=' | '>='): string {
  return edges
    .map(({ expr, mayLieInside }) => {
      const crossed = `pct_nearest ${beyond} ${expr}`
      return mayLieInside ? `${crossed} and pct_held ${inside} ${expr}` : crossed
    })
    .join(' or ')
}

function edges(period: ClauseNumber | null, cumulative: ClauseNumber | null, round: Rounding): Edge[] {
  const list: Edge[] = []
  if (period !== null && !(period.value !== null && isOnGrid(period.value, round)))
    list.push({ expr: number(period), mayLieInside: false })
  if (cumulative !== null)
    list.push({ expr: `(${onePlusPercent(cumulative)} / ${previousApplied} - 1) * 100`, mayLieInside: true })
  return list
}

function isOnGrid(value: Ratio, round: Rounding): boolean {
  const unit: Ratio = 'dp' in round ? { n: 1n, d: powerOfTen(round.dp) } : round.multiple
  return isWhole(divide(value, unit))
}

function applied({ threshold }: Clause): string {
  const moved = `${previousApplied} * (1 + pct / 100)`
  return threshold?.pays === 'ALL' ? `if(threshold_met == 1, ${moved}, ${previousApplied})` : moved
}

function compileCarryForward({ basis, carryForward, cap, threshold }: Clause): StepSource[] {
  const limit = cap?.periodPct ?? null
  if (basis !== 'CHAINED' || !carryForward || limit === null) return []
  const keeps = `if(step > ${percent(limit)}, (1 + step) / ${group(onePlusPercent(limit))}, 1)`
  const expr = threshold?.pays === 'ALL' ? `if(threshold_met == 1, ${keeps}, prev(held_back, 1))` : keeps
  return [line('held_back', expr, 'what the cap held back, for the next period')]
}

function number({ text, param }: ClauseNumber): string {
  return param ?? text
}

/** A percentage as a fraction: a literal where it is known, else `name / 100`. */
function percent({ value, param }: ClauseNumber): string {
  return param === null ? literal(divide(value!, hundred)) : `${param} / 100`
}

function onePlusPercent({ value, param }: ClauseNumber): string {
  return param === null ? literal(add(one, divide(value!, hundred))) : `(1 + ${param} / 100)`
}

/** Exact: the numbers of a document are decimals, and stay so when a hundredth of them is taken. */
function literal(value: Ratio): string {
  return writeShort(value, value.d.toString().length - 1)
}

function group(expr: string): string {
  return /^(?:[\p{L}\p{N}_.]+|\([^()]*\)|[a-z]+\([^()]*\))$/u.test(expr) ? expr : `(${expr})`
}

export function isOne({ value }: ClauseNumber): boolean {
  return value !== null && compare(value, one) === 0
}

/** Percentages and points are a hundred times the fraction. */
export function inPercent(fraction: Ratio): Ratio {
  return multiply(fraction, hundred)
}
