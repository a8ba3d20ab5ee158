// Index events of the European Central Bank.
import type { IndexEvent } from '../../core/index-changes/index-event.ts'

export const ecbEvents: readonly IndexEvent[] = [
  {
    id: 'ecb-icp-ended',
    provider: 'ECB',
    codes: 'ICP/*',
    kind: 'SUPERSEDED',
    day: '2026-01-01',
    sentence:
      'The data set ICP has the harmonised consumer prices by the first ECOICOP, to December 2025; the data set HICP goes on, on 2025 = 100 and by another classification.',
    successor: null,
    coefficient: null,
    source: 'ECB Data Portal',
  },
]
