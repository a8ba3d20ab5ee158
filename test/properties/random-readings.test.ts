// Random readings against the oracle: lags, windows, interpolation, vintages, missing values, conversion, links, cuts.
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { Draw, hunt } from '../oracle/draw.ts'
import { drawReadingScenario } from '../oracle/draw-readings.ts'
import { expectAgreement } from '../oracle/engine.ts'
import { draws } from '../support/run/long-form.ts'

describe('random readings', () => {
  test(`agrees with the oracle on ${draws(250)} ways to read a series`, () => {
    const property = fc.property(fc.gen(), generate => {
      expectAgreement(drawReadingScenario(new Draw(generate)))
    })
    fc.assert(property, hunt(250))
  })
})
