// Random worksheets: steps whose expressions use every operator, call and name docs/FORMULA.md knows, with prev, tables,
// dated params and every kind of result.
import { moveMonths, startOf, writeDate, writeLabel } from './calendar.ts'
import type {
  DocumentModel,
  InputModel,
  ObservationModel,
  ParamModel,
  ResultModel,
  RowModel,
  StepModel,
} from './document.ts'
import { compact, type Draw } from './draw.ts'
import { type DrawnContract, drawContract, drawRounding, drawSeries } from './draw-contract.ts'
import type { CallName, Expression, Operator } from './expression.ts'
import type { Scenario } from './oracle.ts'

const literals = ['1', '0', '2', '0.5', '100', '1.25', '0.1', '3', '12', '0.333', '1.0005', '2024', '1.95']
const values = ['100', '101', '99', '110', '90', '102.5', '97.3', '0', '1.95', '-4', '250.75', '105']

export function drawStepsScenario(draw: Draw): Scenario {
  const drawn = drawContract(draw)
  const inputs: Record<string, InputModel> = {}
  const data: Record<string, readonly ObservationModel[]> = {}
  for (let i = 0; i < draw.int(1, 3); i++) {
    inputs[`in${i}`] = drawInput(draw, drawn, `CUSTOM/s${i}`)
    data[`CUSTOM/s${i}`] = drawSeries(draw, {
      from: moveMonths(drawn.start, -6),
      to: drawn.last,
      frequency: 'MONTHLY',
      value: each => each.pick(values),
      gaps: draw.chance(20) ? 15 : 0,
      vintages: 0,
    })
  }
  const params = Object.fromEntries(
    Array.from({ length: draw.int(0, 2) }, (_, i): [string, ParamModel] => [`p${i}`, drawParam(draw, drawn)]),
  )
  const tables = draw.chance(40) ? { t0: drawTable(draw) } : undefined
  const maker = new ExpressionMaker(draw, drawn, inputs, Object.keys(params), tables !== undefined)
  const steps = maker.steps(draw.int(1, 5))
  const result = drawResult(draw, drawn, steps)
  const document = compact<DocumentModel>({
    contract: drawn.contract,
    effectiveFrom: drawn.effectiveFrom,
    inputs,
    params: Object.keys(params).length === 0 ? undefined : params,
    tables,
    steps,
    result,
  })
  return { document, data, asOf: null, until: drawn.until }
}

function drawInput(draw: Draw, { start }: DrawnContract, series: string): InputModel {
  const base = writeLabel('MONTHLY', startOf('MONTHLY', moveMonths(start, -draw.int(0, 5))))
  return compact<InputModel>({
    series,
    base: draw.chance(15) ? { value: draw.pick(['100', '80.5']) } : base,
    weight: draw.maybe(30, () => draw.pick(['0.5', '0.25', '1'])),
    lag: draw.maybe(50, () => draw.pick(['1 month', '2 months', '5 days'])),
  })
}

function drawParam(draw: Draw, { start, last }: DrawnContract): ParamModel {
  if (draw.chance(50)) return draw.pick(literals)
  const later = start + draw.int(1, Math.max(last - start, 1))
  return [
    { from: writeDate(start - draw.int(0, 40)), value: draw.pick(literals) },
    { from: writeDate(later), value: draw.pick(literals) },
  ]
}

function drawTable(draw: Draw): RowModel[] {
  const edges = ['0.9', '1', '1.95', '100', '102.5'].filter(() => draw.chance(60))
  const rows = edges.map((edge): RowModel => {
    const value = draw.pick(literals)
    return draw.chance(50) ? { below: edge, value } : { atMost: edge, value }
  })
  return [...rows, { value: draw.pick(literals) }]
}

function drawResult(draw: Draw, { contract }: DrawnContract, steps: StepModel[]): ResultModel {
  const kind = draw.pick(contract.price === undefined ? (['FACTOR', 'CHANGE_PCT'] as const) : kinds)
  const bounds = {
    FACTOR: ['0.5', '2'],
    CHANGE_PCT: ['-20', '25'],
    PRICE: ['0.01', '99999'],
    SURCHARGE: ['-5', '500'],
  }[kind]
  // Mostly within bounds that a price could have; the rest may be 0 or negative.
  if (draw.chance(70)) {
    const inner: Expression = { name: steps.at(-1)!.name }
    const expr: Expression = { call: 'clamp', arguments: [inner, literal(bounds[0]!), literal(bounds[1]!)] }
    steps.push(compact<StepModel>({ name: 'out', expr, round: draw.maybe(30, () => drawRounding(draw, [2, 4])) }))
  }
  return compact<ResultModel>({
    kind,
    step: steps.at(-1)!.name,
    show: draw.maybe(20, () => drawRounding(draw, [0, 2, 6, 30])),
  })
}

const kinds = ['FACTOR', 'CHANGE_PCT', 'PRICE', 'SURCHARGE'] as const

function literal(text: string): Expression {
  return text.startsWith('-') ? { negate: { literal: text.slice(1) } } : { literal: text }
}

class ExpressionMaker {
  readonly #draw: Draw
  readonly #names: readonly string[]
  readonly #hasTable: boolean
  #stepNames: string[] = []
  #ownStep = 0
  #mayLookBack = false

