// Checks a clause: numbers or params, what must be written out, weights that make 1, caps above floors.
import { absolute, add, compare, one, type Ratio, subtract, sum, writeCarried, zero } from '../ratio.ts'
import type { Problem } from '../refusal.ts'
import { weightedInputs } from './clause.ts'
import { Fields, isTold, quote } from './fields.ts'
import type { Band, Clause, ClauseNumber, Input, Limits, Param, Threshold } from './formula.ts'
import { percentShownByDefault } from './formula.ts'
import { isRawList, joinPath, type Raw } from './raw.ts'
import { didYouMean } from './suggestion.ts'

const noFixed: ClauseNumber = { text: '0', value: zero, param: null }

export interface ClauseSurroundings {
  readonly inputs: readonly Input[]
  readonly params: readonly Param[]
  /** Of all params that are written, also of those with a problem of their own. */
  readonly paramNames: readonly string[]
  readonly weightsRequired: boolean
}

export function checkClause(raw: Raw, surroundings: ClauseSurroundings, problems: Problem[]): Clause | null {
  const { inputs, params, paramNames, weightsRequired } = surroundings
  const fields = Fields.of(raw ?? new Map(), 'clause', problems, 'clause is a mapping')
  const numbers = new Numbers(params, paramNames)
  const fixed = numbers.read(fields, 'fixed') ?? noFixed
  const tolerance = fields.decimal('tolerance')?.value ?? null
  const clause: Clause = {
    fixed,
    tolerance,
    basis: fields.choice('basis', ['FIXED_BASE', 'CHAINED'] as const, 'FIXED_BASE'),
    combine: fields.choice('combine', ['SUM_OF_RATIOS', 'RATIO_OF_SUMS'] as const, 'SUM_OF_RATIOS'),
    adder: numbers.read(fields, 'adder'),
    threshold: checkThreshold(fields, numbers),
    passThrough: checkPassThrough(fields, numbers),
    ...checkLimits(fields, numbers),
    rounding: checkRounding(fields),
  }
  fields.finish()
  numbers.range(fields, 'fixed', clause.fixed, zero, one, 'a fraction of 1')
  if (tolerance !== null && compare(tolerance, zero) < 0)
    fields.refuse('tolerance', `tolerance must not be negative, got ${writeCarried(tolerance)}`)
  checkWeights(clause, inputs, numbers, weightsRequired, problems)
  for (const input of weightedInputs(inputs))
    if (input.base === null && !isTold(problems, `inputs.${input.name}.base`))
      problems.push({ path: `inputs.${input.name}.base`, message: 'base is missing: a clause compares with it' })
  return clause
}

/** Numbers of a clause: written out, or the name of a param. */
class Numbers {
  readonly #params: readonly Param[]
  readonly #names: readonly string[]

  constructor(params: readonly Param[], names: readonly string[]) {
    this.#params = params
    this.#names = names
  }

  read(fields: Fields, key: string): ClauseNumber | null {
    const raw = fields.raw(key)
    if (raw === undefined || raw === null) return null
    if (typeof raw === 'string' && /^[\p{L}_]/u.test(raw)) {
      const names = this.#names
      if (names.includes(raw)) return { text: raw, value: null, param: raw }
      return fields.refuse(
        key,
        `${key} must be a number or the name of a param, got ${quote(raw)}${didYouMean(raw, names)}`,
      )
    }
    const decimal = fields.decimal(key)
    return decimal === null ? null : { ...decimal, param: null }
  }

  /** All the values it may take over time. */
  values({ value, param }: ClauseNumber): readonly Ratio[] {
    if (value !== null) return [value]
    return this.#params.find(candidate => candidate.name === param)?.values.map(entry => entry.value) ?? []
  }

  /** Strictly above: at -100 % nothing would be left to adjust. */
  above(fields: Fields, key: string, number: ClauseNumber, low: Ratio): void {
    for (const value of this.values(number))
      if (compare(value, low) <= 0) {
        fields.refuse(key, `${key} must be above ${writeCarried(low)}, got ${writeCarried(value)}`)
        return
      }
  }

  range(fields: Fields, key: string, number: ClauseNumber, low: Ratio | null, high: Ratio | null, what: string): void {
    for (const value of this.values(number))
      if ((low !== null && compare(value, low) < 0) || (high !== null && compare(value, high) > 0)) {
        fields.refuse(key, `${key} must be ${what}, got ${writeCarried(value)}`)
        return
      }
  }
}

function checkThreshold(clause: Fields, numbers: Numbers): Threshold | null {
  const raw = clause.raw('threshold')
  if (raw === undefined || raw === null) return null
  const example = 'threshold is written as { pct: 3, test: EXCEEDS, pays: ALL }'
  const fields = Fields.of(raw, 'clause.threshold', clause.problems, example)
  const pct = numbers.read(fields, 'pct')
  if (!fields.has('pct')) fields.refuse('pct', 'pct is missing')
  if (pct !== null) numbers.range(fields, 'pct', pct, zero, null, 'a percentage of 0 or more')
  const test = fields.requiredChoice(
    'test',
    ['EXCEEDS', 'REACHES'] as const,
    'say whether the price moves when the threshold is exceeded (EXCEEDS) or already when it is reached (REACHES)',
  )
  const pays = fields.requiredChoice(
    'pays',
    ['ALL', 'EXCESS'] as const,
    'say whether the whole movement is paid (ALL) or only what exceeds the threshold (EXCESS)',
  )
  const since = fields.choice('since', ['LAST', 'BASE'] as const, 'LAST')
  fields.finish()
  return pct === null || test === null || pays === null ? null : { pct, test, pays, since }
}

