// Index events of FRED: series that it takes from other sources share their fate.
import type { IndexEvent } from '../../core/index-changes/index-event.ts'

const cancelled = (id: string, code: string): IndexEvent => ({
  id: `fred-${id}-2025-10`,
  provider: 'FRED',
  codes: code,
  kind: 'CANCELLED',
  day: '2025-10-01',
  sentence:
    'No consumer price index for October 2025 was published by the Bureau of Labor Statistics, and none will be.',
  successor: null,
  coefficient: null,
  source: 'BLS, revised news release dates following the 2025 lapse in appropriations',
})

export const fredEvents: readonly IndexEvent[] = [
  cancelled('cpi-u-unadjusted', 'CPIAUCNS'),
  cancelled('cpi-u-adjusted', 'CPIAUCSL'),
]
