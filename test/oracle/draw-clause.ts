// Random clauses: every control alone and together, on values that lie exactly at thresholds, caps and ties as often as
// next to them.
import { endOf, moveMonths, startOf, writeDate, writeLabel } from './calendar.ts'
import type {
  ClauseModel,
  DocumentModel,
  InputModel,
  LimitModel,
  ObservationModel,
  ParamModel,
  ResultModel,
  StepModel,
} from './document.ts'
import { compact, type Draw, scaled } from './draw.ts'
import { type DrawnContract, drawContract, drawRounding, drawRoundingOrNone, drawSeries } from './draw-contract.ts'
import type { Scenario } from './oracle.ts'

export interface ClauseWish {
  readonly basis?: 'FIXED_BASE' | 'CHAINED'
  /** Whether values may be lacking, so that periods are blocked. */
  readonly gaps: boolean
  /** Whether the result may be a step of the document's own, beside the clause. */
  readonly ownResult?: boolean
}

const roundValues = [
  '100',
  '100',
  '105',
  '110',
  '95',
  '90',
  '102',
  '103',
  '101',
  '97',
  '120',
  '125',
  '80',
  '99.5',
  '102.5',
]
const bases = ['100', '80', '125', '50']

export function drawClauseScenario(draw: Draw, wish: ClauseWish): Scenario {
  const frequencies = ['QUARTERLY', 'MONTHLY', 'SEMIANNUAL', 'ANNUAL', '4 months', '2 months', '3 weeks', 'DATES']
  const drawn = drawContract(draw, draw.chance(3) ? ['ONCE'] : frequencies)
  const params: Record<string, ParamModel> = {}
  const named = new NamedNumbers(draw, drawn, params)
  const { weights, fixed, tolerance } = named.shifted(drawWeights(draw))
  const data: Record<string, readonly ObservationModel[]> = {}
  const inputs: Record<string, InputModel> = {}
  weights.forEach((weight, i) => {
    const reference = `CUSTOM/s${i}`
    const { input, rows } = drawWeighted(draw, drawn, reference, weight, wish)
    inputs[`in${i}`] = input
    data[reference] = rows
  })
  const clause = drawClause(draw, named, fixed, tolerance, wish.basis ?? draw.pick(['FIXED_BASE', 'CHAINED']))
  const steps = draw.maybe(10, () => extraSteps(draw))
  const document = compact<DocumentModel>({
    contract: drawn.contract,
    effectiveFrom: drawn.effectiveFrom,
    inputs,
    params: Object.keys(params).length === 0 ? undefined : params,
    clause,
    steps,
    result: drawResult(draw, clause, steps !== undefined && wish.ownResult === true),
  })
  return { document, data, asOf: null, until: drawn.until }
}

/** Numbers of a clause, some of them as the name of a param, some of those with dates. */
class NamedNumbers {
  readonly #draw: Draw
  readonly #drawn: DrawnContract
  readonly #params: Record<string, ParamModel>

  constructor(draw: Draw, drawn: DrawnContract, params: Record<string, ParamModel>) {
    this.#draw = draw
    this.#drawn = drawn
    this.#params = params
  }

  number(name: string, values: readonly string[], dated = true): string {
    const draw = this.#draw
    const value = draw.pick(values)
    if (!draw.chance(15)) return value
    this.#params[name] = dated && draw.chance(60) ? this.#dated(value, draw.pick(values)) : value
    return name
  }

  /** A part of one weight goes over to another on a day. */
  shifted({ weights, ...rest }: DrawnWeights): DrawnWeights {
    const draw = this.#draw
    const [first, second] = weights
    if (first === undefined || second === undefined || !draw.chance(15)) return { weights, ...rest }
    const decimals = first.split('.')[1]?.length ?? 0
    const [a, b] = [first, second].map(weight => Number(weight.replace('.', ''))) as [number, number]
    const part = draw.int(0, a)
    const { start, last } = this.#drawn
    const later = writeDate(start + draw.int(1, Math.max(last - start, 1)))
    const dated = (before: number, after: number): ParamModel => [
      { from: writeDate(start), value: scaled(before, decimals) },
      { from: later, value: scaled(after, decimals) },
    ]
    this.#params.weight0 = dated(a, a - part)
    this.#params.weight1 = dated(b, b + part)
    return { weights: ['weight0', 'weight1', ...weights.slice(2)], ...rest }
  }

  /** A limit that is tightened while the contract runs, so that what is applied lies outside for a while. */
  tightened(name: string, before: string, after: string): string {
    this.#params[name] = this.#dated(before, after)
    return name
  }

  #dated(before: string, after: string): ParamModel {
    const { start, last } = this.#drawn
    const later = start + this.#draw.int(1, Math.max(last - start, 1))
    return [
      { from: writeDate(start), value: before },
      { from: writeDate(later), value: after },
    ]
  }
}

