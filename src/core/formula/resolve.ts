// Resolves the names and calls of an expression and compiles the tree into functions. All problems of one expression
// are reported together; nothing is evaluated here.
import { maxExponent, power, powerRounded } from '../numbers/power.ts'
import {
  absolute,
  add,
  compare,
  divide,
  greatest,
  isWhole,
  least,
  modulo,
  multiply,
  negate,
  ofInteger,
  type Ratio,
  type RoundingMode,
  roundTo,
  subtract,
} from '../numbers/ratio.ts'
import type { WorkBudget } from '../numbers/work-budget.ts'
import { didYouMean } from './check/suggestion.ts'
import { type BinaryOperator, callNames, type Expression } from './expression.ts'
import { lookUp } from './table-row.ts'
import type { Table } from './terms.ts'

export const readingKinds = ['current', 'base', 'prev', 'last'] as const
export type ReadingKind = (typeof readingKinds)[number]

export const builtinNames = [
  'year',
  'month',
  'quarter',
  'day',
  'daysInMonth',
  'daysInYear',
  'daysInPeriod',
  'periodsSinceStart',
  'yearsSinceStart',
  'daysSinceLast',
  'price',
] as const
export const builtinWords: Readonly<Record<(typeof builtinNames)[number], string>> = {
  year: 'of the adjustment date',
  month: 'of the adjustment date',
  quarter: 'of the adjustment date',
  day: 'of the month, of the adjustment date',
  daysInMonth: 'of the adjustment date’s month',
  daysInYear: 'of the adjustment date’s year',
  daysInPeriod: 'from the adjustment date to the day before the next',
  periodsSinceStart: 'whole periods since the start',
  yearsSinceStart: 'whole years since the start',
  daysSinceLast: 'since the last applied adjustment',
  price: 'the contract’s price',
}

/** Factors in force when a year began: known to the lines of a clause with a year limit only. */
export const yearFactorNames = ['contractYearFactor', 'calendarYearFactor', 'yearAgoFactor'] as const
export type YearFactorName = (typeof yearFactorNames)[number]

export type BuiltinName = (typeof builtinNames)[number] | YearFactorName

/** The values that an expression can read while a period is computed. */
export interface StepContext {
  /** Charged for every operation. */
  readonly work: WorkBudget
  reading(input: number, kind: ReadingKind): Ratio
  param(index: number): Ratio
  builtin(name: BuiltinName): Ratio
  /** The carried value of an earlier step of this period. */
  step(index: number): Ratio
  /** The carried value of a step at the previous computed period. */
  previous(index: number): Ratio | undefined
  /** Reports the choices an expression makes, for the explanation of a period. */
  readonly choices?: ChoiceListener
}

export interface ChoiceListener {
  /** A number was looked up in a table. */
  lookedUp(table: Table, of: Expression, x: Ratio): void
  /** The condition of an `if`. */
  decided(condition: Expression, holds: boolean): void
  /** A `clamp`: the number before, and its limits. */
  clamped(of: Expression, x: Ratio, low: Ratio, high: Ratio): void
}

export interface CompiledExpression {
  readonly evaluate: (context: StepContext) => Ratio
  /** Every reading the expression may use, whatever branch it takes. */
  readonly readings: readonly { readonly input: number; readonly kind: ReadingKind }[]
  /** The number of its parts. */
  readonly nodes: number
}

/** The names an expression may use. */
export interface Scope {
  readonly inputs: readonly string[]
  readonly params: readonly string[]
  readonly tables: readonly Table[]
  readonly steps: readonly string[]
  /** The number of steps before the one that is being resolved. */
  readonly visible: number
  readonly hasPrice: boolean
  readonly isCompiled: boolean
}

interface NameProblem {
  readonly message: string
  readonly at: number
}

type Combine = (a: Ratio, b: Ratio, work: WorkBudget) => Ratio
type NumberFunction = (context: StepContext) => Ratio
type TruthFunction = (context: StepContext) => boolean
type Compiled =
  | { readonly type: 'number'; readonly run: NumberFunction }
  | { readonly type: 'truth'; readonly run: TruthFunction }

