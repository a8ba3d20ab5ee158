// Index events of the U.S. Bureau of Labor Statistics.
import type { IndexEvent } from '../../core/index-changes/index-event.ts'

const source = 'BLS, revised news release dates following the 2025 lapse in appropriations'

const cancelled = (id: string, codes: string, what: string): IndexEvent => ({
  id: `bls-${id}-2025-10`,
  provider: 'BLS',
  codes,
  kind: 'CANCELLED',
  day: '2025-10-01',
  sentence: `No ${what} for October 2025 was published, and none will be: the survey could not be made. A few indices that need no survey were published with November.`,
  successor: null,
  coefficient: null,
  source,
})

export const blsEvents: readonly IndexEvent[] = [
  cancelled('cpi-u', 'CU*', 'consumer price index for all urban consumers'),
  cancelled('cpi-w', 'CW*', 'consumer price index for wage earners'),
]