interface DrawnWeights {
  readonly weights: string[]
  readonly fixed: string | undefined
  readonly tolerance: string | undefined
}

function drawWeights(draw: Draw): DrawnWeights {
  const count = draw.int(1, 5)
  const decimals = draw.pick([1, 2, 2, 5])
  const whole = 10 ** decimals
  const fixed = draw.chance(50) ? draw.int(0, Math.floor(whole * 0.6)) : 0
  let rest = whole - fixed
  const weights = Array.from({ length: count }, (_, i) => {
    const share = i === count - 1 ? rest : draw.chance(10) ? 0 : draw.int(0, rest)
    rest -= share
    return share
  })
  const off = decimals >= 2 && weights[0]! >= 1 && draw.chance(8)
  return {
    weights: weights.map((weight, i) => scaled(off && i === 0 ? weight - 1 : weight, decimals)),
    fixed: fixed > 0 || draw.chance(20) ? scaled(fixed, decimals) : undefined,
    tolerance: off ? scaled(1, decimals) : draw.maybe(3, () => '0.001'),
  }
}

function drawWeighted(
  draw: Draw,
  { start, last }: DrawnContract,
  series: string,
  weight: string,
  wish: ClauseWish,
): { input: InputModel; rows: ObservationModel[] } {
  const frequency = draw.pick(['MONTHLY', 'MONTHLY', 'QUARTERLY'] as const)
  const plain = draw.chance(55)
  const nothing = draw.chance(6) ? 15 : 0
  const baseStart = startOf(frequency, moveMonths(start, -draw.int(0, 6)))
  const base = draw.chance(20) ? { value: draw.pick(bases) } : writeLabel(frequency, baseStart)
  let level = draw.int(6000, 15_000)
  const decimals = draw.pick([2, 1, 2, 3])
  const walk = (each: Draw) => {
    level = Math.max(100, level + each.int(-900, 1000))
    return scaled(level, decimals)
  }
  const rows = drawSeries(draw, {
    from: moveMonths(start, -8),
    to: endOf(frequency, startOf(frequency, last)),
    frequency,
    // A price may reach 0 and continue from there.
    value: plain ? each => (each.chance(nothing) ? '0' : each.pick(roundValues)) : walk,
    gaps: wish.gaps && draw.chance(30) ? 15 : 0,
    vintages: draw.chance(10) ? 20 : 0,
  })
  if (plain && draw.chance(70)) fixBase(rows, base, draw.pick(bases))
  const lag = draw.maybe(60, () =>
    draw.pick(['1 month', '2 months', '1 quarter', '10 days', '3 weeks', '0', '-1 month']),
  )
  const input = compact<InputModel>({
    series,
    weight,
    base,
    lag,
    window: draw.maybe(10, () => (frequency === 'MONTHLY' ? draw.pick(['3 months', '2 months']) : '2 quarters')),
    round: draw.maybe(10, () => drawRoundingOrNone(draw, [0, 1, 2, -1])),
  })
  return { input, rows }
}

/** A round base value makes movements that are finite decimals, and so thresholds that are met exactly. */
function fixBase(rows: ObservationModel[], base: InputModel['base'], value: string): void {
  const at = rows.findIndex(row => row.period === base)
  if (at >= 0) rows[at] = { ...rows[at]!, value }
}

function drawClause(
  draw: Draw,
  named: NamedNumbers,
  fixed: string | undefined,
  tolerance: string | undefined,
  basis: 'FIXED_BASE' | 'CHAINED',
): ClauseModel {
  return compact<ClauseModel>({
    fixed: fixed === undefined ? undefined : named.number('fixedShare', [fixed], false),
    tolerance,
    basis: basis === 'FIXED_BASE' && draw.chance(50) ? undefined : basis,
    combine: draw.maybe(30, () => draw.pick(['RATIO_OF_SUMS', 'SUM_OF_RATIOS'])),
    adder: draw.maybe(15, () => named.number('added', ['0.5', '-1', '0', '2', '0.33333'])),
    threshold: draw.maybe(50, () => drawThreshold(draw, named, basis)),
    passThrough: draw.maybe(35, () => drawPassThrough(draw, named)),
    ...drawLimits(draw, named),
    rounding: draw.maybe(70, () =>
      compact<NonNullable<ClauseModel['rounding']>>({
        ratio: draw.maybe(30, () => drawRoundingOrNone(draw, [4, 2, 3, 6])),
        factor: draw.maybe(30, () => drawRoundingOrNone(draw, [4, 3, 2, 6])),
        total: basis === 'CHAINED' ? undefined : draw.maybe(30, () => drawRoundingOrNone(draw, [2, 1, 0, 4])),
        percent: draw.maybe(50, () => drawRoundingOrNone(draw, [2, 1, 0, 3, 6])),
        price: draw.maybe(30, () => drawRoundingOrNone(draw, [2, 0, 3, -2])),
      }),
    ),
  })
}