export function resolveExpression(
  tree: Expression,
  scope: Scope,
): { expression: CompiledExpression | null; problems: NameProblem[] } {
  const resolver = new Resolver(scope)
  const evaluate = resolver.number(tree)
  if (resolver.problems.length > 0) return { expression: null, problems: resolver.problems }
  const { readings, nodes } = resolver
  return { expression: { evaluate, readings, nodes }, problems: [] }
}

const roundingCalls: Readonly<Record<string, RoundingMode>> = {
  round: 'HALF_UP',
  trunc: 'DOWN',
  ceil: 'CEILING',
  floor: 'FLOOR',
}

const arithmetic: Readonly<Partial<Record<BinaryOperator, Combine>>> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
}

const comparisons: Readonly<Partial<Record<BinaryOperator, (order: number) => boolean>>> = {
  '<': order => order < 0,
  '<=': order => order <= 0,
  '>': order => order > 0,
  '>=': order => order >= 0,
  '==': order => order === 0,
  '!=': order => order !== 0,
}

class Resolver {
  readonly problems: NameProblem[] = []
  readonly readings: { input: number; kind: ReadingKind }[] = []
  nodes = 0
  readonly #scope: Scope

  constructor(scope: Scope) {
    this.#scope = scope
  }

  number(tree: Expression): NumberFunction {
    const compiled = this.#compile(tree)
    if (compiled.type === 'number') return compiled.run
    this.#refuse('a number is needed here, not a comparison; use if(condition, a, b)', tree.at)
    return neverRun
  }

