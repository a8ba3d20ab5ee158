// A figure that will not come because its release was cancelled, in one sentence: the same wherever it is told.

export interface CancelledWords {
  /** As formulas name it. */
  readonly series: string
  readonly period: string
  readonly rule: string
  /** What the clause reads in its place. */
  readonly instead: string | null
}

export function tellCancelled({ series, period, rule, instead }: CancelledWords): string {
  const words = instead === null ? 'the clause has no rule for that' : `${rule} gives ${instead}`
  return `the release of ${series} ${period} was cancelled: ${words}`
}
