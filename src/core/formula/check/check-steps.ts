// Checks params, tables, steps and the result, and resolves every expression against the names it may use.

import { compare, formatCarried, type Rounding } from '../../numbers/ratio.ts'
import type { Problem } from '../../refusal.ts'
import { formatDay } from '../../time/day.ts'
import { ExpressionProblem, parseExpression } from '../expression.ts'
import { formulaBounds, percentShownByDefault, type Result, type Step } from '../formula.ts'
import { isRawList, isRawMap, joinPath, type Raw } from '../raw.ts'
import { resolveExpression, type Scope } from '../resolve.ts'
import type { Param, StepSource, Table, TableRow } from '../terms.ts'
import { paramKeys, resultKeys, resultKindKey, stepKeys, tableKeys } from './document-keys.ts'
import { Fields, quote } from './fields.ts'
import { didYouMean } from './suggestion.ts'

export function checkParams(raw: Raw | undefined, problems: Problem[]): Param[] {
  if (raw === undefined || raw === null) return []
  const fields = Fields.of(raw, 'params', problems, 'params is a mapping from a name to a number')
  const names = fields.keys()
  if (names.length > formulaBounds.params)
    fields.refuse('', `at most ${formulaBounds.params} params are allowed, got ${names.length}`)
  return names
    .slice(0, formulaBounds.params)
    .map(name => checkParam(name, fields))
    .filter(param => param !== null)
}

function checkParam(name: string, fields: Fields): Param | null {
  const raw = fields.raw(name)
  if (!isRawList(raw)) {
    const value = fields.decimal(name)
    if (value === null && (raw === undefined || raw === null)) return fields.refuse(name, `${name} has no value`)
    return value === null ? null : { name, values: [{ from: null, value: value.value }] }
  }
  if (raw.length === 0 || raw.length > formulaBounds.paramValues)
    return fields.refuse(name, `a dated param has from 1 to ${formulaBounds.paramValues} entries, got ${raw.length}`)
  const values = raw.map((item, i) => {
    const path = joinPath(joinPath('params', name), i)
    const what = 'write { from: 2024-01-01, value: 3 }'
    const entry = Fields.at(item, path, fields.problems, what, 'params.*.*', paramKeys)
    const from = entry.day('from', true)
    const value = entry.decimal('value')
    if (!entry.has('value')) entry.refuse('value', 'value is missing')
    entry.finish()
    return from === null || value === null ? null : { from, value: value.value }
  })
  const known = values.filter(value => value !== null)
  for (let i = 1; i < known.length; i++)
    if (known[i]!.from <= known[i - 1]!.from)
      fields.refuse(
        `${name}[${i}].from`,
        `the dates must rise: ${formatDay(known[i]!.from)} does not come after ${formatDay(known[i - 1]!.from)}`,
      )
  return known.length < values.length ? null : { name, values: known }
}

export function checkTables(raw: Raw | undefined, problems: Problem[]): Table[] {
  if (raw === undefined || raw === null) return []
  const fields = Fields.of(raw, 'tables', problems, 'tables is a mapping from a name to a list of rows')
  const names = fields.keys()
  if (names.length > formulaBounds.tables)
    fields.refuse('', `at most ${formulaBounds.tables} tables are allowed, got ${names.length}`)
  return names
    .slice(0, formulaBounds.tables)
    .map(name => checkTable(name, fields))
    .filter(table => table !== null)
}

function checkTable(name: string, fields: Fields): Table | null {
  const raw = fields.raw(name)
  if (!isRawList(raw) || raw.length === 0)
    return fields.refuse(
      name,
      `a table is a list of rows such as { below: 1.95, value: 0.01 }, got ${isRawList(raw) ? 'an empty one' : quote(raw)}`,
    )
  if (raw.length > formulaBounds.tableRows)
    return fields.refuse(name, `at most ${formulaBounds.tableRows} rows are allowed, got ${raw.length}`)
  const rows = raw.map((row, i) =>
    checkRow(row, joinPath(joinPath('tables', name), i), i === raw.length - 1, fields.problems),
  )
  const known = rows.filter(row => row !== null)
  for (let i = 1; i < known.length; i++) {
    const [before, here] = [known[i - 1]!.edge, known[i]!.edge]
    if (before !== null && here !== null && compare(here, before) <= 0)
      fields.refuse(
        `${name}[${i}]`,
        `the edges of a table must rise, got ${formatCarried(here)} after ${formatCarried(before)}`,
      )
  }
  return known.length < rows.length ? null : { name, rows: known }
}

