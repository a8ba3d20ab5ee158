// Random worksheets against the oracle: every operator, call and name, every rounding, every kind of result.
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { Draw, hunt } from '../oracle/draw.ts'
import { drawStepsScenario } from '../oracle/draw-steps.ts'
import { expectAgreement } from '../oracle/engine.ts'

describe('random steps', () => {
  test('agrees with the oracle on 2,500 worksheets', () => {
    const property = fc.property(fc.gen(), generate => {
      expectAgreement(drawStepsScenario(new Draw(generate)))
    })
    fc.assert(property, hunt(2500))
  })
})
