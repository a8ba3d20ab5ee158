// From the text of a formula document to a checked formula, or to every problem it has, each with its path. One problem, and
// there is no formula.

import type { Problem } from '../../refusal.ts'
import { formatDay } from '../../time/day.ts'
import { type JsonObject, rawToJson } from '../canonical.ts'
import { appliedLine, clauseLines, compileClause, ratioLine } from '../clause.ts'
import type { Control } from '../controls/control.ts'
import { controls as allControls } from '../controls/controls.ts'
import { callNames } from '../expression.ts'
import { type Formula, formulaBounds, type Input } from '../formula.ts'
import { isRawMap, type Raw, readRaw } from '../raw.ts'
import { builtinNames, yearFactorNames } from '../resolve.ts'
import { checkBilling, checkCorrections, checkParties } from './check-agreement.ts'
import { checkClause } from './check-clause.ts'
import { checkContract } from './check-contract.ts'
import { checkInputs } from './check-inputs.ts'
import {
  checkParams,
  checkResult,
  checkStepSources,
  checkTables,
  type NamedSource,
  resolveSteps,
} from './check-steps.ts'
import { documentKeys, statusKey } from './document-keys.ts'
import { dropEchoes, Fields, hasProblemAt, quote } from './fields.ts'
import { namesAt } from './keys.ts'

export interface CheckedDocument {
  readonly formula: Formula | null
  /** The whole document as plain JSON; empty where there is no formula. */
  readonly document: JsonObject
  readonly problems: readonly Problem[]
  /** The line of the value at a path. */
  readonly lines: ReadonlyMap<string, number>
}

/** `controls`: the controls that a clause may have. */
export function checkDocument(text: string, controls: readonly Control[] = allControls): CheckedDocument {
  const { root, problems, lines } = readRaw(text)
  if (problems.length > 0) return { formula: null, document: {}, problems, lines }
  const checked = checkRoot(root, controls)
  const document = checked.formula === null ? {} : (rawToJson(root) as JsonObject)
  return { ...checked, document, lines }
}

function checkRoot(root: Raw, controls: readonly Control[]): { formula: Formula | null; problems: readonly Problem[] } {
  const problems: Problem[] = []
  if (!isRawMap(root)) {
    const message = `a formula document is a mapping with slug, contract, inputs and a clause or steps, got ${quote(root)}`
    return { formula: null, problems: [{ path: '', message }] }
  }
  const fields = new Fields(root, '', problems, namesAt('', documentKeys))
  const slug = checkSlug(fields)
  const name = fields.text('name', { most: 200 }) ?? slug ?? ''
  const description = fields.text('description', { most: 4000 }) ?? ''
  const status = fields.chosen('status', statusKey)
  const contract = checkContract(fields.raw('contract'), problems)
  const effectiveFrom = checkEffectiveFrom(fields, contract)
  const parties = checkParties(fields.raw('parties'), problems)
  const billing = checkBilling(fields.raw('contract'), problems)
  const paramNames = namesOf(fields.raw('params'))
  const inputs = checkInputs(fields.raw('inputs'), paramNames, problems)
  const params = checkParams(fields.raw('params'), problems)
  const tables = checkTables(fields.raw('tables'), problems)
  const ownSteps = checkStepSources(fields.raw('steps'), problems)
  const hasClause = fields.has('clause')
  if (!hasClause && !fields.has('steps'))
    problems.push({ path: '', message: 'a clause or steps are needed: the document does not say how the price moves' })
  if (fields.has('steps') && !hasClause && ownSteps.length === 0 && !fields.hasProblemAt('steps'))
    fields.refuse('steps', 'steps is empty')
  const surroundings = { inputs, params, paramNames, weightsRequired: ownSteps.length === 0, controls }
  const clause = hasClause ? checkClause(fields.raw('clause') ?? null, surroundings, problems) : null
  const compiled: NamedSource[] =
    clause === null
      ? []
      : compileClause(clause, inputs, params).map(source => ({ ...source, path: 'clause', compiled: true }))
  checkNames(hasClause ? clauseLines(controls) : null, inputs, ownSteps, fields)
  const sources = [...compiled, ...ownSteps]
  // A price with a problem still counts as a price: expressions may name it.
  const hasPrice = contract?.price != null || problems.some(({ path }) => path.startsWith('contract.price'))
  const corrections = checkCorrections(fields.raw('corrections'), hasPrice, problems)
  // Names count as known even if what they stand for has a problem: that problem is already reported.
  const scope = {
    inputs: namesOf(fields.raw('inputs')),
    params: paramNames,
    tables: namesOf(fields.raw('tables')).map(name => tables.find(table => table.name === name) ?? { name, rows: [] }),
    hasPrice,
  }
  const steps = resolveSteps(sources, scope, problems)
  const saysHow = hasClause || fields.has('steps')
  const result = saysHow
    ? checkResult(fields.raw('result'), sources, hasClause ? appliedLine : null, hasPrice, problems)
    : null
  if (!saysHow) fields.raw('result')
  fields.finish()
  checkBasesAreThere(inputs, scope.inputs, steps, problems)
  if (problems.length > 0 || slug === null || contract === null || result === null)
    return { formula: null, problems: dropEchoes(problems) }
  const formula: Formula = {
    slug,
    name,
    description,
    status,
    parties,
    contract,
    billing,
    corrections,
    effectiveFrom: effectiveFrom ?? contract.start,
    inputs,
    params,
    tables,
    clause,
    steps,
    result,
  }
  return { formula, problems: [] }
}