function drawThreshold(
  draw: Draw,
  named: NamedNumbers,
  basis: 'FIXED_BASE' | 'CHAINED',
): NonNullable<ClauseModel['threshold']> {
  const returns = basis === 'FIXED_BASE' && draw.chance(15)
  return compact<NonNullable<ClauseModel['threshold']>>({
    pct: named.number('band', ['3', '0', '1', '2', '2.5', '5', '10', '1.25']),
    test: draw.pick(['EXCEEDS', 'REACHES']),
    pays: returns ? 'ALL' : draw.pick(['ALL', 'ALL', 'EXCESS']),
    since: returns ? 'BASE' : draw.maybe(40, () => draw.pick(['LAST', 'BASE'])),
    inside: returns ? 'RETURN' : draw.maybe(10, () => 'KEEP' as const),
  })
}

function drawPassThrough(draw: Draw, named: NamedNumbers): NonNullable<ClauseModel['passThrough']> {
  const shares = ['0.5', '0', '0.25', '0.9', '0.333', '1']
  if (draw.chance(50)) return named.number('passed', shares)
  const bands = [{ upTo: named.number('edge', ['3', '1', '2.5'], false), share: draw.pick(['1', '0.8', '0']) }]
  if (draw.chance(50)) bands.push({ upTo: draw.pick(['5', '4', '10']), share: named.number('middle', shares) })
  return [...bands, { share: named.number('rest', shares) }]
}

function drawLimits(draw: Draw, named: NamedNumbers): { cap: LimitModel | undefined; floor: LimitModel | undefined } {
  const caps = ['5', '1', '2', '3', '10', '2.00005', '1.2345678', '4.995']
  const floors = ['-5', '-1', '-2', '0', '-10', '-2.00005', '-1.2345678', '-4.995']
  const limits = (kind: 'cap' | 'floor', values: readonly string[]): LimitModel => {
    const which = draw.pick(['period', 'cumulative', 'both', 'year', 'all'])
    const has = (part: string) => which === part || which === 'all' || (which === 'both' && part !== 'year')
    const wide = [...values, ...(kind === 'cap' ? ['15'] : ['-15'])]
    return compact<LimitModel>({
      periodPct: has('period') ? named.number(`${kind}Period`, values) : undefined,
      yearPct: has('year') ? named.number(`${kind}Year`, values) : undefined,
      year: has('year') ? draw.pick(['CONTRACT', 'ROLLING', 'CALENDAR']) : undefined,
      cumulativePct: has('cumulative') ? named.number(`${kind}Cumulative`, wide) : undefined,
      carryForward: has('period') || has('year') ? draw.maybe(35, () => true) : undefined,
    })
  }
  const cap = draw.maybe(45, () => limits('cap', caps))
  const floor = draw.maybe(40, () => limits('floor', floors))
  // A least yearly rise: the floor lies above 0, the cap at it or above.
  if (draw.chance(5)) return { cap: { periodPct: draw.pick(['2', '4']) }, floor: { periodPct: draw.pick(['2', '1']) } }
  if (draw.chance(4))
    return { cap: { cumulativePct: named.tightened('top', '15', '1') }, floor: { periodPct: draw.pick(floors) } }
  if (draw.chance(4))
    return { cap: { periodPct: draw.pick(caps) }, floor: { cumulativePct: named.tightened('bottom', '-15', '-1') } }
  return { cap, floor }
}

// A step as the result only where every period counts as applied: when a document has a clause and a result of its own,
// whether the threshold or the change of the factor decides that is not written down.
function drawResult(draw: Draw, clause: ClauseModel, mayBeOwn: boolean): ResultModel | undefined {
  const show = draw.maybe(15, () => drawRounding(draw, [0, 1, 2, 6]))
  const isOwn = mayBeOwn && clause.threshold === undefined && clause.basis !== 'CHAINED'
  if (isOwn) return compact<ResultModel>({ kind: draw.pick(['FACTOR', 'CHANGE_PCT']), step: 'extra', show })
  return show === undefined ? undefined : { show }
}

/** Lines of the clause used by name in steps of the document's own. */
function extraSteps(draw: Draw): StepModel[] {
  const line = draw.pick(['movement', 'payable', 'shared', 'target', 'step', 'pct', 'applied', 'factor'])
  const expr = {
    operator: '+',
    left: { operator: '*', left: { name: line }, right: { literal: '100' } },
    right: { name: 'applied' },
  } as const
  return [compact<StepModel>({ name: 'extra', expr, round: draw.maybe(50, () => drawRounding(draw, [2, 4])) })]
}
