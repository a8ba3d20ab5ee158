// Random clauses against the oracle: what is adjusted, what it costs and every line between, to the last digit.
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { Draw, hunt } from '../oracle/draw.ts'
import { type ClauseWish, drawClauseScenario } from '../oracle/draw-clause.ts'
import { expectAgreement } from '../oracle/engine.ts'
import { roundsOf } from '../support/run/long-form.ts'

function expectClauses(wish: ClauseWish, runs: number): void {
  const property = fc.property(fc.gen(), generate => {
    expectAgreement(drawClauseScenario(new Draw(generate), wish))
  })
  fc.assert(property, hunt(runs))
}

const clauses = roundsOf('properties', 'random clauses of each kind', 100, 1_000)

describe('random clauses', () => {
  test(`agrees with the oracle on ${clauses} clauses with a fixed base`, () => {
    expectClauses({ basis: 'FIXED_BASE', gaps: false }, clauses)
  })

  test(`agrees with the oracle on ${clauses} clauses with a fixed base, some with a result of their own`, () => {
    expectClauses({ basis: 'FIXED_BASE', gaps: false, ownResult: true }, clauses)
  })

  test(`agrees with the oracle on ${clauses} chained clauses`, () => {
    expectClauses({ basis: 'CHAINED', gaps: false }, clauses)
  })

  test(`agrees with the oracle on ${clauses} clauses whose data have gaps`, () => {
    expectClauses({ gaps: true }, clauses)
  })
})
