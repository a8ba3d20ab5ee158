// Index events of the Office for National Statistics.
import type { IndexEvent } from '../../core/index-changes/index-event.ts'

export const onsEvents: readonly IndexEvent[] = [
  {
    id: 'ons-ppi-2022-11',
    provider: 'ONS',
    codes: '*/MM22/*',
    kind: 'CANCELLED',
    day: '2022-11-01',
    sentence: 'The release of the producer prices of November 2022 was cancelled.',
    successor: null,
    coefficient: null,
    source: 'ONS release calendar',
  },
  {
    id: 'ons-ppi-2025-pause',
    provider: 'ONS',
    codes: '*/MM22/*',
    kind: 'METHOD',
    day: '2025-03-21',
    sentence:
      'No producer prices were published from March to October 2025, because the years had been chained wrongly. They resumed with corrected figures back to December 2008.',
    successor: null,
    coefficient: null,
    source:
      'ONS, Producer Prices publications statement of 21 March 2025, and Producer prices development plans, October 2025',
  },
]
