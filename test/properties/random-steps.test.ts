// Random worksheets against the oracle: every operator, call and name, every rounding, every kind of result.
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { Draw, hunt } from '../oracle/draw.ts'
import { drawStepsScenario } from '../oracle/draw-steps.ts'
import { expectAgreement } from '../oracle/engine.ts'
import { draws } from '../support/run/long-form.ts'

describe('random steps', () => {
  test(`agrees with the oracle on ${draws(300)} worksheets`, () => {
    const property = fc.property(fc.gen(), generate => {
      expectAgreement(drawStepsScenario(new Draw(generate)))
    })
    fc.assert(property, hunt(300))
  })
})
