// Corrections of five real kinds of contract, with the money computed by hand.
import { describe, expect, test } from 'vitest'
import { formatMinorUnits } from '../../src/core/numbers/money.ts'
import type { Ratio } from '../../src/core/numbers/ratio.ts'
import { partsOfNet } from '../../src/core/true-up/correction.ts'
import { figuresOf, signAlong } from '../support/agreements/signed-path.ts'
import { agree, assessOn, billedLine } from '../support/agreements/true-up.ts'

const money = (amount: Ratio | null | undefined, currency = 'EUR') =>
  amount === null || amount === undefined ? null : formatMinorUnits(amount, currency)
const states = ({ moved }: ReturnType<typeof assessOn>) => moved.map(({ state }) => state)

describe('NEC option X1: two revisions of one index', () => {
  const document = `slug: works
contract: { start: 2024-04-01, frequency: MONTHLY, price: { amount: 100000, currency: GBP, round: { dp: 2 } } }
inputs:
  labour: { series: CUSTOM/labour, base: { value: 100 }, lag: 2 months }
  steel: { series: CUSTOM/steel, base: { value: 100 }, lag: 2 months }
steps:
  - { name: paf, expr: "0.40 * (labour - labour.base) / labour.base + 0.35 * (steel - steel.base) / steel.base" }
  - { name: factor, expr: 1 + paf }
result: { kind: FACTOR, step: factor }
corrections: { when: EACH, settle: NEXT_INVOICE }
`
  const series = [
    figuresOf('CUSTOM/labour', { '2024-03': ['2024-04-15 F 104'] }),
    figuresOf('CUSTOM/steel', { '2024-03': ['2024-04-15 P 110', '2024-06-17 P 112', '2024-09-16 F 111.4'] }),
  ]
  const path = signAlong({ documents: [document], series, afterDays: 10, until: '2024-05-01' })
  // 0.40 × 4 % + 0.35 × 10 % = 1.6 % + 3.5 %: one assessment of 105,100.00
  const lines = [billedLine('works', { quantity: '1', day: '2024-05-31', billed: '105100.00' })]

  test('puts each difference into the next assessment', () => {
    // 0.35 × 12 % = 4.2 %: 105,800.00
    const first = assessOn({ path, lines }, '2024-06-30')
    expect(money(first.draft!.net, 'GBP')).toBe('700.00')
    expect(first.draft!.settle).toBe('NEXT_INVOICE')
    // 0.35 × 11.4 % = 3.99 %: 105,590.00
    const second = assessOn({ path, lines }, '2024-09-30', agree(first.draft!))
    expect(money(second.draft!.net, 'GBP')).toBe('-210.00')
  })

  test('comes to the same when both revisions are agreed at once', () => {
    expect(money(assessOn({ path, lines }, '2024-09-30').draft!.net, 'GBP')).toBe('490.00')
  })
})

