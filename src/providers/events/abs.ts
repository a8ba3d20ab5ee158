// Index events of the Australian Bureau of Statistics: a version of a flow is a base.
import type { IndexEvent } from '../../core/index-changes/index-event.ts'

export const absEvents: readonly IndexEvent[] = [
  {
    id: 'abs-cpi-2-0-0',
    provider: 'ABS',
    codes: 'CPI,1.1.0/*',
    kind: 'SUPERSEDED',
    day: '2025-11-26',
    sentence:
      'The consumer price index moved to 2025 = 100 with version 2.0.0 of its flow; version 1.1.0 keeps the old base.',
    successor: 'CPI,2.0.0/*',
    coefficient: null,
    source: 'ABS, Consumer Price Index, Australia, October 2025',
  },
]