function checkPassThrough(clause: Fields, numbers: Numbers): Clause['passThrough'] {
  const raw = clause.raw('passThrough')
  if (!isRawList(raw)) {
    const share = numbers.read(clause, 'passThrough')
    if (share !== null) numbers.range(clause, 'passThrough', share, zero, one, 'from 0 to 1')
    return share
  }
  if (raw.length === 0) return clause.refuse('passThrough', 'passThrough has no bands')
  const bands = raw.map((band, i) => checkBand(band, i, raw.length, clause.problems, numbers))
  const known = bands.filter((band): band is Band => band !== null)
  if (known.length < bands.length) return null
  for (let i = 1; i < known.length - 1; i++) {
    const [before, here] = [known[i - 1]!.upTo?.value, known[i]!.upTo?.value]
    if (before && here && compare(here, before) <= 0)
      clause.refuse(
        `passThrough[${i}].upTo`,
        `the edges of bands must rise, got ${known[i]!.upTo!.text} after ${known[i - 1]!.upTo!.text}`,
      )
  }
  return known
}

function checkBand(raw: Raw, i: number, count: number, problems: Problem[], numbers: Numbers): Band | null {
  const path = joinPath('clause.passThrough', i)
  const fields = Fields.of(raw, path, problems, 'a band is written as { upTo: 3, share: 1 }')
  const upTo = numbers.read(fields, 'upTo')
  const share = numbers.read(fields, 'share')
  fields.finish()
  if (!fields.has('share')) fields.refuse('share', 'share is missing')
  if (share !== null) numbers.range(fields, 'share', share, zero, one, 'from 0 to 1')
  if (upTo !== null) numbers.range(fields, 'upTo', upTo, zero, null, 'a percentage of 0 or more')
  const isLast = i === count - 1
  if (isLast && fields.has('upTo'))
    return fields.refuse('upTo', 'the last band has no upTo: say what share is passed on above the bands')
  if (!isLast && !fields.has('upTo')) return fields.refuse('upTo', 'upTo is missing: only the last band is open')
  return share === null || (!isLast && upTo === null) ? null : { upTo, share }
}

function checkLimits(
  clause: Fields,
  numbers: Numbers,
): { cap: Limits | null; floor: Limits | null; carryForward: boolean } {
  const cap = checkLimit(clause, 'cap', numbers)
  const floor = checkLimit(clause, 'floor', numbers)
  for (const key of ['periodPct', 'cumulativePct'] as const) {
    const [high, low] = [cap.limits?.[key], floor.limits?.[key]]
    if (!high || !low) continue
    if (numbers.values(high).some(top => numbers.values(low).some(bottom => compare(top, bottom) < 0)))
      clause.refuse(`cap.${key}`, `the cap lies below the floor (${high.text} and ${low.text})`)
  }
  return { cap: cap.limits, floor: floor.limits, carryForward: cap.carryForward }
}

const minusHundred: Ratio = { n: -100n, d: 1n }

function checkLimit(clause: Fields, key: 'cap' | 'floor', numbers: Numbers) {
  const none = { limits: null, carryForward: false }
  const raw = clause.raw(key)
  if (raw === undefined || raw === null) return none
  if (typeof raw === 'string') {
    clause.refuse(
      key,
      `${key} does not say of what: write ${key}: { periodPct: ${raw} } for each period, or { cumulativePct: ${raw} } since the start`,
    )
    return none
  }
  const fields = Fields.of(raw, joinPath('clause', key), clause.problems, `${key} is written as { periodPct: 5 }`)
  const periodPct = numbers.read(fields, 'periodPct')
  const cumulativePct = numbers.read(fields, 'cumulativePct')
  const carryForward = key === 'cap' ? fields.truth('carryForward') : false
  fields.finish()
  for (const [name, limit] of [
    ['periodPct', periodPct],
    ['cumulativePct', cumulativePct],
  ] as const)
    if (limit !== null) numbers.above(fields, name, limit, minusHundred)
  if (!fields.has('periodPct') && !fields.has('cumulativePct'))
    fields.refuse('', `${key} needs periodPct or cumulativePct`)
  if (carryForward && !fields.has('periodPct')) fields.refuse('carryForward', 'carryForward needs periodPct')
  return { limits: { periodPct, cumulativePct }, carryForward }
}

function checkRounding(clause: Fields): Clause['rounding'] {
  const raw = clause.raw('rounding')
  const example = 'rounding is written as { percent: { dp: 2 } }, with ratio, factor, percent or price'
  const fields = Fields.of(raw ?? new Map(), 'clause.rounding', clause.problems, example)
  const rounding = {
    ratio: fields.rounding('ratio'),
    factor: fields.rounding('factor'),
    percent: fields.rounding('percent') ?? percentShownByDefault,
    price: fields.rounding('price'),
    percentWritten: fields.has('percent'),
  }
  fields.finish()
  return rounding
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
    for (const input of without.filter(each => !isTold(problems, `inputs.${each.name}.weight`)))
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
  // A sum over weights that are not all readable, or beside an unreadable share, would be untrue.
  const isUnsure =
    without.some(({ name }) => isTold(problems, `inputs.${name}.weight`)) ||
    isTold(problems, 'clause.tolerance') ||
    (clause.fixed === noFixed && isTold(problems, 'clause.fixed'))
  if ((required && without.length > 0) || isUnsure) return
  const weights = sum(weighted.map(input => input.weight.value))
  for (const fixed of numbers.values(clause.fixed)) {
    const total = add(fixed, weights)
    if (compare(absolute(subtract(total, one)), clause.tolerance ?? zero) <= 0) continue
    problems.push({
      path: 'inputs',
      message: `the weights make ${writeCarried(weights)} and fixed is ${writeCarried(fixed)}: together ${writeCarried(total)}, not 1; mend them, or write clause.tolerance if the contract has it so`,
    })
    return
  }
}