  constructor(
    draw: Draw,
    { contract }: DrawnContract,
    inputs: Readonly<Record<string, InputModel>>,
    params: readonly string[],
    hasTable: boolean,
  ) {
    this.#draw = draw
    this.#hasTable = hasTable
    const readings = Object.keys(inputs).flatMap(name => [name, name, `${name}.base`, `${name}.prev`, `${name}.last`])
    const everywhere = [
      'year',
      'month',
      'quarter',
      'yearsSinceStart',
      'daysSinceLast',
      'day',
      'daysInMonth',
      'daysInYear',
      'daysInPeriod',
    ]
    this.#names = [
      ...readings,
      ...readings,
      ...params,
      ...params,
      ...(contract.price === undefined ? [] : ['price']),
      ...(contract.frequency === 'ONCE' ? [] : ['periodsSinceStart']),
      draw.pick(everywhere),
      draw.pick(everywhere),
    ]
  }

  steps(count: number): StepModel[] {
    this.#stepNames = Array.from({ length: count }, (_, i) => `s${i}`)
    return this.#stepNames.map((name, i) => {
      this.#ownStep = i
      // One look back in a step, and none without rounding unless it is chained in the plain way: numbers that are
      // multiplied with themselves from period to period have thousands of digits.
      const round = this.#draw.maybe(60, () => drawRounding(this.#draw, [4, 2, 0, 6]))
      this.#mayLookBack = round !== undefined
      const expr = round === undefined && this.#draw.chance(25) ? this.#chained(name) : this.number(3)
      return compact<StepModel>({
        name,
        expr,
        round,
        show: this.#draw.maybe(20, () => drawRounding(this.#draw, [2, 4])),
      })
    })
  }

  /** `prev(s, 1) * (1 + x / 1000)`: a chain carried exactly. */
  #chained(name: string): Expression {
    const grown = operation('+', literal('1'), operation('/', this.#leaf(), literal('1000')))
    return operation('*', { call: 'prev', arguments: [{ name }, literal('1')] }, grown)
  }

  number(depth: number): Expression {
    const draw = this.#draw
    if (depth === 0 || draw.chance(15)) return this.#leaf()
    const kind = draw.int(0, 11)
    if (kind <= 4)
      return operation(draw.pick(['+', '-', '*', '*'] as const), this.number(depth - 1), this.number(depth - 1))
    if (kind <= 6)
      return operation('/', this.number(depth - 1), draw.chance(75) ? this.#divisor() : this.number(depth - 1))
    if (kind === 7) return { negate: this.number(depth - 1) }
    return this.#call(depth)
  }

  #divisor(): Expression {
    return this.#draw.chance(50) ? literal(this.#draw.pick(['3', '100', '7', '0.25', '12'])) : this.#leaf()
  }

  #call(depth: number): Expression {
    const draw = this.#draw
    const inner = () => this.number(depth - 1)
    const call = draw.pick(calls)
    if (call === 'if') return made(call, [this.condition(depth - 1), inner(), inner()])
    if (call === 'abs') return made(call, [inner()])
    if (call === 'mod') return made(call, [inner(), inner()])
    if (call === 'pow') return this.#power(inner)
    if (call === 'clamp') return made(call, [inner(), ...draw.pick(ranges).map(literal)])
    if (call === 'lookup') return this.#hasTable ? made(call, [{ name: 't0' }, inner()]) : inner()
    if (call === 'prev') return this.#prev(inner)
    if (call === 'min' || call === 'max' || call === 'sum' || call === 'avg')
      return made(call, Array.from({ length: draw.int(1, 4) }, inner))
    return made(call, [inner(), literal(String(draw.int(-2, 5)))])
  }

  #power(inner: () => Expression): Expression {
    const draw = this.#draw
    if (draw.chance(50)) return made('pow', [this.#leaf(), literal(String(draw.int(-4, 6)))])
    const exponent = operation(
      '/',
      literal(String(draw.int(-30, 60))),
      literal(String(draw.pick([2, 3, 12, 252, 365]))),
    )
    return made('pow', [made('max', [inner(), literal('0.5')]), exponent, literal(String(draw.int(0, 12)))])
  }

  #prev(inner: () => Expression): Expression {
    if (!this.#mayLookBack) return inner()
    this.#mayLookBack = false
    return made('prev', [{ name: this.#draw.pick(this.#stepNames) }, inner()])
  }

  condition(depth: number): Expression {
    const draw = this.#draw
    const kind = draw.int(0, 9)
    if (depth > 0 && kind === 9) return { not: this.condition(depth - 1) }
    if (depth > 0 && kind >= 7)
      return operation(draw.pick(['and', 'or'] as const), this.condition(depth - 1), this.condition(depth - 1))
    const compared = draw.pick(['<', '<=', '>', '>=', '==', '!='] as const)
    return operation(compared, this.number(Math.max(depth - 1, 0)), this.#leaf())
  }

  #leaf(): Expression {
    const draw = this.#draw
    const kind = draw.int(0, 9)
    if (kind <= 2) return literal(draw.pick(literals))
    if (kind <= 4 && this.#ownStep > 0) return { name: this.#stepNames[draw.int(0, this.#ownStep - 1)]! }
    return { name: draw.pick(this.#names) }
  }
}

const calls: readonly CallName[] = [
  'if',
  'if',
  'min',
  'max',
  'abs',
  'sum',
  'avg',
  'round',
  'trunc',
  'ceil',
  'floor',
  'clamp',
  'lookup',
  'prev',
  'prev',
  'prev',
  'mod',
  'pow',
]
const ranges = [
  ['0', '1'],
  ['-5', '5'],
  ['0.95', '1.05'],
  ['100', '100'],
]

function operation(operator: Operator, left: Expression, right: Expression): Expression {
  return { operator, left, right }
}

function made(call: CallName, args: readonly Expression[]): Expression {
  return { call, arguments: args }
}
