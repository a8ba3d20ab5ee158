import { describe, expect, test } from 'vitest'
import { oneIndexReceipts, receiptsOf } from '../../../test/support/agreements/worked-receipts.ts'
import { formatCarried } from '../numbers/ratio.ts'
import type { ReceiptBody } from './receipt.ts'
import { workReceipt } from './worked-steps.ts'

const numbersOf = (body: ReceiptBody) =>
  Object.fromEntries(workReceipt(body).lines.map(({ step, numbers }) => [step.name, numbers]))

const stepsDocument = (steps: string) => `
slug: steps
contract: { start: 2020-01-01, end: 2022-12-31, frequency: ANNUAL, price: { amount: 2.15, currency: USD, unit: mile } }
inputs:
  diesel: { series: CUSTOM/diesel, base: { value: 3 } }
params: { k: [{ from: 2020-01-01, value: 2 }, { from: 2022-01-01, value: -2 }] }
tables: { percent: [{ below: 3.5, value: 20 }, { value: 21 }] }
steps:
${steps}`
const diesel = 'series,period,value\nCUSTOM/diesel,2021,3.1\nCUSTOM/diesel,2022,3.7\n'

function worked(expr: string, period: string): string {
  const steps = `  - { name: x, expr: ${JSON.stringify(expr)} }\n  - { name: f, expr: "1" }\nresult: { kind: FACTOR, step: f }\n`
  return numbersOf(receiptsOf(stepsDocument(steps), diesel).get(period)!).x!
}

describe('a line with numbers in place of names', () => {
  test('has readings, earlier lines and the figures of the document in their places', () => {
    const { ratio_index, factor, step, applied } = numbersOf(
      oneIndexReceipts('{ fixed: 0, floor: { periodPct: -50 }, rounding: { percent: { dp: 2 } } }', [
        '107',
        '111.5',
      ]).get('2022')!,
    )
    expect({ ratio_index, factor, step, applied }).toEqual({
      ratio_index: '111.5 / 100',
      factor: '1 * 1.115',
      step: '1.115 / 1.07 - 1',
      applied: '1.07 * (1 + 4.21 / 100)',
    })
  })

  test('cuts long values where further digits say nothing', () => {
    expect(worked('1 / 3 + diesel / 7', '2021')).toBe('1 / 3 + 3.1 / 7')
    const steps =
      '  - { name: third, expr: "diesel / 3" }\n  - { name: f, expr: "third * 2" }\nresult: { kind: FACTOR, step: f }\n'
    expect(numbersOf(receiptsOf(stepsDocument(steps), diesel).get('2021')!).f).toBe('1.033333… * 2')
  })

  test('shows the initial value where there is no period before, and the carried one where there is', () => {
    const steps =
      '  - { name: f, expr: "prev(f, 1 + k) * (1 + k)", round: { dp: 2 } }\nresult: { kind: FACTOR, step: f }\n'
    const receipts = receiptsOf(stepsDocument(steps), diesel)
    expect(numbersOf(receipts.get('2021')!).f).toBe('(1 + 2) * (1 + 2)')
    expect(numbersOf(receipts.get('2022')!).f).toBe('9 * (1 + (-2))')
  })

  test('leaves the names of what was not used', () => {
    expect(worked('if(diesel > 3.5, diesel.base / diesel.last, k)', '2021')).toBe(
      'if(3.1 > 3.5, diesel.base / diesel.last, 2)',
    )
    expect(worked('if(year == 2021 or diesel > 1, 1, 2)', '2021')).toBe('if(2021 == 2021 or diesel > 1, 1, 2)')
  })

  test('keeps tables by name and rounding calls as they are', () => {
    expect(worked('lookup(percent, diesel) * round(price, 1)', '2022')).toBe('lookup(percent, 3.7) * round(2.15, 1)')
  })

  test('brackets as the tree has it, also where the writer had more brackets', () => {
    expect(worked('((diesel)) - (2 - (1 - k)) * (3 / (2 / 1))', '2021')).toBe('3.1 - (2 - (1 - 2)) * (3 / (2 / 1))')
    expect(worked('-(diesel - 1) * -k', '2022')).toBe('(-(3.7 - 1)) * (-(-2))')
    expect(worked('if(not (1 > 2 or 2 > 1) and 1 < 2, 1, 0)', '2021')).toBe('if(not (1 > 2 or 2 > 1) and 1 < 2, 1, 0)')
  })

  test('comes from the receipt alone: the lines are the ones that were written into it', () => {
    for (const body of oneIndexReceipts('{ basis: CHAINED, cap: { periodPct: 4, carryForward: true } }', [
      '107',
      '108',
      '109',
    ]).values()) {
      const { lines } = workReceipt(body)
      expect(lines.map(({ step }) => step.name)).toEqual(body.steps.map(({ name }) => name))
      expect(lines.map(({ value }) => formatCarried(value).replace('…', ''))).toEqual(
        body.steps.map(({ value }) => (value.includes('/') ? expect.any(String) : value)),
      )
    }
  })
})
