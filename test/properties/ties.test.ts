// Exact ties by construction: where a float or a library that divides first would be off by one in the last place.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Draw, hunt } from '../oracle/draw.ts'
import { drawTie, percentTie, priceTie, roundedOf, stepTie } from '../oracle/draw-ties.ts'
import { expectAgreement, isSame } from '../oracle/engine.ts'
import { modes } from '../oracle/numbers.ts'

describe('built ties', () => {
  it.each(modes)('rounds 250 percentages that are exact ties by %s', mode => {
    const property = fc.property(fc.gen(), generate => {
      const draw = new Draw(generate)
      const tie = drawTie(draw, mode, 4)
      const { adjustments } = expectAgreement(percentTie(draw, tie))
      return isSame(adjustments[0]!.adjustmentPct, roundedOf(tie))
    })
    fc.assert(property, hunt(250))
  })

  it.each(modes)('rounds 60 steps that are exact ties by %s', mode => {
    const property = fc.property(fc.gen(), generate => {
      const draw = new Draw(generate)
      const tie = drawTie(draw, mode, 6)
      const { adjustments } = expectAgreement(stepTie(draw, tie))
      return isSame(adjustments[0]!.steps[0]!.value, roundedOf(tie))
    })
    fc.assert(property, hunt(60))
  })

  it.each(modes)('rounds 60 prices that are exact ties by %s', mode => {
    const property = fc.property(fc.gen(), generate => {
      const draw = new Draw(generate)
      const tie = { ...drawTie(draw, mode, 4), negative: false }
      const { adjustments } = expectAgreement(priceTie(draw, tie))
      return isSame(adjustments[0]!.price!.value, roundedOf(tie))
    })
    fc.assert(property, hunt(60))
  })

  it('makes 5.01 of a weight of 0.15015 on an index that goes from 90 to 120', () => {
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
    const { n, d } = adjustments[0]!.adjustmentPct
    expect(n * 100n).toBe(501n * d)
  })
})
