// The lines of one adjustment with numbers in place of names, from its receipt alone: the engine computes the receipt again,
// and each value that an expression reads replaces its name.
import type { Adjustment, BoundVersion } from '../calculation/adjustment.ts'
import { type Expression, parseExpression } from '../formula/expression.ts'
import type { Formula, Step } from '../formula/formula.ts'
import type { ChoiceListener, CompiledExpression, StepContext } from '../formula/resolve.ts'
import { formatCarried, type Ratio } from '../numbers/ratio.ts'
import { cutDecimals } from '../text/words.ts'
import type { ReceiptBody } from './receipt.ts'
import { type ReadBody, readBody } from './receipt-parser.ts'
import { bindToTell, evaluateRead } from './replay.ts'
import { StepNarrator } from './step-words.ts'

export interface WorkedLine {
  readonly step: Step
  /** The carried value. */
  readonly value: Ratio
  /** The expression with numbers in place of names. */
  readonly numbers: string
  /** The chosen row of a table, branch of an `if` or applied limit: one sentence for each. */
  readonly told: readonly string[]
}

export interface WorkedReceipt {
  readonly receipt: ReadBody
  readonly formula: Formula
  readonly adjustment: Adjustment
  readonly lines: readonly WorkedLine[]
}

/** The values that one expression read, by name; null for a `prev` whose initial value counted. */
type ReadValues = Map<string, Ratio | null>

export function workReceipt(body: ReceiptBody): WorkedReceipt {
  const receipt = readBody(body)
  const bound = bindToTell(receipt)
  const governing = bound.find(({ number }) => number === receipt.governing)!
  const { formula } = governing.bound
  const asked = formula.steps.map((): ReadValues => new Map())
  const tellers = formula.steps.map(step => new StepNarrator(formula, step, write))
  const versions = bound.map(version => (version === governing ? listening(version, asked, tellers) : version))
  const adjustment = evaluateRead(receipt, versions)
  const lines = adjustment.steps.map(({ step, value }, i) => ({
    step,
    value,
    numbers: write(parseExpression(step.expr, !step.compiled), asked[i]!),
    told: tellers[i]!.tell(asked[i]!),
  }))
  return { receipt, formula, adjustment, lines }
}

/** A version whose steps record the values they receive. */
function listening(
  version: BoundVersion,
  asked: readonly ReadValues[],
  choices: readonly ChoiceListener[],
): BoundVersion {
  const { formula } = version.bound
  const steps = formula.steps.map((step, i) => ({
    ...step,
    expression: heard(step.expression, formula, asked[i]!, choices[i]!),
  }))
  return { ...version, bound: { ...version.bound, formula: { ...formula, steps } } }
}

function heard(
  expression: CompiledExpression,
  { inputs, params, steps }: Formula,
  asked: ReadValues,
  choices: ChoiceListener,
): CompiledExpression {
  const note = (name: string, value: Ratio) => {
    asked.set(name, value)
    return value
  }
  const evaluate = (context: StepContext) =>
    expression.evaluate({
      work: context.work,
      choices,
      reading: (input, kind) =>
        note(`${inputs[input]!.name}${kind === 'current' ? '' : `.${kind}`}`, context.reading(input, kind)),
      param: index => note(params[index]!.name, context.param(index)),
      builtin: name => note(name, context.builtin(name)),
      step: index => note(steps[index]!.name, context.step(index)),
      previous: index => {
        const value = context.previous(index)
        asked.set(previousName(steps[index]!.name), value ?? null)
        return value
      },
    })
  return { ...expression, evaluate }
}

/** Names in a document contain no spaces. */
function previousName(step: string): string {
  return `prev ${step}`
}

const binding: Readonly<Record<string, number>> = {
  or: 1,
  and: 2,
  not: 3,
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
const signBinding = 7
const wholeBinding = 8

/** Enough decimals to follow the calculation. */
const readableDecimals = 6

/** The tree as text again, bracketed only where it has to be. */
function write(tree: Expression, asked: ReadValues): string {
  return writeTree(tree, asked).text
}

interface WrittenTerm {
  readonly text: string
  /** The strength of its binding. */
  readonly binding: number
}

function writeTree(tree: Expression, asked: ReadValues): WrittenTerm {
  switch (tree.kind) {
    case 'number':
      return { text: tree.text, binding: wholeBinding }
    case 'name': {
      const name = tree.part === null ? tree.name : `${tree.name}.${tree.part}`
      const value = asked.get(name)
      return value == null ? { text: name, binding: wholeBinding } : writeValue(value)
    }
    case 'negate':
      return { text: `-${inBrackets(writeTree(tree.of, asked), signBinding + 1)}`, binding: signBinding }
    case 'not':
      return { text: `not ${inBrackets(writeTree(tree.of, asked), binding.not!)}`, binding: binding.not! }
    case 'binary': {
      const own = binding[tree.operator]!
      // Comparisons do not chain, so both sides of one must bind tighter; elsewhere the left side may have the level of its
      // operator.
      const left = inBrackets(writeTree(tree.left, asked), own === binding['<'] ? own + 1 : own)
      const right = inBrackets(writeTree(tree.right, asked), own + 1)
      return { text: `${left} ${tree.operator} ${right}`, binding: own }
    }
    case 'call':
      return writeCall(tree, asked)
  }
}

function writeCall(tree: Extract<Expression, { kind: 'call' }>, asked: ReadValues): WrittenTerm {
  const [first, ...rest] = tree.arguments
  if (tree.name === 'prev' && first?.kind === 'name') {
    const value = asked.get(previousName(first.name))
    if (value === null && rest[0] !== undefined) return writeTree(rest[0], asked)
    if (value != null) return writeValue(value)
  }
  // The names of a table and of a step stand for themselves.
  const isNamed = tree.name === 'lookup' || tree.name === 'prev'
  const list = isNamed && first?.kind === 'name' ? [first.name, ...rest.map(each => write(each, asked))] : null
  const written = list ?? tree.arguments.map(each => write(each, asked))
  return { text: `${tree.name}(${written.join(', ')})`, binding: wholeBinding }
}

function writeValue(value: Ratio): WrittenTerm {
  const text = cutDecimals(formatCarried(value), readableDecimals)
  return { text, binding: text.startsWith('-') ? signBinding : wholeBinding }
}

/** A sum next to a product, and a negative number next to any sign, are put in brackets. */
function inBrackets({ text, binding: own }: WrittenTerm, atLeast: number): string {
  const isNegative = own === signBinding
  return own < atLeast || isNegative ? `(${text})` : text
}
