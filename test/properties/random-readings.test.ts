// Random readings against the oracle: lags, windows, interpolation, vintages, missing values, conversion, links, cuts.
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { Draw, hunt } from '../oracle/draw.ts'
import { drawReadingScenario } from '../oracle/draw-readings.ts'
import { expectAgreement } from '../oracle/engine.ts'
import { roundsOf } from '../support/run/long-form.ts'

const readings = roundsOf('properties', 'ways to read a series', 250, 2_500)

describe('random readings', () => {
  test(`agrees with the oracle on ${readings} ways to read a series`, () => {
    const property = fc.property(fc.gen(), generate => {
      expectAgreement(drawReadingScenario(new Draw(generate)))
    })
    fc.assert(property, hunt(readings))
  })
})