function checkRow(raw: Raw, path: string, isLast: boolean, problems: Problem[]): TableRow | null {
  const what = 'a row is written as { below: 1.95, value: 0.01 }'
  const fields = Fields.at(raw, path, problems, what, 'tables.*.*', tableKeys)
  if (!isRawMap(raw)) return null
  const below = fields.decimal('below')
  const atMost = fields.decimal('atMost')
  const value = fields.decimal('value')
  fields.finish()
  if (!fields.has('value')) fields.refuse('value', 'value is missing')
  const hasEdge = fields.has('below') || fields.has('atMost')
  if (fields.has('below') && fields.has('atMost')) return fields.refuse('', 'a row has below or atMost, not both')
  if (isLast && hasEdge)
    return fields.refuse('', 'the last row has no edge: state which value applies above the table, { value: … }')
  if (!isLast && !hasEdge) return fields.refuse('', 'only the last row is open; this one needs below or atMost')
  const edge = below ?? atMost
  if (value === null || (hasEdge && edge === null)) return null
  return { edge: edge?.value ?? null, closed: atMost !== null, value: value.value }
}

export interface NamedSource extends StepSource {
  readonly path: string
  readonly compiled: boolean
}

export function checkStepSources(raw: Raw | undefined, problems: Problem[]): NamedSource[] {
  if (raw === undefined || raw === null) return []
  if (!isRawList(raw)) {
    problems.push({ path: 'steps', message: `steps is a list of { name, expr }, got ${quote(raw)}` })
    return []
  }
  if (raw.length > formulaBounds.steps)
    problems.push({
      path: 'steps',
      message: `${raw.length} steps are written; at most ${formulaBounds.steps} are allowed`,
    })
  return raw.slice(0, formulaBounds.steps).map((item, i) => checkStep(item, joinPath('steps', i), problems))
}

function checkStep(raw: Raw, path: string, problems: Problem[]): NamedSource {
  const what = 'a step is written as { name: factor, expr: "…" }'
  const fields = Fields.at(raw, path, problems, what, 'steps.*', stepKeys)
  const isMap = isRawMap(raw)
  const name = (isMap ? fields.text('name', { required: true }) : null) ?? ''
  const isEmpty = isMap && raw.get('expr') === ''
  const expr = (isMap && !isEmpty ? fields.text('expr', { required: true, most: 20_000 }) : null) ?? ''
  if (isEmpty && fields.has('expr')) fields.refuse('expr', 'the expression is empty')
  const round = fields.rounding('round')
  const show = fields.rounding('show')
  const note = fields.text('note')
  fields.finish()
  return { name, expr, round, show, note, path, compiled: false }
}

/** Resolves all steps in order; a step with problems is left out of the result but keeps its name known to others. */
export function resolveSteps(
  sources: readonly NamedSource[],
  scope: Omit<Scope, 'steps' | 'visible' | 'isCompiled'>,
  problems: Problem[],
): Step[] {
  const names = sources.map(source => source.name)
  const steps: Step[] = []
  sources.forEach((source, i) => {
    if (source.expr === '') return
    try {
      const tree = parseExpression(source.expr, !source.compiled)
      const resolved = resolveExpression(tree, { ...scope, steps: names, visible: i, isCompiled: source.compiled })
      for (const { message, at } of resolved.problems)
        problems.push({ path: `${source.path}.expr`, message: `${message}, at character ${at}`, at })
      if (resolved.expression !== null) {
        const { name, expr, round, show, note, compiled } = source
        steps.push({ name, expr, round, show, note, compiled, expression: resolved.expression })
      }
    } catch (error) {
      if (!(error instanceof ExpressionProblem)) throw error
      problems.push({
        path: `${source.path}.expr`,
        message: `${error.message}, at character ${error.at}`,
        at: error.at,
      })
    }
  })
  return steps
}

export function checkResult(
  raw: Raw | undefined,
  steps: readonly { readonly name: string }[],
  clauseStep: string | null,
  hasPrice: boolean,
  problems: Problem[],
): Result | null {
  if ((raw === undefined || raw === null) && clauseStep === null) {
    problems.push({ path: 'result', message: 'result is missing: write { kind: FACTOR, step: <the last step> }' })
    return null
  }
  const what = 'result is written as { kind: FACTOR, step: factor }'
  const fields = Fields.at(raw ?? new Map(), 'result', problems, what, 'result', resultKeys)
  const kind = clauseStep === null ? fields.requiredChosen('kind', resultKindKey) : fields.chosen('kind', resultKindKey)
  const name = fields.text('step', { required: clauseStep === null }) ?? clauseStep
  if (fields.raw('show') === 'NONE')
    fields.refuse('show', 'show cannot be NONE: percentages are reported with a number of decimals')
  const show: Rounding = fields.rounding('show') ?? percentShownByDefault
  fields.finish()
  if (fields.has('kind') && !fields.has('step') && clauseStep !== null && kind !== 'FACTOR')
    fields.refuse('step', `step is missing: say which step is the ${kind}`)
  if ((kind === 'PRICE' || kind === 'SURCHARGE') && !hasPrice)
    fields.refuse('kind', `${kind} needs contract.price, which is not written`)
  if (name === null || kind === null) return null
  const step = steps.findIndex(candidate => candidate.name === name)
  if (step < 0)
    return fields.refuse(
      'step',
      `there is no step "${name}"${didYouMean(
        name,
        steps.map(s => s.name),
      )}`,
    )
  return { kind, step, show }
}
