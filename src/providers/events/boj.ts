// Index events of the Bank of Japan: a new base is a new code.
import type { IndexEvent } from '../../core/index-changes/index-event.ts'

export const bojEvents: readonly IndexEvent[] = [
  {
    id: 'boj-cgpi-2020',
    provider: 'BOJ',
    codes: 'PR01/PRCG15_*',
    kind: 'SUPERSEDED',
    day: '2022-06-10',
    sentence: 'The corporate goods price indices moved from base 2015 to base 2020; those on 2015 are not continued.',
    successor: 'PR01/PRCG20_*',
    coefficient: null,
    source: 'Bank of Japan, rebasing of the Corporate Goods Price Index to the base year 2020',
  },
  {
    id: 'boj-sppi-2020',
    provider: 'BOJ',
    codes: 'PR02/PRCS15_*',
    kind: 'SUPERSEDED',
    day: '2024-06-25',
    sentence: 'The services producer price indices moved from base 2015 to base 2020; those on 2015 are not continued.',
    successor: 'PR02/PRCS20_*',
    coefficient: null,
    source: 'Bank of Japan, rebasing of the Services Producer Price Index to the base year 2020',
  },
]
