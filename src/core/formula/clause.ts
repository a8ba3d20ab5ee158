// Compiles a clause into steps: ordinary worksheet lines in the expression language, so that the engine, the breakdown and the
// receipt know one form only. The order is fixed; the lines of a control are in its own file.
import type { Rounding } from '../numbers/ratio.ts'
import { isWorkedBack, keepsHeldBack, mayReachZero, movingCondition } from './controls/clause-facts.ts'
import type { Compiling, LinePlace } from './controls/control.ts'
import { compileTarget } from './controls/cumulative.ts'
import { line, number, previousApplied } from './controls/expressions.ts'
import { boundsOf } from './controls/limits.ts'
import { compilePercent, movedFactor } from './controls/rounding.ts'
import type { Clause, Input } from './formula.ts'
import type { ClauseNumber, Param, StepSource } from './terms.ts'

/** Lines that belong to no control. */
const ownLines = ['ratio', 'factor', 'step', 'pct', 'applied'] as const

/** Lines a clause may compile to, in addition to one `ratio_<input>` for each input. */
export function clauseLines(controls: Clause['controls']): readonly string[] {
  return [...ownLines, ...controls.flatMap(control => control.lines)]
}

/** The step that carries the price factor of a clause. */
export const appliedLine = 'applied'

export function ratioLine(input: string): string {
  return `ratio_${input}`
}

type WeightedInput = Input & { readonly weight: ClauseNumber }

export function weightedInputs(inputs: readonly Input[]): WeightedInput[] {
  return inputs.filter((input): input is WeightedInput => input.weight !== null)
}

export function compileClause(clause: Clause, inputs: readonly Input[], params: readonly Param[]): StepSource[] {
  const compiling: Compiling = { clause, params, bounds: boundsOf(clause, clause.controls) }
  const behind = (place: LinePlace) => clause.controls.flatMap(control => control.behind?.[place]?.(compiling) ?? [])
  const chain = compileChain(compiling, clause.controls)
  const wanted = chain.at(-1)!.name
  return [
    ...compileFactor(clause, weightedInputs(inputs)),
    ...chain,
    ...compileTarget(clause, wanted),
    line('step', step(clause, wanted), 'the way from what was last applied'),
    ...behind('step'),
    ...compilePercent(compiling),
    line(appliedLine, applied(compiling), 'the price factor in force'),
    ...behind('applied'),
  ]
}

function compileFactor(clause: Clause, inputs: readonly WeightedInput[]): StepSource[] {
  const against = clause.basis === 'CHAINED' ? 'last' : 'base'
  const fixed = number(clause.fixed)
  const isZero = clause.fixed.value !== null && clause.fixed.value.n === 0n
  const { ratio, factor } = clause.rounding
  const weighted = (part: string) => inputs.map(({ name, weight }) => `${number(weight)} * ${name}${part}`).join(' + ')
  if (clause.combine === 'RATIO_OF_SUMS') {
    const quotient = `(${weighted('')}) / (${weighted(`.${against}`)})`
    return [
      line('ratio', quotient, null, ratio),
      line('factor', isZero ? 'ratio' : `${fixed} + (1 - ${fixed}) * ratio`, null, factor),
    ]
  }
  const ratios = inputs.map(({ name }) => line(ratioLine(name), `${name} / ${name}.${against}`, null, ratio))
  const moving = inputs.map(({ name, weight }) => `${number(weight)} * ${ratioLine(name)}`)
  return [...ratios, line('factor', (isZero ? moving : [fixed, ...moving]).join(' + '), null, factor)]
}

/** From the movement of the indices to the part that is passed on: one line for each control that has one. */
function compileChain(compiling: Compiling, controls: Clause['controls']): StepSource[] {
  const lines: StepSource[] = []
  for (const { link } of controls)
    if (link !== undefined)
      lines.push(line(link.line, link.expr(lines.at(-1)?.name ?? 'factor - 1', compiling), link.note))
  return lines
}

function step(clause: Clause, wanted: string): string {
  if (!isWorkedBack(clause)) return keepsHeldBack(clause) ? `(1 + ${wanted}) * prev(held_back, 1) - 1` : wanted
  const way = `target / ${previousApplied} - 1`
  return mayReachZero(clause) ? `if(${previousApplied} == 0, 0, ${way})` : way
}

function applied(compiling: Compiling): string {
  const moved = movedFactor(compiling)
  const moving = movingCondition(compiling.clause)
  return moving === null ? moved : `if(${moving}, ${moved}, ${previousApplied})`
}

/** The rounding of the price: the clause's, `NONE` included, else the contract's. */
export function priceRounding(clause: Clause | null, contractRounding: Rounding | null): Rounding | null {
  return clause?.rounding.written.includes('price') ? clause.rounding.price : contractRounding
}
