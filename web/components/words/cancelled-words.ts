// Words for a figure that will never be published: its release was cancelled, and the clause reads something instead.
import type { DueCancelled } from '../../../src/views/shapes/due.ts'
import { formatLabel } from './period-words.ts'

const ruleWords: Readonly<Record<DueCancelled['rule'], string>> = {
  BLOCK: 'The clause has no rule for a cancelled release',
  LAST_KNOWN: 'By the clause the last known value counts',
  YOY_ESTIMATE: 'By the clause it is estimated from the year before',
  TREND: 'By the clause it continues the trend of the series',
  FALLBACK: 'By the clause another series takes its place',
  AGREED: 'The parties agreed on a value for it',
}

/** `The release of CPI-U, 2025-10, was cancelled. By the clause it continues the trend of the series: 325.604.` */
export function formatCancelled({ series, period, rule, instead }: DueCancelled): string {
  const value = instead === null ? '' : `: ${instead}`
  return `The release of ${series.name}, ${formatLabel(period)}, was cancelled. ${ruleWords[rule]}${value}.`
}
