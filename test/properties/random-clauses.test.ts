// Random clauses against the oracle: what is adjusted, what it costs and every line between, to the last digit.
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { Draw, hunt } from '../oracle/draw.ts'
import { type ClauseWish, drawClauseScenario } from '../oracle/draw-clause.ts'
import { expectAgreement } from '../oracle/engine.ts'

function expectClauses(wish: ClauseWish, runs: number): void {
  const property = fc.property(fc.gen(), generate => {
    expectAgreement(drawClauseScenario(new Draw(generate), wish))
  })
  fc.assert(property, hunt(runs))
}

describe('random clauses', () => {
  test('agrees with the oracle on 2,000 clauses with a fixed base', () => {
    expectClauses({ basis: 'FIXED_BASE', gaps: false }, 2000)
  })

  test('agrees with the oracle on 2,000 clauses with a fixed base, some with a result of their own', () => {
    expectClauses({ basis: 'FIXED_BASE', gaps: false, ownResult: true }, 2000)
  })

  test('agrees with the oracle on 2,000 chained clauses', () => {
    expectClauses({ basis: 'CHAINED', gaps: false }, 2000)
  })

  test('agrees with the oracle on 1,500 clauses whose data have gaps', () => {
    expectClauses({ gaps: true }, 1500)
  })
})