describe('BLS: final after four months', () => {
  const document = (corrections: string) => `slug: brackets
contract: { start: 2024-01-01, frequency: QUARTERLY, price: { amount: 12.40, currency: USD, unit: piece, round: { dp: 2 } } }
inputs: { steel: { series: BLS/WPU101, weight: 1, base: { value: 240.0 }, lag: 1 month } }
clause: {}
corrections: ${corrections}
`
  const series = [
    figuresOf('BLS/WPU101', { '2024-03': ['2024-04-11 P 252.0', '2024-05-14 P 251.4', '2024-08-13 F 250.8'] }),
  ]
  const sign = (corrections: string) =>
    signAlong({ documents: [document(corrections)], series, afterDays: 14, until: '2024-04-01' })
  // 252.0 ÷ 240.0 = 1.05: 13.02 the piece
  const lines = [
    billedLine('brackets', { quantity: '1000', day: '2024-05-10', price: '13.02' }),
    billedLine('brackets', { line: '2', quantity: '333', day: '2024-06-28', price: '13.02' }),
  ]

  test('waits for the final figure and corrects once', () => {
    const path = sign('{ when: FINAL }')
    const waiting = assessOn({ path, lines }, '2024-06-30')
    expect(states(waiting)).toEqual(['WAITING_FOR_FINAL'])
    expect(waiting.whyNot).toBe('nothing is due: 2024-Q2 is waiting for final figures')
    // 251.4 ÷ 240.0 = 1.0475: 12.989, 12.99; 1,333 pieces: 17,355.66 → 12,990.00 + 4,325.67
    expect(money(waiting.open.waitingForFinal, 'USD')).toBe('-39.99')
    // 250.8 ÷ 240.0 = 1.045: 12.958, 12.96. 13,020.00 → 12,960.00; 4,335.66 → 4,315.68
    const due = assessOn({ path, lines }, '2024-08-13')
    expect(due.draft!.lines.map(({ amount }) => money(amount, 'USD'))).toEqual(['-60.00', '-19.98'])
    expect(money(due.draft!.net, 'USD')).toBe('-79.98')
    expect(assessOn({ path, lines }, '2024-12-31', agree(due.draft!)).moved).toEqual([])
  })

  test('keeps or waives what is below the smallest correction', () => {
    const kept = assessOn({ path: sign('{ when: FINAL, min: { amount: 80, below: KEEP } }'), lines }, '2024-08-13')
    expect(kept.draft).toBeNull()
    expect(states(kept)).toEqual(['UNDER_MINIMUM'])
    expect(money(kept.open.underMinimum, 'USD')).toBe('-79.98')
    const waived = assessOn({ path: sign('{ when: FINAL, min: { amount: 80, below: WAIVE } }'), lines }, '2024-08-13')
    expect(waived.draft!.isWaiver).toBe(true)
    const equal = assessOn({ path: sign('{ when: FINAL, min: { amount: 79.98, below: KEEP } }'), lines }, '2024-08-13')
    expect(equal.draft!.isWaiver).toBe(false)
  })

  test('spreads it over the next adjustments, the last taking the cents left over', () => {
    const { draft } = assessOn({ path: sign('{ when: FINAL, settle: { spread: 4 } }'), lines }, '2024-08-13')
    const parts = partsOfNet(draft!.net!, draft!.settle, 'USD').map(part => money(part, 'USD'))
    expect(parts).toEqual(['-19.99', '-19.99', '-19.99', '-20.01'])
  })

  test('uses declared quantities if no lines are kept, and nothing if there are none', () => {
    const path = sign('{ when: EACH }')
    const quantities = [{ item: 'brackets', period: '2024-Q2', quantity: { n: 1333n, d: 1n } }]
    // 17,355.66 → 17,275.68
    expect(money(assessOn({ path, quantities }, '2024-08-13').draft!.net, 'USD')).toBe('-79.98')
    expect(money(assessOn({ path, quantities, lines }, '2024-08-13').draft!.net, 'USD')).toBe('-79.98')
    expect(assessOn({ path }, '2024-08-13').draft).toMatchObject({ net: null })
  })

  test('counts the months of a limit from the period, the publication or the invoice', () => {
    const stateOn = (of: string, day: string) =>
      states(assessOn({ path: sign(`{ when: EACH, within: { months: 5, of: ${of} } }`), lines }, day))
    expect([stateOn('PERIOD', '2024-09-01'), stateOn('PERIOD', '2024-09-02')]).toEqual([['DUE'], ['LAPSED']])
    expect([stateOn('PUBLICATION', '2025-01-13'), stateOn('PUBLICATION', '2025-01-14')]).toEqual([['DUE'], ['LAPSED']])
    expect([stateOn('INVOICE', '2024-11-28'), stateOn('INVOICE', '2024-11-29')]).toEqual([['DUE'], ['LAPSED']])
    // The older of the two lines has lapsed by then.
    const path = sign('{ when: EACH, within: { months: 5, of: INVOICE } }')
    const { draft, open } = assessOn({ path, lines }, '2024-11-28')
    expect([money(draft!.net, 'USD'), money(open.due, 'USD'), money(open.lapsed, 'USD')]).toEqual([
      '-19.98',
      '-19.98',
      '-60.00',
    ])
  })
})