function namesOf(raw: Raw | undefined): readonly string[] {
  return isRawMap(raw) ? [...raw.keys()] : []
}

function checkSlug(fields: Fields): string | null {
  const slug = fields.text('slug', { required: true })
  if (slug === null || (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) && slug.length <= 63)) return slug
  return fields.refuse(
    'slug',
    `slug must be lower-case letters, digits and single hyphens, such as steel-brackets, got ${quote(slug)}`,
  )
}

function checkEffectiveFrom(fields: Fields, contract: Formula['contract'] | null): number | null {
  const day = fields.day('effectiveFrom')
  if (day === null || contract === null) return day
  if (day < contract.start)
    fields.refuse(
      'effectiveFrom',
      `effectiveFrom ${formatDay(day)} lies before the contract's start ${formatDay(contract.start)}`,
    )
  if (contract.end !== null && day > contract.end)
    fields.refuse(
      'effectiveFrom',
      `effectiveFrom ${formatDay(day)} lies after the contract's end ${formatDay(contract.end)}`,
    )
  return day
}

const namePattern = /^[\p{L}_][\p{L}\p{N}_]*$/u

function checkNames(
  lines: readonly string[] | null,
  inputs: readonly Input[],
  steps: readonly NamedSource[],
  root: Fields,
): void {
  const reserved = new Set<string>([...builtinNames, ...callNames, 'and', 'or', 'not', 'true', 'false'])
  const taken = new Map<string, string>()
  if (lines !== null) {
    for (const line of [...lines, ...yearFactorNames]) taken.set(line, 'a line of the clause')
    for (const input of inputs) taken.set(ratioLine(input.name), 'a line of the clause')
  }
  const names: [string, string, string][] = [
    ...namesOf(root.raw('inputs')).map((name): [string, string, string] => [`inputs.${name}`, name, 'an input']),
    ...namesOf(root.raw('params')).map((name): [string, string, string] => [`params.${name}`, name, 'a param']),
    ...namesOf(root.raw('tables')).map((name): [string, string, string] => [`tables.${name}`, name, 'a table']),
    ...steps
      .filter(step => step.name !== '')
      .map((step): [string, string, string] => [`${step.path}.name`, step.name, 'a step']),
  ]
  for (const [path, name, what] of names) {
    const earlier = taken.get(name)
    if (!namePattern.test(name) || name.length > formulaBounds.nameLength)
      root.refuse(
        path,
        `"${name}" cannot be used as a name: letters, digits and _ only, at most ${formulaBounds.nameLength}, not beginning with a digit`,
      )
    else if (reserved.has(name))
      root.refuse(path, `"${name}" has a meaning of its own in expressions; choose another name`)
    else if (earlier !== undefined) root.refuse(path, `"${name}" is already the name of ${earlier}`)
    else taken.set(name, what)
  }
}

/** An expression uses a base, or a reading that starts from it, but the document has no base. */
function checkBasesAreThere(
  inputs: readonly Input[],
  names: readonly string[],
  steps: Formula['steps'],
  problems: Problem[],
): void {
  const reported = new Set<number>()
  for (const step of steps)
    for (const { input, kind } of step.expression.readings) {
      const name = names[input]!
      const known = inputs.find(candidate => candidate.name === name)
      if (known === undefined || kind === 'current' || known.base !== null || reported.has(input) || step.compiled)
        continue
      if (hasProblemAt(problems, `inputs.${name}.base`)) continue
      reported.add(input)
      problems.push({
        path: `inputs.${name}.base`,
        message: `base is missing: the step "${step.name}" uses ${name}.${kind}${kind === 'base' ? '' : ', which begins with the base'}`,
      })
    }
}
