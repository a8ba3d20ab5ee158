// A pasted clause as a document to start from: what was understood is filled in, the rest is as in a template.
import type { ClauseLimit, LimitSpan, PastedClause } from '../../../../../src/core/formula/pasted-clause.ts'

const limitKeys: Readonly<Record<LimitSpan, (pct: string) => string>> = {
  period: pct => `periodPct: ${pct}`,
  year: pct => `yearPct: ${pct}, year: CONTRACT`,
  'calendar year': pct => `yearPct: ${pct}, year: CALENDAR`,
  total: pct => `cumulativePct: ${pct}`,
}

function limitLine(side: ClauseLimit['side'], limits: readonly ClauseLimit[]): string {
  const own = new Map(limits.filter(each => each.side === side).map(each => [keyOf(each.span), each]))
  if (own.size === 0) return ''
  return `  ${side}: { ${[...own.values()].map(({ pct, span }) => limitKeys[span](pct)).join(', ')} }\n`
}

/** One limit for each kind of span: a second one replaces the first. */
const keyOf = (span: LimitSpan) => (span === 'calendar year' ? 'year' : span)

/** `year` is the current year. */
export function pastedDocument(clause: PastedClause, year: number): string {
  const { fixed, parts, limits, threshold, passThrough, frequency, price, lag, decimals } = clause
  const inputs = parts.length === 0 ? [{ name: 'index', weight: '1' }] : parts
  return `slug: pasted-clause
name: Pasted clause
description: ""
status: DRAFT
parties:
  # Who signs for the supplier: the slug of a party, or a list of e-mail addresses. Until it is named, no supplier sees this.
  supplier: []

contract:
  start: ${year - 1}-01-01
  frequency: ${frequency ?? 'QUARTERLY'}
${price === null ? '' : `  price: { amount: ${price.amount}, currency: ${price.currency}${price.unit === null ? '' : `, unit: ${price.unit}`}, round: { dp: 2 } }\n`}
inputs:
${inputs
  .map(
    ({ name, weight }) => `  ${name}:
    series: CUSTOM/${name}
    weight: ${weight}
    base: ${year - 2}-12
    lag: ${lag ?? '2 months'}
`,
  )
  .join('')}
clause:
${fixed === null ? '' : `  fixed: ${fixed}\n`}${
  threshold === null ? '' : `  threshold: { pct: ${threshold.pct}, test: EXCEEDS, pays: ${threshold.pays} }\n`
}${passThrough === null ? '' : `  passThrough: ${passThrough}\n`}${limitLine('cap', limits)}${limitLine('floor', limits)}  rounding: { total: { dp: ${decimals ?? '2'} } }
`
}
