// Whether a splice follows from its own figures: ratios, coefficient, spread and the rest are computed again from the vintages
// that it lists, and its document is looked at. `verify` needs the body alone.
import { checkDocument } from '../formula/check/check.ts'
import { equal, formatExact, parseExact, type Ratio, ratio } from '../numbers/ratio.ts'
import { hashOf } from '../receipt/receipt.ts'
import { rounding as roundingShape } from '../receipt/receipt-schema.ts'
import { Refusal } from '../refusal.ts'
import { formatDay } from '../time/day.ts'
import { formatPeriod, parsePeriod, shift } from '../time/period.ts'
import { closenessOf, furthest, mean, type Pair } from './closeness.ts'
import { coefficientOf, sameLevel, toNewLevel } from './coefficient.ts'
import type { CommonLine, SpliceBody } from './splice-schema.ts'

/** Parts that do not follow, in sentences; empty where all do. */
export function judgeSplice(body: SpliceBody): readonly string[] {
  const { evidence, coefficient } = body
  const problems: string[] = []
  if (hashOf(evidence.overlap) !== evidence.hash) problems.push('the hash of the evidence is another one')
  const values = evidence.overlap.map(line => ({ line, oldValue: figureOf(line.old), newValue: figureOf(line.new) }))
  if (values.some(({ oldValue, newValue }) => oldValue === null || newValue === null))
    return [...problems, 'a common period lacks a value above 0']
  const common = values as readonly { line: CommonLine; oldValue: Ratio; newValue: Ratio }[]
  const pairs = common.map(({ line, oldValue, newValue }, i): Pair & { line: CommonLine } => ({
    line,
    old: oldValue,
    new: newValue,
    isNext: follows(common[i - 1]?.line.period, line.period),
  }))
  const ratios = pairs.map(pair => ({ n: pair.new.n * pair.old.d, d: pair.new.d * pair.old.n }))
  pairs.forEach(({ line }, i) => {
    if (line.ratio !== formatExact(ratios[i]!)) problems.push(`the ratio of ${line.period} is not that of its values`)
  })
  problems.push(...coefficientProblems(body, common))
  const level = coefficient === null ? null : toNewLevel(coefficient)
  const { spreadPct, correlation, differencePct } = closenessOf(pairs, level)
  const worst = level === null || pairs.length === 0 ? null : pairs[furthest(ratios, level)]!.line.period
  if (
    spreadPct !== evidence.spreadPct ||
    correlation !== evidence.correlation ||
    differencePct !== evidence.differencePct ||
    worst !== evidence.worst
  )
    problems.push('spread, correlation, difference or the worst period is not that of the evidence')
  return [...problems, ...documentProblems(body)]
}

function figureOf(figures: CommonLine['old']): Ratio | null {
  const values = figures.map(({ value }) => ratio(value))
  return values.length === 0 || values.some(({ n }) => n <= 0n) ? null : values.length === 1 ? values[0]! : mean(values)
}

function follows(before: string | undefined, period: string): boolean {
  const last = before === undefined ? null : parsePeriod(before)
  return last !== null && formatPeriod(shift(last, 1)) === period
}

function coefficientProblems(
  { method, coefficient, evidence }: SpliceBody,
  common: readonly { readonly oldValue: Ratio; readonly newValue: Ratio }[],
): readonly string[] {
  if (coefficient === null) return method === 'RELEVEL' ? [] : [`${method} needs a coefficient`]
  const { direction, exact, written, rounding, source } = coefficient
  if (method === 'SAME_LEVEL')
    return written === sameLevel.written && exact === '1' ? [] : ['SAME_LEVEL has the coefficient 1']
  if (method === 'PUBLISHED') {
    if (source === null) return ['a published coefficient names its source']
    return equal(parseExact(exact)!, ratio(written)) ? [] : ['the coefficient is not the one that was published']
  }
  if (common.length === 0) return [`${method} needs common periods`]
  if (method === 'POINT' && evidence.overlap.length !== 1) return ['POINT rests on one period']
  if (rounding === null) return ['a computed coefficient says how it is rounded']
  try {
    const again = coefficientOf(common, direction, roundingShape.read(rounding, 'body.coefficient.rounding'))
    if (formatExact(again.exact) === exact && again.written === written) return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  return ['the coefficient is not the ratio of the means of the evidence']
}

/** The document governs from the day that is named, and its inputs read the two series as the proposal says. */
function documentProblems(body: SpliceBody): readonly string[] {
  const { formula, problems } = checkDocument(body.document)
  if (formula === null) return [`the document does not hold: ${problems[0]?.message ?? ''}`]
  const wrong: string[] = []
  if (formatDay(formula.effectiveFrom) !== body.effectiveFrom) wrong.push('the document governs from another day')
  if (formula.slug !== body.pam) wrong.push('the document is of another agreement')
  for (const name of body.inputs) {
    const input = formula.inputs.find(each => each.name === name)
    if (input === undefined) wrong.push(`the document has no input ${name}`)
    else if (!isSpliced(body, input)) wrong.push(`the input ${name} is not spliced as the proposal says`)
  }
  return wrong
}

type FormulaInput = NonNullable<ReturnType<typeof checkDocument>['formula']>['inputs'][number]

function isSpliced({ method, coefficient, join, old, new: now, bases }: SpliceBody, input: FormulaInput): boolean {
  if (method === 'RELEVEL' || coefficient === null) {
    const base = bases.find(each => each.input === input.name)
    return (
      input.series === now.series && input.links.length === 0 && base !== undefined && input.base?.text === base.after
    )
  }
  const last = parsePeriod(join)
  if (last === null) return false
  const from = input.links.find(link => link.series === now.series && link.from !== null && link.until === null)
  if (from !== undefined) return formatPeriod(from.from!) === formatPeriod(shift(last, 1))
  const until = input.links.find(link => link.series === old.series && link.until !== null)
  return (
    input.series === now.series &&
    until !== undefined &&
    formatPeriod(until.until!) === join &&
    equal(until.coefficient, ratio(coefficient.written))
  )
}
