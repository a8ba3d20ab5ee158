// Exact ties by construction: where a float or a library that divides first would be off by one in the last place.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Draw, hunt } from '../oracle/draw.ts'
import { expectAgreement } from '../oracle/engine.ts'
import { expectPercentTie, expectPriceTie, expectStepTie } from '../oracle/families.ts'
import { type Mode, modes } from '../oracle/numbers.ts'
import { roundsOf } from '../support/run/long-form.ts'

function expectTies(expectTie: (draw: Draw, mode: Mode) => void, mode: Mode, runs: number): void {
  fc.assert(
    fc.property(fc.gen(), generate => expectTie(new Draw(generate), mode)),
    hunt(runs),
  )
}

const percentages = roundsOf('properties', 'exact ties of percentages in each mode', 80, 800)
const others = roundsOf('properties', 'exact ties of steps and of prices in each mode', 20, 200)

describe('built ties', () => {
  test.each(modes)(`rounds ${percentages} percentages that are exact ties by %s`, mode => {
    expectTies(expectPercentTie, mode, percentages)
  })

  test.each(modes)(`rounds ${others} steps that are exact ties by %s`, mode => {
    expectTies(expectStepTie, mode, others)
  })

  test.each(modes)(`rounds ${others} prices that are exact ties by %s`, mode => {
    expectTies(expectPriceTie, mode, others)
  })

  test('makes 5.01 of a weight of 0.15015 on an index that goes from 90 to 120', () => {
    const { adjustments } = expectAgreement({
      document: {
        contract: { start: '2024-01-01', end: '2024-02-01', frequency: 'MONTHLY' },
        inputs: { steel: { series: 'CUSTOM/steel', weight: '0.15015', base: '2024-01' } },
        clause: { fixed: '0.84985', rounding: { percent: { dp: 2 } } },
      },
      data: {
        'CUSTOM/steel': [
          { period: '2024-01', value: '90' },
          { period: '2024-02', value: '120' },
        ],
      },
      asOf: null,
      until: '9999-12-31',
    })
    expect(adjustments).toHaveLength(1)
    const { n, d } = adjustments[0]!.adjustmentPct!
    expect(n * 100n).toBe(501n * d)
  })
})
