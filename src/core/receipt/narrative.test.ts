import { describe, expect, test } from 'vitest'
import { bracketsDocument, bracketsTable } from '../../../test/support/agreements/brackets.ts'
import { oneIndexReceipts, receiptsOf } from '../../../test/support/agreements/worked-receipts.ts'
import { narrate } from './narrative.ts'
import type { ReceiptBody } from './receipt.ts'
import { workReceipt } from './worked-steps.ts'

const sentencesOf = (receipts: ReadonlyMap<string, ReceiptBody>) =>
  [...receipts].map(([period, body]) => `${period}: ${narrate(workReceipt(body))}`)
const oneIndex = (clause: string, readings: readonly string[], more = '') =>
  sentencesOf(oneIndexReceipts(clause, readings, more))

describe('why an adjustment is what it is', () => {
  test('names what moved, its weight, and a threshold that was not reached', () => {
    expect(sentencesOf(receiptsOf(bracketsDocument(), bracketsTable))).toEqual([
      '2024-Q2: Steel rose 6.71 % and carries 35 %, labour rose 2.10 % and carries 25 %; together +2.87 %. The threshold of 3 % was not reached, so nothing is applied.',
      '2024-Q3: Steel rose 16.00 % and carries 35 %, labour rose 3.00 % and carries 25 %; together +6.35 %. The threshold of 3 % is exceeded. The cap of 5 % a period holds it at +5.00 %; the rest waits for the threshold. That is applied.',
      '2024-Q4: Since the base, steel rose 30.00 % and carries 35 %, labour rose 4.00 % and carries 25 %; together +11.50 %. With +5.00 % since the start in the price already, +6.19 % is left. The threshold of 3 % is exceeded. The cap of 5 % a period holds it at +5.00 %; the rest waits for the threshold. That is applied.',
    ])
  })

  test('distinguishes reaching a threshold from exceeding it', () => {
    const document = (test: string) => `{ threshold: { pct: 5, test: ${test}, pays: ALL } }`
    expect(oneIndex(document('EXCEEDS'), ['105'])).toEqual([
      '2021: Index rose 5.00 %. The threshold of 5 % was reached but not exceeded, so nothing is applied.',
    ])
    expect(oneIndex(document('REACHES'), ['105'])).toEqual([
      '2021: Index rose 5.00 %. The threshold of 5 % is reached, so +5.00 % is applied.',
    ])
  })

  test('does not let a figure look like the limit it stays under', () => {
    const clause = '{ threshold: { pct: 5, test: REACHES, pays: ALL }, rounding: { percent: { dp: 2 } } }'
    expect(oneIndex(clause, ['104.999'])).toEqual([
      '2021: Index rose 4.999 %. The threshold of 5 % was not reached, so nothing is applied.',
    ])
  })

  test('says what is paid beyond a band, and what is passed on', () => {
    expect(
      oneIndex('{ threshold: { pct: 5, test: EXCEEDS, pays: EXCESS }, passThrough: 0.5 }', ['107', '104', '100']),
    ).toEqual([
      '2021: Index rose 7.00 %. Only what exceeds the threshold of 5 % is paid: +2.00 %. 50 % of it is passed on: +1.00 %. That is applied.',
      '2022: Since the base, index rose 4.00 %. That stays inside the threshold of 5 %, so nothing of it is paid. With +1.00 % since the start in the price already, −0.9901 % is left. That is applied.',
      '2023: Since the base, index did not move. The price stays as it is.',
    ])
    expect(oneIndex('{ passThrough: [{ upTo: 3, share: 1 }, { share: 0.5 }], adder: 0.5 }', ['107'])).toEqual([
      '2021: Index rose 7.00 %; with the adder of +0.5 points +7.50 %. By the bands of sharing, a part of it is passed on: +5.25 %. That is applied.',
    ])
  })

  test('says what cumulative limits hold, from the base and in a chain', () => {
    const limits = 'cap: { cumulativePct: 6 }, floor: { cumulativePct: -2 }'
    expect(oneIndex(`{ ${limits} }`, ['107', '109', '93'])).toEqual([
      '2021: Index rose 7.00 %. The cumulative cap of 6 % holds it at +6.00 %. That is applied.',
      '2022: Since the base, index rose 9.00 %. The cumulative cap of 6 % holds it at +6.00 %. With +6.00 % since the start in the price already, nothing is left to do. The price stays as it is.',
      '2023: Since the base, index fell 7.00 %. The cumulative floor of −2 % stops it at −2.00 %. With +6.00 % since the start in the price already, −7.5472 % is left. That is applied.',
    ])
    expect(oneIndex(`{ basis: CHAINED, ${limits} }`, ['107', '109'])).toEqual([
      '2021: Index rose 7.00 %. The cumulative cap of 6 % leaves +6.00 %. That is applied.',
      '2022: Since the last adjustment, index rose 1.8692 %. The cumulative cap of 6 % leaves 0 %. The price stays as it is.',
    ])
  })

  test('says what a cap holds back and what is applied later', () => {
    const clause =
      '{ basis: CHAINED, cap: { periodPct: 4, carryForward: true }, floor: { periodPct: -3 }, rounding: { percent: { dp: 2 } } }'
    expect(oneIndex(clause, ['110', '110', '80'])).toEqual([
      '2021: Index rose 10.00 %. The cap of 4 % a period holds it at +4.00 %; what is held back is carried forward. That is applied.',
      '2022: Since the last adjustment, index did not move. With what the cap held back before it comes to +5.77 %. The cap of 4 % a period holds it at +4.00 %; what is held back is carried forward. That is applied.',
      '2023: Since the last adjustment, index fell 27.27 %. With what the cap held back before it comes to −26.04 %. The floor of −3 % a period stops it at −3.00 %. That is applied.',
    ])
  })

  test('says where a floor lifts, and where the clause rounds on the way', () => {
    expect(oneIndex('{ floor: { periodPct: 3 }, rounding: { percent: { dp: 2 } } }', ['102.6'])).toEqual([
      '2021: Index rose 2.60 %. The floor of 3 % a period lifts it to +3.00 %. That is applied.',
    ])
    const receipts = receiptsOf(
      bracketsDocument({ clause: '{ fixed: 0.40, rounding: { factor: { dp: 2, mode: CEILING } } }' }),
      bracketsTable,
    )
    expect(sentencesOf(receipts)[0]).toBe(
      '2024-Q2: Steel rose 6.71 % and carries 35 %, labour rose 2.10 % and carries 25 %; together +3.00 % after rounding. That is applied.',
    )
  })

  test('takes the figure of a dated param that is in force', () => {
    const more = 'params: { limit: [{ from: 2020-01-01, value: 4 }, { from: 2022-01-01, value: 2.5 }] }\n'
    expect(oneIndex('{ cap: { periodPct: limit } }', ['110', '120'], more)).toEqual([
      expect.stringContaining('The cap of 4 % a period holds it at +4.00 %'),
      expect.stringContaining('The cap of 2.5 % a period holds it at +2.50 %'),
    ])
  })

  test('names a few of many components, those that counted most', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const document = `
slug: many
contract: { start: 2020-01-01, end: 2021-12-31, frequency: ANNUAL }
inputs:
${names.map(name => `  ${name}_x: { series: CUSTOM/${name}, weight: 0.125, base: { value: 100 } }`).join('\n')}
clause: {}
`
    const table = `series,period,value\n${names.map((name, i) => `CUSTOM/${name},2021,${101 + i}\n`).join('')}`
    const [sentence] = sentencesOf(receiptsOf(document, table))
    expect(sentence).toMatch(/^2021: H x rose 8\.00 % and carries 12\.5 %, g x rose 7\.00 %/)
    expect(sentence).toContain('3 others counted for less; together +4.50 %.')
  })

  test('says what came out where the document is written as steps', () => {
    const document = (result: string) => `
slug: rate
contract: { start: 2020-01-01, end: 2022-12-31, frequency: ANNUAL, price: { amount: 2, currency: USD, unit: mile, round: { dp: 2 } } }
inputs:
  diesel: { series: CUSTOM/diesel, weight: 0.5, base: { value: 4 } }
steps:
  - { name: part, expr: "diesel / diesel.base" }
  - { name: rate, expr: "price * part" }
  - { name: pct, expr: "(part / prev(part, 1) - 1) * 100" }
result: ${result}
`
    const table = 'series,period,value\nCUSTOM/diesel,2021,5\nCUSTOM/diesel,2022,5\n'
    const told = (result: string) => sentencesOf(receiptsOf(document(result), table))
    expect(told('{ kind: PRICE, step: rate }')).toEqual([
      '2021: Diesel rose 25.00 % and carries 50 %. The step rate, 2 × 1.25, makes the price 2.50 USD per mile: +25.00 % on the price before.',
      '2022: Diesel rose 25.00 % and carries 50 %. The step rate, 2 × 1.25, makes the price 2.50 USD per mile: as it was before.',
    ])
    expect(told('{ kind: FACTOR, step: part }')).toEqual([
      '2021: Diesel rose 25.00 % and carries 50 %. The step part, 5 ÷ 4, makes the price factor 1.25: +25.00 % against 1 at the start.',
      '2022: Diesel rose 25.00 % and carries 50 %. The step part, 5 ÷ 4, makes the price factor 1.25: as before.',
    ])
    expect(told('{ kind: CHANGE_PCT, step: pct }')).toEqual([
      '2021: Diesel rose 25.00 % and carries 50 %. The step pct, (1.25 ÷ 1 − 1) × 100, comes to 25: +25.00 % on the price before.',
      '2022: Diesel rose 25.00 % and carries 50 %. The step pct, (1.25 ÷ 1.25 − 1) × 100, comes to 0: the price stays as it is.',
    ])
  })

  test('says which row of a table counted, which branch of an if was taken and which limit applied', () => {
    const document = (steps: string, result: string) => `
slug: surcharge
contract: { start: 2020-01-01, end: 2022-12-31, frequency: ANNUAL, price: { amount: 2, currency: USD, unit: mile } }
inputs:
  diesel_price: { series: CUSTOM/diesel }
tables:
  by_diesel: [{ atMost: 3.45, value: 0.30 }, { atMost: 3.85, value: 0.34 }, { value: 0.40 }]
  steps_of: [{ below: 3, value: 1 }, { value: 2 }]
steps: ${steps}
result: ${result}
`
    const table = 'series,period,value\nCUSTOM/diesel,2021,3.812\nCUSTOM/diesel,2022,4\n'
    const told = (steps: string, result: string) => sentencesOf(receiptsOf(document(steps, result), table))
    expect(
      told('[{ name: fuel, expr: "lookup(by_diesel, diesel_price)" }]', '{ kind: SURCHARGE, step: fuel }'),
    ).toEqual([
      '2021: Diesel price 3.812 lies in the row up to 3.85: 0.34 USD per mile. The step fuel is 0.34 on top, which makes the price 2.34 USD per mile: +17.00 % on the price before.',
      '2022: Diesel price 4 lies in the row above 3.85: 0.4 USD per mile. The step fuel is 0.4 on top, which makes the price 2.4 USD per mile: +2.5641 % on the price before.',
    ])
    expect(
      told(
        '[{ name: move, expr: "clamp(diesel_price / 3, 0.5, 1.3)" }, { name: factor, expr: "if(diesel_price > 3.9, move, 1) * lookup(steps_of, diesel_price - 1)" }]',
        '{ kind: FACTOR, step: factor }',
      ),
    ).toEqual([
      '2021: Diesel price > 3.9 is false (3.812 > 3.9). Diesel price − 1 = 2.812 lies in the row below 3: 1. The step factor makes the price factor 1: as at the start.',
      '2022: Diesel price ÷ 3 = 1.333333… is above the limit of 1.3, which counts. Diesel price > 3.9 is true (4 > 3.9). Diesel price − 1 = 3 lies in the row from 3 on: 2. The step factor makes the price factor 2.6: +160.00 % against 1 before.',
    ])
  })
})
