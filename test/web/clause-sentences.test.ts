// A formula's document as everybody reads it on its page.
import { describe, expect, test } from 'vitest'
import { formatAdvice } from '../../web/pages/agreements/agreement/advice.ts'
import { formatAgreed, formatExpressionText } from '../../web/pages/agreements/agreement/clause-sentences.ts'

const plain = (words: string) => words.replaceAll('\u202f', ' ').replaceAll('\u00a0', ' ')

describe('what was agreed', () => {
  test('is a clause in the sentences of the builder', () => {
    const words = formatAgreed(
      `
slug: brackets
contract: { start: 2025-03-01, frequency: QUARTERLY, price: { amount: 12.40, currency: EUR, unit: piece, round: { dp: 2 } } }
parties: { supplier: ohio-forge }
inputs:
  steel: { series: BLS/WPU101, weight: 0.85, base: 2024-11, lag: 4 months }
clause:
  fixed: 0.15
  threshold: { pct: 1.5, test: EXCEEDS, pays: ALL }
  cap: { periodPct: 4 }
  rounding: { total: { dp: 2 } }
`,
      slug => (slug === 'ohio-forge' ? 'Ohio Forge Inc.' : slug),
    )!
    expect(words.contract.map(plain)).toEqual([
      'From 1 Mar 2025, adjusted quarterly.',
      'The price is 12.40 EUR per piece, rounded to 2 decimals.',
      'Signed for the buyer by every member who is a buyer, for the supplier by the people of Ohio Forge Inc.',
    ])
    expect(words.inputs).toEqual([
      {
        name: 'steel',
        share: '85\u202f%',
        reading: 'read four months before the adjustment date, against November 2024',
        reference: 'BLS/WPU101',
      },
    ])
    expect(words.clause.map(plain)).toEqual([
      '15 % never moves.',
      'Every period is compared with the base; the weighted ratios are summed.',
      'The price moves only when it would move by more than 1.5 % since it last moved; then the whole movement is paid.',
      'All of the movement is passed on.',
      'At most +4 % per period.',
      'The percent since the base is rounded to 2 decimals.',
    ])
    expect(words.steps).toEqual([])
  })

  test('is steps, tables and dated numbers in words', () => {
    const words = formatAgreed(
      `
slug: freight
contract: { start: 2025-02-01, frequency: MONTHLY, price: { amount: 2.150, currency: USD, unit: mile } }
inputs:
  diesel_price: { series: EIA/D, lag: 2 weeks }
params:
  share: [{ from: 2025-01-01, value: 0.5 }, { from: 2026-01-01, value: 0.6 }]
tables:
  by_diesel: [{ below: 3.40, value: 20 }, { atMost: 3.60, value: 21 }, { value: 22 }]
  other: [{ below: 1, value: 0 }, { value: 1 }]
steps:
  - { name: surcharge, expr: "lookup(by_diesel, diesel_price)", note: percent of the rate }
  - { name: rate, expr: "price * (1 + share * surcharge / 100)", round: { dp: 3 } }
result: { kind: PRICE, step: rate }
`,
      slug => slug,
    )!
    expect(words.params).toEqual(['share is 0.5 from 1 Jan 2025, 0.6 from 1 Jan 2026.'])
    expect(words.tables).toEqual([
      {
        name: 'by diesel',
        rows: [
          { range: 'below 3.40', value: '20' },
          { range: 'up to 3.60', value: '21' },
          { range: 'above 3.60', value: '22' },
        ],
      },
      {
        name: 'other',
        rows: [
          { range: 'below 1', value: '0' },
          { range: '1 or more', value: '1' },
        ],
      },
    ])
    expect(words.steps).toEqual([
      { name: 'surcharge', words: 'the value of the table by diesel for diesel price', note: 'percent of the rate' },
      { name: 'rate', words: 'price × (1 + share × surcharge ÷ 100), rounded to 3 decimals', note: '' },
    ])
    expect(words.result).toBe('Rate is the price.')
    expect(words.clause).toEqual([])
  })

  test('says every call of the language, with brackets where they count', () => {
    expect(formatExpressionText('(steel / steel.base - 1) * 100')).toBe('(steel ÷ steel at the base − 1) × 100')
    expect(formatExpressionText('if(year >= 2026 and steel > 3, 1, prev(factor, 1)) * 2')).toBe(
      '(1 if year is at least 2026 and steel is above 3, otherwise factor of the period before, initially 1) × 2',
    )
    expect(formatExpressionText('clamp(a, -1, min(b, c))')).toBe('a, at least −1 and at most the lowest of b, c')
    expect(formatExpressionText('1 +')).toBe('1 +')
  })

  test('is not shown for a text that cannot be read', () => {
    expect(formatAgreed('{', slug => slug)).toBeNull()
  })
})

describe('advice', () => {
  test('is a sentence without keys and codes', () => {
    expect(
      formatAdvice({
        path: 'inputs.steel_scrap.lag',
        message: 'on 2024-04-01 it is not out yet; write pick: LATEST_PUBLISHED',
        words: 'on 2024-04-01 it is not out yet, so the adjustment has to wait',
        line: 3,
      }),
    ).toBe('Steel scrap: on 1 Apr 2024 it is not out yet, so the adjustment has to wait.')
    expect(formatAdvice({ path: 'clause.rounding', message: 'no rounding is written', line: null })).toBe(
      'No rounding is written.',
    )
  })
})