  #truth(tree: Expression): TruthFunction {
    const compiled = this.#compile(tree)
    if (compiled.type === 'truth') return compiled.run
    this.#refuse('a comparison is needed here, such as x > 3, not a number', tree.at)
    return () => false
  }

  #refuse(message: string, at: number): void {
    this.problems.push({ message, at: at + 1 })
  }

  #compile(tree: Expression): Compiled {
    this.nodes++
    switch (tree.kind) {
      case 'number': {
        const { value } = tree
        return { type: 'number', run: () => value }
      }
      case 'name':
        return { type: 'number', run: this.#name(tree.name, tree.part, tree.at) }
      case 'negate': {
        const of = this.number(tree.of)
        return { type: 'number', run: context => negate(of(context), context.work) }
      }
      case 'not': {
        const of = this.#truth(tree.of)
        return { type: 'truth', run: context => !of(context) }
      }
      case 'binary':
        return this.#binary(tree.operator, tree.left, tree.right)
      case 'call':
        return this.#call(tree.name, tree.arguments, tree.at)
    }
  }

  #binary(operator: BinaryOperator, leftTree: Expression, rightTree: Expression): Compiled {
    if (operator === 'and' || operator === 'or') {
      const left = this.#truth(leftTree)
      const right = this.#truth(rightTree)
      return operator === 'and'
        ? { type: 'truth', run: context => left(context) && right(context) }
        : { type: 'truth', run: context => left(context) || right(context) }
    }
    const left = this.number(leftTree)
    const right = this.number(rightTree)
    const combine = arithmetic[operator]
    if (combine !== undefined)
      return { type: 'number', run: context => combine(left(context), right(context), context.work) }
    const holds = comparisons[operator]!
    return { type: 'truth', run: context => holds(compare(left(context), right(context), context.work)) }
  }

  #name(name: string, part: string | null, at: number): NumberFunction {
    const { inputs, params, steps, visible, hasPrice, tables, isCompiled } = this.#scope
    const input = inputs.indexOf(name)
    if (input >= 0) return this.#reading(input, name, part, at)
    if (part !== null) return this.#unknownPart(name, part, at)
    const param = params.indexOf(name)
    if (param >= 0) return context => context.param(param)
    const step = steps.indexOf(name)
    if (step >= 0 && step < visible) return context => context.step(step)
    if (step >= 0) {
      this.#refuse(`"${name}" is used before its step; move the step up, or write prev(${name}, …)`, at)
      return neverRun
    }
    const known: readonly BuiltinName[] = isCompiled ? [...builtinNames, ...yearFactorNames] : builtinNames
    const builtin = known.find(candidate => candidate === name)
    if (builtin === 'price' && !hasPrice) {
      this.#refuse('price needs contract.price, which is not written', at)
      return neverRun
    }
    if (builtin !== undefined) return context => context.builtin(builtin)
    if (tables.some(table => table.name === name)) this.#refuse(`"${name}" is a table; write lookup(${name}, x)`, at)
    else this.#refuse(`unknown name "${name}"${didYouMean(name, this.#allNames())}`, at)
    return neverRun
  }

  #allNames(): string[] {
    const { inputs, params, steps, visible } = this.#scope
    return [...inputs, ...params, ...steps.slice(0, visible), ...builtinNames]
  }

  #reading(input: number, name: string, part: string | null, at: number): NumberFunction {
    const kind = part === null ? 'current' : readingKinds.find(candidate => candidate === part && part !== 'current')
    if (kind === undefined) {
      this.#refuse(`"${name}.${part}" is not a reading; there are ${name}, .base, .prev and .last`, at)
      return neverRun
    }
    this.readings.push({ input, kind })
    return context => context.reading(input, kind)
  }

  #unknownPart(name: string, part: string, at: number): NumberFunction {
    const known = this.#scope.params.includes(name) || this.#scope.steps.includes(name)
    this.#refuse(
      known
        ? `"${name}" is not an input, so there is no "${name}.${part}"`
        : `unknown input "${name}"${didYouMean(name, this.#scope.inputs)}`,
      at,
    )
    return neverRun
  }

  #call(name: string, list: readonly Expression[], at: number): Compiled {
    if (name === 'if') return this.#choice(list, at)
    return { type: 'number', run: this.#numberCall(name, list, at) }
  }

  #choice(list: readonly Expression[], at: number): Compiled {
    const [conditionTree, thenTree, elseTree] = list
    if (list.length !== 3 || !conditionTree || !thenTree || !elseTree) {
      this.#refuse(`if takes a condition and two values, got ${countOf(list)}`, at)
      return { type: 'number', run: neverRun }
    }
    const holds = this.#truth(conditionTree)
    const condition = (context: StepContext) => {
      const is = holds(context)
      context.choices?.decided(conditionTree, is)
      return is
    }
    const then = this.#compile(thenTree)
    const other = this.#compile(elseTree)
    if (then.type === 'number' && other.type === 'number')
      return { type: 'number', run: context => (condition(context) ? then.run(context) : other.run(context)) }
    if (then.type === 'truth' && other.type === 'truth')
      return { type: 'truth', run: context => (condition(context) ? then.run(context) : other.run(context)) }
    this.#refuse('the two values of if must both be numbers', at)
    return { type: 'number', run: neverRun }
  }

  #numberCall(name: string, list: readonly Expression[], at: number): NumberFunction {
    const mode = Object.hasOwn(roundingCalls, name) ? roundingCalls[name] : undefined
    if (mode !== undefined) return this.#rounding(name, mode, list, at)
    if (name === 'lookup') return this.#lookup(list, at)
    if (name === 'prev') return this.#previous(list, at)
    if (name === 'abs') {
      const [of] = this.#arguments('abs', 1, list, at)
      return context => absolute(of!(context), context.work)
    }
    if (name === 'clamp') {
      const [x, low, high] = this.#arguments('clamp', 3, list, at)
      return context => {
        const { work, choices } = context
        const [value, from, to] = [x!(context), low!(context), high!(context)]
        choices?.clamped(list[0]!, value, from, to)
        return least(greatest(value, from, work), to, work)
      }
    }
    if (name === 'mod') {
      const [a, b] = this.#arguments('mod', 2, list, at)
      return context => modulo(a!(context), b!(context), context.work)
    }
    if (name === 'pow') return this.#power(list, at)
    if (name === 'min' || name === 'max') return this.#fold(name, name === 'min' ? least : greatest, list, at)
    if (name === 'sum') return this.#fold(name, add, list, at)
    if (name === 'avg') {
      const total = this.#fold(name, add, list, at)
      const count = ofInteger(Math.max(list.length, 1))
      return context => divide(total(context), count, context.work)
    }
    this.#refuse(`unknown call "${name}"${didYouMean(name, callNames)}`, at)
    return neverRun
  }

  #arguments(name: string, count: number, list: readonly Expression[], at: number): NumberFunction[] {
    if (list.length !== count) {
      this.#refuse(`${name} takes ${count} argument${count === 1 ? '' : 's'}, got ${list.length}`, at)
      return Array.from({ length: count }, () => neverRun)
    }
    return list.map(tree => this.number(tree))
  }

  #fold(name: string, combine: Combine, list: readonly Expression[], at: number): NumberFunction {
    const [first, ...rest] = list.map(tree => this.number(tree))
    if (first === undefined) {
      this.#refuse(`${name} takes at least one argument`, at)
      return neverRun
    }
    return context => rest.reduce((folded, next) => combine(folded, next(context), context.work), first(context))
  }

  #rounding(name: string, mode: RoundingMode, list: readonly Expression[], at: number): NumberFunction {
    const [x] = this.#arguments(name, 2, list, at)
    const decimals = wholeNumberOf(list[1])
    if (decimals === null) {
      if (list.length === 2) this.#refuse(`the decimals of ${name} are written as a whole number from -30 to 30`, at)
      return neverRun
    }
    return context => roundTo(x!(context), decimals, mode, context.work)
  }

  /** Two arguments are a whole power; a third says to how many decimals a root is rounded. */
  #power(list: readonly Expression[], at: number): NumberFunction {
    if (list.length !== 2 && list.length !== 3) {
      this.#refuse(`pow takes x and a whole exponent, or x, an exponent and decimals, got ${countOf(list)}`, at)
      return neverRun
    }
    const [x, exponent] = list.slice(0, 2).map(tree => this.number(tree)) as [NumberFunction, NumberFunction]
    if (list.length === 2) {
      const written = list[1]!
      const literal = written.kind === 'negate' ? written.of : written
      if (literal.kind === 'number' && (!isWhole(literal.value) || literal.value.n / literal.value.d > maxExponent))
        this.#refuse(
          `pow(x, n) takes a whole n from -${maxExponent} to ${maxExponent}; pow(x, y, dp) takes fractions`,
          written.at,
        )
      return context => power(x(context), exponent(context), context.work)
    }
    const decimals = wholeNumberOf(list[2])
    if (decimals === null) {
      this.#refuse('the decimals of pow are written as a whole number from -30 to 30', at)
      return neverRun
    }
    return context => powerRounded(x(context), exponent(context), decimals, context.work)
  }

  #lookup(list: readonly Expression[], at: number): NumberFunction {
    const [tableTree, xTree] = list
    if (list.length !== 2 || !tableTree || !xTree) {
      this.#refuse(`lookup takes a table and a number, got ${countOf(list)}`, at)
      return neverRun
    }
    const x = this.number(xTree)
    const name = tableTree.kind === 'name' && tableTree.part === null ? tableTree.name : null
    const table = this.#scope.tables.find(candidate => candidate.name === name)
    if (table === undefined) {
      const names = this.#scope.tables.map(candidate => candidate.name)
      this.#refuse(`lookup needs the name of a table${didYouMean(name ?? '', names)}`, tableTree.at)
      return neverRun
    }
    return context => {
      const value = x(context)
      context.choices?.lookedUp(table, xTree, value)
      return lookUp(table, value, context.work)
    }
  }

  #previous(list: readonly Expression[], at: number): NumberFunction {
    const [stepTree, initialTree] = list
    if (list.length !== 2 || !stepTree || !initialTree) {
      this.#refuse('prev takes a step and its initial value: prev(factor, 1)', at)
      return neverRun
    }
    const initial = this.number(initialTree)
    const name = stepTree.kind === 'name' && stepTree.part === null ? stepTree.name : null
    const step = name === null ? -1 : this.#scope.steps.indexOf(name)
    if (step < 0) {
      this.#refuse(`prev needs the name of a step${didYouMean(name ?? '', this.#scope.steps)}`, stepTree.at)
      return neverRun
    }
    return context => context.previous(step) ?? initial(context)
  }
}

function countOf(list: readonly Expression[]): string {
  return `${list.length} argument${list.length === 1 ? '' : 's'}`
}

function neverRun(): never {
  throw new Error('an expression with problems is never evaluated')
}

function wholeNumberOf(tree: Expression | undefined): number | null {
  if (tree === undefined) return null
  if (tree.kind === 'negate') {
    const positive = wholeNumberOf(tree.of)
    return positive === null ? null : -positive
  }
  if (tree.kind !== 'number' || !isWhole(tree.value) || tree.text.includes('.')) return null
  return tree.value.n <= 30n ? Number.parseInt(tree.text, 10) : null
}
