// Expressions as trees: how they are written for the engine, and what they are worth by docs/FORMULA.md.
import { Fraction, isNegative, larger, one, roundAs, roundWhole, smaller, total, unitOf, zero } from './numbers.ts'

export type Operator = '+' | '-' | '*' | '/' | '<' | '<=' | '>' | '>=' | '==' | '!=' | 'and' | 'or'
export type CallName =
  | 'min'
  | 'max'
  | 'abs'
  | 'sum'
  | 'avg'
  | 'if'
  | 'round'
  | 'trunc'
  | 'ceil'
  | 'floor'
  | 'clamp'
  | 'lookup'
  | 'prev'
  | 'mod'
  | 'pow'

export type Expression =
  | { readonly literal: string }
  | { readonly name: string }
  | { readonly negate: Expression }
  | { readonly not: Expression }
  | { readonly operator: Operator; readonly left: Expression; readonly right: Expression }
  | { readonly call: CallName; readonly arguments: readonly Expression[] }

const strength: Readonly<Record<Operator, number>> = {
  or: 1,
  and: 2,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '==': 4,
  '!=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
}
const notStrength = 3
const signStrength = 7

/** With the fewest parentheses the usual precedence allows, so that the engine's own precedence is put to the test. */
export function writeExpression(expression: Expression, least = 0): string {
  if ('literal' in expression) return expression.literal
  if ('name' in expression) return expression.name
  if ('call' in expression)
    return `${expression.call}(${expression.arguments.map(item => writeExpression(item)).join(', ')})`
  const [text, own] = writeOpen(expression)
  return own < least ? `(${text})` : text
}

function writeOpen(
  expression: Exclude<Expression, { literal: string } | { name: string } | { call: CallName }>,
): [string, number] {
  if ('negate' in expression) return [`-${writeExpression(expression.negate, signStrength + 1)}`, signStrength]
  if ('not' in expression) return [`not ${writeExpression(expression.not, notStrength + 1)}`, notStrength]
  const own = strength[expression.operator]
  const comparison = own === strength['<']
  const left = writeExpression(expression.left, comparison ? own + 1 : own)
  const right = writeExpression(expression.right, own + 1)
  return [`${left} ${expression.operator} ${right}`, own]
}

/** Why a period cannot be computed, and what the reason has to name: the input and the period it lacks. */
export class NotComputable extends Error {
  readonly names: readonly string[]

  constructor(message: string, names: readonly string[] = []) {
    super(message)
    this.names = names
  }
}

export interface Environment {
  /** Current, base, prev and last readings, params, steps so far, and the names known everywhere. */
  value(name: string): Fraction
  table(name: string, at: Fraction): Fraction
  /** The carried value at the previous computed period; undefined at the first. */
  previous(step: string): Fraction | undefined
}

export function quotient(a: Fraction, b: Fraction): Fraction {
  if (b.n === 0n) throw new NotComputable('a division by zero')
  return a.div(b)
}

export function numberOf(expression: Expression, environment: Environment): Fraction {
  if ('literal' in expression) return environment.value(expression.literal)
  if ('name' in expression) return environment.value(expression.name)
  if ('negate' in expression) return zero.sub(numberOf(expression.negate, environment))
  if ('call' in expression) return callOf(expression.call, expression.arguments, environment)
  if ('not' in expression) throw new Error('a condition is no number')
  const left = numberOf(expression.left, environment)
  const right = numberOf(expression.right, environment)
  switch (expression.operator) {
    case '+':
      return left.add(right)
    case '-':
      return left.sub(right)
    case '*':
      return left.mul(right)
    case '/':
      return quotient(left, right)
    default:
      throw new Error(`${expression.operator} gives no number`)
  }
}

export function truthOf(expression: Expression, environment: Environment): boolean {
  if ('not' in expression) return !truthOf(expression.not, environment)
  if (!('operator' in expression)) throw new Error('a number is no condition')
  const { operator, left, right } = expression
  if (operator === 'and') return truthOf(left, environment) && truthOf(right, environment)
  if (operator === 'or') return truthOf(left, environment) || truthOf(right, environment)
  const order = numberOf(left, environment).compare(numberOf(right, environment))
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  if (operator === '>') return order > 0
  if (operator === '>=') return order >= 0
  return operator === '==' ? order === 0 : order !== 0
}

function callOf(call: CallName, args: readonly Expression[], environment: Environment): Fraction {
  const nameOf = (expression: Expression) => ('name' in expression ? expression.name : '')
  if (call === 'if') return numberOf(truthOf(args[0]!, environment) ? args[1]! : args[2]!, environment)
  if (call === 'lookup') return environment.table(nameOf(args[0]!), numberOf(args[1]!, environment))
  if (call === 'prev') return environment.previous(nameOf(args[0]!)) ?? numberOf(args[1]!, environment)
  const values = args.map(item => numberOf(item, environment))
  const [first] = values as [Fraction]
  switch (call) {
    case 'min':
      return values.reduce(smaller)
    case 'max':
      return values.reduce(larger)
    case 'sum':
      return total(values)
    case 'avg':
      return total(values).div(values.length)
    case 'abs':
      return isNegative(first) ? zero.sub(first) : first
    case 'clamp':
      return smaller(values[2]!, larger(values[1]!, first))
    case 'mod':
      return modulo(first, values[1]!)
    case 'pow':
      return values.length === 2 ? wholePower(first, values[1]!) : roundedPower(first, values[1]!, values[2]!)
    default:
      return roundedCall(call, first, Number(values[1]!.valueOf()))
  }
}

/** What is left of a; it has the sign of b. */
function modulo(a: Fraction, b: Fraction): Fraction {
  return a.sub(b.mul(new Fraction(roundWhole(quotient(a, b), 'FLOOR'))))
}

function wholePower(x: Fraction, exponent: Fraction): Fraction {
  if (exponent.d !== 1n || exponent.n > 400n) throw new NotComputable('no whole exponent')
  let result = one
  for (let i = 0n; i < exponent.n; i++) result = result.mul(x)
  return isNegative(exponent) ? quotient(one, result) : result
}

/** The true power, rounded half up: found between two whole numbers that are halved until they meet. */
export function roundedPower(x: Fraction, exponent: Fraction, places: Fraction): Fraction {
  if (x.compare(zero) <= 0 || exponent.d > 366n) throw new NotComputable('no such power')
  const root = exponent.d
  const base = isNegative(exponent) ? quotient(one, x) : x
  const unit = unitOf({ dp: Number(places.valueOf()) })
  // R is the greatest whole number with (R − ½) · unit at most the power: ((2R − 1) · unit / 2) ^ root at most x ^ n.
  const wanted = base.n ** exponent.n * (2n * unit.d) ** root
  const scale = base.d ** exponent.n
  const isAtMost = (r: bigint) => r <= 0n || (unit.n * (2n * r - 1n)) ** root * scale <= wanted
  let high = 1n
  while (isAtMost(high)) high *= 2n
  let low = high / 2n
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (isAtMost(middle)) low = middle
    else high = middle
  }
  return unit.mul(new Fraction(low))
}

function roundedCall(call: 'round' | 'trunc' | 'ceil' | 'floor', value: Fraction, dp: number): Fraction {
  const mode = { round: 'HALF_UP', trunc: 'DOWN', ceil: 'CEILING', floor: 'FLOOR' } as const
  return roundAs(value, { dp, mode: mode[call] })
}
