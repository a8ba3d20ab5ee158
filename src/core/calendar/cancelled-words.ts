// The one sentence about a figure that will not come because its release was cancelled, used everywhere.

export interface CancelledWords {
  /** The reference in formulas. */
  readonly series: string
  readonly period: string
  readonly rule: string
  /** The clause's reading in its place. */
  readonly instead: string | null
}

export function formatCancelled({ series, period, rule, instead }: CancelledWords): string {
  const words = instead === null ? 'the clause has no rule for that' : `${rule} gives ${instead}`
  return `the release of ${series} ${period} was cancelled: ${words}`
}
