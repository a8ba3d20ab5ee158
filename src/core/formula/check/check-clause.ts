// Checks a clause: its own keys here, each control in its own file, and that the weights add up to 1.

import { absolute, add, compare, formatCarried, one, type Ratio, subtract, sum, zero } from '../../numbers/ratio.ts'
import type { Problem } from '../../refusal.ts'
import { type Day, formatDay } from '../../time/day.ts'
import { weightedInputs } from '../clause.ts'
import { ClauseReader, Numbers } from '../controls/clause-reader.ts'
import type { Control } from '../controls/control.ts'
import { controls as allControls, keysOfControls } from '../controls/controls.ts'
import type { Clause, Input } from '../formula.ts'
import type { Raw } from '../raw.ts'
import type { ClauseNumber, ClauseParts, Param } from '../terms.ts'
import { hasProblemAt } from './fields.ts'
import { choiceKey, type KeySpec, number } from './keys.ts'
import { formatWeights } from './weights-total.ts'

const noFixed: ClauseNumber = { text: '0', value: zero, param: null }

const basis = choiceKey(
  'clause.basis',
  'Compared with',
  'What the readings are compared with.',
  { FIXED_BASE: 'the base, always', CHAINED: 'the last applied adjustment' },
  'FIXED_BASE',
)
const combine = choiceKey(
  'clause.combine',
  'Combined as',
  'How the indices become one factor.',
  { SUM_OF_RATIOS: 'sum of weighted ratios', RATIO_OF_SUMS: 'ratio of weighted sums' },
  'SUM_OF_RATIOS',
)

const ownKeys: readonly KeySpec[] = [
  {
    path: 'clause.fixed',
    label: 'Fixed share',
    help: 'The share of the price that never moves; with the weights it makes 1.',
    value: number('fraction', true),
    otherwise: '0',
  },
  {
    path: 'clause.tolerance',
    label: 'Weights may miss 1 by',
    help: 'Only where the contract’s own weights do not add up.',
    value: number('fraction'),
    otherwise: '0',
  },
  basis,
  combine,
]

export function clauseKeys(controls: readonly Control[] = allControls): readonly KeySpec[] {
  return [...ownKeys, ...keysOfControls(controls)]
}

interface ClauseSurroundings {
  readonly inputs: readonly Input[]
  readonly params: readonly Param[]
  /** The names of all params in the document, including those with problems. */
  readonly paramNames: readonly string[]
  readonly weightsRequired: boolean
  readonly controls: readonly Control[]
}

export function checkClause(raw: Raw, surroundings: ClauseSurroundings, problems: Problem[]): Clause | null {
  const { inputs, params, paramNames, weightsRequired, controls } = surroundings
  const numbers = new Numbers(params, paramNames)
  const reader = new ClauseReader(raw, clauseKeys(controls), numbers, problems)
  const fields = reader.clause
  const fixed = numbers.read(fields, 'fixed') ?? noFixed
  const tolerance = fields.decimal('tolerance')?.value ?? null
  const parts = Object.fromEntries(controls.map(({ name, check }) => [name, check(reader)]))
  const clause: Clause = {
    fixed,
    tolerance,
    basis: fields.chosen('basis', basis),
    combine: fields.chosen('combine', combine),
    ...(parts as unknown as ClauseParts),
    controls,
  }
  reader.finish()
  for (const { judge } of controls) judge?.(clause, reader)
  numbers.range(fields, 'fixed', clause.fixed, zero, one, 'a fraction of 1')
  if (tolerance !== null && compare(tolerance, zero) < 0)
    fields.refuse('tolerance', `tolerance must not be negative, got ${formatCarried(tolerance)}`)
  checkWeights(clause, inputs, numbers, weightsRequired, problems)
  for (const input of weightedInputs(inputs))
    if (input.base === null && !hasProblemAt(problems, `inputs.${input.name}.base`))
      problems.push({ path: `inputs.${input.name}.base`, message: 'base is missing: a clause compares with it' })
  return clause
}

function checkWeights(
  clause: Clause,
  inputs: readonly Input[],
  numbers: Numbers,
  required: boolean,
  problems: Problem[],
): void {
  const without = inputs.filter(input => input.weight === null)
  if (required)
    for (const input of without.filter(each => !hasProblemAt(problems, `inputs.${each.name}.weight`)))
      problems.push({
        path: `inputs.${input.name}.weight`,
        message: 'weight is missing: a clause needs one for each input',
      })
  const weighted = weightedInputs(inputs)
  if (weighted.length === 0) {
    if (inputs.length === 0 || !required)
      problems.push({ path: 'inputs', message: 'a clause needs at least one input with a weight' })
    return
  }
  // If a weight or the fixed share is unreadable, the sum would be wrong.
  const shares = [clause.fixed, ...weighted.map(input => input.weight)]
  const isUnsure =
    without.some(({ name }) => hasProblemAt(problems, `inputs.${name}.weight`)) ||
    hasProblemAt(problems, 'clause.tolerance') ||
    (clause.fixed === noFixed && hasProblemAt(problems, 'clause.fixed')) ||
    shares.some(({ param }) => param !== null && numbers.paramOf(param) === undefined)
  if ((required && without.length > 0) || isUnsure) return
  for (const day of changesOf(shares, numbers)) {
    const [fixed, ...weights] = shares.map(share => valueOn(share, day, numbers))
    // Nothing is computed before a dated param has its first value.
    if (fixed === null || fixed === undefined || weights.some(weight => weight === null)) continue
    const moving = sum(weights as Ratio[])
    const total = add(fixed, moving)
    if (compare(absolute(subtract(total, one)), clause.tolerance ?? zero) <= 0) continue
    const told = {
      moving: formatCarried(moving),
      fixed: formatCarried(fixed),
      total: formatCarried(total),
      from: day === null ? null : formatDay(day),
    }
    problems.push({ path: 'inputs', message: formatWeights(told, share => share), weights: told })
    return
  }
}

/** The days on which any of the numbers changes; null for what counts from the beginning. */
function changesOf(list: readonly ClauseNumber[], numbers: Numbers): (Day | null)[] {
  const days = list.flatMap(({ param }) => numbers.paramOf(param)?.values.map(({ from }) => from) ?? [])
  return [null, ...[...new Set(days)].filter(day => day !== null).sort((a, b) => a - b)]
}

function valueOn({ value, param }: ClauseNumber, day: Day | null, numbers: Numbers): Ratio | null {
  if (value !== null) return value
  const values = numbers.paramOf(param)?.values ?? []
  return values.findLast(({ from }) => from === null || (day !== null && from <= day))?.value ?? null
}