describe('French public works: provisional settlement, definitive within three months of the final value', () => {
  const document = `slug: travaux
contract: { start: 2024-01-01, frequency: QUARTERLY, price: { amount: 10000, currency: EUR, round: { dp: 2 } } }
inputs: { bt01: { series: CUSTOM/BT01, base: { value: 108.6 }, lag: 1 month, missing: LAST_KNOWN } }
steps:
  - { name: factor, expr: "0.15 + 0.85 * bt01 / bt01.base", round: { dp: 3, mode: CEILING } }
result: { kind: FACTOR, step: factor }
corrections: { when: FINAL, within: { months: 3, of: PUBLICATION } }
`
  const series = [figuresOf('CUSTOM/BT01', { '2024-02': ['2024-04-10 F 119.4'], '2024-03': ['2024-06-14 F 120.9'] })]
  const path = signAlong({ documents: [document], series, afterDays: 20, until: '2024-04-01' })
  // 0.15 + 0.85 × 119.4 ÷ 108.6 = 1.08453…, rounded up 1.085
  const lines = [billedLine('travaux', { quantity: '3', day: '2024-05-31', price: '10850.00' })]

  test('pays the difference to the final reference, and nothing after three months', () => {
    expect(assessOn({ path, lines }, '2024-06-13').moved).toEqual([])
    // 0.15 + 0.85 × 120.9 ÷ 108.6 = 1.09627…, rounded up 1.097: three times 120.00
    const { draft } = assessOn({ path, lines }, '2024-09-14')
    expect(money(draft!.net)).toBe('360.00')
    expect(draft!.periods[0]!.restated.causes[0]).toMatchObject({ before: null, after: { value: '120.9' } })
    const late = assessOn({ path, lines }, '2024-09-15')
    expect([late.draft, states(late), money(late.open.lapsed)]).toEqual([null, ['LAPSED'], '360.00'])
  })
})

describe('BCIS PAFI, December 2022: a capped estimate until the firm index', () => {
  const document = `slug: pafi
contract: { start: 2022-10-01, frequency: QUARTERLY, firstAdjustment: 2023-01-01, price: { amount: 50.00, currency: GBP, round: { dp: 2 } } }
inputs: { ppi: { series: CUSTOM/pafi, weight: 1, base: { value: 100 }, lag: 1 month, missing: { yoyEstimate: { capPct: 2 } } } }
clause: {}
corrections: { when: FINAL }
`
  const series = [
    figuresOf('CUSTOM/pafi', {
      '2021-11': ['2022-01-10 F 100'],
      '2021-12': ['2022-02-10 F 103'],
      '2022-11': ['2023-01-10 F 120'],
      '2022-12': ['2023-03-22 F 121.2'],
    }),
  ]
  const path = signAlong({ documents: [document], series, afterDays: 30, until: '2023-01-01' })

  test('corrects the estimate once the firm index is out', () => {
    // A year before 103, year on year 120 ÷ 100: 123.6, held at 2 % above November: 122.4. The piece: 61.20
    expect(path.adjustments.map(({ price }) => money(price!.value))).toEqual(['61.20'])
    const lines = [billedLine('pafi', { quantity: '200', day: '2023-02-01', price: '61.20' })]
    // Firm 121.2: 60.60; 200 × 0.60
    expect(money(assessOn({ path, lines }, '2023-03-22').draft!.net)).toBe('-120.00')
  })
})

describe('IEEMA: a supplementary bill when the circular is out', () => {
  const document = `slug: transformer
contract: { start: 2024-01-01, frequency: MONTHLY, price: { amount: 1000000, currency: INR, round: { dp: 2 } } }
inputs:
  copper: { series: CUSTOM/copper, weight: 0.60, base: { value: 750000 }, lag: 1 month, missing: LAST_KNOWN }
  labour: { series: CUSTOM/labour, weight: 0.25, base: { value: 400 }, lag: 1 month }
clause: { fixed: 0.15 }
corrections: { when: EACH, settle: NOTE }
`
  const series = [
    figuresOf('CUSTOM/copper', { '2024-03': ['2024-04-05 F 780000'], '2024-04': ['2024-06-06 F 802500'] }),
    figuresOf('CUSTOM/labour', { '2024-04': ['2024-05-02 F 420'] }),
  ]
  const path = signAlong({ documents: [document], series, afterDays: 5, until: '2024-05-01' })

  test('bills the difference of four units', () => {
    // Provisional: 0.15 + 0.60 × 1.04 + 0.25 × 1.05 = 1.0365
    const lines = [billedLine('transformer', { quantity: '4', day: '2024-05-20', price: '1036500.00' })]
    expect(money(path.adjustments[0]!.price!.value)).toBe('1036500.00')
    // With the circular: 0.60 × 1.07, so 1.0545: 18,000.00 a unit
    const { draft } = assessOn({ path, lines }, '2024-06-06')
    expect(money(draft!.net, 'INR')).toBe('72000.00')
    expect(draft!.periods.map(({ restated }) => restated.signed.period)).toEqual(['2024-05'])
  })
})
