// Random worksheets against the oracle: every operator, call and name, every rounding, every kind of result.
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { Draw, hunt } from '../oracle/draw.ts'
import { drawStepsScenario } from '../oracle/draw-steps.ts'
import { expectAgreement } from '../oracle/engine.ts'
import { roundsOf } from '../support/run/long-form.ts'

const worksheets = roundsOf('properties', 'random worksheets', 300, 3_000)

describe('random steps', () => {
  test(`agrees with the oracle on ${worksheets} worksheets`, () => {
    const property = fc.property(fc.gen(), generate => {
      expectAgreement(drawStepsScenario(new Draw(generate)))
    })
    fc.assert(property, hunt(worksheets))
  })
})
