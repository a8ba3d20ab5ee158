// Random clauses against the oracle: what is adjusted, what it costs and every line between, to the last digit.
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { Draw, hunt } from '../oracle/draw.ts'
import { type ClauseWish, drawClauseScenario } from '../oracle/draw-clause.ts'
import { expectAgreement } from '../oracle/engine.ts'
import { draws } from '../support/run/long-form.ts'

function expectClauses(wish: ClauseWish, runs: number): void {
  const property = fc.property(fc.gen(), generate => {
    expectAgreement(drawClauseScenario(new Draw(generate), wish))
  })
  fc.assert(property, hunt(runs))
}

describe('random clauses', () => {
  test(`agrees with the oracle on ${draws(100)} clauses with a fixed base`, () => {
    expectClauses({ basis: 'FIXED_BASE', gaps: false }, 100)
  })

  test(`agrees with the oracle on ${draws(100)} clauses with a fixed base, some with a result of their own`, () => {
    expectClauses({ basis: 'FIXED_BASE', gaps: false, ownResult: true }, 100)
  })

  test(`agrees with the oracle on ${draws(100)} chained clauses`, () => {
    expectClauses({ basis: 'CHAINED', gaps: false }, 100)
  })

  test(`agrees with the oracle on ${draws(100)} clauses whose data have gaps`, () => {
    expectClauses({ gaps: true }, 100)
  })
})
