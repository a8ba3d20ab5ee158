// A priced formula over steel and labour, small enough to compute by hand: a threshold, a cap, three periods. Both series
// have first prints and later values.
import { withSupplier } from '../houses/sample.ts'

export const bracketsTable = `series,period,value,version,published,name
CUSTOM/steel,2023-12,100.00,FINAL,2024-01-15,Steel billets
CUSTOM/steel,2024-03,106.71,PRELIMINARY,2024-03-28,Steel billets
CUSTOM/steel,2024-06,114.00,PRELIMINARY,2024-06-28,Steel billets
CUSTOM/steel,2024-06,116.00,FINAL,2024-07-28,Steel billets
CUSTOM/steel,2024-09,130.00,PRELIMINARY,2024-09-28,Steel billets
CUSTOM/labour,2023-Q3,100.0,FINAL,2023-11-15,Labour in metal
CUSTOM/labour,2023-Q4,102.10,FINAL,2024-02-15,Labour in metal
CUSTOM/labour,2024-Q1,103.00,FINAL,2024-03-15,Labour in metal
CUSTOM/labour,2024-Q2,104.00,FINAL,2024-08-15,Labour in metal
`

export interface BracketsChanges {
  readonly slug?: string
  readonly name?: string
  readonly status?: string
  readonly steelWeight?: string
  readonly clause?: string
  readonly end?: string
  /** Further lines, at the left margin. */
  readonly more?: string
}

const usualClause =
  '{ fixed: 0.40, threshold: { pct: 3, test: EXCEEDS, pays: ALL }, cap: { periodPct: 5 }, rounding: { percent: { dp: 2 } } }'

export function bracketsDocument({
  slug = 'brackets',
  name = 'Steel brackets',
  status = 'ACTIVE',
  steelWeight = '0.35',
  clause = usualClause,
  end = '2024-12-31',
  more = '',
}: BracketsChanges = {}): string {
  return `# the contract of May 2023
slug: ${slug}
name: ${name}
description: Quarterly adjustment of the bracket price
status: ${status}
contract:
  start: 2024-01-01
  end: ${end}
  frequency: QUARTERLY
  price: { amount: 12.40, currency: EUR, unit: piece, round: { dp: 2 } }
inputs:
  steel: { series: CUSTOM/steel, weight: ${steelWeight}, base: 2023-12, lag: 1 month }
  labour: { series: CUSTOM/labour, weight: 0.25, base: 2023-Q3, lag: 2 quarters }
clause: ${clause}
${withSupplier(more)}`
}
