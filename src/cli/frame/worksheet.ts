// A calculation as a worksheet for the terminal: the observation and vintage, each line with its expression and value, and the
// contribution of each component and each control. Text only; it computes nothing.

import { controlWords } from '../../core/formula/controls/controls.ts'
import type { Formula } from '../../core/formula/formula.ts'
import type { CalculationEntry } from '../../core/receipt/calculation.ts'
import { formatStepRounding, signed } from '../../core/text/words.ts'
import { alignOnPoint, alignRows } from './aligned-rows.ts'

/** At most 14 digits after the point, for reading; the whole value is in the JSON. */
function readable(value: string): string {
  const [whole, part = ''] = value.replace('…', '').split('.')
  if (part.length <= 14) return value
  return `${whole}.${part.slice(0, 14)}…`
}

export function worksheetHead(formula: Formula, version: number): string[] {
  const { price, frequency } = formula.contract
  const money =
    price === null ? '' : `, ${price.text} ${price.currency}${price.unit === '' ? '' : ` per ${price.unit}`}`
  return [formula.name, `${formula.slug}, formula ${version}, ${frequency.wire}${money}`]
}

export function worksheet(formula: Formula, entry: CalculationEntry): string[] {
  return [
    '',
    `${entry.period}   adjustment date ${entry.adjustmentDate}   data ${entry.dataVersion}`,
    ...section('Observations', observations(entry)),
    ...section('Calculation', steps(formula, entry)),
    ...section('Components', components(entry)),
    ...section('Controls', controls(entry)),
    '',
    result(formula, entry),
  ]
}

function section(title: string, body: readonly string[]): string[] {
  return body.length === 0 ? [] : ['', `  ${title}`, ...body]
}

function observations({ observations: list }: CalculationEntry): string[] {
  const values = alignOnPoint(list.map(({ value }) => value))
  const rows = list.map(({ input, series, period, version, published }, i) => [
    input,
    series,
    period,
    values[i]!,
    version,
    `published ${published}`,
  ])
  return alignRows(rows, [], '    ')
}

const widestExpression = 68

function steps(formula: Formula, entry: CalculationEntry): string[] {
  const values = alignOnPoint(entry.steps.map(({ value, shown }) => shown ?? readable(value)))
  const rows = formula.steps.map((step, i) => {
    const expr = step.expr.length > widestExpression ? `${step.expr.slice(0, widestExpression - 1)}…` : step.expr
    return [step.name, expr, values[i]!, formatStepRounding(step)]
  })
  return alignRows(rows, [], '    ')
}

function components({ components: list }: CalculationEntry): string[] {
  if (list.length === 0) return []
  const changes = alignOnPoint(list.map(({ change }) => signed(change)))
  const points = alignOnPoint(list.map(({ contribution }) => signed(contribution)))
  const rows = list.map(({ input, series, weight }, i) => [
    input,
    series,
    `weight ${weight}`,
    `changed ${changes[i]} %`,
    `${points[i]} points`,
  ])
  return alignRows(rows, [], '    ')
}

function controls({ controls: list }: CalculationEntry): string[] {
  if (list.length === 0) return []
  const points = alignOnPoint(list.map(({ points }) => signed(points)))
  return alignRows(
    list.map(({ control }, i) => [controlWords[control] ?? control, `${points[i]} points`]),
    [],
    '    ',
  )
}

function result(formula: Formula, entry: CalculationEntry): string {
  const { price } = formula.contract
  const money = price === null || entry.price === undefined ? '' : `   price ${entry.price} ${price.currency}`
  const pct = entry.adjustmentPct === null ? '–' : `${signed(entry.adjustmentPct)} %`
  return `  Adjustment ${pct}   since the start ${signed(entry.cumulativePct)} %${money}`
}

/** The compiled lines of a formula, for `agreement show --steps`. */
export function stepList(formula: Formula): string[] {
  const rows = formula.steps.map((step, i) => [
    `${i + 1}`,
    step.name,
    step.expr,
    [formatStepRounding(step), step.note ?? ''].filter(text => text !== '').join('; '),
  ])
  return alignRows(rows, [0])
}
