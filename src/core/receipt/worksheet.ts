// The lines of a receipt as a formula of their own: their names come from the receipt's document, their expressions from
// themselves. The clause of the document, and with it today's compiler, is not involved.

import { checkDocument } from '../formula/check/check.ts'
import { resolveSteps } from '../formula/check/check-steps.ts'
import type { Formula } from '../formula/formula.ts'
import type { StepSource } from '../formula/terms.ts'
import { type Problem, Refusal } from '../refusal.ts'
import type { Json } from '../text/canonical-json.ts'
import { readStrictJson } from '../text/strict-json.ts'
import type { ReadRules } from './receipt-parser.ts'

export type JsonMapping = { readonly [key: string]: Json }

const documentBounds = { length: 1_000_000, depth: 16 } as const

export function parseDocument(document: string): JsonMapping {
  const root = readStrictJson(document, "the receipt's formula", documentBounds)
  if (typeof root !== 'object' || root === null || Array.isArray(root))
    throw new Refusal('invalid', "the receipt's formula is not a mapping")
  return root as JsonMapping
}

/** Calendar, inputs, params and tables of a document, whatever its clause or steps. */
export function surroundingsOf(document: string, number: number): Formula {
  const { clause: _clause, steps: _steps, result: _result, ...rest } = parseDocument(document)
  const name = freeName(rest)
  const text = JSON.stringify({ ...rest, steps: [{ name, expr: '1' }], result: { kind: 'FACTOR', step: name } })
  const { formula, problems } = checkDocument(text)
  if (formula === null) refuse(number, problems[0]!)
  return formula
}

function refuse(number: number, { path, message }: Problem): never {
  throw new Refusal('invalid', `the receipt's formula ${number} is refused: ${path}: ${message}`)
}

/** A document must have a step; this one's name is unique. */
function freeName(root: JsonMapping): string {
  const taken = [root.inputs, root.params, root.tables].flatMap(each => Object.keys((each ?? {}) as JsonMapping))
  let name = '_'
  while (taken.includes(name)) name += '_'
  return name
}

/** Compiled lines may be longer than written ones, within reason: each input of a formula gives a few parts. */
const mostSteps = 400
const mostCharacters = 100_000
const mostOperators = 4_000

/** The formula with these lines as its steps, and the result of the rules. */
export function worksheetFormula(
  surroundings: Formula,
  number: number,
  steps: readonly StepSource[],
  rules: ReadRules,
): Formula {
  checkLines(steps)
  const empty = steps.findIndex(({ expr }) => expr === '')
  if (empty >= 0) refuse(number, { path: `steps[${empty}].expr`, message: 'the expression is empty, at character 1' })
  const problems: Problem[] = []
  const { inputs, params, tables, contract } = surroundings
  const scope = {
    inputs: inputs.map(input => input.name),
    params: params.map(param => param.name),
    tables,
    hasPrice: contract.price !== null,
  }
  // Compiled lines have no bounds: bounds are for lines that people write.
  const sources = steps.map((step, i) => ({ ...step, path: `steps[${i}]`, compiled: true }))
  const resolved = resolveSteps(sources, scope, problems)
  if (problems.length > 0) refuse(number, problems[0]!)
  const step = resolved.findIndex(({ name }) => name === rules.step)
  if (step < 0) refuse(number, { path: 'rules.step', message: `there is no step "${rules.step}"` })
  if (contract.price === null && (rules.kind === 'PRICE' || rules.kind === 'SURCHARGE'))
    refuse(number, { path: 'rules.kind', message: `${rules.kind} needs contract.price, which is not written` })
  const price = contract.price === null ? null : { ...contract.price, round: rules.priceRound }
  return {
    ...surroundings,
    contract: { ...contract, price },
    clause: null,
    steps: resolved,
    result: { kind: rules.kind, step, show: rules.show },
  }
}

function checkLines(steps: readonly StepSource[]): void {
  if (steps.length > mostSteps) throw new Refusal('too-large', `the receipt has more than ${mostSteps} lines`)
  const names = new Set(steps.map(({ name }) => name))
  if (names.size < steps.length) throw new Refusal('invalid', 'two lines of the receipt have the same name')
  for (const { name, expr } of steps)
    if (expr.length > mostCharacters || expr.replace(/[^-+*/(,<>=]/g, '').length > mostOperators)
      throw new Refusal('too-large', `the line ${name} of the receipt is too long`)
}
